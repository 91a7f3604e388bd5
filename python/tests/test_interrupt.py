"""Ctrl-C, and a program that is killed, in real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, List

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


def test_ctrl_c_keeps_nothing_of_a_recipe_without_a_checkpoint(binary: str, corpus: Path, tmp_path: Path) -> None:
    out, err = ended(started(corpus, "training", output=str(tmp_path / "m.w2v"), recipe="best"))
    assert out == "model None checkpoint None error None"
    assert err == "w2v.errors.Interrupted: interrupted: nothing is kept of a recipe without checkpoint="
    assert os.listdir(tmp_path) == []


def test_ctrl_c_while_sentences_are_read_leaves_nothing(binary: str, corpus: Path, tmp_path: Path) -> None:
    _, err = ended(started(corpus, "reading", output=str(tmp_path / "m.w2v")))
    assert err == "KeyboardInterrupt"
    assert os.listdir(tmp_path) == []


# Trains in a process of multiprocessing, which the parent ends when a byte arrives.
UNDER_MULTIPROCESSING = """
import multiprocessing, sys
def train():
    exec({program!r}, {{}})
if __name__ == "__main__":
    process = multiprocessing.get_context("fork").Process(target=train)
    process.start()
    sys.stdin.read(1)
    process.terminate()
    process.join()
"""


def gone(folder: Path) -> None:
    """Wait until no program of w2v runs that has to do with a folder, which may take as long as a busy machine needs."""

    def running() -> List[str]:
        lines = subprocess.run(["ps", "-eww", "-o", "args="], check=True, capture_output=True, text=True).stdout.splitlines()
        return [line for line in lines if "--log-json=-" in line and str(folder) in line]

    until = time.monotonic() + 120
    while running() and time.monotonic() < until:
        time.sleep(0.05)
    assert running() == []


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, "terminate"])
@pytest.mark.parametrize("stage", ["held-out", "reading", "training", "saving"])
@pytest.mark.parametrize("named", [False, True])
def test_a_killed_python_leaves_no_process_and_no_folder(
    named: bool, stage: str, end: Any, binary: str, corpus: Path, tmp_path: Path
) -> None:
    folder, kept = tmp_path / "temporary", tmp_path / "kept"
    folder.mkdir()
    kept.mkdir()
    arguments = {"output": str(kept / "m.w2v")} if named else {}
    text = KILLED.format(corpus=str(corpus), stage=stage, arguments=arguments)
    if end == "terminate":
        text = UNDER_MULTIPROCESSING.format(program=text)
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, env={**os.environ, "TMPDIR": str(folder)},
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    assert process.stdout.readline().strip() == stage
    if stage != "saving":  # while Python is told of the end, the program may have removed its folder
        assert len(os.listdir(folder)) == 1
    if end == "terminate":
        process.stdin.write("x")
        process.stdin.flush()
    else:
        process.send_signal(end)
    process.communicate(timeout=60)
    gone(tmp_path)
    assert os.listdir(folder) == []
    # What had been asked for is there as a whole, or not at all.
    assert [name for name in os.listdir(kept) if name != "m.w2v"] == []
    if stage in ("training", "saving") and named:
        assert len(w2v.load(kept / "m.w2v")) > 100


# Trains until it is killed, and says when it is at a stage.
KILLED = """
import time, w2v
stage = {stage!r}
lines = [line.split() for line in open({corpus!r})]
def sentences(here, repeat):
    for i in range(repeat):
        yield from lines
        if i == 1 and here == stage:
            print(stage, flush=True)
            if stage == "held-out":
                time.sleep(600)
def heard(progress):
    if stage == "training" or progress.final:
        print(stage, flush=True)
        if progress.final:
            time.sleep(600)
validate = sentences("held-out", 2)
epochs = 2 if stage == "saving" else 100000
w2v.train(sentences("reading", 10**6 if stage == "reading" else 3), validate=validate, epochs=epochs, callback=heard, **{arguments!r})
"""


def test_a_killed_python_is_not_taken_for_the_end_of_the_text(binary: str, corpus: Path, tmp_path: Path) -> None:
    process = started(corpus, "reading", output=str(tmp_path / "m.w2v"))
    process.kill()
    process.communicate()
    gone(tmp_path)
    assert os.listdir(tmp_path) == []


FITS = """
import sys, w2v
pairs = [("the cat purrs", "cat"), ("a dog barks", "dog")] * 500
said = lambda progress: print("training", flush=True)
try:
    w2v.Classifier(epochs=10**6, threads=1, **{arguments!r}).fit(pairs, callback=said)
except w2v.Interrupted as e:
    print(e)
    print("model", e.model, "checkpoint", e.checkpoint, "error", e.error)
    raise
"""


@pytest.mark.parametrize("checkpoint", [False, True])
def test_ctrl_c_saves_a_classifier(checkpoint: bool, binary: str, tmp_path: Path) -> None:
    path = str(tmp_path / "run.ck")
    text = FITS.format(arguments={"checkpoint": path} if checkpoint else {})
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, env=environment
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "training"
    out, _ = ended(process)
    if checkpoint:
        assert out == f"model None checkpoint {path} error None"
        assert os.listdir(tmp_path) == ["run.ck"]
        return
    name = out.split()[1]
    assert out == f"model {name} checkpoint None error None"
    assert w2v.Classifier.load(name).predict(["the cat", "a dog"]).tolist() == ["cat", "dog"]
