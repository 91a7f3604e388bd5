"""The words of a model, which stay bytes until somebody asks for them."""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, List, Optional

import numpy as np
from numpy.typing import NDArray

from .characters import category
from .errors import Error
from .hashing import murmur3_of
from .safetensors import Bytes

__all__ = ["Words", "decoded", "encoded", "has_capitals"]

_MOST_PROBES = 64
_SHARE = 40  # a search in the table of the file takes as long as a dictionary does for so many words


def encoded(word: str) -> bytes:
    """Return the bytes of a word. Bytes that are not UTF-8 are those that ``decoded`` made of them."""
    try:
        return word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a pair of UTF-16, which no bytes decode to
        return word.encode("utf-8", "surrogatepass")


def decoded(word: bytes) -> str:
    """Return a word as text. A byte that is not UTF-8 becomes a surrogate, as in names of files."""
    return word.decode("utf-8", "surrogateescape")


def has_capitals(text: str) -> bool:
    """Tell whether a text has an upper-case or title-case letter."""
    return any(category(c) in ("Lu", "Lt") for c in set(text))


def _refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
    raise TypeError(f"the words of a model do not change: change a copy, {type(self).__base__.__name__}(…)")


class FixedList(List[str]):
    """A list that does not change."""

    append = clear = extend = insert = pop = remove = reverse = sort = _refuse
    __delitem__ = __iadd__ = __imul__ = __setitem__ = _refuse

    def __reduce__(self) -> Any:
        return list, (list(self),)


class FixedDict(Dict[str, int]):
    """A dictionary that does not change."""

    clear = pop = popitem = setdefault = update = _refuse
    __delitem__ = __ior__ = __setitem__ = _refuse

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class Words:
    """The words of a model in the order of its file. Of equal words the first one counts."""

    def __init__(self, text: Bytes, offsets: NDArray[np.uint64], slots: Optional[NDArray[np.uint32]]) -> None:
        if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(text):
            raise Error("tensor 'word_offsets': the words are not those of tensor 'words'")
        if np.any(offsets[1:] < offsets[:-1]):
            raise Error("tensor 'word_offsets': a word ends before it begins")
        if slots is not None and len(slots) & (len(slots) - 1):
            raise Error(f"tensor 'word_slots': expected a power of two, found {len(slots)} slots")
        self._text, self._offsets, self._slots = text, offsets, slots
        self._list: Optional[List[str]] = None
        self.made: Dict[str, int] = {}
        """What ``index`` returns, once it is made; empty until then."""
        self._capitals: Optional[bool] = None
        self._asked = 0
        self._repeated: Optional[FrozenSet[int]] = None

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def bytes_of(self, i: int) -> bytes:
        """Return the bytes of word i."""
        return self._text[int(self._offsets[i]) : int(self._offsets[i + 1])].tobytes()

    def at(self, i: int) -> str:
        """Return word i."""
        return self._list[i] if self._list is not None else decoded(self.bytes_of(i))

    @property
    def list(self) -> List[str]:
        """All words. The list is made when it is asked for."""
        if self._list is None:
            text, ends = self._text.tobytes(), self._offsets.tolist()
            try:
                whole = text.decode("ascii")
                self._list = FixedList([whole[a:b] for a, b in zip(ends, ends[1:])])
            except UnicodeDecodeError:
                self._list = FixedList([text[a:b].decode("utf-8", "surrogateescape") for a, b in zip(ends, ends[1:])])
        return self._list

    @property
    def index(self) -> Dict[str, int]:
        """The number of each word. The dictionary is made when it is asked for."""
        if not self.made:
            words = self.list
            index = FixedDict(zip(words, range(len(words))))
            if len(index) != len(words):
                first = dict(zip(reversed(words), range(len(words) - 1, -1, -1)))
                index = FixedDict((word, first[word]) for word in words)
            self.made = index
        return self.made

    @property
    def repeated(self) -> FrozenSet[int]:
        """The numbers of words that stand before them already."""
        if self._repeated is None:
            n, slots = len(self), self._slots
            if (np.count_nonzero(slots) if slots is not None else len(self.index)) == n:
                self._repeated = frozenset()
            else:
                self._repeated = frozenset(i for i, word in enumerate(self.list) if self.index[word] != i)
        return self._repeated

    def find(self, word: str) -> int:
        """Return the number of a word, -1 if it is not there."""
        place = self.made.get(word, -1)
        if place >= 0:
            return place
        if not word.isascii():
            word = decoded(encoded(word))
        elif self.made:
            return -1
        if not self.made and self._asked * _SHARE < len(self) and self._slots is not None and len(self._slots):
            self._asked += 1
            found = self._probe(encoded(word), self._slots)
            if found is not None:
                return found
        return self.index.get(word, -1)

    def _probe(self, word: bytes, slots: NDArray[np.uint32]) -> Optional[int]:
        """Look a word up in the table of the file; None if that does not lead to an answer soon."""
        mask = len(slots) - 1
        at = murmur3_of(word, 0)[0] & mask
        for _ in range(_MOST_PROBES):
            i = int(slots[at]) - 1
            if i < 0:
                return -1
            if i < len(self) and self.bytes_of(i) == word:
                return i
            at = (at + 1) & mask
        return None

    @property
    def have_capitals(self) -> bool:
        """Whether a word has an upper-case or title-case letter."""
        if self._capitals is None:
            text = self._text
            capitals = bool(np.any((text >= ord("A")) & (text <= ord("Z"))))
            if not capitals and np.any(text >= 0x80):
                capitals = has_capitals(text.tobytes().decode("utf-8", "ignore"))
            self._capitals = capitals
        return self._capitals
