"""Word vectors that can be changed, with gensim's methods."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ....interchange import native_of
from ....model import Model
from ....model import load as _load
from ....vocabulary import listed

__all__ = ["FastTextKeyedVectors", "KeyedVectors"]

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


class KeyedVectors:
    """Words and their vectors. What is not here is asked of ``model``, the ``w2v.Model`` that answers."""

    def __init__(self, vector_size: int, count: int = 0, dtype: Any = np.float32) -> None:
        refuse("KeyedVectors", {"count": (count, 0, "add_vectors makes room itself"), "dtype": (np.dtype(dtype), np.dtype("f4"), "vectors are float32")})
        empty = native_of([], np.empty((0, vector_size), np.float32), None, None)
        self.model = Model(empty, None, False)

    @classmethod
    def of(cls, model: Model) -> "KeyedVectors":
        """Return the vectors of a model of w2v."""
        self = cls.__new__(cls)
        self.model = exact(model)
        return self

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "model" or name.startswith("__"):  # of an object that is not made yet, or how it is copied
                raise AttributeError(name)
            return getattr(self.model, name)

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
        self.model = exact(self.model.with_vectors(names, weights, replace))

    def doesnt_match(self, words: Sequence[str]) -> str:
        """Return the word that matches the others least. One with a vector is enough."""
        return str(self.model.rank_by_centrality(words)[-1][1])

    def unit_normalize_all(self) -> None:
        """Scale all rows to length 1."""
        if self.model._composition.indexer is not None:
            raise TypeError("the rows of a model with n-grams are made of others: model.save(path, normalize=True) writes one of its words")
        self.model = exact(self.model.with_vectors(self.model.words, self.model.get_normed_vectors(), replace=True))

    def sort_by_descending_frequency(self) -> None:
        """Put words in the order of their counts, if there are counts."""
        counts = self.model.counts
        if counts is not None and self.model._composition.indexer is None:  # whose words are in that order
            order = np.argsort(-counts, kind="stable").tolist()
            words = [self.model.words[i] for i in order]
            self.model = exact(Model(native_of(words, self.model.vectors[order], counts[order].tolist(), self.model._native)))

    def vectors_for_all(self, keys: Iterable[str], allow_inference: bool = True, copy_vecattrs: bool = False) -> "KeyedVectors":
        """Return the vectors of some words."""
        return KeyedVectors.of(self.model.vectors_for_all(keys, allow_inference, copy_vecattrs))

    def save(self, fname: Path, *args: Any, **kwargs: Any) -> None:
        """Write one file, in w2v's own format. gensim's arguments say how it divides a pickle, and have no effect."""
        self.model.save(fname, "w2v")

    @classmethod
    def load(cls, fname: Path, mmap: Optional[str] = None) -> "KeyedVectors":
        """Open what ``save`` has written, or a model of any format of w2v. It is read into memory."""
        return cls.of(_load(fname, ignore_case=False))

    def save_word2vec_format(
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


FastTextKeyedVectors = KeyedVectors
