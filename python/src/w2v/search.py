"""The nearest vectors by cosine, as one product of matrices."""

from __future__ import annotations

from typing import Any, Collection, List, Tuple

import numpy as np
from numpy.typing import NDArray

from .storage import Floats32

__all__ = ["Directions", "unit"]

_NUMBERS = 1 << 24  # how many cosines are computed at a time
_BLOCK = 256  # scores of which the largest is looked at first
_SHORTEST, _LONGEST = 2.0**-100, 2.0**120  # outside of these, float32 cannot hold a product's digits


def lengths(rows: Floats32) -> NDArray[np.float64]:
    """Return the Euclidean length of each row."""
    squares = np.empty(len(rows), np.float64)
    for at in range(0, len(rows), 4096):
        block = rows[at : at + 4096].astype(np.float64)
        squares[at : at + 4096] = np.einsum("ij,ij->i", block, block)
    return np.sqrt(squares)


def unit(vector: NDArray[np.floating[Any]]) -> Tuple[Floats32, bool]:
    """Return a vector scaled to length 1, and whether it has a direction; zeros if it has none."""
    numbers = np.asarray(vector, np.float64)
    length = float(np.sqrt(numbers @ numbers))
    if not 0 < length < np.inf:
        return np.zeros(len(numbers), np.float32), False
    return (numbers / length).astype(np.float32), True


class Directions:
    """Rows, and what turns their products with vectors of length 1 into cosines."""

    def __init__(self, rows: Floats32) -> None:
        norms = lengths(rows)
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1 / norms
        inverse[~(norms > 0) | np.isinf(norms)] = np.nan  # such rows have no direction
        extreme = (norms > 0) & np.isfinite(norms) & ~((norms >= _SHORTEST) & (norms <= _LONGEST))
        if np.any(extreme):
            rows = rows.copy()
            rows[extreme] = (rows[extreme].astype(np.float64) / norms[extreme][:, None]).astype(np.float32)
            inverse[extreme] = 1
        self._rows, self._inverse = rows, inverse.astype(np.float32)

    def cosines(self, units: Floats32, first: int, last: int) -> Floats32:
        """Return the cosines of vectors of length 1, one a row, with some of the rows; NaN where there is none."""
        with np.errstate(invalid="ignore", over="ignore"):
            products = units @ self._rows[first:last].T
        products *= self._inverse[first:last]
        return np.clip(products, -1, 1, out=products)

    def units(self) -> Floats32:
        """Return the rows, each scaled to length 1; zeros where a row has no direction."""
        return np.nan_to_num(self._rows * self._inverse[:, None])

    def nearest(
        self, units: Floats32, topn: int, skip: List[Collection[int]], first: int, last: int
    ) -> List[List[Tuple[int, float]]]:
        """Return the nearest rows of each vector, best first, and of equally near ones the lower one first."""
        found: List[List[Tuple[int, float]]] = []
        step = max(1, _NUMBERS // max(last - first, 1))
        for at in range(0, len(units), step):
            for i, scores in enumerate(self.cosines(units[at : at + step], first, last)):
                found.append(best(scores, topn, skip[at + i], first))
        return found


def best(scores: Floats32, topn: int, skip: Collection[int], first: int = 0) -> List[Tuple[int, float]]:
    """Return the places of the largest scores and the scores. The first score is that of place ``first``."""
    topn = int(topn)  # a small integer of numpy would overflow in the sums
    kept = min(topn + len(skip), len(scores))
    if kept < 1:
        return []
    if np.isnan(scores.max()):
        scores = np.where(np.isnan(scores), np.float32(-np.inf), scores)
    which = np.flatnonzero(scores >= _floor(scores, kept))
    order = which[np.argsort(-scores[which], kind="stable")]
    found = ((first + int(i), float(scores[i])) for i in order[: topn + len(skip)] if scores[i] > -np.inf)
    return [answer for answer in found if answer[0] not in skip][:topn]


def _floor(scores: Floats32, n: int) -> np.float32:
    """Return a number that at least n scores reach, and not many more."""
    blocks = len(scores) // _BLOCK
    if blocks >= 4 * n:  # as many blocks have a score that large
        scores = scores[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
    floor: np.float32 = np.partition(scores, len(scores) - n)[len(scores) - n]
    return floor
