"""Answers of the w2v program, to compare with."""

from __future__ import annotations

import gc
import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np
import pytest
from numpy.typing import NDArray


def children() -> List[int]:
    """Return the processes that this one has started and not waited for."""
    path = f"/proc/self/task/{os.getpid()}/children"
    if not os.path.exists(path):
        pytest.skip("the system does not list children")
    gc.collect()  # classifiers that nobody uses any more
    return [int(pid) for task in os.listdir("/proc/self/task") for pid in Path(f"/proc/self/task/{task}/children").read_text().split()]


def run(binary: str, *args: str, stdin: bytes = b"") -> bytes:
    """Run the program. It may leave out words without a vector, which makes the exit code 1."""
    done = subprocess.run([binary, *args], input=stdin, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout


def objects(binary: str, *args: str, stdin: bytes = b"") -> List[Dict[str, Any]]:
    """Return what a command prints with --json."""
    return [json.loads(line) for line in run(binary, args[0], "--json", *args[1:], stdin=stdin).splitlines()]


def vectors(binary: str, model: Path, words: Sequence[str], *flags: str) -> Dict[str, NDArray[np.float32]]:
    """Return the vectors of those of the words that have one."""
    lines = objects(binary, "vector", *flags, "--", str(model), *words)
    return {line["word"]: np.array(line["vector"], np.float32) for line in lines}


def neighbours(binary: str, *args: str) -> List[Tuple[str, float]]:
    """Return the answers of w2v nn or analogy to one question."""
    (line,) = objects(binary, *args)
    return [(n["word"], n["similarity"]) for n in line.get("neighbors", line.get("answers"))]


def same_answers(got: Sequence[Tuple[str, float]], want: Sequence[Tuple[str, float]], within: float = 1e-6) -> None:
    """Fail if a score differs by more than rounding, or if words differ whose scores do not.

    How a product of matrices is rounded depends on its shape and on the processor. So words whose
    scores are that near may change places, with each other or with the first word that is left out.
    """
    np.testing.assert_allclose([score for _, score in got], [score for _, score in want], rtol=within, atol=within)
    for some, others in ((got, dict(want)), (want, dict(got))):
        for word, score in some:
            np.testing.assert_allclose(score, others.get(word, some[-1][1]), rtol=within, atol=within, err_msg=word)
