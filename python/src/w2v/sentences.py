"""Vectors of sentences, of those of their words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import hashing
from .composition import Composition, Lists, sums
from .errors import Error
from .kept import Kept
from .ngrams import joined
from .storage import Decoded, Floats, Floats32, Product, Storage
from .vocabulary import Found
from .words import encoded

__all__ = ["METHODS", "Pooling", "Predictor", "Runs", "common_component", "pooled", "probabilities", "runs_of", "weighted"]

_MULTIPLIER = 116049371


class Runs:
    """The rows of runs of words, which CBOW may have been trained with."""

    def __init__(self, rows: Storage, longest: int) -> None:
        if longest < 2 or longest > 255 or rows.rows < 1:
            raise Error(f"tensor 'word_ngrams': {rows.rows} rows for runs of up to {longest} words")
        self._rows, self._longest = rows, longest

    def sums(self, sentences: Sequence[Sequence[bytes]]) -> Tuple[Floats32, NDArray[np.int64]]:
        """Return the sum of the rows of all runs of each sentence, and how many there are."""
        buckets: List[int] = []
        counts = []
        hashes = _hashes({word for sentence in sentences for word in sentence})
        for sentence in sentences:
            before = len(buckets)
            buckets += runs_of([hashes[word] for word in sentence], self._longest, self._rows.rows)
            counts.append(len(buckets) - before)
        number = np.array(counts, np.int64)
        of = np.repeat(np.arange(len(sentences)), number)
        return self._rows.finish(sums(self._rows, Lists.of(of, np.array(buckets, np.int64), len(sentences)))), number


def runs_of(hashes: Sequence[int], longest: int, buckets: int) -> List[int]:
    """Return the buckets of all runs of 2 to so many words, those that begin with the first word first."""
    found = []
    for first, run in enumerate(hashes):
        for word in hashes[first + 1 : first + longest]:
            run = (run * _MULTIPLIER + word) & 0xFFFFFFFFFFFFFFFF
            found.append(run % buckets)
    return found


def _hashes(words: Iterable[bytes]) -> Dict[bytes, int]:
    listed = list(words)
    text = joined(listed, b"", b"")
    signed = hashing.fasttext(text.bytes, text.begin, text.end).view(np.int32).astype(np.int64).view(np.uint64)
    return dict(zip(listed, signed.tolist()))


def part_width(composition: Composition) -> int:
    """Return how many numbers the part of a token has that ``pooled`` adds up."""
    rows = composition.rows
    return (rows.factor.dim if isinstance(rows, Product) else rows.dim) + composition.appended


def _parts(found: Sequence[Found], composition: Composition) -> Tuple[Floats32, NDArray[np.bool_]]:
    """Return the sums of the rows of tokens, before a projection, and which tokens have any."""
    places = np.array([f.place for f in found], np.int64)
    parts = composition.tokens([encoded(f.word) for f in found], places)
    base = composition.rows.factor if isinstance(composition.rows, Product) else composition.rows
    used_rows, numbers = np.unique(parts.lists.rows, return_inverse=True)
    decoded_once = Decoded(base, used_rows)
    of_tokens = decoded_once.finish(sums(decoded_once, replace(parts.lists, rows=numbers.reshape(-1))))
    return np.hstack([of_tokens, parts.appended]) if composition.appended else of_tokens, parts.there


def pooled(
    sentences: Sequence[Sequence[int]],
    found: Sequence[Found],
    composition: Composition,
    runs: Optional[Runs],
    kept: Kept[Found],
) -> Floats32:
    """Return the means of the vectors of tokens, and of the rows of runs.

    Tokens are numbers of the words that were found. The rows of each token are added up, and then these sums in
    the order of the tokens, before a projection, as w2v does it. The sums of tokens are kept.
    """
    of_tokens, there = kept.of(found, lambda some: _parts(some, composition))
    tokens, used = _kept(sentences, there)
    projection = composition.rows.projection if isinstance(composition.rows, Product) else None
    total = sums(Floats(of_tokens), Lists(tokens, np.cumsum(used) - used, used))
    number = used
    if runs is not None:
        known = [[encoded(found[t].word) for t in some if found[t].place >= 0] for some in sentences]
        of_runs, further = runs.sums(known)
        total, number = total + of_runs, used + further
    total = total * (np.float32(1) / np.maximum(number, 1).astype(np.float32))[:, None]
    if projection is not None:
        total = total @ projection
    total[used == 0] = 0
    return total


def weighted(
    sentences: Sequence[Sequence[int]],
    found: Sequence[Found],
    of_words: Floats32,
    there: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the means of tokens' vectors with weights, computed in double precision as w2v does it.

    Weights are by place in the vocabulary; the last one is that of words outside.
    """
    tokens, used = _kept(sentences, there & np.isfinite(of_words).all(axis=1))
    places = np.array([f.place for f in found], np.int64)
    by_token = weights[places]
    total = np.zeros((len(used), of_words.shape[1]))
    for i, end in enumerate(np.cumsum(used).tolist()):
        some = tokens[end - used[i] : end]
        if len(some):
            total[i] = (by_token[some][:, None] * of_words[some].astype(np.float64)).sum(axis=0) / len(some)
    return total


def _kept(sentences: Sequence[Sequence[int]], keep: NDArray[np.bool_]) -> Tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tokens of sentences that are kept, one after the other, and how many each sentence has."""
    kept = [[token for token in tokens if keep[token]] for tokens in sentences]
    return np.array([t for some in kept for t in some], np.int64), np.array([len(some) for some in kept], np.int64)


def probabilities(counts: Optional[NDArray[np.uint64]], words: int) -> NDArray[np.float64]:
    """Return the share of each word in the training text, or by Zipf's law where no counts are known."""
    total = float(counts.astype(np.float64).sum()) if counts is not None else 0.0
    if counts is not None and total > 0:
        shares: NDArray[np.float64] = counts.astype(np.float64) / total
        return shares
    ranks = np.arange(1, words + 1, dtype=np.float64)
    zipf: NDArray[np.float64] = 1 / (ranks * (1 / ranks).sum())
    return zipf


class Pooling:
    """How the vectors of words make that of a text, as a model records it and as it is asked for."""

    def __init__(
        self,
        recorded: Mapping[str, Any],
        counted: bool,
        unknown_token: Callable[[], Optional[str]],
        method: Optional[str],
        smoothing: Optional[float],
    ) -> None:
        """Check what a model records, and use ``method`` and ``smoothing`` in place of it if they are not None."""
        if method is not None and method not in METHODS:
            raise ValueError(f"unknown pooling {method!r}, want one of {', '.join(METHODS)}")
        if smoothing is not None and not 0 < smoothing < np.inf:
            raise ValueError(f"smoothing is {smoothing}, must be above 0")
        own, unknown = recorded.get("pooling") or "", recorded.get("unknown") or "row"
        limit, number = recorded.get("text_limit") or 0, recorded.get("smoothing") or _SMOOTHING
        numbers = type(limit) is int and limit >= 0 and type(number) in (int, float) and 0 < number < np.inf
        if own not in ("", *METHODS) or unknown not in ("row", "drop") or not numbers:
            raise Error(
                "how the model makes vectors of texts is not known to this version: "
                f"pooling {own!r}, smoothing {number!r}, text_limit {limit!r}, unknown {unknown!r}"
            )
        self.method = method or own or ("weighted" if counted else "mean")
        self.smoothing = float(smoothing if smoothing is not None else number)
        if smoothing is not None and self.method in ("mean", "dbow"):
            raise ValueError(f"smoothing is for the poolings weighted and sif, and the vectors of these texts are by the pooling {self.method}")
        self.limit, self.unit = limit, recorded.get("text_norm") is True
        self.unknown = unknown_token() if unknown == "drop" else None


METHODS = ("mean", "weighted", "sif", "dbow")
_SMOOTHING = 2e-4
_COMMON = 10_000  # how many words make the common component


def common_component(
    shares: NDArray[np.float64], counts: Optional[NDArray[np.uint64]], smoothing: float, vectors: Callable[[NDArray[np.int64]], Floats32]
) -> NDArray[np.float64]:
    """Return the direction that ``sif`` removes: that of the expected weighted vector of a text."""
    order = np.arange(len(shares)) if counts is None else np.argsort(-counts.astype(np.float64), kind="stable")
    frequent = order[:_COMMON].astype(np.int64)
    rows = vectors(frequent).astype(np.float64)
    share = (shares[frequent] * (smoothing / (smoothing + shares[frequent])))[:, None]
    common: NDArray[np.float64] = (share * rows)[np.isfinite(rows).all(axis=1)].sum(axis=0)
    length = float(np.sqrt(common @ common))
    direction: NDArray[np.float64] = common / length if length > 0 else common
    return direction


class Predictor:
    """Paragraph vectors, as w2v makes them: each predicts the words of its text best, by context vectors that stay as they are."""

    def __init__(self, contexts: Optional[Floats32], shares: NDArray[np.float64], recorded: Mapping[str, Any]) -> None:
        if contexts is None or not contexts.any():  # zeros are in fastText's .bin of a model without context vectors
            raise Error(
                "pooling dbow predicts the words of a text by context vectors, and the model has none: "
                "train with negative sampling and keep the .w2v file"
            )
        if recorded.get("loss") and not recorded.get("negatives"):
            raise Error(
                "pooling dbow tells the words of a text from negatives, and the model was trained without them, "
                f"with the loss {recorded['loss']}: train with negative sampling"
            )
        self._contexts = contexts
        finite = np.isfinite(contexts).all(axis=1)
        noise = np.where(finite, shares ** float(recorded.get("ns_exponent", 0.75)), 0.0)
        if not noise.sum() > 0:
            raise Error("pooling dbow: no context vector of the model is finite")
        with np.errstate(divide="ignore"):
            ratio = _SAMPLE / shares
        self._keep = np.where(finite, np.where(shares > 0, np.minimum(1, np.sqrt(ratio) + ratio), 1.0), 0.0)
        sums = np.cumsum(noise)
        drawn = np.minimum(np.searchsorted(sums, (np.arange(_NEGATIVES) + 0.5) / _NEGATIVES * sums[-1]), len(noise) - 1)
        while (noise[drawn] == 0).any():
            drawn[noise[drawn] == 0] -= 1
        self._negatives = contexts[drawn].astype(np.float64)
        self._weight = (int(recorded.get("negatives") or 0) or 5) / _NEGATIVES
        self._curvature = self._weight * (self._negatives**2).sum()

    def vector(self, places: Sequence[int]) -> NDArray[np.float64]:
        """Return the vector of a text, whose words have these places."""
        vector = np.zeros(self._negatives.shape[1])
        words, often = np.unique(np.array([place for place in places if place >= 0], np.int64), return_counts=True)
        kept = np.array([self._keep[word] * n for word, n in zip(words.tolist(), often.tolist())], np.float64)
        words, kept = words[kept > 0], kept[kept > 0]
        if not len(words):
            return vector
        shares = kept / kept.sum()
        rows = self._contexts[words].astype(np.float64)
        rate = 1 / (_PRIOR + (self._curvature + shares @ (rows**2).sum(axis=1)) / 4)
        for _ in range(_ROUNDS):
            gradient = (shares / (1 + np.exp(rows @ vector))) @ rows
            gradient -= self._weight / (1 + np.exp(-(self._negatives @ vector))) @ self._negatives
            vector += rate * (gradient - _PRIOR * vector)
        return vector


# As in vectors/pooling/paragraph.go.
_NEGATIVES, _PRIOR, _ROUNDS, _SAMPLE = 128, 8.0, 6, 3e-4
