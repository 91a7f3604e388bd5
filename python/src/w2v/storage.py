"""The rows of a matrix, in the forms that a model file may have them in.

Rows are decoded when they are asked for. Some forms end with a linear map, a rotation or a projection,
that is applied once to a sum of rows: ``take`` returns rows before that, and ``finish`` applies it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from .errors import Error

__all__ = ["BFloat16", "Decoded", "First", "Floats", "Int8", "Mean", "Product", "Quantised", "Storage"]

Floats32 = NDArray[np.float32]


class Storage:
    """Rows of float32 numbers, in memory or not."""

    rows: int
    dim: int  # of a row in the end
    width: int  # of what take returns

    def take(self, ids: NDArray[np.int64]) -> Floats32:
        """Return rows, which may be added up."""
        raise NotImplementedError

    def finish(self, sums: Floats32) -> Floats32:
        """Turn rows, or sums of rows, into numbers of the matrix."""
        return sums

    def first(self, n: int) -> "Storage":
        """Return the first n numbers of all rows."""
        return First(self, n) if n < self.dim else self

    def array(self) -> Optional[Floats32]:
        """Return all rows if they lie in memory as they are."""
        return None


class Floats(Storage):
    """Rows of float32 or float16 numbers."""

    def __init__(self, numbers: NDArray[Any]) -> None:
        self._numbers = numbers
        self.rows, self.dim = numbers.shape
        self.width = self.dim
        self._side_by_side = numbers.flags.c_contiguous  # numpy's take would copy others whole

    def take(self, ids: NDArray[np.int64]) -> Floats32:
        rows: NDArray[Any] = self._numbers.take(ids, axis=0) if self._side_by_side else self._numbers[ids]
        return rows.astype(np.float32, copy=False)

    def first(self, n: int) -> Storage:
        return Floats(self._numbers[:, :n])

    def array(self) -> Optional[Floats32]:
        return self._numbers if self._numbers.dtype == np.float32 else None


class BFloat16(Storage):
    """Rows of bfloat16 numbers, which numpy does not have: they are given as the integers of their bits."""

    def __init__(self, bits: NDArray[np.uint16]) -> None:
        self._bits = bits
        self.rows, self.dim = bits.shape
        self.width = self.dim

    def take(self, ids: NDArray[np.int64]) -> Floats32:
        return (self._bits[ids].astype(np.uint32) << np.uint32(16)).view(np.float32)

    def first(self, n: int) -> Storage:
        return BFloat16(self._bits[:, :n])


class Int8(Storage):
    """Rows of whole numbers, each row with a scale."""

    def __init__(self, codes: NDArray[np.int8], scales: Floats32) -> None:
        self._codes, self._scales = codes, scales
        self.rows, self.dim = codes.shape
        self.width = self.dim
        if len(scales) != self.rows:
            raise Error(f"scales of {len(scales)} rows for {self.rows} rows")

    def take(self, ids: NDArray[np.int64]) -> Floats32:
        return self._codes[ids].astype(np.float32) * self._scales[ids][:, None]

    def first(self, n: int) -> Storage:
        return Int8(self._codes[:, :n], self._scales)


@dataclass(frozen=True)
class Codes:
    """Rows in product quantisation, as files have them: docs/format.md says what the arrays mean."""

    codes: NDArray[np.uint8]
    centroids: Floats32
    part: int
    norms: Optional[Floats32]
    norm_codes: Optional[NDArray[np.uint8]]
    rotation: Optional[Floats32]


class Quantised(Storage):
    """Rows in product quantisation."""

    def __init__(self, of: Codes) -> None:
        self._of = of
        self.rows = len(of.codes)
        self.dim = self.width = of.centroids.shape[1]
        if not 1 <= of.part <= self.dim:
            raise Error(f"parts of {of.part} numbers for rows of {self.dim}")
        parts = -(-self.dim // of.part)
        if of.codes.shape[1] != parts:
            numbers = f"rows of {self.dim} numbers have {parts} parts of {of.part}"
            raise Error(f"{of.codes.shape[1]} codes a row, and {numbers}")
        if len(of.centroids) > 256 or len(of.centroids) == 0 and self.rows:
            raise Error(f"expected from 1 to 256 rows of centroids, found {len(of.centroids)}")
        if of.norm_codes is not None and (of.norms is None or len(of.norm_codes) != self.rows):
            raise Error(f"expected norms of {self.rows} rows, found others")
        if of.norms is not None and of.norm_codes is None and len(of.norms) != self.rows:
            raise Error(f"norms of {len(of.norms)} rows for {self.rows} rows")
        if of.rotation is not None and of.rotation.shape != (self.dim, self.dim):
            raise Error(f"a rotation of shape {of.rotation.shape} for rows of {self.dim}")

    def take(self, ids: NDArray[np.int64]) -> Floats32:
        of = self._of
        codes = of.codes[ids]
        if len(of.centroids) < 256 and codes.size and int(codes.max()) >= len(of.centroids):
            raise Error(f"the model is damaged: a row has a code above {len(of.centroids) - 1}")
        rows = np.empty((len(ids), self.dim), np.float32)
        for p in range(codes.shape[1]):
            at = slice(p * of.part, (p + 1) * of.part)
            rows[:, at] = of.centroids[codes[:, p], at]
        if of.norms is not None:
            which = ids if of.norm_codes is None else of.norm_codes[ids].astype(np.int64)
            if which.size and int(which.max()) >= len(of.norms):
                raise Error(f"the model is damaged: a row has norm {int(which.max())} of {len(of.norms)}")
            rows *= of.norms[which][:, None]
        return rows

    def finish(self, sums: Floats32) -> Floats32:
        return sums if self._of.rotation is None else sums @ self._of.rotation.T

    def first(self, n: int) -> Storage:
        of = self._of
        if of.rotation is not None or n >= self.dim:
            return super().first(n)
        part = min(of.part, n)
        return Quantised(replace(of, codes=of.codes[:, : -(-n // part)], centroids=of.centroids[:, :n], part=part))


class Decoded(Storage):
    """Some rows of another matrix, which are decoded once and numbered anew."""

    def __init__(self, of: Storage, ids: NDArray[np.int64]) -> None:
        self._of, self._table = of, of.take(ids)
        self.rows, self.dim, self.width = len(ids), of.dim, of.width

    def take(self, ids: NDArray[np.int64]) -> Floats32:
        return self._table[ids]

    def finish(self, sums: Floats32) -> Floats32:
        return self._of.finish(sums)


class Product(Storage):
    """Rows times a projection."""

    def __init__(self, rows: Storage, projection: Floats32) -> None:
        self.factor, self.projection = rows, projection
        self.rows, self.width = rows.rows, rows.width
        self.dim = projection.shape[1]

    def take(self, ids: NDArray[np.int64]) -> Floats32:
        return self.factor.take(ids)

    def finish(self, sums: Floats32) -> Floats32:
        return self.factor.finish(sums) @ self.projection

    def first(self, n: int) -> Storage:
        return Product(self.factor, self.projection[:, :n])


class First(Storage):
    """The first numbers of the rows of another matrix."""

    def __init__(self, of: Storage, n: int) -> None:
        self._of = of
        self.rows, self.dim, self.width = of.rows, n, of.width

    def take(self, ids: NDArray[np.int64]) -> Floats32:
        return self._of.take(ids)

    def finish(self, sums: Floats32) -> Floats32:
        return self._of.finish(sums)[:, : self.dim]


class Mean(Storage):
    """The means over positions of the rows of each word, which lie so many words apart."""

    def __init__(self, of: Storage, words: int) -> None:
        self._of, self._positions = of, of.rows // words
        self.rows, self.dim, self.width = words, of.dim, of.dim

    def take(self, ids: NDArray[np.int64]) -> Floats32:
        sums = np.zeros((len(ids), self.dim), np.float32)
        for p in range(self._positions):
            sums += self._of.finish(self._of.take(ids + p * self.rows))
        return sums * np.float32(1 / self._positions)

    def first(self, n: int) -> Storage:
        return Mean(self._of.first(n), self.rows)
