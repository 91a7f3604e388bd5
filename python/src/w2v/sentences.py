"""Vectors of sentences, of those of their words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import hashing
from .composition import Composition, Lists, sums
from .errors import Error
from .ngrams import joined
from .storage import Decoded, Floats32, Product, Storage
from .vocabulary import Found
from .words import decoded, encoded, lowered

__all__ = ["Runs", "pooled", "sif_weights", "split", "splits_here", "weighted"]

_LONGEST_TOKEN = 16384
_SEPARATORS = b" \n\r\t\v\f\0"
_KEPT = {
    "tokenizer": "whitespace",
    "normalize": "none",
    "digits": "keep",
    "punctuation": "keep",
    "sentences": "newline",
    "split": "",
}
_MULTIPLIER = 116049371


def splits_here(settings: Mapping[str, Any]) -> bool:
    """Tell whether text was cut at white space alone in training, which needs no tables of Unicode."""
    same = all(settings.get(name, kept) in (kept, "", "auto") for name, kept in _KEPT.items())
    return same and not settings.get("strip_accents")


def split(text: str, settings: Mapping[str, Any]) -> List[str]:
    """Cut a text into tokens at white space, in lower case if the training text was."""
    if settings.get("lowercase") is True:
        text = lowered(text, str(settings.get("lowercase_language", "")))
    data = encoded(text).translate(bytes.maketrans(_SEPARATORS, b" " * len(_SEPARATORS)))
    return [decoded(token) for token in data.split(b" ") if token and len(token) <= _LONGEST_TOKEN]


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
            words = [hashes[word] for word in sentence]
            for first, run in enumerate(words):
                for word in words[first + 1 : first + self._longest]:
                    run = (run * _MULTIPLIER + word) & 0xFFFFFFFFFFFFFFFF
                    buckets.append(run % self._rows.rows)
            counts.append(len(buckets) - before)
        number = np.array(counts, np.int64)
        of = np.repeat(np.arange(len(sentences)), number)
        return self._rows.finish(sums(self._rows, Lists.of(of, np.array(buckets, np.int64), len(sentences)))), number


def _hashes(words: Iterable[bytes]) -> Dict[bytes, int]:
    listed = list(words)
    text = joined(listed, b"", b"")
    signed = hashing.fasttext(text.bytes, text.begin, text.end).view(np.int32).astype(np.int64).view(np.uint64)
    return dict(zip(listed, signed.tolist()))


def pooled(
    sentences: Sequence[Sequence[int]], found: Sequence[Found], composition: Composition, runs: Optional[Runs]
) -> Floats32:
    """Return the means of the vectors of tokens, and of the rows of runs.

    Tokens are numbers of the words that were found. Rows are added up in the order of the tokens, before
    a projection, as w2v does it.
    """
    places = np.array([f.place for f in found], np.int64)
    parts = composition.tokens([encoded(f.word) for f in found], places)
    tokens, used = _kept(sentences, parts.there)
    rows = composition.rows
    base, projection = (rows.factor, rows.projection) if isinstance(rows, Product) else (rows, None)
    used_rows, numbers = np.unique(parts.lists.rows, return_inverse=True)
    decoded_once = Decoded(base, used_rows)
    lists = replace(parts.lists, rows=numbers.reshape(-1)).joined(tokens, used)
    total = decoded_once.finish(sums(decoded_once, lists))
    if composition.appended:
        of = np.repeat(np.arange(len(used)), used)
        appended = np.zeros((len(used), composition.appended), np.float32)
        np.add.at(appended, of, parts.appended[tokens])
        total = np.hstack([total, appended])
    number = used
    if runs is not None:
        known = [[encoded(found[t].word) for t in some if found[t].place >= 0] for some in sentences]
        of_runs, further = runs.sums(known)
        total, number = total + of_runs, used + further
    total = total * (np.float32(1) / np.maximum(number, 1).astype(np.float32))[:, None]
    if projection is not None:
        total = total @ projection
    total[(used == 0) | ~np.isfinite(total).all(axis=1)] = 0
    return total


def weighted(
    sentences: Sequence[Sequence[int]],
    found: Sequence[Found],
    of_words: Floats32,
    there: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> Floats32:
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
    return total.astype(np.float32)


def _kept(sentences: Sequence[Sequence[int]], keep: NDArray[np.bool_]) -> Tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tokens of sentences that are kept, one after the other, and how many each sentence has."""
    kept = [[token for token in tokens if keep[token]] for tokens in sentences]
    return np.array([t for some in kept for t in some], np.int64), np.array([len(some) for some in kept], np.int64)


def sif_weights(counts: Optional[NDArray[np.uint64]], words: int, smoothing: float) -> NDArray[np.float64]:
    """Return the weight of each word in SIF, by its count, or by Zipf's law where no counts are known."""
    total = float(counts.astype(np.float64).sum()) if counts is not None else 0.0
    if counts is not None and total > 0:
        share = counts.astype(np.float64) / total
    else:
        ranks = np.arange(1, words + 1, dtype=np.float64)
        share = 1 / (ranks * (1 / ranks).sum())
    return np.append(smoothing / (smoothing + share), 1.0)
