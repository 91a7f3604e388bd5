"""Precision and recall of predicted labels at every probability, as fastText's meter has them."""

from __future__ import annotations

from typing import Callable, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["MISSED", "Meter"]

#: The probability of a true label that was not predicted.
MISSED = -1.0

_Numbers = NDArray[np.float64]


class Meter:
    """What ``get_meter`` returns. Without a label, an answer is about all labels together."""

    def __init__(
        self, number: Callable[[str], int], ids: NDArray[np.int64], scores: _Numbers, true: NDArray[np.bool_], gold: List[int]
    ) -> None:
        """Take each prediction's label, probability and truth, and how many texts have each label."""
        self._number, self._ids, self._scores, self._true, self._gold = number, ids, scores, true, gold

    def _id(self, label: str) -> int:
        found = self._number(label)
        if found < 0:
            raise ValueError(f"{label!r} is not a label of the model")
        return found

    def _of(self, label: Optional[int]) -> Tuple[_Numbers, NDArray[np.bool_], int]:
        """Return probabilities, rising, and which are of true labels, and how many labels are true."""
        scores, true, gold = self._scores, self._true, sum(self._gold)
        if label is not None:
            at = self._ids == label
            scores, true, gold = scores[at], true[at], self._gold[label]
        order = np.lexsort((true, scores))
        return scores[order], true[order], gold

    def score_vs_true(self, label: str) -> Tuple[_Numbers, _Numbers]:
        """Return the probabilities that a label was predicted with, rising, and 1 for each that was right, else 0.

        A text of the label that it was not predicted for has -1.
        """
        scores, true, _ = self._of(self._id(label))
        return scores, true.astype(np.float64)

    def precision_recall_curve(self, label: Optional[str] = None) -> Tuple[_Numbers, _Numbers]:
        """Return precisions and recalls from the highest probability on, and then 1 and 0."""
        scores, true, gold = self._of(self._id(label) if label else None)
        scores, true = scores[scores >= 0], true[scores >= 0]
        if not len(scores):
            return np.empty(0), np.empty(0)
        right = np.cumsum(true[::-1])
        last = np.append(np.flatnonzero(np.diff(scores[::-1])), len(scores) - 1)  # of equal probabilities
        right, predicted = right[last], last + 1
        whole = int(np.searchsorted(right, gold)) + 1  # behind it, the recall does not rise
        right, predicted = right[:whole], predicted[:whole]
        recall = right / gold if gold else np.full(len(right), np.nan)
        return np.append(right / predicted, 1.0), np.append(recall, 0.0)

    def precision_at_recall(self, recall: float, label: Optional[str] = None) -> float:
        """Return the best precision with at least this recall."""
        precisions, recalls = self.precision_recall_curve(label)
        return float(precisions[recalls >= recall].max(initial=0.0))

    def recall_at_precision(self, precision: float, label: Optional[str] = None) -> float:
        """Return the best recall with at least this precision."""
        precisions, recalls = self.precision_recall_curve(label)
        return float(recalls[precisions >= precision].max(initial=0.0))
