"""Which rows the n-grams of words have: one class for each kind of n-grams that a model may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import hashing
from .errors import Error
from .ngrams import END_OF_SENTENCE, Buffer, Runs, code_point_runs, fasttext_runs, joined, with_wholes
from .words import decoded

__all__ = ["Explicit", "FastText", "Finalfusion", "Floret", "Hash", "Indexer", "Learned", "Metadata", "Pieces", "Sum"]

MOST = (1 << 31) - 1
LONGEST = 255  # n-grams, in code points


@dataclass(frozen=True)
class Pieces:
    """The buckets of the pieces of words, those of a word one after the other."""

    buckets: NDArray[np.int64]
    word: NDArray[np.int64]
    cells: Optional[NDArray[np.int64]] = None
    """Which learned number the row of each bucket is multiplied by, if there are such numbers."""


@dataclass(frozen=True)
class Learned:
    """A tensor of numbers by which rows are multiplied."""

    name: str
    rows: int
    cols: int
    each: int = 1
    """How many rows each piece has: the sum of rows is divided by the number of pieces."""
    appended: int = 0
    """How many of the last numbers of a vector are means of columns of the tensor, and no numbers of rows."""


@dataclass(frozen=True)
class Sum:
    """What words are made of, by the name that files have for it."""

    name: str
    own_rows: bool
    """Whether each word of the vocabulary has a row of its own."""
    composes: bool = True
    """Whether words of the vocabulary are made of the rows of their n-grams."""


MEAN = Sum("", own_rows=True)
WHOLE = Sum("whole", own_rows=True, composes=False)
PIECES = Sum("pieces", own_rows=False)
WEIGHTED = Sum("weighted", own_rows=False)


class Metadata:
    """What a file says of its n-grams."""

    def __init__(self, texts: Mapping[str, str], listed: Callable[[], Any], kept: Optional[NDArray[np.uint32]]) -> None:
        self.texts, self.listed, self.kept = texts, listed, kept

    def text(self, name: str) -> str:
        return self.texts.get(name, "")

    def number(self, name: str, most: int = MOST) -> int:
        text = self.text(name)
        if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= most):
            raise Error(f"metadata {name!r}: expected a number up to {most}, found {text[:20]!r}")
        return int(text)

    def numbers(self, *names: str) -> Tuple[int, ...]:
        return tuple(self.number(name) for name in names)


class Indexer:
    """Finds the pieces of words in so many buckets."""

    buckets: int
    learned: Optional[Learned] = None
    """The numbers by which rows are multiplied, if there are any: only of sums that belong to this class."""
    sum: Optional[Sum] = None
    """The sum that belongs to this class, and this class to it; None if there is none."""

    @classmethod
    def read(cls, metadata: Metadata) -> "Indexer":
        """Return what the metadata of a model says."""
        raise NotImplementedError

    def pieces(self, words: Sequence[bytes], known: bool = False) -> Pieces:
        """Return the pieces of words, which all are in the vocabulary if they are known."""
        raise NotImplementedError

    def buckets_of(self, word: bytes) -> Optional[List[int]]:
        """Return the buckets of one word without arrays, which is faster; None if only ``pieces`` finds them."""
        return None


class FastText(Indexer):
    """fastText's n-grams, which are hashed. With ``kept``, only these buckets count: row i is that of kept[i]."""

    def __init__(self, minn: int, maxn: int, hashed: int, kept: Optional[NDArray[np.uint32]]) -> None:
        if maxn:
            _check("maxn", max(maxn, minn), max(minn, 1), LONGEST)
            _check("buckets", hashed, 1, MOST)
        self.minn, self.maxn, self.hashed = minn, maxn, hashed
        self.selects = kept is not None  # only some buckets count
        self._order: Optional[NDArray[np.int64]] = None
        self.buckets = hashed
        if kept is not None:
            self._order = np.argsort(kept, kind="stable").astype(np.int64)
            self._sorted = kept[self._order].astype(np.int64)
            self.buckets = len(kept)
            if np.any(self._sorted >= hashed) or np.any(self._sorted[1:] == self._sorted[:-1]):
                raise Error("tensor 'ngram_buckets': a bucket is too large, or has two rows")

    @classmethod
    def read(cls, metadata: Metadata) -> Indexer:
        minn, maxn, buckets = metadata.numbers("minn", "maxn", "buckets")
        return cls(minn, maxn, buckets, metadata.kept)

    def pieces(self, words: Sequence[bytes], known: bool = False) -> Pieces:
        text = joined(words, b"<", b">")
        runs = fasttext_runs(words, text, self.minn, self.maxn)
        hashes = hashing.fasttext(text.bytes, runs.begin, runs.end)
        buckets = (hashes % np.uint32(max(self.hashed, 1))).astype(np.int64)
        if self._order is None:
            return Pieces(buckets, runs.word)
        at = np.minimum(np.searchsorted(self._sorted, buckets), max(len(self._sorted) - 1, 0))
        if len(self._sorted) == 0:
            return Pieces(buckets[:0], runs.word[:0])
        kept = self._sorted[at] == buckets
        return Pieces(self._order[at[kept]], runs.word[kept])

    def row(self, bucket: int) -> Optional[int]:
        """Return the number of a bucket among those that count, None if it does not count."""
        if self._order is None:
            return bucket
        at = int(np.searchsorted(self._sorted, bucket))
        return int(self._order[at]) if at < len(self._sorted) and self._sorted[at] == bucket else None

    def buckets_of(self, word: bytes) -> Optional[List[int]]:
        if self._order is not None or self.minn < 2 or word == END_OF_SENTENCE:
            return None
        marked, longest = b"<" + word + b">", self.maxn
        if marked.isascii():
            runs = [marked[i : i + longest] for i in range(len(marked) - self.minn + 1)]
            return hashing.fasttext_prefixes(runs, self.minn, self.hashed)
        try:
            points = [point.encode() for point in marked.decode()]
        except UnicodeDecodeError:
            return None
        return hashing.fasttext_prefixes_of_points(
            [points[i : i + longest] for i in range(len(points) - self.minn + 1)], self.minn, self.hashed
        )


class Finalfusion(Indexer):
    """finalfusion's n-grams, which are hashed into a power of two of buckets."""

    def __init__(self, minn: int, maxn: int, buckets: int) -> None:
        _check("minn", minn, 1, LONGEST)
        _check("maxn", maxn, minn, LONGEST)
        if buckets < 1 or buckets & (buckets - 1):
            raise Error(f"metadata 'buckets': expected a power of two, found {buckets}")
        self._minn, self._maxn, self.buckets = minn, maxn, buckets

    @classmethod
    def read(cls, metadata: Metadata) -> Indexer:
        return cls(*metadata.numbers("minn", "maxn", "buckets"))

    def pieces(self, words: Sequence[bytes], known: bool = False) -> Pieces:
        codes, _, runs = code_point_runs(words, self._minn, self._maxn)
        hashes = hashing.finalfusion(codes, runs.begin, runs.end)
        return Pieces((hashes & np.uint64(self.buckets - 1)).astype(np.int64), runs.word)


class Explicit(Indexer):
    """The n-grams of a list. Others do not count."""

    def __init__(self, minn: int, maxn: int, ngrams: Sequence[bytes], rows: NDArray[np.uint32], buckets: int) -> None:
        _check("minn", minn, 1, LONGEST)
        _check("maxn", maxn, minn, LONGEST)
        if len(ngrams) != len(rows):
            raise Error(f"tensor 'ngram_rows': expected {len(ngrams)} rows, as there are n-grams, found {len(rows)}")
        used = np.unique(rows)
        if len(used) != buckets or len(used) and int(used[-1]) != buckets - 1:
            raise Error(f"metadata 'buckets': expected {len(used)}, as many rows as n-grams have, found {buckets}")
        self._rows: Dict[str, int] = dict(zip((decoded(ngram) for ngram in ngrams), rows.tolist()))
        if len(self._rows) != len(rows):
            raise Error("tensor 'ngrams': an n-gram stands there twice")
        self._minn, self._maxn, self.buckets = minn, maxn, buckets

    @classmethod
    def read(cls, metadata: Metadata) -> Indexer:
        minn, maxn, buckets = metadata.numbers("minn", "maxn", "buckets")
        listed = metadata.listed()
        if listed is None:
            raise Error("expected tensors 'ngrams', 'ngram_offsets' and 'ngram_rows', as n-grams are listed")
        return cls(minn, maxn, listed[0], listed[1], buckets)

    def pieces(self, words: Sequence[bytes], known: bool = False) -> Pieces:
        _, marked, runs = code_point_runs(words, self._minn, self._maxn)
        text, find = "".join(marked), self._rows.get
        found = [find(text[a:b], -1) for a, b in zip(runs.begin.tolist(), runs.end.tolist())]
        buckets = np.array(found, np.int64)
        return Pieces(buckets[buckets >= 0], runs.word[buckets >= 0])


class Floret(Indexer):
    """floret's pieces: the whole word and its n-grams, each with a few buckets."""

    def __init__(self, minn: int, maxn: int, buckets: int, hashes: int, seed: int, marks: Tuple[bytes, bytes]) -> None:
        _check("maxn", maxn, minn, LONGEST)
        _check("buckets", buckets, 1, MOST)
        _check("hashes", hashes, 1, 4)
        self._minn, self._maxn, self.buckets = minn, maxn, buckets
        self._hashes, self._seed, self._marks = hashes, seed, marks

    @classmethod
    def read(cls, metadata: Metadata) -> Indexer:
        minn, maxn, buckets = metadata.numbers("minn", "maxn", "buckets")
        seed = metadata.number("hash_seed", (1 << 32) - 1)
        marks = metadata.text("bow").encode("utf-8", "replace"), metadata.text("eow").encode("utf-8", "replace")
        return cls(minn, maxn, buckets, metadata.number("hashes"), seed, marks)

    def pieces(self, words: Sequence[bytes], known: bool = False) -> Pieces:
        text = joined(words, *self._marks)
        of = np.array([i for i, word in enumerate(words) if word != END_OF_SENTENCE], np.int64)
        runs = with_wholes(fasttext_runs(words, text, self._minn, self._maxn), text, of)
        buckets = _buckets(text, runs, self._seed, self._hashes, self.buckets)
        return Pieces(buckets.reshape(-1), np.repeat(runs.word, self._hashes))


class Hash(Indexer):
    """The pieces of hash embeddings: like floret's, with a row of weights for each."""

    SEED = 2166136261
    sum = WEIGHTED

    def __init__(self, minn: int, maxn: int, buckets: int, hashes: int, importances: int, append_weights: bool) -> None:
        if maxn:
            _check("maxn", maxn, minn, LONGEST)
        _check("buckets", buckets, 1, MOST)
        _check("hashes", hashes, 1, 4)
        _check("importances", importances, 1, MOST // 4)
        self._minn, self._maxn, self.buckets = minn, maxn, buckets
        self._hashes, self._importances = hashes, importances
        self.learned = Learned("importance", importances, hashes, each=hashes, appended=hashes if append_weights else 0)

    @classmethod
    def read(cls, metadata: Metadata) -> Indexer:
        minn, maxn, buckets, hashes, importances = metadata.numbers("minn", "maxn", "buckets", "hashes", "importances")
        return cls(minn, maxn, buckets, hashes, importances, metadata.text("append_weights") == "true")

    def pieces(self, words: Sequence[bytes], known: bool = False) -> Pieces:
        text = joined(words, b"<", b">")
        runs = fasttext_runs([b""] * len(words), text, self._minn, self._maxn)  # </s> is a word like others
        runs = runs.where(runs.end - runs.begin < (text.end - text.begin)[runs.word])
        runs = with_wholes(runs, text, np.arange(len(words)))
        if not known:  # nobody trained the weights of the whole of such a word
            count = np.bincount(runs.word, minlength=len(words))
            whole = np.zeros(len(runs.word), bool)
            whole[(np.cumsum(count) - count)[count > 1]] = True
            runs = runs.where(~whole)
        buckets = _buckets(text, runs, self.SEED, self._hashes, self.buckets)
        weights = _buckets(text, runs, self.SEED + 1, 1, self._importances)
        cells = weights * self._hashes + np.arange(self._hashes)
        return Pieces(buckets.reshape(-1), np.repeat(runs.word, self._hashes), cells.reshape(-1))


def _buckets(text: Buffer, runs: Runs, seed: int, hashes: int, buckets: int) -> NDArray[np.int64]:
    """Return so many buckets for each run."""
    first, second = hashing.murmur3(text.bytes, runs.begin, runs.end, seed)
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    numbers = np.stack([first & low, first >> shift, second & low, second >> shift], axis=1)[:, :hashes]
    rows: NDArray[np.int64] = (numbers % np.uint64(buckets)).astype(np.int64)
    return rows


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise Error(f"metadata {name!r}: expected a number from {least} to {most}, found {value}")
