"""The settings of `w2v.train` and the others as types: for type checkers, and to keep settings in dictionaries.

The names of the program are in `_settings`, of which a test of the program writes each line. Here are those that gensim and
fastText have, and what Python takes that the program does not. The values of all may be None: not given.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Mapping, Optional, Sequence, Tuple, Union

from ._settings import ClassifierFlags, DistillFlags, LayoutFlags, PairsFlags, TrainFlags, TuningFlags

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

    from .classifier import Classifier
    from .model import Model
    from .phrases import FrozenPhrases, Phrases

__all__ = ["ClassifierSettings", "DistillFlags", "LayoutFlags", "PairsFlags", "Settings", "TuningFlags", "TuningOfFiles"]


class Settings(TrainFlags, total=False):
    """The settings of `train`: those of the program, and the names that gensim and fastText have for them.

    >>> settings: w2v.Settings = {"vector_size": 8, "sample": 0, "arch": "cbow", "workers": 1}
    >>> w2v.train([["to", "be", "or"]] * 50, **settings).dim
    8
    """

    vector_size: Optional[int]
    size: Optional[int]
    iter: Union[None, int, Literal["auto"]]
    epoch: Union[None, int, Literal["auto"]]
    negative: Optional[int]
    neg: Optional[int]
    alpha: Optional[float]
    workers: Optional[int]
    thread: Optional[int]
    min_n: Optional[int]
    max_n: Optional[int]
    bucket: Optional[int]
    max_final_vocab: Optional[int]
    ws: Optional[int]
    minCount: Optional[int]
    t: Optional[float]
    wordNgrams: Optional[int]
    pretrainedVectors: Union[None, str, "os.PathLike[str]", Model, KeyedVectors]
    phrases: Union[None, bool, Phrases, FrozenPhrases, Sequence[Union[Phrases, FrozenPhrases]]]
    vocab: Union[None, str, "os.PathLike[str]", Mapping[str, int]]
    sentence_ends: Optional[Literal["line", "unicode"]]
    sg: Optional[int]
    hs: Optional[int]
    model: Optional[Literal["skipgram", "cbow"]]
    shrink_windows: Union[None, bool, int]
    cbow_mean: Optional[int]
    sorted_vocab: Optional[int]


class ClassifierSettings(ClassifierFlags, total=False):
    """The settings of a `Classifier`."""

    init: Union[None, str, "os.PathLike[str]", Model, KeyedVectors, Classifier]
    validate: Union[None, float, str, "os.PathLike[str]", Tuple[Any, Any]]


class TuningOfFiles(TuningFlags, LayoutFlags, total=False):
    """What says how `Classifier.tune_files` searches, and where files have texts and labels."""

    validation: Union[None, str, "os.PathLike[str]"]
