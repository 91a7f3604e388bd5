"""Train word embeddings and classifiers of texts, and use them.

`train` trains a model on any iterable of sentences or on files, and `load` opens a model. See
the documentation of `Model` for what models answer. `Classifier` sorts texts into labels.
`train_pairs` and `distill` train vectors of texts. `tune` searches for the settings of `train`.
"""

from __future__ import annotations

import importlib as _importlib
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from . import fasttext
    from .callbacks import Epoch
    from .classifier import Classifier
    from .errors import Error, EvaluationError, Interrupted, UsageError
    from .index import Index
    from .interchange import from_gensim
    from .merging import merge
    from .model import Model, load
    from .pairs import distill, train_pairs
    from .phrases import Phrases
    from .progress import Progress
    from .settings import Settings
    from .tokenizers import train_tokenizer
    from .training import plan, train
    from .tuning import tune
    from .vectorizer import W2VVectorizer
    from .vocabulary import MissingWordError

    __version__: str

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
    "Settings",
    "UsageError",
    "W2VVectorizer",
    "distill",
    "fasttext",
    "from_gensim",
    "load",
    "merge",
    "plan",
    "train",
    "train_pairs",
    "train_tokenizer",
    "tune",
]

# The command w2v begins here too, and needs no numpy; scikit-learn takes a second to import, and most programs do not
# need it. So each name is imported when it is first used.
_MODULES = {
    "Classifier": "classifier",
    "Epoch": "callbacks",
    "Error": "errors",
    "EvaluationError": "errors",
    "Index": "index",
    "Interrupted": "errors",
    "MissingWordError": "vocabulary",
    "Model": "model",
    "Phrases": "phrases",
    "Progress": "progress",
    "Settings": "settings",
    "UsageError": "errors",
    "W2VVectorizer": "vectorizer",
    "distill": "pairs",
    "from_gensim": "interchange",
    "load": "model",
    "merge": "merging",
    "plan": "training",
    "train": "training",
    "train_pairs": "pairs",
    "train_tokenizer": "tokenizers",
    "tune": "tuning",
}


if not TYPE_CHECKING:  # for which there are no other names

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            value = getattr(_importlib.import_module(f"w2v.{_MODULES[name]}"), name)
        elif name == "fasttext":
            value = _importlib.import_module("w2v.fasttext")
        elif name == "__version__":
            from importlib import metadata

            try:
                value = metadata.version("w2v")
            except metadata.PackageNotFoundError:  # from the sources, where nothing is installed
                value = "0+unknown"
        else:
            from ._checked import nearest_name

            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{nearest_name(name, __all__)}")
        globals()[name] = value
        return value


def __dir__() -> List[str]:
    return sorted([*__all__, "__all__", "__doc__", "__file__", "__name__", "__path__", "__version__"])
