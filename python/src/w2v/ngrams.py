"""Cuts words into runs of characters, many words at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import List, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import hashing
from .hashing import Places
from .words import decoded

__all__ = ["BLANKS", "Runs", "code_point_runs", "fasttext_runs", "subwords", "with_wholes"]

BLANKS = re.compile("[ \n\r\t\v\f\0]+")
"""What separates the tokens of fastText."""

END_OF_SENTENCE = b"</s>"
"""The word that fastText and floret write for a newline. It has no n-grams."""


@dataclass(frozen=True)
class Runs:
    """Runs of characters: where each begins and ends in a buffer, and which word it is of, rising."""

    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    word: NDArray[np.int64]

    def where(self, keep: NDArray[np.bool_]) -> "Runs":
        """Return some of the runs."""
        return Runs(self.begin[keep], self.end[keep], self.word[keep])


@dataclass(frozen=True)
class Buffer:
    """Words one after the other, each with its marks, and where each begins and ends."""

    bytes: NDArray[np.uint8]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]


def joined(words: Sequence[bytes], opening: bytes, closing: bytes) -> Buffer:
    """Return words between marks, one after the other."""
    marked = [opening + word + closing for word in words]
    end = np.cumsum([len(word) for word in marked], dtype=np.int64)
    begin = np.concatenate([np.zeros(1, np.int64), end[:-1]])
    return Buffer(np.frombuffer(b"".join(marked), np.uint8), begin[: len(end)], end)


def fasttext_runs(words: Sequence[bytes], text: Buffer, shortest: int, longest: int) -> Runs:
    """Return the runs that fastText takes of words between marks: from left to right, short before long.

    A byte that does not continue a code point starts one. Runs of one code point at either end are no
    n-grams, and the word ``</s>`` has none.
    """
    starts = np.flatnonzero((text.bytes & 0xC0) != 0x80).astype(np.int64)
    runs = _grid(starts, text.begin, text.end, np.arange(max(shortest, 1), longest + 1))
    alone = runs.points == 1
    at_end = (runs.begin == text.begin[runs.word]) | (runs.end == text.end[runs.word])
    keep = ~(alone & at_end)
    for i, word in enumerate(words):
        if word == END_OF_SENTENCE:
            keep &= runs.word != i
    return runs.where(keep)


def subwords(word: bytes, shortest: int, longest: int, buckets: int) -> Tuple[List[str], List[int]]:
    """Return the n-grams that fastText takes of a word, and the buckets that they are hashed to."""
    if word == END_OF_SENTENCE or longest <= 0:
        return [], []
    text = joined([word], b"<", b">")
    runs = fasttext_runs([word], text, shortest, longest)
    whole = text.bytes.tobytes()
    names = [decoded(whole[a:b]) for a, b in zip(runs.begin.tolist(), runs.end.tolist())]
    return names, (hashing.fasttext(text.bytes, runs.begin, runs.end) % np.uint32(max(buckets, 1))).tolist()


def code_point_runs(
    words: Sequence[bytes], shortest: int, longest: int
) -> Tuple[NDArray[np.uint32], List[str], Runs]:
    """Return the runs that finalfusion takes of words: from left to right, long before short.

    Begins and ends are in code points. The result has these, too, and the marked words as text. A byte
    that is not UTF-8 is the code point U+FFFD.
    """
    marked = ["<" + decoded(word) + ">" for word in words]
    end = np.cumsum([len(word) for word in marked], dtype=np.int64)
    begin = np.concatenate([np.zeros(1, np.int64), end[:-1]])[: len(end)]
    codes = np.frombuffer("".join(marked).encode("utf-32-le", "surrogatepass"), "<u4").copy()
    codes[(codes >= 0xDC80) & (codes <= 0xDCFF)] = 0xFFFD
    starts = np.arange(len(codes), dtype=np.int64)
    return codes, marked, _grid(starts, begin, end, np.arange(longest, max(shortest, 1) - 1, -1))


@dataclass(frozen=True)
class _Grid(Runs):
    points: NDArray[np.int64]  # how many code points each run has


def _grid(starts: Places, begin: Places, end: Places, lengths: Places) -> _Grid:
    """Return all runs of these lengths, of words whose code points start at these places."""
    last = np.searchsorted(starts, end)  # the first code point behind each word
    word = np.repeat(np.arange(len(end)), last - np.searchsorted(starts, begin))
    behind = np.arange(len(starts))[:, None] + lengths
    valid = behind <= last[word][:, None]
    at = np.broadcast_to(np.arange(len(starts))[:, None], valid.shape)[valid]
    behind = behind[valid]
    of = word[at]
    following = np.append(starts, 0)[behind]
    ends = np.where(behind == last[of], end[of], following)
    return _Grid(starts[at], ends, of, np.broadcast_to(lengths, valid.shape)[valid])


def with_wholes(runs: Runs, text: Buffer, of: NDArray[np.int64]) -> Runs:
    """Return the runs with the whole of each of these words before its runs."""
    word = np.concatenate([of, runs.word])
    order = np.argsort(word, kind="stable")
    begin = np.concatenate([text.begin[of], runs.begin])
    end = np.concatenate([text.end[of], runs.end])
    return Runs(begin[order], end[order], word[order])
