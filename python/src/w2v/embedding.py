"""The vectors of sentences that a model gives."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._sentences import not_a_token, refuse, tokens_of
from .errors import Error
from .filed import Filed
from .sentences import Pooling, Runs, common_component, pooled, probabilities, weighted
from .storage import Floats32, Storage
from .texts import lines_of, vectors_of
from .vocabulary import Found
from .words import decoded, encoded

__all__ = ["Embedding"]


class Embedding(Filed):
    """Embeds sentences. ``Model`` has the documentation of its attributes."""

    _runs: Optional[Storage]
    _commons: Dict[float, NDArray[np.float64]]  # what sif removes, by its smoothing

    def embed(
        self,
        sentences: Union[str, Iterable[Union[str, Sequence[str]]]],
        pooling: Optional[str] = None,
        smoothing: Optional[float] = None,
        normalize: bool = False,
    ) -> Floats32:
        """Return the vectors of sentences, a row for each, as ``w2v sentence`` and ``w2v serve`` make them.

        A sentence is a text or a list of tokens. A text is cut into tokens as the training text was: in lower case,
        without accents, with its phrases joined and so on. Tokens outside of the vocabulary are composed of n-grams,
        or left out if that is not possible. The row of a sentence without a token that has a vector is zeros. One
        text, in place of a list, gives one vector.

        Args:
            sentences: texts or lists of tokens.
            pooling: ``mean`` is the mean of the tokens' vectors, and of their runs if the model was trained
                with ``word_ngrams``. ``weighted`` weighs each word by a / (a + its share of the training text), so
                frequent words count less. ``sif`` also removes what all texts have in common (Arora, Liang and Ma
                2017). None is the model's own, or else ``weighted``, or ``mean`` if the model has no counts.
            smoothing: the number a; None is the model's own, or else 0.0002.
            normalize: scales every vector to length 1.

        >>> model.embed(["the king", ["the", "queen"]]).shape
        (2, 20)
        >>> bool(np.allclose(model.embed("king", pooling="mean"), model["king"], atol=1e-6))
        True
        """
        if isinstance(sentences, str):
            vector: Floats32 = self.embed([sentences], pooling, smoothing, normalize)[0]
            return vector
        how = Pooling(self._training, self._counted, lambda: self._native.unknown_token, pooling, smoothing)
        refuse(sentences)
        given = [s if isinstance(s, str) else tokens_of(s, f"sentence {i}") for i, s in enumerate(sentences)]
        vectors = np.zeros((len(given), self.dim), np.float32)
        cut: Dict[int, Sequence[str]] = {}
        texts: Dict[int, str] = {}
        for i, sentence in enumerate(given):
            tokens = self._cut(sentence, i) if isinstance(sentence, str) else sentence
            if tokens is not None:
                cut[i] = tokens
            elif isinstance(sentence, str):
                texts[i] = sentence
        if cut:
            vectors[list(cut)] = self._pooled(cut, how)
        if texts:
            vectors[list(texts)] = self._by_program(list(texts.values()), pooling, smoothing)
        return _units(vectors) if normalize else vectors

    def _cut(self, text: str, number: int) -> Optional[Sequence[str]]:
        try:
            return self._pipeline.cut(text)
        except Error as error:  # no sequence, in a model of k-mers
            raise Error(f"sentence {number}: {error}") from None

    @property
    def _counted(self) -> bool:
        counts = self._native.counts
        return counts is not None and bool(counts.any())

    def _recast(self, words: Sequence[str]) -> Sequence[str]:
        if not self._pipeline.by_program:
            return super()._recast(words)
        unknown = sorted({word for word in words if word not in self._recasts and word == word.strip() and word.isprintable()})
        if unknown:
            lines = b"".join([encoded(word) + b"\n" for word in unknown])
            # The exit code is 1 if a word has no vector.
            printed = self._asked(lambda file: ["vector", "--json", "--", file], lines, codes=(0, 1))
            self._recasts.update(dict.fromkeys(unknown))
            for answer in map(json.loads, decoded(printed).splitlines()):
                self._recasts[answer["word"]] = answer.get("found_as")
        return [self._recasts.get(word) or word for word in words]

    @cached_property
    def _recasts(self) -> Dict[str, Optional[str]]:
        return {}

    def _by_program(self, texts: List[str], pooling: Optional[str], smoothing: Optional[float]) -> Floats32:
        """Return the vectors of texts that only the program can cut."""
        flags = self._first_flag()
        if pooling is not None:
            flags.append(f"--pooling={pooling}")
        if smoothing is not None:
            flags.append(f"--smoothing={float(smoothing)!r}")
        if self._asked_case is not None:
            flags.append(f"--ignore-case={str(self._asked_case).lower()}")
        form, lines = lines_of(texts)
        # The exit code is 1 if a text has no vector.
        printed = self._asked(lambda file: ["sentence", "--json", *form, *flags, "--", file], lines, codes=(0, 1))
        vectors = vectors_of(printed, self.dim)
        if len(vectors) != len(texts):
            raise Error(f"w2v sentence has answered {len(vectors)} of {len(texts)} texts")
        return vectors

    def _pooled(self, sentences: Mapping[int, Sequence[str]], how: Pooling) -> Floats32:
        number: Dict[Found, int] = {}
        by_token: Dict[str, int] = {}
        numbered: List[List[int]] = []
        for i, tokens in sentences.items():
            row = []
            for token in tokens:
                if not isinstance(token, str):
                    raise not_a_token(token, f"sentence {i}")
                if token not in by_token:
                    found = self._find_token(token)
                    by_token[token] = number.setdefault(found, len(number)) if found.word != how.unknown else -1
                if by_token[token] >= 0:
                    row.append(by_token[token])
            numbered.append(row[: how.limit] if how.limit else row)
        if how.method == "mean":
            vectors = self._mean(numbered, list(number))
        else:
            shares = probabilities(self._native.counts, len(self))
            weights = np.append(how.smoothing / (how.smoothing + shares), 1.0)
            of_words, there = self._vectors_of(list(number))
            sums = weighted(numbered, list(number), of_words, there, weights)
            if how.method == "sif":
                common = self._common(shares, how.smoothing)
                sums -= np.outer(sums @ common, common)
            vectors = sums.astype(np.float32)
        return _units(vectors) if how.unit else vectors

    def _mean(self, numbered: List[List[int]], found: List[Found]) -> Floats32:
        """Return the means of vectors. Vectors that are not finite are left out."""
        runs = None if self._runs is None else Runs(self._runs, int(self._training.get("word_ngrams", 0)))
        vectors = pooled(numbered, found, self._composition, runs)
        wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
        if len(wrong):
            of_words, there = self._vectors_of(found)
            there &= np.isfinite(of_words).all(axis=1)
            fewer = [[token for token in numbered[i] if there[token]] for i in wrong]
            again = pooled(fewer, found, self._composition, runs)
            vectors[wrong] = np.where(np.isfinite(again).all(axis=1)[:, None], again, np.float32(0))
        return vectors

    def _common(self, shares: NDArray[np.float64], smoothing: float) -> NDArray[np.float64]:
        """Return the direction that ``sif`` removes."""
        if smoothing not in self._commons:
            self._commons[smoothing] = common_component(shares, self._native.counts, smoothing, self._known)
        return self._commons[smoothing]


def _units(vectors: Floats32) -> Floats32:
    """Return vectors scaled to length 1; zeros stay."""
    lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1))[:, None]
    units: Floats32 = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return units
