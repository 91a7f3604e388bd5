"""Scores the labels of a few texts in numpy, with the digits of the w2v program, which then need not run."""

from __future__ import annotations

import math
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import hashing
from .errors import Error
from .indexers import FastText
from .native import Native
from .ngrams import END_OF_SENTENCE
from .pipeline import Pipeline
from .sentences import runs_of
from .storage import BFloat16, Floats, Floats32, Storage
from .words import decoded, encoded

__all__ = ["Answer", "Scorer"]

#: The number of labels of each text, and the ids and probabilities of all of them.
Answer = Tuple[NDArray[np.int64], NDArray[np.int64], Floats32]

_END = decoded(END_OF_SENTENCE)
_BLANKS = " \n\r\t\v\f\0"
_TOKENS = re.compile(f"[^{_BLANKS}]+")
_MOST = 1 << 16  # tokens whose rows are kept
_DENSE, _SUMS = 1 << 26, 1 << 27  # numbers of rows, up to which the program adds up the rows of a word first
_FLOOR = 1e-5  # what is added to each probability
_EACH = ("ova", "ns")  # losses with a probability for each label by itself


class _Token(NamedTuple):
    """A token of texts."""

    known: bool  # whether it is in the vocabulary
    rows: NDArray[np.int64]
    n: int  # the rows, and n-grams without any
    total: Floats32  # of the rows of a known word, if they are added up first
    hash: int  # for runs


class Scorer:
    """What texts are scored with. Texts are cut, and their rows added up, as in the package classify of w2v."""

    def __init__(self, native: Native, labels: Storage, names: Sequence[str]) -> None:
        self._words, self._composition = native.words, native.composition
        facts = native.training
        self._rows, self._runs = native.composition.rows, native.word_ngrams
        self._buckets = native.composition.indexer.buckets if native.composition.indexer is not None else 1
        self._longest = int(facts.get("word_ngrams") or 0)
        self._each = facts["loss"] in _EACH
        self._unknown = np.float32(facts.get("unknown_threshold") or 0)
        self._prefix = "" if facts.get("labels_apart") is True else str(facts.get("label_prefix") or "__label__")
        self._names = frozenset(names) if self._prefix else frozenset()
        self._labels = np.ascontiguousarray(labels.take(np.arange(labels.rows)).T)
        self._n = labels.rows
        if self._n == 1:  # a column alone would be added up in another order
            self._labels = np.repeat(self._labels, 2, axis=1)
        self._cut = None if _plain(facts) else Pipeline(facts)
        rows, width = self._rows.rows, self._rows.width
        fits = rows * width <= _DENSE and len(self._words) * width <= _SUMS and 0 < len(self._words) <= rows
        self._by_word = self._composition.indexer is not None and fits and not self._each
        self._tokens: Dict[str, _Token] = {}
        self._nothing = np.zeros(width, np.float32)

    @classmethod
    def of(cls, content: bytes, names: Sequence[str]) -> Optional["Scorer"]:
        """Return what scores the texts of a classifier; None if that is for the program to do."""
        try:
            native = Native(np.frombuffer(content, np.uint8))
            labels = native.matrix("labels")
        except Error:
            return None
        composition, facts = native.composition, native.training
        indexer = composition.indexer
        if labels is None or labels.rows != len(names) or labels.dim != composition.dim or not isinstance(labels, (Floats, BFloat16)):
            return None
        if facts.get("loss") not in ("softmax", *_EACH) or facts.get("text_pooling") or native.has("label_runs"):
            return None
        if not composition.sums_alone or composition.dim < 2 or native.words.repeated:
            return None
        if indexer is not None and (indexer.learned is not None or not composition.composes or getattr(indexer, "selects", False)):
            return None
        if facts.get("word_ngrams", 0) and native.word_ngrams is None and not isinstance(indexer, FastText):
            return None
        if facts.get("phrases") or native.phrase_table is not None or str(facts.get("tokenizer", "")).startswith("tokenizer.json"):
            return None
        try:
            return cls(native, labels, names)
        except (Error, ValueError, TypeError):  # settings that are not known here
            return None

    def predict(self, texts: Sequence[str], k: int, threshold: float, known: bool) -> Optional[Answer]:
        """Return the k best labels of texts, all if k is less than 1; None if only the program can cut one of them."""
        counts, ids, found = [], [np.empty(0, np.int64)], [np.empty(0, np.float32)]
        for text in texts:
            tokens = self._cut_up(text.replace("\n", " "))
            if tokens is None:
                return None
            best, probabilities = self._best([*tokens, _END], k, np.float32(threshold), known)
            counts.append(len(best))
            ids.append(best)
            found.append(probabilities)
        return np.array(counts, np.int64), np.concatenate(ids), np.concatenate(found)

    def _cut_up(self, text: str) -> Optional[List[str]]:
        if self._cut is None:
            return _TOKENS.findall(text)
        if self._prefix and self._prefix in text:
            text = re.sub(f"(?:^|(?<=[{_BLANKS}])){re.escape(self._prefix)}[^{_BLANKS}]*", "", text)
        return self._cut.tokens(text)

    def _best(self, tokens: List[str], k: int, threshold: np.float32, known: bool) -> Tuple[NDArray[np.int64], Floats32]:
        vector, content = self._vector(tokens)
        asks = self._unknown > 0 and not known
        nothing = np.empty(0, np.int64), np.empty(0, np.float32)
        if vector is None:
            return (np.array([-1]), np.ones(1, np.float32)) if asks else nothing
        probabilities = self._probabilities(vector)
        scores = np.log(probabilities.astype(np.float64) + _FLOOR).astype(np.float32)
        reaching = np.arange(self._n) if asks else np.flatnonzero(probabilities >= threshold)
        best = _largest(scores, reaching, k)
        given = _exp(scores[best])
        if asks:
            if not len(best) or not content or given[0] < self._unknown:
                doubt = max(0.0, 1 - float(given[0])) if len(best) and content else 1.0
                return np.array([-1]), np.array([doubt], np.float32)
            least = np.float32(math.log(max(float(threshold) + _FLOOR, 5e-324)))
            best, given = best[scores[best] >= least], given[scores[best] >= least]
        return best, given

    def _vector(self, tokens: List[str]) -> Tuple[Optional[Floats32], bool]:
        """Return the vector of a text, None if it has no row, and whether a word or n-gram of it is known."""
        if self._prefix:
            tokens = [token for token in tokens if not self._is_label(token)]
        found = [self._token(token) for token in tokens]
        n = sum(token.n for token in found)
        content = any((token.known or len(token.rows)) and name != _END for name, token in zip(tokens, found))
        apart = runs = np.empty(0, np.int64)
        if self._longest > 1:
            buckets = self._runs.rows if self._runs is not None else self._buckets
            runs = np.array(runs_of([token.hash for token in found], self._longest, buckets), np.int64)
            n += len(runs)
            if self._runs is None:
                runs = self._composition.rows_of_buckets(runs)
                runs = runs[runs >= 0]
            else:
                apart, runs = runs, apart
        if n == 0:
            return None, content
        parts = [token.total for token in found if token.known] if self._by_word else []
        rows = [token.rows for token in found if not (self._by_word and token.known)] + [runs]
        total = np.add.reduce(np.array(parts, np.float32).reshape(len(parts), self._rows.width), axis=0)
        others = np.concatenate(rows)
        if len(others):
            total = total + np.add.reduce(self._rows.take(others), axis=0)
        if len(apart) and self._runs is not None:
            total = np.add.reduce(np.vstack([total[None], self._runs.take(apart)]), axis=0)
        vector: Floats32 = total * np.float32(1 / n)
        return vector, content

    def _is_label(self, token: str) -> bool:
        return (token in self._names or token.startswith(self._prefix)) and self._words.find(token) < 0

    def _token(self, token: str) -> _Token:
        of = self._tokens.get(token)
        if of is None:
            if len(self._tokens) >= _MOST:
                self._tokens.clear()
            of = self._tokens[token] = self._look_up(token)
        return of

    def _look_up(self, token: str) -> _Token:
        place, composition = self._words.find(token), self._composition
        own = place >= 0 and composition.sum.own_rows
        rows = [composition.own_rows(np.array([place]))] if own else []
        n = int(own)
        if composition.indexer is not None:
            word = encoded(token)
            found = composition.indexer.buckets_of(word)
            buckets = composition.indexer.pieces([word], place >= 0).buckets if found is None else np.array(found, np.int64)
            of_ngrams = composition.rows_of_buckets(buckets)
            rows.append(of_ngrams[of_ngrams >= 0])
            n += len(buckets)
        listed = np.concatenate([np.empty(0, np.int64), *rows])
        total = np.add.reduce(self._rows.take(listed), axis=0) if self._by_word and place >= 0 else self._nothing
        return _Token(place >= 0, listed, n, total, hashing.fasttext_of(encoded(token)) if self._longest > 1 else 0)

    def _probabilities(self, vector: Floats32) -> Floats32:
        products = np.add.reduce(vector[:, None] * self._labels, axis=0)[: self._n]  # from the first number to the last
        if np.isnan(products).any():
            raise Error("the score of a label is not a number: the model has diverged, or its file is damaged")
        if self._each:
            return _logistic(products)
        powers = np.exp((products - products.max()).astype(np.float64)).astype(np.float32)
        probabilities: Floats32 = powers / np.add.accumulate(powers)[-1]
        return probabilities


def _plain(facts: Mapping[str, Any]) -> bool:
    """Tell whether texts are cut at blanks and nothing else is done to them."""
    usual = {"tokenizer": "whitespace", "sentences": "line", "digits": "keep", "punctuation": "auto", "normalize": "none"}
    names = ("lowercase", "lowercase_language", "strip_accents", "split", "group_by", "kmers", "text_characters", "text_tokens", *usual)
    return all(not facts.get(name) or facts[name] == usual.get(name) for name in names)


def _largest(scores: Floats32, among: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Return the ids of the k largest scores among some, and in the order of fastText where they are equal."""
    k = len(among) if k < 1 else min(k, len(among))
    some = scores[among]
    if k == 1:
        last: NDArray[np.int64] = among[np.flatnonzero(some == some.max())[-1:]]
        return last
    order = np.argsort(-some, kind="stable")[: k + 1]
    if (some[order[1:]] != some[order[:-1]]).all():
        best: NDArray[np.int64] = among[order[:k]]
        return best
    heap: List[Tuple[float, int]] = []
    for score, i in zip(some.tolist(), among.tolist()):
        if len(heap) < k or score >= heap[0][0]:
            _offer(heap, (score, i), k)
    for n in range(len(heap), 1, -1):
        _pop(heap, n)
    return np.array([i for _, i in heap], np.int64)


def _offer(heap: List[Tuple[float, int]], entry: Tuple[float, int], k: int) -> None:
    """Add an entry to a heap of at most k, as GNU's C++ library does, whose order of equal scores fastText has."""
    heap.append(entry)
    _rise(heap, len(heap) - 1, entry)
    if len(heap) > k:
        _pop(heap, len(heap))
        heap.pop()


def _pop(heap: List[Tuple[float, int]], n: int) -> None:
    last = n - 1
    entry, heap[last] = heap[last], heap[0]
    hole = child = 0
    while child < (last - 1) // 2:
        child = 2 * (child + 1)
        if heap[child][0] > heap[child - 1][0]:
            child -= 1
        heap[hole], hole = heap[child], child
    if last % 2 == 0 and last > 0 and child == (last - 2) // 2:
        child = 2 * child + 1
        heap[hole], hole = heap[child], child
    if last > 0:
        _rise(heap, hole, entry)


def _rise(heap: List[Tuple[float, int]], hole: int, entry: Tuple[float, int]) -> None:
    while hole > 0 and heap[(hole - 1) // 2][0] > entry[0]:
        heap[hole], hole = heap[(hole - 1) // 2], (hole - 1) // 2
    heap[hole] = entry


def _logistic(scores: Floats32) -> Floats32:
    """Return fastText's logistic function, which is a table of 512 steps from -8 to 8."""
    places = ((np.clip(scores, -8, 8) + np.float32(8)) * np.float32(512) / np.float32(8) / np.float32(2)).astype(np.int64)
    return np.where(scores < -8, np.float32(0), np.where(scores > 8, np.float32(1), _SIGMOIDS[places]))


def _exp(x: Floats32) -> Floats32:
    """Return the exponential function of GNU's C library, from -80 to 80, whose last bit is not always the nearest.

    Source: Szabolcs Nagy's expf, in ARM's optimized routines (math/expf.c).
    """
    z = x.astype(np.float64) * (32 / math.log(2))
    n = np.rint(z)
    r = z - n
    whole = n.astype(np.int64)
    power = np.ldexp(_POWERS[whole & 31], whole >> 5)
    result: Floats32 = (((_C3 * r + _C2) * (r * r) + (_C1 * r + 1)) * power).astype(np.float32)
    return result


_C3 = float.fromhex("0x1.c6af84b912394p-5") / 32 / 32 / 32
_C2 = float.fromhex("0x1.ebfce50fac4f3p-3") / 32 / 32
_C1 = float.fromhex("0x1.62e42ff0c52d6p-1") / 32
_POWERS = np.exp2(np.arange(32) / 32)
_STEPS = np.arange(513, dtype=np.float32) * np.float32(16) / np.float32(512) - np.float32(8)
_SIGMOIDS = (1 / (1 + _exp(-_STEPS).astype(np.float64))).astype(np.float32)
