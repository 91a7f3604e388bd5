"""Children that Python forks while the program trains, or while a model is there, change nothing for either."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")

# Forks a child that lives on while the sentences are read, as a pool of processes does.
FORKS_WHILE_READING = """
import os, sys, time, w2v
def sentences():
    child = os.fork()
    if child == 0:
        time.sleep(600)
        os._exit(0)
    print(child, flush=True)
    for _ in range(100):
        yield ["to", "be", "or", "not"]
model = w2v.train(sentences(), output=sys.argv[1], vector_size=4, sample=0)
print(len(model), flush=True)
"""

# Forks a child that drops the model and ends, with and without the work that Python does at its end.
FORKS_WITH_A_MODEL = """
import os, sys, w2v
model = w2v.train([["to", "be"]] * 9, vector_size=4, sample=0)
for end in (os._exit, sys.exit):
    child = os.fork()
    if child == 0:
        if end is os._exit:
            del model
        end(0)
    os.waitpid(child, 0)
    assert len(model.vectors) == 2
"""


def started(program: str, *args: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program, *args],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip


def test_a_forked_child_does_not_keep_the_program_reading(binary: str, tmp_path: Path) -> None:
    with started(FORKS_WHILE_READING, str(tmp_path / "m.w2v")) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        try:
            assert process.wait(timeout=60) == 0
            os.kill(child, 0)  # it is still there
            assert process.stdout.readline() == "4\n"
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_a_forked_child_does_not_end_the_model(binary: str) -> None:
    process = started(FORKS_WITH_A_MODEL)
    process.communicate(timeout=60)
    assert process.returncode == 0
