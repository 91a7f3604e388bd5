"""Correlations with their p-values."""

from __future__ import annotations

import math
from typing import NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Correlation", "pearson", "spearman"]


class Correlation(NamedTuple):
    """A correlation, and the probability of one as far from 0 if there is none."""

    statistic: float
    pvalue: float


def pearson(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Return Pearson's correlation, NaN if all numbers of one side are the same.

    The p-value is that of Student's t-test, on both sides.
    """
    a, b = (np.asarray(side, np.float64) for side in (x, y))
    a, b = a - a.mean(), b - b.mean()
    lengths = math.sqrt(float(a @ a) * float(b @ b))
    if not lengths > 0:
        return Correlation(math.nan, math.nan)
    r = min(1.0, max(-1.0, float(a @ b) / lengths))
    freedom = len(a) - 2
    return Correlation(r, _incomplete_beta(freedom / 2, 0.5, 1 - r * r) if freedom > 0 else 1.0)


def spearman(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Return Spearman's correlation: Pearson's of ranks. Equal numbers share the mean of their ranks.

    Two numbers have no p-value.
    """
    found = pearson(*(_ranks(np.asarray(side, np.float64)).tolist() for side in (x, y)))
    return found if len(x) > 2 else Correlation(found.statistic, math.nan)


def _ranks(x: NDArray[np.float64]) -> NDArray[np.float64]:
    _, group, counts = np.unique(x, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: NDArray[np.float64] = (last - (counts - 1) / 2)[group.reshape(-1)]
    return ranks


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function.

    Source: its continued fraction (Abramowitz and Stegun 26.5.8), by the algorithm of Lentz.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny, c, d, fraction = 1e-300, 1.0, 0.0, 1.0
    for i in range(1000):
        m = i // 2
        if i == 0:
            numerator = 1.0
        elif i % 2 == 0:
            numerator = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            numerator = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + numerator * d or tiny)
        c = 1 + numerator / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * (fraction - 1)
