"""Word vectors that can be changed, with gensim's methods."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Type, Union

import numpy as np
from numpy.typing import NDArray

from ...._checked import nearest_name, path_of
from ....interchange import native_of
from ....model import Model
from ....model import load as _load
from ....vocabulary import listed

__all__ = ["FastTextKeyedVectors", "KeyedVectors"]

if TYPE_CHECKING:
    _Asked = Model  # whose methods these vectors have
else:
    _Asked = object

Path = Union[str, "os.PathLike[str]"]
Vectors = NDArray[np.float32]


def refuse(function: str, given: "dict[str, Tuple[Any, Any, str]]") -> None:
    """Refuse arguments that are not what gensim has when they are not given: the value, that, and what to do instead."""
    for name, (value, usual, advice) in given.items():
        if value is not usual and value != usual:
            raise TypeError(f"{function}() of w2v.compat.gensim takes no {name}: {advice}")


def exact(model: Model) -> Model:
    """Return a model that finds words in their own case alone, as gensim does."""
    other = Model(model._native, model.path, False)
    other.training, other._state = model.training, model._state
    return other


def save(model: Model, path: Path) -> None:
    """Write a model to a file that does not replace a pickle, which may be the only copy of a model of gensim."""
    name = path_of(path, "fname")
    if os.path.isfile(name):
        with open(name, "rb") as file:
            if file.read(1) == b"\x80":
                raise FileExistsError(17, "it is a pickle, as gensim writes them, which would be lost: move it away, or name another file", name)
    model.save(name, "w2v")


class KeyedVectors(_Asked):
    """Words and their vectors. What is not here is asked of ``model``, the ``w2v.Model`` that answers."""

    model: Model
    _fixed = ""  # why vectors cannot be changed, if they cannot

    def __init__(self, vector_size: int, count: int = 0, dtype: Any = np.float32) -> None:
        refuse("KeyedVectors", {"count": (count, 0, "add_vectors makes room itself"), "dtype": (np.dtype(dtype), np.dtype("f4"), "vectors are float32")})
        empty = native_of([], np.empty((0, vector_size), np.float32), None, None)
        self.model = Model(empty, None, False)

    @classmethod
    def of(cls, model: Model, fixed: str = "") -> "KeyedVectors":
        """Return the vectors of a model of w2v, which cannot be changed if ``fixed`` says why."""
        kind: Type[KeyedVectors] = cls
        if _numbered(model):
            kind = NumberedVectors
        self = kind.__new__(kind)
        self.model, self._fixed = exact(model), fixed
        return self

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "model" or name.startswith("__"):  # of an object that is not made yet, or how it is copied
                raise AttributeError(name)
            if not hasattr(Model, name):
                advice = _OTHERS.get(name, "")
                what = f": {advice}" if advice else nearest_name(name, {*dir(type(self)), *dir(Model)})
                raise AttributeError(f"KeyedVectors of w2v.compat.gensim have no {name}{what}")
            return getattr(self.model, name)

        def __reduce__(self) -> Any:  # also of copies, which can be changed
            return type(self).of, (self.model,)

    def _changed(self, model: Model) -> None:
        """Answer from another model from now on."""
        if self._fixed:
            raise RuntimeError(f"these vectors cannot be changed: {self._fixed}. copy.copy() of them can")
        self.model = exact(model)

    def __getitem__(self, key_or_keys: Any) -> Vectors:
        return self.model[key_or_keys]

    def __setitem__(self, keys: Any, weights: Any) -> None:
        self.add_vectors(keys if isinstance(keys, str) else [keys] if isinstance(keys, int) else keys, np.atleast_2d(np.asarray(weights)), replace=True)

    def __contains__(self, key: object) -> bool:
        return key in self.model

    def __len__(self) -> int:
        return len(self.model)

    def __str__(self) -> str:
        return f"{type(self).__name__}<vector_size={self.model.dim}, {len(self)} keys>"

    __repr__ = __str__

    @property
    def index_to_key(self) -> List[str]:
        """The words, in the order of the rows."""
        return self.model.words

    @property
    def vectors(self) -> Vectors:
        """A row for each word, read-only: ``kv[word] = vector`` changes one."""
        return self.model.vectors

    @property
    def norms(self) -> Vectors:
        """The length of each row."""
        lengths: Vectors = np.linalg.norm(self.model.vectors, axis=1)
        return lengths

    def fill_norms(self, force: bool = False) -> None:
        """Compute the lengths of all rows now, which is else done when they are first needed."""
        self.model._directions  # noqa: B018

    def add_vector(self, key: str, vector: Any) -> int:
        """Add a word, and return the number of its row."""
        self.add_vectors([key], np.atleast_2d(np.asarray(vector)))
        return self.model.key_to_index[key]

    def add_vectors(self, keys: Union[str, Sequence[Any]], weights: Any, extras: Optional[Any] = None, replace: bool = False) -> None:
        """Add words, and with ``replace`` give those that are there other vectors."""
        refuse("add_vectors", {"extras": (extras or None, None, "words have counts alone")})
        names = [keys] if isinstance(keys, str) else [self.model.words[key] if isinstance(key, (int, np.integer)) else key for key in listed(keys)]
        self._changed(self.model.with_vectors(names, weights, replace))

    def doesnt_match(self, words: Sequence[str]) -> str:
        """Return the word that matches the others least. One with a vector is enough."""
        return str(self.model.rank_by_centrality(words)[-1][1])

    def unit_normalize_all(self) -> None:
        """Scale all rows to length 1."""
        if self.model._composition.indexer is not None:
            raise TypeError("the rows of a model with n-grams are made of others: model.save(path, normalize=True) writes one of its words")
        self._changed(self.model.with_vectors(self.model.words, self.model.get_normed_vectors(), replace=True))

    def sort_by_descending_frequency(self) -> None:
        """Put words in the order of their counts, if there are counts."""
        counts = self.model.counts
        if counts is not None and self.model._composition.indexer is None:  # whose words are in that order
            order = np.argsort(-counts, kind="stable").tolist()
            words = [self.model.words[i] for i in order]
            self._changed(Model(native_of(words, self.model.vectors[order], counts[order].tolist(), self.model._native)))

    def vectors_for_all(self, keys: Iterable[str], allow_inference: bool = True, copy_vecattrs: bool = False) -> "KeyedVectors":
        """Return the vectors of some words."""
        return KeyedVectors.of(self.model.vectors_for_all(keys, allow_inference, copy_vecattrs))

    def save(self, fname: Path, *args: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Write one file, in w2v's own format. gensim's arguments say how it divides a pickle, and have no effect."""
        save(self.model, fname)

    @classmethod
    def load(cls, fname: Path, mmap: Optional[str] = None) -> "KeyedVectors":
        """Open what ``save`` has written, or a model of any format of w2v. It is read into memory."""
        return cls.of(_load(fname, ignore_case=False))

    def save_word2vec_format(  # type: ignore[override]
        self,
        fname: Path,
        fvocab: Optional[Path] = None,
        binary: bool = False,
        total_vec: Optional[int] = None,
        write_header: bool = True,
        prefix: str = "",
        append: bool = False,
        sort_attr: str = "count",
    ) -> None:
        """Write word2vec's format, or that of GloVe, which has no header; and the counts to ``fvocab``."""
        refuse("save_word2vec_format", {
            "total_vec": (total_vec, None, "the header has the number of words"),
            "prefix": (prefix, "", "name the words otherwise before"),
            "append": (append, False, "write a file of its own"),
            "sort_attr": (sort_attr, "count", "words have counts alone"),
        })  # fmt: skip
        if not write_header and binary:
            raise TypeError("save_word2vec_format() of w2v.compat.gensim writes a header before binary vectors: leave out write_header")
        if fvocab is not None:
            with open(fvocab, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.writelines(f"{word} {self.model.get_count(i)}\n" for i, word in enumerate(self.model.words))
        self.model.save(fname, "word2vec" if binary else "text" if write_header else "glove")

    @classmethod
    def load_word2vec_format(
        cls,
        fname: Path,
        fvocab: Optional[Path] = None,
        binary: bool = False,
        encoding: str = "utf8",
        unicode_errors: str = "strict",
        limit: Optional[int] = None,
        datatype: Any = np.float32,
        no_header: bool = False,
    ) -> "KeyedVectors":
        """Open a file of vectors. Its format is that of its content, whatever ``binary`` and ``no_header`` say."""
        refuse("load_word2vec_format", {
            "fvocab": (fvocab, None, "words have no counts then"),
            "encoding": (encoding.lower().replace("-", ""), "utf8", "w2v reads UTF-8, and keeps bytes that are not"),
            "datatype": (np.dtype(datatype), np.dtype("f4"), "vectors are float32"),
        })  # fmt: skip
        return cls.of(_load(fname, ignore_case=False, limit=limit))

    def __iter__(self) -> Iterator[str]:
        return iter(self.model)


def _numbered(model: Model) -> bool:
    return model.settings.get("tags") == "numbers" and model.words == [str(row) for row in range(len(model))]


def _numbers(answer: Any) -> Any:
    """Return an answer with numbers for the names of rows."""
    if isinstance(answer, list):
        return [_numbers(one) for one in answer]
    if isinstance(answer, tuple):
        return (_numbers(answer[0]), *answer[1:])
    return int(answer) if isinstance(answer, str) else answer


class NumberedVectors(KeyedVectors):
    """Vectors of documents whose tags are the numbers of rows: answers are numbers, too."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            value = super().__getattr__(name)
            if name == "words":
                return self.index_to_key
            if name not in ("analogy", "closer_than", "most_similar", "most_similar_batch", "most_similar_cosmul", "most_similar_to_given",
                            "similar_by_key", "similar_by_vector", "similar_by_word"):  # fmt: skip
                return value

            @functools.wraps(value)
            def asked(*args: Any, **kwargs: Any) -> Any:
                return _numbers(value(*args, **kwargs))

            return asked

        @property
        def key_to_index(self) -> "Dict[int, int]":
            """The row of each tag: its number."""
            return {row: row for row in range(len(self))}

    def _changed(self, model: Model) -> None:
        if model.words != self.model.words:
            raise TypeError("tags that are numbers are those of rows: other tags, or another order, would not be")
        super()._changed(model)

    def __contains__(self, key: object) -> bool:
        return not isinstance(key, str) and key in self.model

    def __iter__(self) -> Iterator[Any]:
        return iter(range(len(self)))

    @property
    def index_to_key(self) -> List[Any]:
        """The tags, which are the numbers of rows."""
        return list(range(len(self)))

    def doesnt_match(self, words: Sequence[Any]) -> Any:
        """Return the tag whose vector matches the others least."""
        return int(super().doesnt_match(words))


FastTextKeyedVectors = KeyedVectors

# What is gone from gensim 4 itself, or is not here.
_OTHERS = {
    "wv": "these are the vectors",
    "vocab": "key_to_index has the places of words, get_vecattr(word, 'count') their counts",
    "index2word": "write index_to_key", "index2entity": "write index_to_key", "syn0": "write vectors", "vectors_norm": "write get_normed_vectors()",
    "init_sims": "unit_normalize_all() scales vectors", "word_vec": "write get_vector(word)", "words_closer_than": "write closer_than(word, other)",
    "similarity_unseen_docs": "write n_similarity(words, others)", "accuracy": "write evaluate_word_analogies(path)",
    "set_vecattr": "words have counts alone, which do not change", "expandos": "words have counts alone: get_vecattr(word, 'count')",
    "allocate_vecattrs": "words have counts alone", "resize_vectors": "add_vectors makes room itself",
    "intersect_word2vec_format": "w2v.train(…, init=path) starts from vectors", "cosine_similarities": "1 - distances(vector, words) has them",
    "log_accuracy": "evaluate_word_analogies returns what it found", "log_evaluate_word_pairs": "evaluate_word_pairs returns what it found",
    "vectors_vocab": "write vectors", "vectors_ngrams": "get_subwords of w2v.compat.fasttext has the rows of n-grams",
    "vectors_lockf": "w2v.train has freeze=", "add_lifecycle_event": "there are no such events", "lifecycle_events": "there are no such events",
    "bucket": "write settings['buckets']", "min_n": "write settings['minn']", "max_n": "write settings['maxn']", "next_index": "write len(kv)",
    "adjust_vectors": "vectors are composed when they are asked for", "recalc_char_ngram_buckets": "n-grams are found when they are asked for",
}  # fmt: skip
