"""The least cost of moving one distribution to another: the earth mover's distance, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["least_cost"]


def least_cost(supplies: NDArray[np.int64], demands: NDArray[np.int64], costs: NDArray[np.float64]) -> float:
    """Return the least cost of moving whole supplies to whole demands, whose sums are the same, and not negative costs.

    Shortest augmenting paths with potentials (Tomizawa 1971, Edmonds and Karp 1972): each is found by Dijkstra's
    algorithm, and moves as much as it can.
    """
    n, m = costs.shape
    left, wanted = supplies.astype(np.int64), demands.astype(np.int64)
    moved: NDArray[np.int64] = np.zeros((n, m), np.int64)
    of_rows, of_columns = np.zeros(n), np.zeros(m)  # potentials
    while left.any():
        lengths, before_column, before_row = _shortest(left, moved, costs + of_rows[:, None] - of_columns)
        end = int(np.argmin(np.where(wanted > 0, lengths[n:], np.inf)))
        most = lengths[n + end]
        of_rows += np.minimum(lengths[:n], most)
        of_columns += np.minimum(lengths[n:], most)
        path, column = [], end
        while True:
            row = int(before_column[column])
            path.append((row, column, 1))
            if before_row[row] < 0:
                break
            column = int(before_row[row])
            path.append((row, column, -1))
        amount = min([int(left[row]), int(wanted[end]), *(int(moved[i, j]) for i, j, sign in path if sign < 0)])
        for i, j, sign in path:
            moved[i, j] += sign * amount
        left[row] -= amount
        wanted[end] -= amount
    return float((moved * costs).sum())


def _shortest(left: NDArray[np.int64], moved: NDArray[np.int64], reduced: NDArray[np.float64]) -> Any:
    """Return the lengths of the shortest paths to rows and columns, and what comes before each."""
    n, m = reduced.shape
    reduced = np.maximum(reduced, 0)  # rounding
    lengths = np.concatenate([np.where(left > 0, 0.0, np.inf), np.full(m, np.inf)])
    before_column, before_row = np.full(m, -1), np.full(n, -1)
    done = np.zeros(n + m, bool)
    while True:
        at = int(np.argmin(np.where(done, np.inf, lengths)))
        if done[at] or not np.isfinite(lengths[at]):
            return lengths, before_column, before_row
        done[at] = True
        if at < n:
            better = lengths[at] + reduced[at] < lengths[n:]
            lengths[n:][better] = lengths[at] + reduced[at][better]
            before_column[better] = at
        else:
            back = (moved[:, at - n] > 0) & (lengths[at] < lengths[:n])  # what was moved costs nothing to take back
            lengths[:n][back] = lengths[at]
            before_row[back] = at - n
