"""Remembers rows that take long to compose."""

from __future__ import annotations

from typing import Callable, Dict, Generic, List, Optional, Sequence, Tuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .storage import Floats32

__all__ = ["Kept"]

_NUMBERS = 1 << 22  # that are remembered
_ABSENT = np.empty(0, np.float32)

K = TypeVar("K")
Made = Tuple[Floats32, NDArray[np.bool_]]
"""Rows, and which of them there are."""


class Kept(Generic[K]):
    """Rows by keys, read-only, and None for keys without one. When four million numbers are kept, all are forgotten.

    Threads may share them: what one thread forgets, another makes again.
    """

    def __init__(self, width: int) -> None:
        self._rows: Dict[K, Optional[Floats32]] = {}
        self._most = max(_NUMBERS // max(width, 1), 1)
        self._zeros = np.zeros(width, np.float32)

    def one(self, key: K, make: Callable[[K], Optional[Floats32]]) -> Optional[Floats32]:
        """Return the row of a key."""
        row = self._rows.get(key, _ABSENT)
        if row is _ABSENT:
            row = make(key)
            self._keep(key, row)
        return row

    def of(self, keys: Sequence[K], make: Callable[[List[K]], Made]) -> Made:
        """Return the rows of keys, and which of them there are; others are zeros."""
        if len(keys) > self._most:
            return make(list(keys))
        rows = [self._rows.get(key, _ABSENT) for key in keys]
        absent = [i for i, row in enumerate(rows) if row is _ABSENT]
        if absent:
            made, has = make([keys[i] for i in absent])
            made.flags.writeable = False
            for i, row, there in zip(absent, made, has.tolist()):
                rows[i] = row if there else None
                self._keep(keys[i], rows[i])
        return self.stacked(rows)

    def stacked(self, rows: Sequence[Optional[Floats32]]) -> Made:
        """Return rows as one array, and which of them there are; others are zeros."""
        vectors = np.array([self._zeros if row is None else row for row in rows], np.float32)
        return vectors.reshape(len(rows), len(self._zeros)), np.array([row is not None for row in rows], bool)

    def _keep(self, key: K, row: Optional[Floats32]) -> None:
        if len(self._rows) >= self._most:
            self._rows.clear()
        self._rows[key] = row
