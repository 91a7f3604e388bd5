"""Vectors of sentences, of those of their words."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import hashing
from .composition import Lists, sums
from .errors import Error
from .ngrams import joined
from .storage import Floats, Floats32, Product, Storage
from .vocabulary import Found
from .words import decoded, encoded, lowered

__all__ = ["Pooling", "Runs", "split", "splits_here"]

_LONGEST_TOKEN = 16384
_SEPARATORS = b" \n\r\t\v\f\0"
_KEPT = {"tokenizer": "whitespace", "normalize": "none", "digits": "keep", "punctuation": "keep", "sentences": "newline"}
_MULTIPLIER = 116049371


def splits_here(settings: Mapping[str, Any]) -> bool:
    """Tell whether text was cut at white space alone in training, which needs no tables of Unicode."""
    same = all(settings.get(name, kept) in (kept, "", "auto") for name, kept in _KEPT.items())
    return same and not settings.get("strip_accents")


def split(text: str, settings: Mapping[str, Any]) -> List[str]:
    """Cut a text into tokens at white space, in lower case if the training text was."""
    if settings.get("lowercase") is True:
        text = lowered(text)
    data = encoded(text).translate(bytes.maketrans(_SEPARATORS, b" " * len(_SEPARATORS)))
    return [decoded(token) for token in data.split(b" ") if token and len(token) <= _LONGEST_TOKEN]


class Runs:
    """The rows of runs of words, which CBOW may have been trained with."""

    def __init__(self, rows: Storage, longest: int, projection: Optional[Storage]) -> None:
        if longest < 2 or longest > 255 or rows.rows < 1:
            raise Error(f"tensor 'word_ngrams': {rows.rows} rows for runs of up to {longest} words")
        self._rows, self._longest, self._projection = rows, longest, projection

    def sums(self, sentences: Sequence[Sequence[bytes]]) -> Tuple[Floats32, NDArray[np.int64]]:
        """Return the sum of the rows of all runs of each sentence, and how many there are."""
        buckets: List[int] = []
        counts = []
        hashes = _hashes({word for sentence in sentences for word in sentence})
        for sentence in sentences:
            before = len(buckets)
            words = [hashes[word] for word in sentence]
            for first, run in enumerate(words):
                for word in words[first + 1 : first + self._longest]:
                    run = (run * _MULTIPLIER + word) & 0xFFFFFFFFFFFFFFFF
                    buckets.append(run % self._rows.rows)
            counts.append(len(buckets) - before)
        number = np.array(counts, np.int64)
        of = np.repeat(np.arange(len(sentences)), number)
        total = self._rows.finish(sums(self._rows, Lists.of(of, np.array(buckets, np.int64), len(sentences))))
        if isinstance(self._projection, Product):
            total = total @ self._projection.projection
        return total, number


def _hashes(words: Iterable[bytes]) -> Dict[bytes, int]:
    listed = list(words)
    text = joined(listed, b"", b"")
    signed = hashing.fasttext(text.bytes, text.begin, text.end).view(np.int32).astype(np.int64).view(np.uint64)
    return dict(zip(listed, signed.tolist()))


class Pooling:
    """Makes the vector of a sentence of those of its words."""

    def __init__(self, runs: Optional[Runs], weights: Optional[NDArray[np.float64]]) -> None:
        self._runs, self._weights = runs, weights  # weights by place in the vocabulary, for SIF

    def vectors(
        self, sentences: Sequence[Sequence[int]], found: Sequence[Found], of_words: Floats32, there: NDArray[np.bool_]
    ) -> Floats32:
        """Return the vectors of sentences, whose tokens are numbers of the words that were found."""
        finite = there & np.isfinite(of_words).all(axis=1) if self._weights is not None else there
        kept = [[token for token in tokens if finite[token]] for tokens in sentences]
        used = np.array([len(tokens) for tokens in kept], np.int64)
        tokens = np.array([token for some in kept for token in some], np.int64)
        lists = Lists.of(np.repeat(np.arange(len(kept)), used), tokens, len(kept))
        if self._weights is not None:
            return self._weighted(lists, found, of_words, used)
        total, parts = sums(Floats(of_words), lists), used
        if self._runs is not None:
            known = [[encoded(found[t].word) for t in some if found[t].place >= 0] for some in sentences]
            of_runs, number = self._runs.sums(known)
            total, parts = total + of_runs, parts + number
        total *= (np.float32(1) / np.maximum(parts, 1).astype(np.float32))[:, None]
        total[(used == 0) | ~np.isfinite(total).all(axis=1)] = 0
        return total

    def _weighted(self, lists: Lists, found: Sequence[Found], of_words: Floats32, used: NDArray[np.int64]) -> Floats32:
        """Return means with weights, computed in double precision as w2v does it."""
        assert self._weights is not None
        places = np.array([f.place for f in found], np.int64)
        weights = np.where(places >= 0, self._weights[places], 1.0)
        total = np.zeros((len(used), of_words.shape[1]))
        for i in range(len(used)):
            tokens = lists.rows[lists.starts[i] : lists.starts[i + 1]]
            if len(tokens):
                total[i] = (weights[tokens][:, None] * of_words[tokens].astype(np.float64)).sum(axis=0) / len(tokens)
        return total.astype(np.float32)


def sif_weights(counts: Optional[NDArray[np.uint64]], words: int, smoothing: float) -> NDArray[np.float64]:
    """Return the weight of each word in SIF, by its count, or by Zipf's law where no counts are known."""
    total = float(counts.astype(np.float64).sum()) if counts is not None else 0.0
    if counts is not None and total > 0:
        share = counts.astype(np.float64) / total
    else:
        ranks = np.arange(1, words + 1, dtype=np.float64)
        share = 1 / (ranks * (1 / ranks).sum())
    return np.append(smoothing / (smoothing + share), 1.0)
