"""Which row of a matrix each bucket of n-grams has."""

from __future__ import annotations

from typing import Optional

import numpy as np
from numpy.typing import NDArray

from .errors import Error

__all__ = ["BucketRows"]

_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1).astype(np.uint8)
"""How many bits of a byte are set."""

_A_CALL = 400  # buckets that are found in the time that a call takes
_MOST = 1 << 24  # buckets, for which a row each is written down


class BucketRows:
    """The rows of buckets. With ``bits``, only the buckets whose bits are set have one, in order."""

    def __init__(self, rows: NDArray[np.int32], bits: Optional[NDArray[np.uint8]], buckets: int) -> None:
        self._rows, self._bits = rows, bits
        self._buckets, self._asked = buckets, 0
        self._every: Optional[NDArray[np.int32]] = None
        if bits is None:
            if len(rows) != buckets:
                raise Error(f"tensor 'bucket_rows': rows of {len(rows)} buckets for {buckets} buckets")
            return
        if len(bits) != (buckets + 7) // 8:
            want = f"{(buckets + 7) // 8} bytes for {buckets} buckets"
            raise Error(f"tensor 'bucket_set': expected {want}, found {len(bits)}")
        if buckets % 8 and int(bits[-1]) >> (buckets % 8):
            raise Error(f"tensor 'bucket_set': expected no bits after that of bucket {buckets - 1}, found some")
        ends = np.cumsum(_ONES[bits], dtype=np.int64)
        if (int(ends[-1]) if len(ends) else 0) != len(rows):
            raise Error(f"tensor 'bucket_rows': expected a row for each bit of 'bucket_set', found {len(rows)}")
        self._before = ends - _ONES[bits]  # how many bits are set before each byte

    def check(self, rows: int) -> None:
        """Raise an error if a bucket has none of so many rows."""
        if len(self._rows) and (int(self._rows.max()) >= rows or int(self._rows.min()) < -1):
            raise Error(f"tensor 'bucket_rows': a bucket has none of the {rows} rows of 'input'")

    def of(self, buckets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of each bucket, -1 for one that was never trained."""
        every = self._rows if self._bits is None else self._every
        if every is None:
            self._asked += _A_CALL + len(buckets)
            if self._asked > self._buckets // 4 and self._buckets <= _MOST:
                every = self._every = self._written_down()
        if every is not None:
            return every.take(buckets).astype(np.int64)
        assert self._bits is not None
        byte, bit = buckets >> 3, buckets & 7
        bits = self._bits[byte].astype(np.int64)
        there = (bits >> bit & 1).astype(bool)
        rows = np.full(len(buckets), -1, np.int64)
        at = self._before[byte] + _ONES[bits & ((1 << bit) - 1)]
        rows[there] = self._rows[at[there]]
        return rows

    def _written_down(self) -> NDArray[np.int32]:
        """Return the row of every bucket."""
        assert self._bits is not None
        rows = np.full(self._buckets, -1, np.int32)
        rows[np.unpackbits(self._bits, bitorder="little", count=self._buckets).view(bool)] = self._rows
        return rows
