"""What programs use of gensim for word vectors, on w2v: change ``gensim`` to ``w2v.compat.gensim`` where it is imported.

docs/from-gensim.md says what is different.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..._checked import nearest_name
from . import models, utils
from .models import CallbackAny2Vec, FastText, FastTextKeyedVectors, KeyedVectors, LineSentence, Phraser, Phrases, Word2Vec

__all__ = [
    "CallbackAny2Vec",
    "FastText",
    "FastTextKeyedVectors",
    "KeyedVectors",
    "LineSentence",
    "Phraser",
    "Phrases",
    "Word2Vec",
    "models",
    "utils",
]


if not TYPE_CHECKING:  # for which there are no other names

    def __getattr__(name: str) -> Any:
        if name in ("downloader", "parsing", "test"):
            importlib.import_module(f"{__name__}.{name}")  # which refuses itself
        if name in ("corpora", "interfaces", "matutils", "scripts", "similarities", "summarization", "topic_coherence"):
            raise ImportError(f"w2v.compat.gensim has no {name}: it is not about word vectors, so import it from gensim itself")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{nearest_name(name, __all__)}")
