"""Finding words: what models share that answer questions about words."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cached_property
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .characters import lower
from .composition import Composition, batches
from .errors import Error
from .kept import Kept
from .pipeline import Pipeline
from .storage import Floats32
from .words import Words, encoded

__all__ = ["Found", "Key", "MissingWordError", "Vocabulary", "listed", "not_a_word"]

Key = Union[str, int, "np.integer[Any]"]
"""A word, or the place of a word in the vocabulary."""


_FEW = 64  # words that are composed faster one by one


class MissingWordError(Error, KeyError):
    """A word has no vector: it is not in the vocabulary, and cannot be composed of n-grams.

    The error is a ``KeyError``, too.
    """

    def __init__(self, word: str, why: str) -> None:
        super().__init__(word, why)
        self.word = word

    def __str__(self) -> str:
        return f"no vector for the word {self.word!r}: {self.args[1]}"


class Found(NamedTuple):
    """A word in the spelling by which a model knows it, and its place in the vocabulary, or -1."""

    word: str
    place: int


class Vocabulary:
    """Words with vectors. ``Model`` has the documentation of its public methods."""

    _words: Words
    _composition: Composition
    _ignore_case: Optional[bool]
    _asked_case: Optional[bool]  # what ignore_case is if somebody says so
    _training: Dict[str, Any]
    _rows: Optional[Floats32] = None

    @property
    def _pipeline(self) -> Pipeline:
        """How the text was cut that the model was trained on."""
        raise NotImplementedError

    @property
    def vector_size(self) -> int:
        """The number of dimensions of a vector. ``dim`` is the same."""
        return self._composition.dim

    @property
    def dim(self) -> int:
        """The number of dimensions of a vector. ``vector_size`` is the same."""
        return self._composition.dim

    @property
    def words(self) -> List[str]:
        """All words of the vocabulary, mostly the most frequent one first. ``index_to_key`` is the same. The list is fixed.

        A byte of a word that is not UTF-8 is a surrogate from U+DC80 to U+DCFF, as in Python's names of
        files: ``word.encode("utf-8", "surrogateescape")`` has the bytes of the file.
        """
        return self._words.list

    @property
    def index_to_key(self) -> List[str]:
        """All words of the vocabulary. ``words`` is the same."""
        return self._words.list

    @property
    def key_to_index(self) -> Dict[str, int]:
        """The place of each word in the vocabulary. The dictionary is fixed."""
        return self._words.index

    @property
    def ignores_case(self) -> bool:
        """Whether a word that is not in the vocabulary is looked up in lower case.

        By default this is so if the training text was lower-cased, or if no word of the vocabulary has
        an upper-case letter. ``load(path, ignore_case=…)`` says otherwise.
        """
        if self._ignore_case is None:
            self._ignore_case = self._training.get("lowercase") is True or not self._words.have_capitals
        return self._ignore_case

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words.list)

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str):
            return key in self._words.made or self._find(key).place >= 0 or self._vector_of(key) is not None
        return isinstance(key, (int, np.integer)) and not isinstance(key, bool) and 0 <= int(key) < len(self)

    def has_index_for(self, key: Key) -> bool:
        """Tell whether a word is in the vocabulary itself, and need not be composed of n-grams."""
        return self._find(key).place >= 0

    def get_index(self, key: Key, default: Optional[int] = None) -> int:
        """Return the place of a word in the vocabulary. Without a default, a word outside is an error."""
        place = self._find(key).place
        if place >= 0:
            return place
        if default is None:
            raise MissingWordError(str(key), "it is not in the vocabulary")
        return default

    def _find(self, key: Key) -> Found:
        """Look a word up as a token, and then the token that the training text would have had for it."""
        found = self._find_token(key)
        if found.place >= 0 or self._asked_case is False or not isinstance(key, str):
            return found
        token = self._recast([key])[0]
        return found if token == key else self._find_token(token)

    def _find_all(self, keys: Sequence[Key]) -> List[Found]:
        found = [self._find_token(key) for key in keys]
        if self._asked_case is False:
            return found
        absent = [i for i, (key, f) in enumerate(zip(keys, found)) if isinstance(key, str) and f.place < 0]
        words = [str(keys[i]) for i in absent]
        for i, word, token in zip(absent, words, self._recast(words) if words else ()):
            if token != word:
                found[i] = self._find_token(token)
        return found

    def _recast(self, words: Sequence[str]) -> Sequence[str]:
        """Return the token that each word is in the training text, or the word if it is not one token."""
        return [self._pipeline.word(word) for word in words]

    def _find_token(self, key: Key) -> Found:
        """Look a token up as it is, and then in lower case if the model is in lower case."""
        if not isinstance(key, str):
            if not isinstance(key, (int, np.integer)) or isinstance(key, bool):
                raise not_a_word(key)
            place = int(key)
            if not 0 <= place < len(self):
                raise MissingWordError(str(key), f"there are {len(self)} words")
            return Found(self._words.at(place), place)
        place = self._words.find(key)
        if place >= 0:
            return Found(key, place)
        word = lower(key, str(self._training.get("lowercase_language", ""))) if self.ignores_case else key
        return Found(word, self._words.find(word) if word != key else -1)

    @property
    def vectors(self) -> Floats32:
        """The vectors of all words, row i for word i, read-only.

        The rows of a model of plain words in float32 are those of the file. Other rows are
        decoded or composed the first time that somebody asks for them, or asks a question about all
        words, such as ``most_similar``.
        """
        if self._rows is None:
            rows = self._composition.plain()
            if rows is None:
                rows = np.empty((len(self), self.dim), np.float32)
                for batch in batches(len(self), self.dim):
                    rows[batch] = self._known(np.arange(batch.start, batch.stop))
                rows.flags.writeable = False
            self._rows = rows
        return self._rows

    def _known(self, places: NDArray[np.int64]) -> Floats32:
        """Return the vectors of words of the vocabulary."""
        if self._rows is not None:
            return self._rows[places]
        words = [self._words.bytes_of(i) for i in places.tolist()] if self._composition.composes else []
        return self._composition.known(places, words)

    def _look_up(self, keys: Iterable[Key]) -> Tuple[Floats32, NDArray[np.bool_], List[Found]]:
        """Return the vectors of words, which of them have one, and where they were found."""
        found = self._find_all(list(keys))
        vectors, there = self._vectors_of(found)
        return vectors, there, found

    def _vector_of(self, key: Key) -> Optional[Floats32]:
        """Return the vector of one word, read-only; None if it has none."""
        if not isinstance(key, str):
            return self._looked_up(key)
        rows = self._rows
        if rows is not None:
            place = self._words.made.get(key, -1)
            if place >= 0:
                row: Floats32 = rows[place]
                return row
        return self._answers.one(key, self._looked_up)

    def _own(self, key: Key) -> Floats32:
        """Return the vector of one word, read-only. A word without one is an error."""
        vector = self._vector_of(key)
        if vector is None:
            raise self._missing(str(key))
        return vector

    def _looked_up(self, key: Key) -> Optional[Floats32]:
        if self._rows is None:
            self._rows = self._composition.plain()
        found = self._find(key)
        return self._composed.one(found, self._one) if self._keeps else self._one(found)

    @property
    def _keeps(self) -> bool:
        """Whether words that were composed are kept."""
        return self._composition.indexer is not None and self._composition.sums_alone

    def _one(self, found: Found) -> Optional[Floats32]:
        """Return the vector of a word that was looked up."""
        vector = None
        if found.place < 0 or self._rows is None:
            vector = self._composition.one(encoded(found.word), found.place)
        if vector is None:
            vectors, there = self._several([found])
            vector = vectors[0] if there[0] else None
        if vector is not None:
            vector.flags.writeable = False
        return vector

    @cached_property
    def _answers(self) -> "Kept[str]":
        """The vectors of words that were asked for one by one."""
        return Kept(self.dim)

    @cached_property
    def _composed(self) -> "Kept[Found]":
        """The vectors of words that were composed of n-grams."""
        return Kept(self.dim)

    def _vectors_of(self, found: Sequence[Found]) -> Tuple[Floats32, NDArray[np.bool_]]:
        """Return the vectors of words that were looked up, and which of them have one."""
        if not self._keeps:
            return self._several(found)
        if len(found) > _FEW:
            return self._composed.of(found, self._several)
        return self._composed.stacked([self._composed.one(f, self._one) for f in found])

    def _several(self, found: Sequence[Found]) -> Tuple[Floats32, NDArray[np.bool_]]:
        places = np.array([f.place for f in found], np.int64)
        vectors = np.zeros((len(found), self.dim), np.float32)
        there = places >= 0
        if np.any(there):
            vectors[there] = self._known(places[there])
        absent = np.flatnonzero(~there)
        if len(absent) and self._composition.indexer is not None:
            composed, has = self._composition.unknown([encoded(found[i].word) for i in absent])
            vectors[absent], there[absent] = np.where(has[:, None], composed, np.float32(0)), has
        return vectors, there

    def _needed(self, keys: Sequence[Key]) -> Floats32:
        """Return the vectors of words. The first one without a vector is an error."""
        vectors, there, _ = self._look_up(keys)
        if not np.all(there):
            raise self._missing(str(keys[int(np.argmin(there))]))
        return vectors

    def _missing(self, word: str) -> MissingWordError:
        if self._composition.indexer is None:
            why = "it is not in the vocabulary. Models with n-grams compose such words: train with subwords='fasttext'"
        else:
            why = "it is not in the vocabulary, and the model has no n-gram of it"
        return MissingWordError(word, f"{why}. model.get(word) returns None instead of this error")


def listed(words: Any, *, ordered: bool = True) -> List[Any]:
    """Return an iterable of words as a list.

    A text is refused, because its letters would be words, bytes, which would be places of words, and a dictionary,
    whose values would be lost. So is a set, if the answer depends on the order of the words.
    """
    if isinstance(words, (str, bytes, bytearray)):
        raise TypeError(f"{words!r} is a text, and must be a list of words: [{words!r}]")
    if isinstance(words, Mapping) or ordered and isinstance(words, Set) or hasattr(words, "columns"):
        raise TypeError(f"words are of type {type(words).__name__}, and must be a list")
    try:
        return list(words)
    except TypeError:
        raise not_a_word(words) from None


def not_a_word(value: object) -> TypeError:
    """Return the error of what is not a word."""
    found = "bytes: decode them" if isinstance(value, bytes) else type(value).__name__
    return TypeError(f"a word is a str, or an int for its place in the vocabulary; found {found}")
