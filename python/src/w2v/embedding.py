"""The vectors of sentences that a model gives."""

from __future__ import annotations

from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Union

import numpy as np

from ._sentences import not_a_token, refuse, tokens_of
from .errors import Error
from .filed import Filed
from .sentences import Runs, pooled, sif_weights, split, splits_here, weighted
from .storage import Floats32, Storage
from .texts import lines_of, vectors_of
from .vocabulary import Found

__all__ = ["Embedding"]


class Embedding(Filed):
    """Embeds sentences. ``Model`` has the documentation of its attributes."""

    _runs: Optional[Storage]
    _asked_case: Optional[bool]

    def embed(
        self,
        sentences: Union[str, Iterable[Union[str, Sequence[str]]]],
        pooling: str = "mean",
        smoothing: float = 1e-3,
        normalize: bool = False,
    ) -> Floats32:
        """Return the vectors of sentences, a row for each.

        A sentence is a text or a list of tokens. A text is cut into tokens and lower-cased as in training.
        Tokens outside of the vocabulary are composed of n-grams, or left out if that is not possible. The
        row of a sentence without a token that has a vector is zeros. One text, in place of a list, gives
        one vector.

        Args:
            sentences: texts or lists of tokens.
            pooling: ``mean`` is the mean of the tokens' vectors, and of their runs if the model was trained
                with ``word_ngrams``, as in ``w2v sentence``. ``sif`` weighs each word by
                a / (a + its share of the training text), so frequent words count less (Arora, Liang and
                Ma 2017).
            smoothing: the number a of ``sif``.
            normalize: scales every vector to length 1.

        >>> model.embed(["the king", ["the", "queen"]]).shape
        (2, 20)
        >>> bool(np.allclose(model.embed("king"), model["king"], atol=1e-6))
        True
        """
        if isinstance(sentences, str):
            vector: Floats32 = self.embed([sentences], pooling, smoothing, normalize)[0]
            return vector
        if pooling not in ("mean", "sif"):
            raise ValueError(f"unknown pooling {pooling!r}, want 'mean' or 'sif'")
        if not smoothing > 0:
            raise ValueError(f"smoothing is {smoothing}, must be above 0")
        refuse(sentences)
        given = [s if isinstance(s, str) else tokens_of(s, f"sentence {i}") for i, s in enumerate(sentences)]
        vectors = np.zeros((len(given), self.dim), np.float32)
        here = splits_here(self._training)
        cut: Dict[int, Sequence[str]] = {}
        for i, sentence in enumerate(given):
            if not isinstance(sentence, str):
                cut[i] = sentence
            elif here:
                cut[i] = split(sentence, self._training)
        if cut:
            vectors[list(cut)] = self._pooled(cut, pooling, smoothing)
        texts = {i: s for i, s in enumerate(given) if i not in cut and isinstance(s, str)}
        if texts:
            vectors[list(texts)] = self._by_program(list(texts.values()), pooling, smoothing)
        if normalize:
            lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1))[:, None]
            vectors = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return vectors

    def _by_program(self, texts: List[str], pooling: str, smoothing: float) -> Floats32:
        """Return the vectors of texts that are cut by more than white space."""
        flags = self._first_flag() + [f"--pooling={pooling}"]
        if pooling == "sif":
            flags.append(f"--smoothing={float(smoothing)!r}")
        if self._asked_case is not None:
            flags.append(f"--ignore-case={str(self._asked_case).lower()}")
        # The exit code is 1 if a text has no vector.
        printed = self._asked(lambda file: ["sentence", "--json", *flags, "--", file], lines_of(texts), codes=(0, 1))
        vectors = vectors_of(printed, self.dim)
        if len(vectors) != len(texts):
            raise Error(f"w2v sentence has answered {len(vectors)} of {len(texts)} texts")
        return vectors

    def _pooled(self, sentences: Mapping[int, Sequence[str]], pooling: str, smoothing: float) -> Floats32:
        number: Dict[Found, int] = {}
        by_token: Dict[str, int] = {}
        numbered: List[List[int]] = []
        for i, tokens in sentences.items():
            row = []
            for token in tokens:
                if not isinstance(token, str):
                    raise not_a_token(token, f"sentence {i}")
                if token not in by_token:
                    by_token[token] = number.setdefault(self._find(token), len(number))
                row.append(by_token[token])
            numbered.append(row)
        if pooling == "mean":
            runs = None if self._runs is None else Runs(self._runs, int(self._training.get("word_ngrams", 0)))
            return pooled(numbered, list(number), self._composition, runs)
        of_words, there, found = self._look_up([f.word for f in number])
        return weighted(numbered, found, of_words, there, sif_weights(self._native.counts, len(self), smoothing))
