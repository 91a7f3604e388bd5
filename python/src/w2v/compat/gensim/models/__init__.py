"""The classes of ``gensim.models`` for word vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...._checked import nearest_name
from . import callbacks, doc2vec, fasttext, keyedvectors, phrases, word2vec
from .callbacks import CallbackAny2Vec
from .doc2vec import Doc2Vec
from .fasttext import FastText
from .keyedvectors import FastTextKeyedVectors, KeyedVectors
from .phrases import FrozenPhrases, Phraser, Phrases
from .word2vec import LineSentence, PathLineSentences, Text8Corpus, Word2Vec

__all__ = [
    "CallbackAny2Vec",
    "Doc2Vec",
    "FastText",
    "FastTextKeyedVectors",
    "FrozenPhrases",
    "KeyedVectors",
    "LineSentence",
    "PathLineSentences",
    "Phraser",
    "Phrases",
    "Text8Corpus",
    "Word2Vec",
    "callbacks",
    "doc2vec",
    "fasttext",
    "keyedvectors",
    "phrases",
    "word2vec",
]



if not TYPE_CHECKING:  # for which there are no other names

    def __getattr__(name: str) -> Any:
        if name.endswith(("Model", "model")) or name in ("TranslationMatrix", "BackMappingTranslationMatrix", "EnsembleLda", "LdaSeqModel", "Nmf", "poincare"):
            raise ImportError(f"w2v.compat.gensim has no {name}: import it from gensim itself")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{nearest_name(name, __all__)}")
