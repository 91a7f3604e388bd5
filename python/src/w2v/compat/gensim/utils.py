"""How gensim cuts texts into tokens."""

from __future__ import annotations

import re
import unicodedata
from typing import List, Union

__all__ = ["simple_preprocess", "to_unicode"]

_WORDS = re.compile(r"[^\W\d]+")


def to_unicode(text: Union[str, bytes], encoding: str = "utf8", errors: str = "strict") -> str:
    """Return bytes as text."""
    return text if isinstance(text, str) else text.decode(encoding, errors)


def simple_preprocess(doc: Union[str, bytes], deacc: bool = False, min_len: int = 2, max_len: int = 15) -> List[str]:
    """Return the runs of letters of a text, in lower case, that are neither too short nor too long; ``deacc`` removes accents."""
    text = to_unicode(doc, errors="ignore").lower()
    if deacc:
        letters = unicodedata.normalize("NFD", text)
        text = unicodedata.normalize("NFC", "".join(c for c in letters if unicodedata.category(c) != "Mn"))
    return [word for word in _WORDS.findall(text) if min_len <= len(word) <= max_len and not word.startswith("_")]
