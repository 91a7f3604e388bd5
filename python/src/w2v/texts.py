"""Texts that only the w2v program cuts into words as training did."""

from __future__ import annotations

import json
from typing import List, Sequence, Tuple

import numpy as np

from .storage import Floats32
from .words import decoded, encoded

__all__ = ["lines_of", "vectors_of"]

def lines_of(texts: Sequence[str]) -> Tuple[List[str], bytes]:
    """Return texts as ``w2v sentence`` reads them, each on a line, and the flags with which it does."""
    if any("\n" in text or "\r" in text for text in texts):
        return ["--json-field=."], b"".join([encoded(json.dumps(text, ensure_ascii=False)) + b"\n" for text in texts])
    return [], b"".join([encoded(text) + b"\n" for text in texts])


def vectors_of(answers: bytes, dim: int) -> Floats32:
    """Return the vectors that ``w2v sentence --json`` prints, zeros where a text has none."""
    lines = answers.splitlines()
    vectors = np.zeros((len(lines), dim), np.float32)
    for i, answer in enumerate(lines):
        numbers = json.loads(decoded(answer))["vector"]
        if numbers is not None and None not in numbers:  # null is a number that is not finite
            vectors[i] = numbers
    return vectors
