"""Vectors of texts that only the w2v program cuts into words as training did."""

from __future__ import annotations

import json
import subprocess
from typing import List, Sequence

import numpy as np

from . import _binary
from .storage import Floats32
from .words import decoded, encoded

__all__ = ["vectors_of_texts"]

_LINE_ENDS = bytes.maketrans(b"\n\r", b"  ")


def vectors_of_texts(model: str, texts: Sequence[str], dim: int, flags: List[str]) -> Floats32:
    """Return the vectors of texts as ``w2v sentence`` prints them, zeros where a text has none."""
    lines = [encoded(text).translate(_LINE_ENDS) + b"\n" for text in texts]
    command = [_binary.path(), "sentence", "--json", *flags, "--", model]
    done = subprocess.run(command, input=b"".join(lines), capture_output=True, check=False)
    answers = done.stdout.splitlines()
    # The exit code is 1 if a text has no vector.
    if done.returncode not in (0, 1) or len(answers) != len(lines):
        raise _binary.failure(done.returncode or 1, done.stderr)
    vectors = np.zeros((len(lines), dim), np.float32)
    for i, answer in enumerate(answers):
        numbers = json.loads(decoded(answer))["vector"]
        if numbers is not None and None not in numbers:  # null is a number that is not finite
            vectors[i] = numbers
    return vectors
