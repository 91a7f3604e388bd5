"""The vectors of sentences that a model gives."""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._binary import log_notes
from ._checked import not_a_text, path_of
from ._sentences import not_a_token, refuse, tokens_of
from .columns import plain
from .errors import Error
from .filed import Filed, Path, flags_of
from .kept import Kept
from .sentences import Pooling, Predictor, Runs, common_component, part_width, pooled, probabilities, weighted
from .storage import Floats32, Storage
from .texts import lines_of, vectors_of
from .vocabulary import Found
from .words import decoded, encoded

__all__ = ["Embedding"]


class Embedding(Filed):
    """Embeds sentences. ``Model`` has the documentation of its attributes."""

    _runs: Optional[Storage]
    _weighed: Optional[Tuple[float, NDArray[np.float64]]] = None  # the weights of words, and the smoothing that they are of
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
                2017). ``dbow`` is the paragraph vector of doc2vec (PV-DBOW), which predicts the tokens best by their
                context vectors. None is the model's own, or else ``weighted``, or ``mean`` if the model has no counts.
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
        given = [s if isinstance(s, str) else tokens_of(s, f"sentence {i}") for i, s in enumerate(plain(sentences))]
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

    def embed_to(
        self,
        output: Path,
        sentences: Optional[Iterable[str]] = None,
        *,
        paths: Union[Path, Sequence[Path], None] = None,
        dtype: str = "f32",
        pooling: Optional[str] = None,
        smoothing: Optional[float] = None,
        **options: Any,
    ) -> "np.memmap[Any, Any]":
        """Write the vectors of any number of texts to a ``.npy`` file, with ``w2v embed``, and return the matrix in it.

        All processors work, in little memory: neither texts nor vectors need to fit into it. The matrix is that of
        ``embed``, a row for each text, and is read from the file when it is used. A run that was interrupted goes on
        with the same call, of the same texts, and leaves what it has done in ``output.partial`` until then.

        Args:
            output: a new file, whose name ends in ``.npy``.
            sentences: an iterable of texts, which is read once, or
            paths: files, folders and globs with a text on each line, which may be compressed.
            dtype: ``f32``, ``f16``, ``int8`` or ``ubinary``: see ``w2v embed``.
            pooling: see ``embed``.
            smoothing: see ``embed``.
            options: flags of ``w2v embed``, with ``_`` for ``-``: ``text_column="2"``, ``json_field="text"`` of files,
                and ``restart=True``.

        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     matrix = model.embed_to(os.path.join(folder, "vectors.npy"), ["the king", "", "the queen"])
        ...     matrix.shape, bool(np.allclose(matrix[0], model.embed("the king"), atol=1e-6))
        ((3, 20), True)
        """
        name = path_of(output, "output")
        if not name.endswith(".npy"):
            raise ValueError(f"the output is {name!r}, and its name must end in .npy: the command w2v embed writes other files too")
        if (sentences is None) == (paths is None):
            raise TypeError("give sentences or paths=, one of them")
        flags = [f"--output={name}", f"--dtype={dtype}", *flags_of(options), *self._flags(pooling, smoothing)]
        if sentences is not None:
            if isinstance(sentences, str):
                raise TypeError("sentences is a text, and must be an iterable of texts; files are paths=")
            refuse(sentences)
            done = self._done(lambda file: ["embed", *flags, "--json-field=text", "--", file, "-"], _objects_of(sentences))
        else:
            files = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths or ())
            named = [os.fspath(file) for file in files]
            done = self._done(lambda file: ["embed", *flags, "--", file, *named])
        log_notes(done)
        matrix: "np.memmap[Any, Any]" = np.load(name, mmap_mode="r")
        return matrix

    def _flags(self, pooling: Optional[str], smoothing: Optional[float]) -> List[str]:
        """Return the flags of the program that make vectors of texts as this model does."""
        flags = self._first_flag()
        if pooling is not None:
            flags.append(f"--pooling={pooling}")
        if smoothing is not None:
            flags.append(f"--smoothing={float(smoothing)!r}")
        if self._asked_case is not None:
            flags.append(f"--ignore-case={str(self._asked_case).lower()}")
        return flags

    def _cut(self, text: str, number: int) -> Optional[Sequence[str]]:
        try:
            return self._pipeline.cut(text)
        except Error as error:  # no sequence, in a model of k-mers
            raise Error(f"sentence {number}: {error}") from None

    @cached_property
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
        flags = self._flags(pooling, smoothing)
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
        elif how.method == "dbow":
            places = [found.place for found in number]
            vectors = np.array([self._predictor.vector([places[token] for token in row]) for row in numbered]).astype(np.float32)
        else:
            of_words, there = self._vectors_of(list(number))
            sums = weighted(numbered, list(number), of_words, there, self._weights(how.smoothing))
            if how.method == "sif":
                common = self._common(probabilities(self._native.counts, len(self)), how.smoothing)
                sums -= np.outer(sums @ common, common)
            vectors = sums.astype(np.float32)
        return _units(vectors) if how.unit else vectors

    def _mean(self, numbered: List[List[int]], found: List[Found]) -> Floats32:
        """Return the means of vectors. Vectors that are not finite are left out."""
        runs = None if self._runs is None else Runs(self._runs, int(self._training.get("word_ngrams", 0)))
        vectors = pooled(numbered, found, self._composition, runs, self._parts)
        wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
        if len(wrong):
            of_words, there = self._vectors_of(found)
            there &= np.isfinite(of_words).all(axis=1)
            fewer = [[token for token in numbered[i] if there[token]] for i in wrong]
            again = pooled(fewer, found, self._composition, runs, self._parts)
            vectors[wrong] = np.where(np.isfinite(again).all(axis=1)[:, None], again, np.float32(0))
        return vectors

    @cached_property
    def _predictor(self) -> Predictor:
        return Predictor(self._contexts(), probabilities(self._native.counts, len(self)), self._training)

    def _contexts(self) -> Optional[Floats32]:
        raise NotImplementedError  # see Model

    @cached_property
    def _parts(self) -> "Kept[Found]":
        """The parts that tokens have in means: see ``pooled``."""
        return Kept(part_width(self._composition))

    def _weights(self, smoothing: float) -> NDArray[np.float64]:
        """Return the weights of words, by their places, and behind them that of words outside of the vocabulary."""
        kept = self._weighed
        if kept is None or kept[0] != smoothing:
            shares = probabilities(self._native.counts, len(self))
            kept = self._weighed = smoothing, np.append(smoothing / (smoothing + shares), 1.0)
        return kept[1]

    def _common(self, shares: NDArray[np.float64], smoothing: float) -> NDArray[np.float64]:
        """Return the direction that ``sif`` removes."""
        if smoothing not in self._commons:
            self._commons[smoothing] = common_component(shares, self._native.counts, smoothing, self._known)
        return self._commons[smoothing]


_TOGETHER = 1 << 10  # texts of a block


def _objects_of(texts: Iterable[str]) -> Iterator[bytes]:
    """Yield blocks of JSON lines with a text each."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    lines: List[str] = []
    for i, text in enumerate(plain(texts)):
        if not isinstance(text, str):
            raise not_a_text(text, f"sentence {i}")
        lines.append(f'{{"text":{encode(text)}}}\n')
        if len(lines) == _TOGETHER:
            yield encoded("".join(lines))
            lines = []
    yield encoded("".join(lines))


def _units(vectors: Floats32) -> Floats32:
    """Return vectors scaled to length 1; zeros stay."""
    lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1))[:, None]
    units: Floats32 = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return units
