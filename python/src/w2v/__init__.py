"""Train word embeddings and classifiers of texts, and use them.

`train` trains a model on any iterable of sentences or on files, and `load` opens a model. See
the documentation of `Model` for what models answer. `Classifier` sorts texts into labels.
`train_pairs` and `distill` train vectors of texts.
"""

from __future__ import annotations

from importlib import metadata as _metadata
from typing import TYPE_CHECKING, Any, List

from .callbacks import Epoch
from .classifier import Classifier
from .errors import Error, EvaluationError, Interrupted, UsageError
from .index import Index
from .merging import merge
from .model import Model, load
from .pairs import distill, train_pairs
from .phrases import Phrases
from .tokenizers import train_tokenizer
from .training import Progress, train
from .vocabulary import MissingWordError

if TYPE_CHECKING:
    from .interchange import from_gensim
    from .vectorizer import W2VVectorizer

__all__ = [
    "Classifier",
    "Epoch",
    "Error",
    "EvaluationError",
    "Index",
    "Interrupted",
    "MissingWordError",
    "Model",
    "Phrases",
    "Progress",
    "UsageError",
    "W2VVectorizer",
    "distill",
    "from_gensim",
    "load",
    "merge",
    "train",
    "train_pairs",
    "train_tokenizer",
]

try:
    __version__ = _metadata.version("w2v")
except _metadata.PackageNotFoundError:  # from the sources, where nothing is installed
    __version__ = "0+unknown"


def __getattr__(name: str) -> Any:
    # scikit-learn takes a second to import, and most programs do not need it.
    if name == "W2VVectorizer":
        from .vectorizer import W2VVectorizer

        return W2VVectorizer
    if name == "from_gensim":
        from .interchange import from_gensim

        return from_gensim
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
