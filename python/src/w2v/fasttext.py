"""fastText's Python module, on w2v: ``import w2v.fasttext as fasttext``.

Models answer as those of fastText 0.9.2 do, with the same numbers: labels without and with probabilities, tuples for one
text, lists for a list. ``Classifier`` is the interface to prefer in new programs.

What is different: ``test_label`` has the recall, and F1 up to 1, which 0.9.2 does not; training gives other models, as
good ones; ``autotune`` searches as ``w2v classify tune`` does; training arguments without an effect on classifiers (``ws``, ``t``,
``lrUpdateRate``) may have any value; ``loss`` of a model is a str; and there is no ``f``, the C++ object behind a model.
"""

from __future__ import annotations

import math
import os
import re
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Tuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _binary
from ._checked import nearest_name, path_of, shown, whole
from ._child import new_folder
from ._fasttext_file import Contents
from ._meter import MISSED, Meter
from ._worker import File, Names, names_of
from .classifier import MAGIC, UNKNOWN, Classifier
from .errors import Error
from .filed import Path
from .model import Model, load
from .ngrams import BLANKS

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

EOS, BOW, EOW = "</s>", "<", ">"

Vector = NDArray[np.float32]

_END = re.compile("(?:^|(?<=[ \n\r\t\v\f\0]))</s>(?=[ \n\r\t\v\f\0]|$)")

#: The arguments of train_supervised in their order: fastText's default, and the setting of a Classifier.
_ARGUMENTS: Dict[str, Tuple[Any, Optional[str]]] = {
    "input": (None, None),
    "lr": (0.1, "lr"),
    "dim": (100, "dim"),
    "ws": (5, None),
    "epoch": (5, "epochs"),
    "minCount": (1, "min_count"),
    "minCountLabel": (0, "min_label_count"),
    "minn": (0, "minn"),
    "maxn": (0, "maxn"),
    "neg": (5, "negatives"),
    "wordNgrams": (1, "word_ngrams"),
    "loss": ("softmax", "loss"),
    "bucket": (2000000, "buckets"),
    "thread": (None, "threads"),
    "lrUpdateRate": (100, None),
    "t": (1e-4, None),
    "label": ("__label__", None),
    "verbose": (2, None),
    "pretrainedVectors": ("", "init"),
    "seed": (0, "seed"),
    "autotuneValidationFile": ("", None),
    "autotuneMetric": ("f1", None),
    "autotunePredictions": (1, None),
    "autotuneDuration": (300, None),
    "autotuneModelSize": ("", None),
}

#: The arguments of train_unsupervised in their order.
_UNSUPERVISED = (
    *("input", "model", "lr", "dim", "ws", "epoch", "minCount", "minCountLabel", "minn", "maxn", "neg", "wordNgrams", "loss"),
    *("bucket", "thread", "lrUpdateRate", "t", "label", "verbose", "pretrainedVectors"),
)
#: Defaults of train_unsupervised that are not those of train_supervised.
_UNSUPERVISED_USUAL = {"model": "skipgram", "lr": 0.05, "minCount": 5, "minn": 3, "maxn": 6, "loss": "ns"}
#: What a trained model says of its training.
_SET = tuple(name for name in _UNSUPERVISED if name not in ("input", "model"))
_OTHER_NAMES = {
    "min_count": "minCount",
    "word_ngrams": "wordNgrams",
    "lr_update_rate": "lrUpdateRate",
    "label_prefix": "label",
    "pretrained_vectors": "pretrainedVectors",
}
_FLAGS = {
    "autotuneValidationFile": "autotune-validation",
    "autotuneMetric": "autotune-metric",
    "autotunePredictions": "autotune-predictions",
    "autotuneDuration": "autotune-duration",
    "autotuneModelSize": "autotune-modelsize",
}
_METRICS = {"precisionAtRecall": "precision-at-recall", "recallAtPrecision": "recall-at-precision"}
_LOSSES = ("softmax", "ns", "hs", "ova")


def tokenize(text: str) -> List[str]:
    """Return the tokens of a text, with ``</s>`` for each newline.

    >>> from w2v import fasttext
    >>> fasttext.tokenize("to be\\nor not")
    ['to', 'be', '</s>', 'or', 'not']
    """
    return [token for token in BLANKS.split(_str(text).replace("\n", " </s> ")) if token]


def load_model(path: Path) -> "FastText":
    """Open a model: fastText's ``.bin`` or ``.ftz``, or one of any other format of w2v."""
    path = path_of(path)
    if not os.path.exists(path):
        raise ValueError(f"{path} cannot be opened for loading!")
    return _opened(path)


def _opened(path: str) -> "FastText":
    try:
        return FastText(Classifier.load(path))
    except Error as error:
        if "the model is no classifier" not in str(error):
            raise
    model = FastText(load(path))
    if os.path.isfile(path):
        model._file = File(path=path)
    return model


def train_supervised(*args: Any, **kwargs: Any) -> "FastText":
    """Train a classifier on a file of lines with labels, with fastText's arguments and their defaults.

    >>> import os, tempfile
    >>> from w2v import fasttext
    >>> path = os.path.join(tempfile.mkdtemp(), "animals.txt")
    >>> with open(path, "w") as file:
    ...     _ = file.write("__label__cat the cat purrs\\n__label__dog the dog barks\\n" * 20)
    >>> model = fasttext.train_supervised(input=path, dim=8, epoch=20, lr=1.0, verbose=0)
    >>> model.predict("a cat purrs")[0]
    ('__label__cat',)
    """
    given = _given("train_supervised", tuple(_ARGUMENTS), args, kwargs)
    used = {name: given.get(name, usual) for name, (usual, _) in _ARGUMENTS.items()}
    if used["input"] is None:
        raise ValueError("input is missing: name a file of lines with labels")
    _check_file(used["input"])
    if used["loss"] not in _LOSSES:
        raise ValueError("Unrecognized loss name")
    searched = bool(used["autotuneValidationFile"])
    # A search changes what is not given.
    chosen = given if searched else used
    settings = {setting: chosen[name] for name, (_, setting) in _ARGUMENTS.items() if setting is not None and name in chosen}
    settings["init"] = settings.get("init") or None
    if settings["init"] is not None:
        settings["update_vocab"] = True
    for setting in ("min_label_count", "buckets"):
        if setting in settings:
            settings[setting] = max(settings[setting], 1)
    if settings.get("maxn", 0) > 0 and "minn" in settings:
        settings["minn"] = max(settings["minn"], 1)
    if used["loss"] != "ns":
        settings.pop("negatives", None)  # nothing is drawn
    program = not searched and (used["epoch"] <= 0 or used["lr"] == 0)  # trains nothing, which a Classifier cannot
    if used["autotuneModelSize"] or program or searched and used["pretrainedVectors"]:
        classifier = Classifier()
        classifier._open(File(_trained("supervised", given)))
    elif searched:
        classifier = Classifier(**settings)
        classifier.tune_files(
            used["input"],
            label_prefix=used["label"],
            validation=used["autotuneValidationFile"],
            metric=_metric(used["autotuneMetric"]),
            number=used["autotunePredictions"],
            budget=used["autotuneDuration"],
        )
        found = classifier.get_params()
        used.update({name: found[setting] for name, (_, setting) in _ARGUMENTS.items() if setting and found[setting] is not None})
    else:
        classifier = Classifier(deterministic=None, **settings)
        classifier.fit_files(used["input"], label_prefix=used["label"], progress=None if used["verbose"] >= 2 else False)
    model = FastText(classifier)
    model.set_args(SimpleNamespace(**used))
    return model


def train_unsupervised(*args: Any, **kwargs: Any) -> "FastText":
    """Train word vectors on a file of text, with fastText's arguments and their defaults, by ``w2v fasttext skipgram`` or ``cbow``.

    >>> import os, tempfile
    >>> from w2v import fasttext
    >>> path = os.path.join(tempfile.mkdtemp(), "text.txt")
    >>> with open(path, "w") as file:
    ...     _ = file.write("the cat purrs\\nthe dog barks\\n" * 20)
    >>> vectors = fasttext.train_unsupervised(path, model="cbow", dim=8, epoch=2, bucket=100)
    >>> vectors.get_word_vector("cats").shape, vectors.get_subwords("cat")[0]
    ((8,), ['cat', '<ca', '<cat', '<cat>', 'cat', 'cat>', 'at>'])
    """
    given = _given("train_unsupervised", _UNSUPERVISED, args, kwargs)
    used = {name: given.get(name, _UNSUPERVISED_USUAL.get(name, _ARGUMENTS.get(name, (None,))[0])) for name in _UNSUPERVISED}
    if used["input"] is None:
        raise ValueError("input is missing: name a file of text")
    _check_file(used["input"])
    if used["model"] not in ("cbow", "skipgram"):
        raise ValueError("Unrecognized model name")
    if used["loss"] not in _LOSSES:
        raise ValueError("Unrecognized loss name")
    kind = given.pop("model", "skipgram")
    model = _of_content(_trained(kind, given))
    model.set_args(SimpleNamespace(**used))
    return model


def _check_file(path: Path) -> None:
    if not os.path.exists(path_of(path, "input")):
        raise ValueError(f"{os.fspath(path)} cannot be opened for training!")


def _of_content(content: bytes) -> "FastText":
    """Open the content of a file of word vectors."""
    file = File(content)
    with _converted(file.write, "model.w2v") as path:
        model = FastText(load(path))
    model._file = file
    return model


@contextmanager
def _converted(write: Callable[[str], object], name: str) -> Iterator[str]:
    """Give the path of what ``w2v convert`` makes of a model that is written to a file."""
    folder = new_folder()
    source, made = os.path.join(folder, "model"), os.path.join(folder, name)
    with _binary.started(["convert", "--", source, made], folder) as child:
        write(source)
        _binary.ended(child)
        yield made


def cbow(*args: Any, **kwargs: Any) -> None:
    """Not in fastText since 0.9: see ``train_unsupervised``."""
    raise NotImplementedError("`cbow` is not supported any more. Please use `train_unsupervised` with model=`cbow`.")


def skipgram(*args: Any, **kwargs: Any) -> None:
    """Not in fastText since 0.9: see ``train_unsupervised``."""
    raise NotImplementedError("`skipgram` is not supported any more. Please use `train_unsupervised` with model=`skipgram`.")


def supervised(*args: Any, **kwargs: Any) -> None:
    """Not in fastText since 0.9: see ``train_supervised``."""
    raise NotImplementedError("`supervised` is not supported any more. Please use `train_supervised`.")


def _given(function: str, names: Tuple[str, ...], args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Dict[str, Any]:
    """Return arguments by their names."""
    given: Dict[str, Any] = {}
    if len(args) > len(names):
        raise TypeError(f"{function}() has {len(names)} arguments, and got {len(args)}")
    for name, value in [*zip(names, args), *((_OTHER_NAMES.get(n, n), v) for n, v in kwargs.items())]:
        if name not in names:
            raise TypeError(f"unexpected keyword argument '{name}'")
        if name in given:
            raise TypeError(f"multiple values for argument '{name}'")
        given[name] = value
    return given


def _trained(command: str, given: Dict[str, Any]) -> bytes:
    """Return the file that a command of ``w2v fasttext`` trains."""
    folder = new_folder()
    output = os.path.join(folder, "model")
    args = ["fasttext", command, "-output", output]
    for name, value in given.items():
        if value is not None and value != "":
            args += ["-" + _FLAGS.get(name, name), os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    with _binary.started(args, folder) as child:
        _binary.ended(child)
        return File(path=output + (".ftz" if given.get("autotuneModelSize") else ".bin")).read()


def _metric(name: str) -> str:
    """Return what w2v classify tune calls a metric of fastText."""
    kind, *rest = name.split(":", 1)
    if kind not in _METRICS:
        return name
    percent, *label = rest[0].split(":", 1) if rest else [""]
    try:
        share = float(percent) / 100
    except ValueError:
        raise ValueError(f"Unknown metric : {name}") from None
    return ":".join([_METRICS[kind], f"{share:g}", *label])


class _Module(type):
    """``fasttext.FastText`` is a module in fastText, with the functions above: they are found here too."""

    def __getattr__(cls, name: str) -> Any:
        if name == "_FastText":
            return cls
        if name in __all__:
            return globals()[name]
        near = nearest_name(name, [*dir(cls), *__all__])
        raise AttributeError(f"w2v.fasttext.FastText has no {name}: it is the class of models, with the functions of w2v.fasttext{near}")


class FastText(metaclass=_Module):
    """A model with the methods of fastText's models. ``load_model`` and ``train_supervised`` return one.

    Attributes:
        classifier: the ``w2v.Classifier`` that answers, None for word vectors.
    """

    lr: float
    dim: int
    ws: int
    epoch: int
    minCount: int
    minCountLabel: int
    minn: int
    maxn: int
    neg: int
    wordNgrams: int
    loss: str
    bucket: int
    thread: Optional[int]
    lrUpdateRate: int
    t: float
    label: str
    verbose: int
    pretrainedVectors: str

    def __init__(self, model: Union[Classifier, Model]) -> None:
        self.classifier: Optional[Classifier] = model if isinstance(model, Classifier) else None
        self._vectors: Optional[Model] = model if isinstance(model, Model) else None
        self._vocabulary: Optional[Names] = None
        self._ids: Optional[Dict[str, int]] = None
        self._file: Optional[File] = None  # of word vectors
        self._contents: Optional[Contents] = None

    if not TYPE_CHECKING:  # for which there is no such attribute

        def __getattr__(self, name: str) -> Any:
            if name == "f":
                raise AttributeError("f is the C++ object of fastText, which is not here: ask the model itself, as with get_dimension()")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{nearest_name(name, dir(FastText))}")

    def set_args(self, args: Any = None) -> None:
        """Take the attributes that tell of training, such as ``lr``, ``epoch`` and ``wordNgrams``, from an object."""
        if args:
            for name in _SET:
                setattr(self, name, getattr(args, name))

    def _inside(self) -> Contents:
        """Return what fastText's file of the model has."""
        if self._contents is None:
            own = self._file if self.classifier is None else self.classifier._file
            if own is None or not own.begins(MAGIC):
                write = self._model()._write if self.classifier is None else self.classifier._file.write
                with _converted(write, "model.bin") as path:
                    own = File(File(path=path).read())
            self._contents = Contents(own.read())
        return self._contents

    def _supervised(self) -> Classifier:
        if self.classifier is None:
            raise ValueError("Model needs to be supervised for prediction!")
        return self.classifier

    @overload
    def predict(
        self, text: str, k: int = 1, threshold: float = 0.0, on_unicode_error: str = "strict"
    ) -> Tuple[Tuple[str, ...], NDArray[np.float64]]: ...

    @overload
    def predict(
        self, text: List[str], k: int = 1, threshold: float = 0.0, on_unicode_error: str = "strict"
    ) -> Tuple[List[List[str]], List[NDArray[np.float32]]]: ...

    def predict(self, text: Any, k: int = 1, threshold: float = 0.0, on_unicode_error: str = "strict") -> Any:
        """Return the k most probable labels of a text, all for -1, and their probabilities, at least the threshold.

        For one text, labels are a tuple and probabilities an array. For a list of texts, both are lists with an item for
        each text: a list of labels, and an array.

        >>> labels, probabilities = model.predict("a cat purrs", k=2)
        >>> labels, probabilities.shape
        (('__label__cat', '__label__dog'), (2,))
        """
        texts = [_line(one) for one in text] if type(text) is list else [_line(text)]
        classifier = self._supervised()
        if whole(k, "k") < 1 and k != -1:
            raise ValueError("k needs to be 1 or higher!")
        counts, ids, found = classifier._asked(texts, k, threshold)
        names = [_text(name, on_unicode_error) for name in [*classifier._about.labels.names, UNKNOWN]]  # its id is -1
        labels = [names[i] for i in ids.tolist()]
        if type(text) is not list:
            return tuple(labels), found.astype(np.float64)
        ends = np.cumsum(counts)[:-1]
        each, begin = [], 0
        for n in counts.tolist():
            each.append(labels[begin : begin + n])
            begin += n
        return each, list(np.split(found, ends)) if texts else []

    def get_labels(self, include_freq: bool = False, on_unicode_error: str = "strict") -> Any:
        """Return all labels, and how often each was seen with ``include_freq``; of word vectors, the words."""
        if self.classifier is None:
            return self.get_words(include_freq, on_unicode_error)
        return _listed(self.classifier._about.labels, include_freq, on_unicode_error)

    def get_words(self, include_freq: bool = False, on_unicode_error: str = "strict") -> Any:
        """Return all words, and how often each was seen with ``include_freq``."""
        return _listed(self._names(), include_freq, on_unicode_error)

    def _names(self) -> Names:
        if self._vocabulary is None:
            if self.classifier is not None:
                about = self.classifier._worker.described()
                (answer,) = self.classifier._worker.ask([({"ask": "words"}, b"")])
                self._vocabulary = names_of(answer, about.words, True)
            else:
                assert self._vectors is not None
                self._vocabulary = Names(list(self._vectors.words), self._vectors._native.counts)
        return self._vocabulary

    @property
    def labels(self) -> List[str]:
        """All labels."""
        labels: List[str] = self.get_labels()
        return labels

    @property
    def words(self) -> List[str]:
        """All words."""
        words: List[str] = self.get_words()
        return words

    def get_word_id(self, word: str) -> int:
        """Return the number of a word, or of a label behind all words; -1 if there is neither."""
        if self._ids is None:
            labels = [] if self.classifier is None else self.classifier._about.labels.names
            self._ids = {name: i for i, name in enumerate([*self._names().names, *labels])}
        return self._ids.get(_str(word, "a word"), -1)

    def get_label_id(self, label: str) -> int:
        """Return the number of a label, -1 if there is none."""
        found = self.get_word_id(label)
        return found - len(self._names().names) if found >= 0 else -1

    def get_subwords(self, word: str, on_unicode_error: str = "strict") -> Tuple[List[str], NDArray[np.int64]]:
        """Return a word, if it is in the vocabulary, and its n-grams, and the rows of the input matrix that they have."""
        names, rows = self._inside().subwords(_str(word, "a word"))
        return [_text(name, on_unicode_error) for name in names], np.array(rows, np.int64)

    def get_subword_id(self, subword: str) -> int:
        """Return the row of the input matrix that an n-gram has."""
        return self._inside().subword_id(_str(subword, "an n-gram"))

    def get_input_vector(self, ind: int) -> Vector:
        """Return a row of the input matrix: that of a word, which are first, or of an n-gram."""
        return self._inside().input_row(whole(ind, "a row"))

    def get_input_matrix(self) -> Vector:
        """Return a copy of the input matrix: a row for each word, then for each n-gram."""
        return self._matrices()[0]

    def get_output_matrix(self) -> Vector:
        """Return a copy of the output matrix: a row for each label, or for each word."""
        return self._matrices()[1]

    def _matrices(self) -> Tuple[Vector, Vector]:
        if self._inside().quantized:
            raise ValueError("Can't get quantized Matrix")
        return self._inside().matrices()

    def set_matrices(self, input_matrix: Any, output_matrix: Any) -> None:
        """Answer from other matrices, with as many rows as the model has."""
        if self._inside().quantized:
            raise ValueError("Can't set quantized Matrix")
        content = self._inside().with_matrices(np.asarray(input_matrix, np.float32), np.asarray(output_matrix, np.float32))
        if self.classifier is not None:
            self.classifier, self._vectors = self.classifier._with(File(content)), None
        else:
            other = _of_content(content)
            self._vectors, self._file = other._vectors, other._file
        self._contents = None

    def get_dimension(self) -> int:
        """Return the number of dimensions."""
        if self.classifier is not None:
            return self.classifier._about.dim
        assert self._vectors is not None
        return self._vectors.dim

    def is_quantized(self) -> bool:
        """Tell whether the rows are quantised."""
        return self.classifier is not None and self.classifier._about.quantized

    def get_word_vector(self, word: str) -> Vector:
        """Return the vector of a word, also of one that is not in the vocabulary if there are n-grams, or else zeros."""
        word = _str(word, "a word")
        if self.classifier is not None:
            return self._rows("word_vectors", word.replace("\n", " "))
        assert self._vectors is not None
        return self._vectors.get_word_vector(word)

    def get_sentence_vector(self, text: str) -> Vector:
        """Return the vector of a text: for a classifier the mean of all its rows, else that of its words' vectors of length 1."""
        text = _line(text)
        if self.classifier is not None:
            return self._rows("text_vectors", text)
        assert self._vectors is not None
        return self._vectors.get_sentence_vector(text)

    def _rows(self, what: str, text: str) -> Vector:
        (answer,) = self._supervised()._worker.ask([({"ask": what}, (text + "\n").encode())])
        return np.frombuffer(answer, "<f4").astype(np.float32)

    def get_line(self, text: Any, on_unicode_error: str = "strict") -> Any:
        """Return the words and the labels of a text, or lists of them for a list."""
        if type(text) is list:
            lines = [self.get_line(one) for one in text]
            return [words for words, _ in lines], [labels for _, labels in lines]
        known = set(self.classifier._about.labels.names) if self.classifier is not None else set()
        prefix = getattr(self, "label", "__label__")
        tokens = [token for token in BLANKS.split(_line(text)) if token]
        words = [token for token in tokens if token not in known and not token.startswith(prefix)]
        return [*words, EOS], [token for token in tokens if token in known]

    def test(self, path: Path, k: int = 1, threshold: float = 0.0) -> Tuple[int, float, float]:
        """Return how many lines of a file have labels and known words, and the precision and recall of predictions.

        >>> model.test(path)
        (40, 1.0, 1.0)
        """
        result = self._tested(path, k, threshold)
        return result["texts"], _number(result["precision"]), _number(result["recall"])

    def test_label(self, path: Path, k: int = 1, threshold: float = 0.0) -> Dict[str, Dict[str, float]]:
        """Return the precision, recall and F1 of each label, NaN if no line of a file has it and it is never predicted."""
        return {
            of["label"]: {"precision": _number(of["precision"]), "recall": _number(of["recall"]), "f1score": _number(of["f1"])}
            for of in self._tested(path, k, threshold)["labels"]
        }

    def get_meter(self, path: Path, k: int = -1) -> Meter:
        """Return what answers for precision and recall of the k most probable labels of the lines of a file, all for -1.

        >>> model.get_meter(path).precision_at_recall(1.0)
        1.0
        """
        if not os.path.isfile(path_of(path)):
            raise ValueError("Meter file cannot be opened!")
        classifier = self._supervised()
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
            texts = [line.rstrip("\n") for line in lines]
        places = {name: i for i, name in enumerate(classifier._about.labels.names)}
        of = [[places[label] for label in labels] for labels in self.get_line(texts)[1]] if texts else []
        labelled = [i for i, labels in enumerate(of) if labels]
        counts, ids, found = classifier._asked([_line(texts[i]) for i in labelled], k, 0.0, known=True)
        gold, true, begin = [0] * len(places), np.zeros(len(ids), np.bool_), 0
        missed: List[int] = []
        for i, n in zip(labelled, counts.tolist()):
            if n:
                true[begin : begin + n] = np.isin(ids[begin : begin + n], of[i])
                predicted = set(ids[begin : begin + n].tolist())
                for label in of[i]:
                    gold[label] += 1
                    if label not in predicted:
                        missed.append(label)
            begin += n
        scores = np.minimum(found, np.float32(1)).astype(np.float64)
        return Meter(
            self.get_label_id,
            np.concatenate([ids, np.array(missed, np.int64)]),
            np.concatenate([scores, np.full(len(missed), MISSED)]),
            np.concatenate([true, np.ones(len(missed), np.bool_)]),
            gold,
        )

    def _tested(self, path: Path, k: int, threshold: float) -> Dict[str, Any]:
        if not os.path.isfile(path_of(path)):
            raise ValueError("Test file cannot be opened!")
        classifier = self._supervised()
        try:
            return classifier.test(path, k=k if whole(k, "k") > 0 else len(classifier.labels), threshold=threshold, bootstrap=0)
        except Error as error:
            if "labels and words that the model knows" not in str(error):
                raise
        nothing: Dict[str, Any] = dict.fromkeys(("precision", "recall", "f1"), {"value": None})
        return {"texts": 0, **nothing, "labels": [{"label": label, **nothing} for label in classifier.labels]}

    def quantize(
        self,
        input: Optional[Path] = None,
        qout: bool = False,
        cutoff: int = 0,
        retrain: bool = False,
        epoch: Optional[int] = None,
        lr: Optional[float] = None,
        thread: Optional[int] = None,
        verbose: Optional[int] = None,
        dsub: int = 2,
        qnorm: bool = False,
    ) -> None:
        """Make the model smaller, with ``w2v fasttext quantize``: ``save_model`` writes a ``.ftz`` then."""
        if retrain and not input:
            raise ValueError("Need input file path if retraining")
        classifier = self._supervised()
        args = ["-cutoff", str(cutoff), "-dsub", str(dsub)]
        args += [flag for flag, on in (("-qout", qout), ("-qnorm", qnorm), ("-retrain", retrain)) if on]
        for name, value in (("-input", input), ("-epoch", epoch), ("-lr", lr), ("-thread", thread)):
            if retrain and value is not None:
                args += [name, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
        folder = new_folder()
        output = os.path.join(folder, "model")
        with _binary.started(["fasttext", "quantize", "-output", output, *args], folder) as child:
            _write(classifier, output + ".bin")
            _binary.ended(child)
            small = File(File(path=output + ".ftz").read())
        self.classifier = classifier._with(small)
        self._vocabulary = self._ids = self._contents = self._vectors = None

    def save_model(self, path: Path) -> None:
        """Write the model to a file of fastText."""
        if self.classifier is not None:
            _write(self.classifier, path_of(path))
        else:
            self._model().save(path, "fasttext")

    def get_nearest_neighbors(self, word: str, k: int = 10, on_unicode_error: str = "strict") -> List[Tuple[float, str]]:
        """Return the k words whose vectors are nearest to that of a word, with their cosines."""
        found = self._model().most_similar(_str(word, "a word"), topn=whole(k, "k"))
        return [(score, _text(near, on_unicode_error)) for near, score in found]

    def get_analogies(
        self, wordA: str, wordB: str, wordC: str, k: int = 10, on_unicode_error: str = "strict"
    ) -> List[Tuple[float, str]]:
        """Return the k words that are to C as A is to B."""
        a, b, c = (_str(word, "a word") for word in (wordA, wordB, wordC))
        found = self._model().most_similar(positive=[a, c], negative=[b], topn=whole(k, "k"))
        return [(score, _text(word, on_unicode_error)) for word, score in found]

    def _model(self) -> Model:
        """Return the word vectors, which are read when they are first asked for."""
        if self._vectors is None:
            with _converted(self._supervised()._file.write, "model.w2v") as path:
                self._vectors = load(path)
        return self._vectors

    def __getitem__(self, word: str) -> Vector:
        return self.get_word_vector(word)

    def __contains__(self, word: str) -> bool:
        return isinstance(word, str) and 0 <= self.get_word_id(word) < len(self._names().names)


def _write(classifier: Classifier, path: str) -> None:
    """Write a file of fastText."""
    if classifier._file.begins(MAGIC):
        classifier._file.write(path)
    else:
        classifier.save(path, "fasttext")


def _line(text: str) -> str:
    """Return a text up to its first ``</s>``, behind which fastText reads nothing."""
    if _str(text).find("\n") != -1:
        raise ValueError("predict processes one line at a time (remove '\\n')")
    end = _END.search(text) if EOS in text else None
    return text if end is None else text[: end.start()]


def _str(value: Any, what: str = "a text") -> str:
    if isinstance(value, str):
        return value
    advice = ": decode it" if isinstance(value, bytes) else ""
    raise TypeError(f"{what} is a str, and this is {shown(value)}, of type {type(value).__name__}{advice}")


def _text(name: str, on_unicode_error: str) -> str:
    return name if name.isascii() else name.encode("utf-8", "surrogateescape").decode("utf-8", on_unicode_error)


def _listed(of: Names, include_freq: bool, on_unicode_error: str) -> Any:
    names = [_text(name, on_unicode_error) for name in of.names]
    if not include_freq:
        return names
    counts = np.zeros(len(names), np.int64) if of.counts is None else of.counts.astype(np.int64)
    return names, counts


def _number(of: Any) -> float:
    value = of["value"]
    return math.nan if value is None else float(value)
