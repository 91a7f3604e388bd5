"""fastText's Python module, on w2v: ``import w2v.compat.fasttext as fasttext``. It is ``w2v.fasttext``, and refuses by name what that has not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._checked import nearest_name
from ..fasttext import (
    BOW,
    EOS,
    EOW,
    FastText,
    cbow,
    load_model,
    skipgram,
    supervised,
    tokenize,
    train_supervised,
    train_unsupervised,
)

__all__ = [
    "BOW",
    "EOS",
    "EOW",
    "FastText",
    "cbow",
    "load_model",
    "skipgram",
    "supervised",
    "tokenize",
    "train_supervised",
    "train_unsupervised",
]

_ELSEWHERE = {
    "util": "download models from fasttext.cc by hand, and w2v convert --dim N makes vectors of fewer dimensions",
    "fasttext_pybind": "it is the C++ object of fastText, which is not here: load_model opens models",
}


if not TYPE_CHECKING:  # for which there are no other names

    def __getattr__(name: str) -> Any:
        if name in _ELSEWHERE:  # not an AttributeError, of which "from … import …" would say nothing
            raise ImportError(f"w2v.compat.fasttext has no {name}: {_ELSEWHERE[name]}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{nearest_name(name, __all__)}")
