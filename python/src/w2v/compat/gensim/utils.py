"""How gensim cuts texts into tokens, and what rules of vocabularies say."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, Iterator, List, Union

from ..._checked import nearest_name

__all__ = ["RULE_DEFAULT", "RULE_DISCARD", "RULE_KEEP", "any2unicode", "deaccent", "simple_preprocess", "simple_tokenize", "to_unicode", "tokenize"]

#: What ``trim_rule`` says of a word: min_count decides, leave it out, keep it.
RULE_DEFAULT, RULE_DISCARD, RULE_KEEP = 0, 1, 2

_WORDS = re.compile(r"[^\W\d]+")


def to_unicode(text: Union[str, bytes], encoding: str = "utf8", errors: str = "strict") -> str:
    """Return bytes as text."""
    return text if isinstance(text, str) else text.decode(encoding, errors)


any2unicode = to_unicode


def deaccent(text: Union[str, bytes]) -> str:
    """Return a text without the accents of its letters."""
    letters = unicodedata.normalize("NFD", to_unicode(text))
    return unicodedata.normalize("NFC", "".join(c for c in letters if unicodedata.category(c) != "Mn"))


def simple_tokenize(text: str) -> Iterator[str]:
    """Yield the runs of letters of a text."""
    return (found.group() for found in _WORDS.finditer(text))


def tokenize(
    text: Union[str, bytes],
    lowercase: bool = False,
    deacc: bool = False,
    encoding: str = "utf8",
    errors: str = "strict",
    to_lower: bool = False,
    lower: bool = False,
) -> Iterator[str]:
    """Yield the runs of letters of a text, in lower case and without accents if that is asked for."""
    words = to_unicode(text, encoding, errors)
    if lowercase or to_lower or lower:
        words = words.lower()
    return simple_tokenize(deaccent(words) if deacc else words)


def simple_preprocess(doc: Union[str, bytes], deacc: bool = False, min_len: int = 2, max_len: int = 15) -> List[str]:
    """Return the runs of letters of a text, in lower case, that are neither too short nor too long; ``deacc`` removes accents."""
    words = tokenize(doc, lower=True, deacc=deacc, errors="ignore")
    return [word for word in words if min_len <= len(word) <= max_len and not word.startswith("_")]


if not TYPE_CHECKING:  # for which there are no other names

    def __getattr__(name: str) -> Any:
        near = nearest_name(name, __all__)
        if name in ("SaveLoad", "chunkize", "grouper", "lemmatize", "pickle", "save_as_line_sentence", "unpickle"):
            raise ImportError(f"w2v.compat.gensim.utils has no {name}: import it from gensim.utils")  # which "from … import …" shows
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{near or ': write gensim.utils.' + name}")
