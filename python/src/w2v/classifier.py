"""Classifiers of texts, with the interface of scikit-learn, which is not needed for them."""

from __future__ import annotations

import inspect
import itertools
import json
import os
import sys
import warnings
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Optional,
    Sequence,
    Set,
    Tuple,
    Union,
)

import numpy as np
from numpy.typing import NDArray

from . import _binary
from ._arguments import LAYOUT, classifier_flags, classifier_names, documented, search_names, worded
from ._checked import path_of
from ._child import new_folder
from ._examples import BYTES, FLAGS, Examples, encoded_texts, name_of, text_of, texts_of
from ._process import Run
from ._worker import File, Question, Worker
from ._flags import CLASSIFIER_FLAGS, TUNING_FLAGS
from .errors import Error, Interrupted, UsageError
from .filed import Path, file_in, flags_of
from .native import content
from .progress import Progress, display
from .training import _initial, _kept, _Lines, _paths

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .settings import ClassifierSettings, LayoutFlags, TuningFlags, TuningOfFiles

__all__ = ["Classifier", "NotFittedError"]

#: A label with its probability.
Labelled = Tuple[Any, float]

_BATCH = 1 << 20  # characters of a question, unless one text has more
_BATCH_TEXTS = 1 << 13
_NUMBERS = 1 << 22  # probabilities of an answer, unless one text has more
_FEW = 1 << 12  # texts that numpy predicts if no process is running
_PAIR = np.dtype([("id", "<i4"), ("probability", "<f4")])
_FLOOR = 1e-5  # what fastText adds to each probability
_HALF = 0.5  # from which probability on a text has one of several labels

_HOLD_LABELS = ("w2v", "fasttext")  # formats
MAGIC = (793712314).to_bytes(4, "little")  # at the begin of fastText's files

#: The label of texts that a model calls unknown.
UNKNOWN = "unknown"

_names = classifier_names()
_worded = worded({}, CLASSIFIER_FLAGS, "texts")


class NotFittedError(Error, ValueError, AttributeError):
    """The classifier has learned nothing yet."""


class Classifier:
    """A classifier of texts: fastText's linear model over words, n-grams and runs of words.

    ``fit`` trains with ``w2v classify train``, and a process of the program that stays open predicts. A label is a str,
    a whole number or a bool. With a list of labels for each text, or a matrix with a column for each label, a text may
    have several. ``load`` opens a classifier of w2v's own format, and fastText's ``.bin`` and ``.ftz``.

    The interface is that of scikit-learn's classifiers, for pipelines, grid searches, cross-validation and calibration.
    scikit-learn itself is not needed.

    Args:
        deterministic: the same bits with any number of threads, which is the default here.
        init: what training starts from: a ``Model``, a ``Classifier``, gensim's vectors, or the path of a model.
        validate: held-out texts to measure on: a fraction of the texts, or a pair of texts and labels; of files, a file.
        label_weight: how many times as much texts of a label count, such as ``{"spam": 2.0}``.
        {settings}

    These are the flags of ``w2v classify train`` with underscores. None is the program's own default.

    Attributes:
        classes_: the labels, sorted, as an array; the numbers of columns if y was a matrix.
        training_: what the program says of its training: "texts", "tokens", "vocab", "labels", "loss" and so on; None
            for a loaded classifier.

    >>> import w2v
    >>> texts = ["the cat purrs", "a cat sleeps", "the dog barks", "a dog runs"] * 10
    >>> classifier = w2v.Classifier(dim=8, epochs=20).fit(texts, ["cat", "cat", "dog", "dog"] * 10)
    >>> classifier.predict(["a cat purrs", "a dog barks"]).tolist()
    ['cat', 'dog']
    >>> classifier.predict_proba(["a cat purrs"]).shape
    (1, 2)
    """

    _estimator_type = "classifier"  # which scikit-learn before 1.6 asks for

    classes_: NDArray[Any]
    training_: Optional[Dict[str, Any]]

    def __init__(self, *, deterministic: Optional[bool] = True, **settings: Unpack[ClassifierSettings]) -> None:
        given: Dict[str, Any] = {"deterministic": deterministic, **settings}
        _check_names(given)
        for name in _names:
            setattr(self, name, given.get(name))

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """Return all settings by name; those that are None are the program's defaults."""
        return {name: getattr(self, name) for name in _names}

    def set_params(self, **params: Any) -> "Classifier":
        """Change settings of the next ``fit``. A setting that there is not is a ValueError, as in scikit-learn."""
        try:
            _check_names(params)
        except TypeError as error:
            raise ValueError(str(error)) from None
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        usual = Classifier()
        given = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not getattr(usual, name)]
        return f"{type(self).__name__}({', '.join(given)})"

    def __sklearn_tags__(self) -> Any:
        """Say to scikit-learn 1.6 and later what this is: a classifier of texts, of one or of several labels."""
        from sklearn import utils

        return utils.Tags(
            estimator_type="classifier",
            target_tags=utils.TargetTags(required=True, one_d_labels=False, multi_output=True),
            classifier_tags=utils.ClassifierTags(multi_label=True),
            input_tags=utils.InputTags(one_d_array=True, two_d_array=False, string=True),
            non_deterministic=not self.get_params()["deterministic"],
        )

    def _more_tags(self) -> Dict[str, Any]:
        """Say the same to earlier versions."""
        return {
            "X_types": ["string"],
            "requires_y": True,
            "multilabel": True,
            "non_deterministic": not self.get_params()["deterministic"],
        }

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        progress: Optional[bool] = False,
        callback: Optional[Callable[[Progress], object]] = None,
    ) -> "Classifier":
        """Learn from texts and their labels. Iterators are read once, and are never all in memory.

        Args:
            X: an iterable of texts; without y, an iterable of pairs of a text and its label or labels.
            y: a label for each text. Or for texts of several labels: a list of labels for each, or a matrix of 0 and 1
                with a column for each label. Then the default of ``loss`` is "ova".
            progress: True shows the progress on stderr, None shows it on a terminal.
            callback: function that gets a ``Progress`` about once a second and at the end.

        Raises:
            TypeError, ValueError: X or y is not what it must be.
            UsageError: a setting makes no sense.
            Error: training failed. The message is the line of the program.
            Interrupted: Ctrl-C ended training. What was trained is saved: see its attributes.

        >>> def stream():
        ...     for i in range(40):
        ...         yield ("up and away", 1) if i % 2 else ("down and out", -1)
        >>> w2v.Classifier(dim=4, epochs=20).fit(stream()).predict("up")
        1
        """
        examples = Examples(X, y)
        going_on = self.get_params()["resume"] is not None
        self._fit(["-"] if going_on else [*FLAGS, "-"], examples, progress, callback)
        return self

    def fit_files(
        self,
        paths: Union[Path, Iterable[Path]],
        *,
        progress: Optional[bool] = False,
        callback: Optional[Callable[[Progress], object]] = None,
        **layout: Unpack[LayoutFlags],
    ) -> "Classifier":
        """Learn from files, folders and globs, compressed or not, which the program reads on its own.

        Without further arguments, a line is a text, and its words that begin with ``__label__`` are labels. The names of
        labels keep this prefix. ``label_prefix`` is another one. ``text_column`` and ``label_column`` are columns of
        tables, by number, or by name with ``header=True``. ``json_field`` and ``label_field`` are fields of JSON
        lines. ``label_split`` separates several labels in a column or field.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "animals.tsv")
        >>> with open(path, "w") as file:
        ...     _ = file.write("cat\\tthe cat purrs\\ndog\\tthe dog barks\\n" * 10)
        >>> classifier = w2v.Classifier(dim=4, epochs=20).fit_files(path, text_column=2, label_column=1)
        >>> classifier.predict("a cat that purrs"), list(classifier.classes_)
        ('cat', ['cat', 'dog'])
        """
        files = _paths([paths] if isinstance(paths, (str, os.PathLike)) else paths)
        flags = classifier_flags(layout, LAYOUT, "fit_files()")
        self._fit([*flags, "--", *files], None, progress, callback)
        return self

    def _fit(
        self,
        source: Sequence[str],
        examples: Optional[Examples],
        progress: Optional[bool],
        callback: Optional[Callable[[Progress], object]],
    ) -> None:
        if callback is not None and not callable(callback):
            raise TypeError(f"callback is of type {type(callback).__name__}, and must be a function")
        given = self.get_params()
        folder = new_folder()
        writers: List[Callable[[], None]] = []
        self._prepare(given, examples, folder, writers)
        if given["resume"] is not None:
            del given["deterministic"]  # the checkpoint has it
        held_out = given["validate"]
        if isinstance(held_out, (tuple, list)):
            if examples is None or len(held_out) != 2:
                raise UsageError("validate= is a pair of texts and labels, which fit takes; files are held out by their path")
            given["validate"] = os.path.join(folder, "held-out.jsonl")
            writers.append(lambda: Examples(*held_out).write(given["validate"]))
        elif examples is not None and _is_path(held_out):
            raise UsageError("validate= is a file, and the texts are not: give a pair of held-out texts and their labels")
        path = os.path.join(folder, "model.w2v")
        args = [f"--output={path}", *classifier_flags(given, _names), *source]
        training = _Fitting(examples.blocks() if examples is not None else None, False, display(progress), callback)
        run = Run(args, fed=examples is not None, folder=folder, result=path, worded=_worded, command=("classify", "train"))
        keep = False
        try:
            training.follow(run, writers, path)
            if run.model is None:
                raise Error("the program has ended without a classifier")
            data = content(run.model).tobytes()
        except Interrupted as interrupted:
            keep = _kept(interrupted, run, folder, path)
            raise
        finally:
            run.end(keep=keep)
        self._open(File(data), examples)
        self.training_ = training.info
        _warn_of(self.training_.get("without_label", 0))

    @staticmethod
    def _prepare(
        given: Dict[str, Any], examples: Optional[Examples], folder: str, writers: List[Callable[[], None]]
    ) -> None:
        """Complete the settings for examples."""
        if isinstance(given["init"], Classifier):
            start = given["init"]._fitted()
            given["init"] = os.path.join(folder, "init")
            writers.append(partial(start.write, given["init"]))
        else:
            given.update(_initial(given["init"], given, folder, writers))
        if isinstance(given["label_weight"], dict):
            given["label_weight"] = {name_of(label): weight for label, weight in given["label_weight"].items()}
        if examples is not None and examples.several and given["loss"] is None and given["resume"] is None:
            given["loss"] = "ova"

    def tune(self, X: Any, y: Any = None, *, validation: Any = None, **options: Unpack[TuningFlags]) -> "Classifier":
        """Search for the settings that are best on held-out texts, with ``w2v classify tune``, and learn with them.

        Settings of the classifier that are not None stay as they are; others become those that were found. ``training_``
        has the trials, and under "start" the score of the settings that the search began with.

        Args:
            X, y: as for ``fit``.
            validation: a pair of texts and labels to measure on, which are not trained.
            options: how the search is done, the flags of ``w2v classify tune`` with underscores: ``validate=0.2``, the part of
                the texts that is held out without ``validation``; ``metric="macro-f1"``; and ``budget="5m"``, in seconds or
                with a unit, or ``trials=20``.

        >>> found = w2v.Classifier(dim=8).tune(["a cat", "a dog"] * 20, [1, 2] * 20, validate=0.3, trials=2)
        >>> found.dim, found.lr is None, len(found.training_["trials"]), found.training_["start"]["score"] <= found.training_["search"]
        (8, False, 2, True)
        """
        examples, held_out = Examples(X, y), None
        if validation is not None:
            held_out = Examples(*validation)
        self._tune(None, examples, held_out, dict(options))
        return self

    def tune_files(self, paths: Union[Path, Iterable[Path]], **options: Unpack[TuningOfFiles]) -> "Classifier":
        """Search for settings as ``tune`` does, on files that the program reads, and learn with them.

        Args:
            paths: files, folders and globs.
            options: the layout of the files as for ``fit_files``, and how the search is done as for ``tune``;
                ``validation`` is a file.
        """
        self._tune(_paths([paths] if isinstance(paths, (str, os.PathLike)) else paths), None, None, dict(options))
        return self

    def _tune(
        self, files: Optional[List[str]], examples: Optional[Examples], held_out: Optional[Examples], options: Dict[str, Any]
    ) -> None:
        given = {name: value for name, value in self.get_params().items() if value is not None}
        unknown = [name for name in given if name not in TUNING_FLAGS and name != "deterministic"]
        if unknown:
            raise UsageError(f"{unknown[0]} is a setting of fit alone, and the search for settings does not have it")
        given = {**self.get_params(), **options}
        folder = new_folder()
        writers: List[Callable[[], None]] = []
        self._prepare(given, examples, folder, writers)
        names = search_names()
        if examples is None:
            names += LAYOUT
        else:
            files = [os.path.join(folder, "texts.jsonl")]
            writers.append(partial(examples.write, files[0]))
        if held_out is not None:
            given["validation"] = os.path.join(folder, "held-out.jsonl")
            writers.append(partial(held_out.write, given["validation"]))
        classifier_flags(dict.fromkeys(options), names, "tune()" if examples is not None else "tune_files()", TUNING_FLAGS)
        flags = classifier_flags({n: v for n, v in given.items() if n in TUNING_FLAGS}, list(TUNING_FLAGS), "tune()", TUNING_FLAGS)
        made = os.path.join(folder, "best.w2v")
        layout = FLAGS if examples is not None else []
        args = ["classify", "tune", "--json", "--progress=never", f"--output={made}", *flags, *layout, "--", *(files or ())]
        with _binary.started(args, folder) as child:
            for write in writers:
                write()
            result: Dict[str, Any] = json.loads(_binary.ended(child).stdout)
            data = File(path=made).read()
        self.set_params(**{name: value for name, value in result["settings"].items() if name in _names})
        self._open(File(data), examples)
        if examples is not None:
            _warn_of(examples.unlabeled)
        self.training_ = {name: value for name, value in result.items() if name not in ("command", "output")}

    @classmethod
    def load(cls, path: Path) -> "Classifier":
        """Open a classifier: w2v's own, or fastText's ``.bin`` or ``.ftz``, also as the only one in a folder.

        The file is mapped and not read, so large ones open at once. Labels are the names in the file. Do not write over
        the file while it is used: a classifier whose file has changed says so instead of predicting.

        Raises:
            Error: the file is no classifier, or a damaged one.
            OSError: the file cannot be read.
        """
        classifier = cls()
        classifier._open(File(path=file_in(path)))
        return classifier

    def _open(self, file: File, examples: Optional[Examples] = None) -> None:
        """Take a file, with the labels of the examples that it was trained on, or else with the names in the file."""
        worker = Worker(file)
        about = worker.described()
        names = about.labels.names
        if examples is None:
            self.classes_ = np.unique(np.array(names))
            keys = self.classes_.tolist()
        else:
            self.classes_ = examples.classes(names)
            keys = [name_of(label) for label in self.classes_.tolist()]
        place = {key: i for i, key in enumerate(keys)}
        self._file, self._worker, self._about = file, worker, about
        self._values = self.classes_.tolist()
        self._at = np.array([*(place[name] for name in names), -1], np.int64)  # the classes of labels, and of unknown texts
        facts = about.training
        if examples is not None:
            self._several = examples.several
        elif facts.get("loss") != "ova":
            self._several = False
        else:  # fastText's files do not say
            self._several = bool(facts.get("several_labels")) or file.begins(MAGIC)
        self._matrix = examples is not None and examples.columns is not None
        self.training_ = None

    def _fitted(self) -> File:
        if not hasattr(self, "classes_"):
            known = sys.modules.get("sklearn.exceptions")
            kind = NotFittedError if known is None else known.NotFittedError
            raise kind(f"this {type(self).__name__} has learned nothing yet: call fit or load")
        return self._file

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if "_worker" in state:
            del state["_worker"]
            state["_file"] = self._file.read()
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_file" in state:
            self._file = File(state["_file"])
            self._worker = Worker(self._file)

    @property
    def labels(self) -> List[str]:
        """The names of the labels in the order of the model's file."""
        self._fitted()
        return list(self._about.labels.names)

    @property
    def settings(self) -> Dict[str, Any]:
        """The settings of training that the model records, such as ``loss``."""
        self._fitted()
        return dict(self._about.training)

    def close(self) -> None:
        """End the process that predicts. The next prediction starts another one."""
        self._fitted()
        self._worker.close()

    def predict(self, X: Any, k: Optional[int] = None, threshold: Optional[float] = None) -> Any:
        """Return the most probable label of each text.

        Args:
            X: an iterable of texts, or one text.
            k: return the so many most probable labels of each text with their probabilities, -1 or 0 for all.
            threshold: return labels with at least this probability, at most k of them, which is 1 by default.

        Returns:
            An array of labels, or the label of the one text. If texts were trained with several labels, a list of those
            with a probability of 0.5 or more for each text, or a matrix of 0 and 1 if y was one. That holds for y with
            lists or a matrix; and with files, and for classifiers that are loaded, if the loss is "ova" and some text
            had several labels, which fastText's files do not say: of these, all with that loss. With k or threshold, a
            list of pairs of a label and its probability for each text, the most probable first.

        A text of which no word or n-gram is known has the label that most texts have, and no pairs. A classifier that has
        learned when a text is unknown (``unknown_precision``) gives such a text the label "unknown" alone.

        >>> classifier.predict("the cat purrs")
        'cat'
        >>> [label for label, probability in classifier.predict("the cat purrs", k=2)]
        ['cat', 'dog']
        """
        self._fitted()
        if isinstance(X, str):
            return _value(self._predicted([X], k, threshold)[0])
        return self._predicted(list(texts_of(X)), k, threshold)

    def _predicted(self, texts: Sequence[str], k: Optional[int], threshold: Optional[float]) -> Any:
        if k is not None or threshold is not None:
            return self._pairs(texts, 1 if k is None else k, 0.0 if threshold is None else threshold)
        if self._matrix:
            return (self._probabilities(texts) >= _HALF).astype(np.int64)
        if self._several:
            return [[label for label, _ in pairs] for pairs in self._pairs(texts, -1, _HALF, known=True)]
        counts, ids, _ = self._asked(texts, 1, 0.0)
        best = np.full(len(texts), int(np.argmax(self._usual())), np.int64)
        best[counts > 0] = self._at[ids]
        if not (best < 0).any():
            return self.classes_[best]
        found = np.array([*self._values, UNKNOWN], None if self.classes_.dtype.kind == "U" else object)
        return found[best]

    def _pairs(self, texts: Sequence[str], k: int, threshold: float, known: bool = False) -> List[List[Labelled]]:
        counts, ids, probabilities = self._asked(texts, k, threshold, known)
        values = [*self._values, UNKNOWN]
        labelled = zip([values[i] for i in self._at[ids].tolist()], probabilities.tolist())
        return [list(itertools.islice(labelled, n)) for n in counts.tolist()]

    def predict_stream(
        self, texts: Iterable[str], k: Optional[int] = None, threshold: Optional[float] = None
    ) -> Iterator[Any]:
        """Yield what ``predict`` returns for each text, in the order of the texts.

        Texts are read as predictions are taken: at first one by one, later up to 8,192 ahead. Memory is that of these.

        >>> list(classifier.predict_stream(text for text in ["the cat purrs", "the dog barks"]))
        ['cat', 'dog']
        """
        self._fitted()
        return self._streamed(texts_of(texts), k, threshold)

    def _streamed(self, texts: Iterable[str], k: Optional[int], threshold: Optional[float]) -> Iterator[Any]:
        source, size = iter(texts), 1
        while True:
            some, characters = [], 0
            for text in itertools.islice(source, size):
                some.append(text)
                characters += len(text) if isinstance(text, str) else 0
                if characters >= _BATCH:
                    break
            if not some:
                return
            for label in self._predicted(some, k, threshold):
                yield _value(label)
            size = min(2 * size, _BATCH_TEXTS)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, a row a text and a column a class, in the order of ``classes_``.

        Rows add up to 1, unless texts may have several labels. They are fastText's probabilities, without what it adds
        to them (0.00001). The losses "ova" and "ns" have a probability for each label by itself, which are divided by
        their sum. A text of which no word or n-gram is known has the probabilities of the training text.

        >>> classifier.predict_proba(["the cat purrs"]).sum().round(6)
        1.0
        """
        self._fitted()
        return self._probabilities([X] if isinstance(X, str) else list(texts_of(X)))

    def _probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        counts, ids, found = self._asked(texts, -1, 0.0, known=True)
        rows = np.zeros((len(texts), len(self.classes_)))
        rows[np.repeat(np.arange(len(texts)), counts), self._at[ids]] = np.clip(found.astype(np.float64) - _FLOOR, 0, 1)
        rows[counts == 0] = self._usual()
        if self._several:
            return rows
        sums = rows.sum(axis=1, keepdims=True)
        return np.where(sums > 0, rows / np.where(sums > 0, sums, 1), 1 / len(self.classes_))

    def _usual(self) -> NDArray[np.float64]:
        """Return the probabilities of the classes in the training text."""
        usual = np.zeros(len(self.classes_))
        counts = self._about.labels.counts
        usual[self._at[:-1]] = 1 if counts is None or not counts.any() else counts
        usual /= usual.sum()
        return usual

    def _asked(
        self, texts: Sequence[str], k: int, threshold: float, known: bool = False
    ) -> Tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
        """Return the number of labels of each text, and the ids and probabilities of all of them.

        The id is -1, alone, of a text that the model calls unknown. With known, it calls none so.
        """
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < -1:
            raise UsageError(f"k is {k!r}, must be 1 or more, or -1 or 0 for all labels")
        if threshold != threshold:
            raise UsageError("threshold is NaN, must be a number")
        labels = len(self._about.labels.names)
        if len(texts) <= _FEW and not self._worker.running:
            texts = [text_of(text, i, BYTES) for i, text in enumerate(texts)]
            scorer = self._worker.scorer(self._about.labels.names)
            scored = scorer.predict(texts, int(k), float(threshold), known) if scorer is not None else None
            if scored is not None:
                return scored
        most = max(1, min(_BATCH_TEXTS, _NUMBERS // (labels if k < 1 else min(int(k), labels))))
        question = {"ask": "predict", "k": int(k), "threshold": float(threshold), "known": known}
        questions: List[Question] = []
        sizes: List[int] = []
        for first, some in _batches(texts, most):
            questions.append((question, encoded_texts(some, first)))
            sizes.append(len(some))
        counts, ids, found = [np.empty(0, np.uint32)], [np.empty(0, np.int32)], [np.empty(0, np.float32)]
        for n, answer in zip(sizes, self._worker.ask(questions)):
            pairs = np.frombuffer(answer, _PAIR, -1, 4 * n)
            counts.append(np.frombuffer(answer, "<u4", n))
            ids.append(pairs["id"])
            found.append(pairs["probability"])
        return (
            np.concatenate(counts).astype(np.int64),
            np.concatenate(ids).astype(np.int64),
            np.concatenate(found),
        )

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy: the share of texts whose labels are predicted, all of them and no others.

        >>> classifier.score(["the cat purrs", "the dog barks"], ["cat", "cat"])
        0.5
        """
        predicted = self.predict(list(texts_of(X)))
        own = y.toarray() if hasattr(y, "toarray") else y if hasattr(y, "shape") else list(y)
        if len(own) != len(predicted):
            raise ValueError(f"X has {len(predicted)} texts, and y has labels of {len(own)}")
        if self._matrix:
            right = (predicted == np.asarray(own)).all(axis=1)
        elif self._several:
            right = np.array([set(some) == _set_of(others) for some, others in zip(predicted, own)])
        else:
            right = predicted == np.asarray(own).reshape(len(own))
        if sample_weight is None:
            return float(np.average(right))
        weights = np.asarray(sample_weight, np.float64)
        if weights.shape != right.shape:
            raise ValueError(f"sample_weight has the shape {weights.shape}, and must have a number for each of {len(right)} texts")
        return float(np.average(right, weights=weights))

    def test(self, *paths: Path, k: int = 1, threshold: float = 0.0, **options: Any) -> Dict[str, Any]:
        """Compare predictions with the labels of files, with ``w2v classify test``.

        Args:
            paths: files of texts with labels.
            k: predict so many labels of each text, -1 or 0 for all.
            threshold: leave out labels that are less probable.
            options: further flags of ``w2v classify test`` with underscores, such as ``bootstrap=0``.

        Returns:
            What the command prints with ``--json``: among others "precision", "recall", "macro_f1", "accuracy" and
            "calibration_error", each with "value", and "labels" and "confusion".
        """
        file = self._fitted()
        if not paths:
            raise ValueError("there are no files to test on")
        flags = flags_of({"number": k, "threshold": threshold, **options})
        files = [path_of(path) for path in paths]
        done = file.done(lambda model: ["classify", "test", "--json", *flags, "--", model, *files])
        _binary.log_notes(done)
        result: Dict[str, Any] = json.loads(done.stdout)
        return result

    def explain(self, text: str, label: Any = None) -> Optional[Dict[str, Any]]:
        """Return what speaks for a label of a text: how much each word, n-gram and run of words adds to its score.

        Args:
            text: the text.
            label: the label, the most probable one by default.

        Returns:
            A dict with "text", "label", "probability", "score" and "parts", the largest contribution first. A part is a
            dict with "text", "kind" ("word", "n-gram" or "run"), "contribution", and "of", the word of an n-gram. None
            if no word or n-gram of the text is known.

        >>> explained = classifier.explain("the cat purrs")
        >>> explained["label"], explained["parts"][0]["contribution"] > 0
        ('cat', True)
        """
        self._fitted()
        names = self._about.labels.names
        question = {"ask": "explain", "label": ""}
        if label is not None:
            at = [i for i, place in enumerate(self._at[:-1].tolist()) if self._values[place] == label]
            if not at:
                raise ValueError(f"{label!r} is not one of the labels")
            question["label"] = names[at[0]]
        (data,) = self._worker.ask([(question, encoded_texts([text]))])
        answer: Optional[Dict[str, Any]] = json.loads(data)
        if answer is None:
            return None
        return {**answer, "text": text, "label": self._values[self._at[names.index(answer["label"])]]}

    def save(self, path: Path, format: Optional[str] = None, **options: Any) -> None:
        """Write the classifier to a file, with ``w2v convert``. Its notes are logged as warnings of ``w2v``.

        Labels are written by name: those that are numbers or booleans are texts when the file is loaded. A pickle keeps
        them.

        Args:
            path: the file. Its extension says which format it has: ``.w2v``, or ``.bin`` for fastText.
            format: the name of the format if the extension does not say: "w2v" or "fasttext".
            options: flags of ``w2v convert`` with underscores.

        Raises:
            UsageError: the format has no place for labels.
        """
        file = self._fitted()
        name = path_of(path)
        if format not in _HOLD_LABELS if format else not name.lower().endswith((".w2v", ".bin", ".ftz")):
            raise UsageError(f"{format or name!r}: the format has no place for labels: save a .w2v or a .bin file; w2v convert writes the vectors alone")
        flags = flags_of(options) + ([f"--to={format}"] if format else [])
        _binary.log_notes(file.done(lambda model: ["convert", *flags, "--", model, name]))

    def quantize(self, path: Optional[Path] = None, **options: Any) -> "Classifier":
        """Return a smaller classifier, made by ``w2v quantize``.

        Args:
            path: the file to write it to. Without one, it is in memory alone.
            options: flags of ``w2v quantize`` with underscores, such as ``method="int8"``.
        """
        file = self._fitted()
        folder = new_folder()
        source, made = os.path.join(folder, "model"), os.path.join(folder, "small.w2v")
        if path is not None:
            made = path_of(path)
        with _binary.started(["quantize", *flags_of(options), "--", source, made], folder) as child:
            file.write(source)
            _binary.log_notes(_binary.ended(child))
            small = File(path=made) if path is not None else File(File(path=made).read())
        return self._with(small)

    def _with(self, file: File) -> "Classifier":
        """Return a classifier of the same labels with another file."""
        other = type(self)(**self.get_params())
        other.__dict__.update(self.__dict__, _file=file, _worker=Worker(file))
        about = other._worker.described()
        if about.labels.names != self._about.labels.names:
            raise Error("the labels of the classifier have changed")
        other._about = about
        return other


def _set_of(labels: Any) -> Set[Any]:
    """Return the labels of a text, which may be one without a list around it."""
    return set(labels) if isinstance(labels, (list, tuple, set, frozenset, np.ndarray)) else {labels}


def _warn_of(unlabeled: int) -> None:
    """Warn of texts without labels, which are not learned."""
    if unlabeled:
        warnings.warn(f"{unlabeled} of the texts have no label, or only rare ones, and are not learned", stacklevel=4)


def _is_path(value: Any) -> bool:
    """Tell whether a value is a path, and not a number."""
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return True
    return isinstance(value, os.PathLike)


def _value(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _check_names(given: Dict[str, Any]) -> None:
    if not given.keys() <= set(_names):
        classifier_flags(dict.fromkeys(given), _names)  # raises the error


def _batches(texts: Sequence[str], most: int) -> Iterator[Tuple[int, Sequence[str]]]:
    """Yield texts in batches, each with the number of texts before it."""
    begin, size = 0, 0
    for i, text in enumerate(texts):
        if i > begin and (i - begin >= most or size >= _BATCH):
            yield begin, texts[begin:i]
            begin, size = i, 0
        size += len(text) if isinstance(text, str) else 0
    if begin < len(texts):
        yield begin, texts[begin:]


class _Fitting(_Lines):
    """One run of w2v classify train."""

    _goes_on = "fit with resume={!r} goes on"

    @property
    def info(self) -> Dict[str, Any]:
        """What the program said at its end, but for the path of its file."""
        return {name: value for name, value in super().info.items() if name != "output"}


def _signature() -> inspect.Signature:
    """Return the signature of the constructor with the names of all settings, which scikit-learn reads."""
    usual = Classifier()
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name in _names:
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=getattr(usual, name)))
    return inspect.Signature(parameters)


Classifier.__init__.__signature__ = _signature()  # type: ignore[attr-defined]
Classifier.__doc__ = documented(Classifier.__doc__, _names, CLASSIFIER_FLAGS, {})
