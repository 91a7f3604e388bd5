"""Ctrl-C, and a program that is killed, in real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import List

import pytest

import w2v

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends signals of POSIX")

# Trains for minutes, and says when training is under way.
PROGRAM = """
import sys, w2v
def sentences():
    for i in range({repeat}):
        for line in open({corpus!r}):
            yield line.split()
        if i == 1:
            print("reading", flush=True)
try:
    w2v.train(sentences(), epochs={epochs}, window=20, callback=lambda p: print("training", flush=True), **{arguments!r})
except w2v.Interrupted as e:
    print("model", e.model, "checkpoint", e.checkpoint, "error", e.error)
    raise
"""


def started(corpus: Path, until: str, **arguments: object) -> "subprocess.Popen[str]":
    """Start a program that trains, and return when it has come as far as that."""
    text = PROGRAM.format(
        corpus=str(corpus), repeat=10**6 if until == "reading" else 1, epochs=100_000, arguments=arguments
    )
    process = subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == until
    return process


def ended(process: "subprocess.Popen[str]") -> List[str]:
    """Send Ctrl-C as a terminal does, to the group, and return the last lines of stdout and stderr."""
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT or process.returncode == 1
    return [text.strip().rpartition("\n")[2] for text in (out, err)]


def test_ctrl_c_saves_the_model(binary: str, corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "m.w2v"
    out, err = ended(started(corpus, "training", output=str(output)))
    assert out == f"model {output} checkpoint None error None"
    assert err == f"w2v.errors.Interrupted: interrupted: the model as it was is {output}"
    assert len(w2v.load(output)) > 100
    assert os.listdir(tmp_path) == ["m.w2v"]


def test_ctrl_c_saves_a_model_that_has_no_name_yet(binary: str, corpus: Path) -> None:
    out, _ = ended(started(corpus, "training"))
    path = out.split()[1]
    assert len(w2v.load(path)) > 100
    os.remove(path)
    os.rmdir(os.path.dirname(path))


def test_ctrl_c_saves_the_checkpoint_and_the_run_goes_on(binary: str, corpus: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.ck"
    out, err = ended(started(corpus, "training", checkpoint=str(checkpoint)))
    assert out == f"model None checkpoint {checkpoint} error None"
    assert err == f"w2v.errors.Interrupted: interrupted: train(…, resume={str(checkpoint)!r}) goes on"

    class Enough(Exception):
        pass

    def enough(progress: w2v.Progress) -> None:
        raise Enough

    with open(corpus, encoding="utf-8") as lines, pytest.raises(Enough):
        # The settings are those of the checkpoint, 100,000 epochs among them.
        w2v.train(lines, resume=checkpoint, callback=enough)


def test_ctrl_c_while_sentences_are_read_leaves_nothing(binary: str, corpus: Path, tmp_path: Path) -> None:
    _, err = ended(started(corpus, "reading", output=str(tmp_path / "m.w2v")))
    assert err == "KeyboardInterrupt"
    assert os.listdir(tmp_path) == []


def test_a_killed_python_is_not_taken_for_the_end_of_the_text(binary: str, corpus: Path, tmp_path: Path) -> None:
    process = started(corpus, "reading", output=str(tmp_path / "m.w2v"))
    process.kill()
    process.communicate()
    for _ in range(100):
        if not os.listdir(tmp_path):
            break
        time.sleep(0.1)
    time.sleep(0.5)
    assert os.listdir(tmp_path) == []
