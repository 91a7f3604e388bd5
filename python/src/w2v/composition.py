"""Makes vectors of words of the rows of a model, for words inside and outside of the vocabulary."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from .buckets import BucketRows
from .errors import Error
from .indexers import Indexer, Learned, Pieces, Sum
from .storage import Floats32, Storage

__all__ = ["Composition", "Lists", "sums"]

_FEW = 64  # lists that are added up faster one by one
_CHUNK = 1 << 22  # numbers of sums that are computed at a time


@dataclass(frozen=True)
class Lists:
    """Lists of rows: list i begins at rows[begin[i]]. Rows may have weights."""

    rows: NDArray[np.int64]
    begin: NDArray[np.int64]
    length: NDArray[np.int64]
    weights: Optional[Floats32] = None

    @classmethod
    def of(
        cls, word: NDArray[np.int64], rows: NDArray[np.int64], words: int, weights: Optional[Floats32] = None
    ) -> "Lists":
        """Return the lists of so many words, where the word of each row rises."""
        length = np.bincount(word, minlength=words)
        return cls(rows, np.cumsum(length) - length, length, weights)


class Composition:
    """What vectors of words are made of. docs/format.md describes it, below "The vector of a word"."""

    def __init__(
        self,
        words: int,
        rows: Storage,
        sum: Sum,
        indexer: Optional[Indexer],
        word_rows: Optional[NDArray[np.uint32]],
        bucket_rows: Optional[BucketRows],
        numbers: Optional[Floats32],
    ) -> None:
        self.rows, self.sum, self.indexer = rows, sum, indexer
        self._word_rows, self._bucket_rows, self._numbers = word_rows, bucket_rows, numbers
        self._check(words)
        learned = self._learned
        self.appended = learned.appended if learned else 0
        self.dim = rows.dim + self.appended
        self._first_bucket = words if sum.own_rows else 0
        self.sums_alone = type(rows).finish is Storage.finish
        """Whether words have the same digits one by one and together, which products of matrices do not have."""
        self._in_order = self.sums_alone and learned is None and self.composes and sum.own_rows and rows.width > 1

    @property
    def _learned(self) -> Optional[Learned]:
        return self.indexer.learned if self.indexer is not None else None

    @property
    def composes(self) -> bool:
        """Whether the vectors of words of the vocabulary are made of several rows."""
        return self.indexer is not None and self.sum.composes

    def _check(self, words: int) -> None:
        indexer, rows = self.indexer, self.rows.rows
        learned = self._learned
        if learned is not None:
            if self._word_rows is not None or self._bucket_rows is not None:
                raise Error("rows of words or buckets in a set whose rows are those of buckets")
            shape = (learned.rows, learned.cols)
            if self._numbers is None or self._numbers.shape != shape:
                raise Error(f"tensor {learned.name!r}: expected the shape {list(shape)}")
        own, buckets = (words if self.sum.own_rows else 0), (indexer.buckets if indexer else 0)
        if self._word_rows is not None:
            if len(self._word_rows) != words:
                raise Error(f"tensor 'word_rows': rows of {len(self._word_rows)} words for {words} words")
            if words and int(self._word_rows.max()) >= rows:
                raise Error(f"tensor 'word_rows': a word has row {int(self._word_rows.max())} of {rows}")
        elif rows < own:
            raise Error(f"tensor 'input': {rows} rows for {words} words")
        if self._bucket_rows is not None:
            self._bucket_rows.check(rows)
        elif self._word_rows is None and rows != own + buckets or buckets and rows < own + buckets:
            raise Error(f"tensor 'input': {rows} rows for {own} words and {buckets} buckets")

    def plain(self) -> Optional[Floats32]:
        """Return the vectors of all words if they lie in the file as they are."""
        array = self.rows.array()
        if self.composes or self._word_rows is not None or array is None:
            return None
        return array[: self._first_bucket]

    def first(self, n: int, words: int) -> "Composition":
        """Return the composition of the first n numbers of vectors."""
        if n > self.rows.dim:
            weights = f"the last {self.appended} of {self.dim} are weights, of which all stay or none"
            raise ValueError(f"{n} dimensions asked for, and {weights}: ask for {self.rows.dim} at most")
        rows, tables = self.rows.first(n), (self._word_rows, self._bucket_rows, self._numbers)
        cut = Composition(words, rows, self.sum, self.indexer, *tables)
        cut.appended, cut.dim = 0, n
        return cut

    def own_rows(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of words themselves."""
        return ids if self._word_rows is None else self._word_rows[ids].astype(np.int64)

    def rows_of_buckets(self, buckets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of each bucket of n-grams, -1 for one that was never trained."""
        return buckets + self._first_bucket if self._bucket_rows is None else self._bucket_rows.of(buckets)

    def known(self, ids: NDArray[np.int64], words: Sequence[bytes]) -> Floats32:
        """Return the vectors of words of the vocabulary."""
        if not self.composes:
            return self.rows.finish(self.rows.take(self.own_rows(ids)))
        return self._vectors(self.parts(words, ids))

    def unknown(self, words: Sequence[bytes]) -> Tuple[Floats32, NDArray[np.bool_]]:
        """Return the vectors of words outside of the vocabulary, and which of them have one."""
        if self.indexer is None:
            return np.zeros((len(words), self.dim), np.float32), np.zeros(len(words), bool)
        parts = self.parts(words, None)
        return self._vectors(parts), parts.there

    def one(self, word: bytes, place: int) -> Optional[Floats32]:
        """Return the vector of one word, as ``known`` and, for place -1, ``unknown`` do and faster.

        None says nothing: they must be asked.
        """
        buckets = self.indexer.buckets_of(word) if self._in_order and self.indexer is not None else None
        if not buckets:
            return None
        rows = self.rows_of_buckets(np.array(buckets, np.int64))
        if self._bucket_rows is not None:
            rows = rows[rows >= 0]
        if place >= 0:
            rows = np.concatenate((self.own_rows(np.array([place])), rows))
        total: Floats32 = np.add.reduce(self.rows.take(rows), axis=0)  # row by row, as in sums
        vector = self.rows.finish(total[None])[0] * (np.float32(1) / np.float32(len(buckets) + (place >= 0)))
        return vector if math.isfinite(np.dot(vector, vector)) else None

    def _vectors(self, parts: "Parts") -> Floats32:
        # The sum first, and then the division: so fastText rounds.
        with np.errstate(over="ignore", invalid="ignore"):
            vectors = self.rows.finish(sums(self.rows, parts.lists)) * parts.scale[:, None]
        for i in np.flatnonzero(~np.isfinite(vectors).all(axis=1)):  # only the sum may be too large
            with np.errstate(over="ignore", invalid="ignore"):
                vectors[i] = self._carefully(parts, int(i))
        return vectors if not self.appended else np.hstack([vectors, parts.appended])

    def _carefully(self, parts: "Parts", i: int) -> Floats32:
        """Return the vector of a word, computed in double precision."""
        begin = parts.lists.begin[i]
        part = slice(begin, begin + parts.lists.length[i])
        rows = self.rows.finish(self.rows.take(parts.lists.rows[part])).astype(np.float64)
        if parts.lists.weights is not None:
            rows *= parts.lists.weights[part][:, None]
        vector: Floats32 = (rows.sum(axis=0) * float(parts.scale[i])).astype(np.float32)
        return vector

    def parts(self, words: Sequence[bytes], ids: Optional[NDArray[np.int64]]) -> "Parts":
        """Return what the vectors of words are sums of. Without ids the words are not in the vocabulary."""
        if self.indexer is None:
            raise ValueError("the model has no n-grams")
        pieces = self.indexer.pieces(words, ids is not None)
        n, learned = len(words), self._learned
        if learned is not None:
            return self._weighted(pieces, learned, n, ids is not None)
        count = np.bincount(pieces.word, minlength=n)
        rows = self.rows_of_buckets(pieces.buckets)
        trained = rows >= 0
        rows, word = rows[trained], pieces.word[trained]
        if ids is not None and self.sum.own_rows:
            count = count + 1
            word = np.concatenate([np.arange(n), word])
            order = np.argsort(word, kind="stable")
            rows, word = np.concatenate([self.own_rows(ids), rows])[order], word[order]
        scale = np.float32(1) / np.maximum(count, 1).astype(np.float32)
        return Parts(Lists.of(word, rows, n), scale, count > 0, np.empty((n, 0), np.float32))

    def tokens(self, words: Sequence[bytes], places: NDArray[np.int64]) -> Parts:
        """Return what vectors of tokens are sums of, with a weight for each row.

        Places are those of the words in the vocabulary; -1 is outside of it.
        """
        known, unknown = np.flatnonzero(places >= 0), np.flatnonzero(places < 0)
        groups = []
        for which, ids in ((known, places[known]), (unknown, None)):
            if ids is not None and not self.composes:
                lists = Lists(self.own_rows(ids), np.arange(len(which)), np.ones(len(which), np.int64))
                there, nothing = np.ones(len(which), bool), np.empty((len(which), 0), np.float32)
                part = Parts(lists, there.astype(np.float32), there, nothing)
            elif self.indexer is not None:
                part = self.parts([words[i] for i in which], ids)
            else:
                continue  # words without rows
            groups.append((which, part))
        begin, length = np.zeros(len(words), np.int64), np.zeros(len(words), np.int64)
        there, appended = np.zeros(len(words), bool), np.zeros((len(words), self.appended), np.float32)
        rows, weights, before = [np.empty(0, np.int64)], [np.empty(0, np.float32)], 0
        for which, part in groups:
            lists = part.lists
            begin[which], length[which], there[which] = lists.begin + before, lists.length, part.there
            appended[which] = part.appended[:, : self.appended]
            rows.append(lists.rows)
            weights.append(lists.weights if lists.weights is not None else np.repeat(part.scale, lists.length))
            before += len(lists.rows)
        merged = Lists(np.concatenate(rows), begin, length, np.concatenate(weights))
        return Parts(merged, np.ones(len(words), np.float32), there, appended)

    def _weighted(self, pieces: Pieces, learned: Learned, n: int, known: bool) -> "Parts":
        """Return the parts of words whose rows are multiplied by learned numbers."""
        if pieces.cells is None or self._numbers is None:
            raise AssertionError("rows have learned numbers")
        word = pieces.word
        count = np.bincount(word, minlength=n) // learned.each
        mean = np.float32(1) / np.maximum(count, 1).astype(np.float32)
        weights = mean[word] * self._numbers.reshape(-1)[pieces.cells]
        there = np.bincount(word, weights=weights != 0, minlength=n) > 0
        appended = np.zeros((n, learned.cols), np.float32)
        np.add.at(appended, (word, pieces.cells % learned.cols), weights)
        return Parts(Lists.of(word, pieces.buckets, n, weights), np.ones(n, np.float32), there | known, appended)


@dataclass(frozen=True)
class Parts:
    """What the vectors of words are made of: lists of rows, and what their sums are multiplied by."""

    lists: Lists
    scale: Floats32
    there: NDArray[np.bool_]  # which words have a vector
    appended: Floats32  # the last numbers of vectors, which no row has


def sums(storage: Storage, lists: Lists) -> Floats32:
    """Return the sums of lists of rows, each row times its weight, added up in their order."""
    result = np.zeros((len(lists.length), storage.width), np.float32)
    order = np.argsort(-lists.length, kind="stable")
    step = max(1, _CHUNK // max(storage.width, 1))
    for first in range(0, len(order), step):
        which = order[first : first + step]
        result[which] = _chunk_of_sums(storage, lists, which)
    return result


def _chunk_of_sums(storage: Storage, lists: Lists, which: NDArray[np.int64]) -> Floats32:
    """Return the sums of lists that are ordered by falling length: rows i of all lists are added at a time."""
    begin, left = lists.begin[which], lists.length[which]
    total = np.zeros((len(which), storage.width), np.float32)
    few = None
    if int(left.sum()) * storage.width <= _CHUNK:  # decoded at once
        few = storage.take(lists.rows[np.repeat(begin - np.cumsum(left) + left, left) + np.arange(int(left.sum()))])
        begin_of_few = np.cumsum(left) - left
    if few is not None and lists.weights is None and len(which) <= _FEW and storage.width > 1:
        for i, (first, n) in enumerate(zip(begin_of_few.tolist(), left.tolist())):
            total[i] = np.add.reduce(few[first : first + n], axis=0)  # row by row
        return total
    for i in range(int(left[0])):
        active = int(np.searchsorted(-left, -i))  # lists of more than i rows come first
        at = begin[:active] + i
        rows = storage.take(lists.rows[at]) if few is None else few[begin_of_few[:active] + i]
        if lists.weights is None:
            total[:active] += rows
        else:  # rounded once, as by the instruction that multiplies and adds
            total[:active] += rows.astype(np.float64) * lists.weights[at][:, None]
    return total


def batches(n: int, dim: int) -> List[slice]:
    """Cut so many words into batches whose n-grams fit into memory."""
    step = max(256, min(1 << 14, (1 << 22) // max(dim, 1)))
    return [slice(at, min(at + step, n)) for at in range(0, n, step)]
