"""Vectors of texts, trained on pairs of texts or on the vectors of a teacher."""

from __future__ import annotations

import json
import math
import numbers
import os
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._arguments import classifier_flags, with_settings, worded
from ._child import new_folder
from ._examples import encoded_texts, texts_of
from ._flags import DISTILL_FLAGS, PAIRS_FLAGS, Flag
from ._process import Event, Run
from ._checked import not_a_text, path_of
from ._sentences import refuse
from .columns import names_of
from .errors import UsageError
from .model import Model
from .progress import Display, Progress, display
from .training import Path, _initial, _Lines, _model_of, _paths

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .settings import DistillFlags, PairsFlags

__all__ = ["distill", "train_pairs"]

#: Two texts that belong together, texts that do not belong to the first behind them, or a score.
Pair = Sequence[Any]

# Flags that the functions give themselves.
_OWN = ("output", "json", "log_json", "progress", "texts", "vectors", "validate", "init", "help")
# Flags that say what is in files.
_LAYOUT = ("text_column", "header", "json_field", "score_column", "score_field")

_BLOCK = 1 << 17  # characters
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def _settings(known: Mapping[str, Flag]) -> List[str]:
    return [name for name in known if name not in _OWN]


@with_settings(_settings(PAIRS_FLAGS), PAIRS_FLAGS, {})
def train_pairs(
    pairs: Optional[Iterable[Pair]] = None,
    *,
    paths: Union[Path, Iterable[Path], None] = None,
    output: Optional[Path] = None,
    validate: Union[float, Path, Iterable[Pair], None] = None,
    init: Union[Path, Model, None] = None,
    progress: Optional[bool] = None,
    callback: Optional[Callable[[Progress], object]] = None,
    **settings: Unpack[PairsFlags],
) -> Model:
    """Train vectors of texts on pairs of texts that belong together, with `w2v pairs`.

    The model is one like any other: `Model.embed` gives the vectors that were trained. The same pairs and settings
    give the same bits with any number of threads.

    Args:
        pairs: an iterable of pairs of texts: questions and answers, titles and texts. Texts behind the second do not
            belong to the first, although they resemble the second. A number behind the second is the score of the pair;
            then all pairs have one. The iterable is read once.
        paths: files, folders and globs, instead of pairs. The first two columns of a table are a pair. ``text_column``,
            ``header``, ``json_field``, ``score_column`` and ``score_field`` say where else texts and scores are.
        output: file of the model. Its extension chooses the format. Without it, the model is in memory alone.
        validate: held-out pairs to measure on after each epoch: a fraction of the pairs, or, as the pairs are, a file or
            an iterable.
        init: a model, or the path of one, whose vectors are the start.
        progress: True shows the progress on stderr. The default shows it on a terminal and in a notebook.
        callback: function that gets a `Progress` about once a second and at the end.
        {settings}

    Settings have the names of the flags of `w2v pairs` with underscores. None is the program's own default.

    Returns:
        The model. `Model.training` says how training went: "pairs", "texts", "loss", "evaluations" and so on, as
        `w2v pairs --json` prints it.

    Raises:
        TypeError: an argument is not known, or an item is no pair.
        UsageError: a value makes no sense.
        Error: training failed. The message is the line of the program.
        Interrupted: Ctrl-C ended training. What was trained is saved: see its attributes.

    >>> import w2v
    >>> pairs = [("red apple", "a fruit of the apple tree"), ("deep river", "water that runs to the sea")] * 5
    >>> model = w2v.train_pairs(pairs, dim=8, epochs=2, min_count=1, buckets=1000)
    >>> model.embed(["apple", "river"]).shape, model.training["pairs"]
    ((2, 8), 10)
    """
    given: Dict[str, Any] = dict(settings)
    files, source = _source("train_pairs()", "pairs", pairs, paths, given)
    folder = new_folder()
    writers: List[Callable[[], None]] = []
    stream, args = None, ["--", *files]
    if source is not None:
        _refuse(source, "pairs")
        stream = _Pairs(source, "pairs")
        args = [*stream.flags, "-"]
    held: Optional[str] = None
    if validate is not None and not isinstance(validate, (str, os.PathLike)) and hasattr(validate, "__iter__"):
        if stream is None:
            raise UsageError("validate= is an iterable, and the pairs are in files: give a file of held-out pairs")
        _refuse(validate, "validate")
        others = _Pairs(validate, "validate", stream.scored)
        held = os.path.join(folder, "held-out.jsonl")
        writers.append(partial(others.write, held))
    elif validate is not None:
        if stream is not None and isinstance(validate, (str, os.PathLike)):
            raise UsageError("validate= is a file, and the pairs are not: give held-out pairs")
        held = os.fsdecode(validate) if isinstance(validate, (str, os.PathLike)) else repr(float(validate))
    return _train("pairs", PAIRS_FLAGS, given, args, stream.blocks() if stream is not None else None, folder, writers,
                  output, held, init, progress, callback)  # fmt: skip


@with_settings(_settings(DISTILL_FLAGS), DISTILL_FLAGS, {})
def distill(
    texts: Union[Path, Iterable[str], Iterable["os.PathLike[str]"]],
    vectors: Union[NDArray[Any], Path, Sequence[Path], None] = None,
    *,
    output: Optional[Path] = None,
    validate: Optional[float] = None,
    init: Union[Path, Model, None] = None,
    progress: Optional[bool] = None,
    callback: Optional[Callable[[Progress], object]] = None,
    **settings: Unpack[DistillFlags],
) -> Model:
    """Train vectors of texts to be those of a teacher, a slow model that has given each text a vector, with `w2v distill`.

    Args:
        texts: an iterable of texts, which is read once. A str or a path alone is a file, a folder or a glob, and so is
            each item of a list of paths of pathlib; ``text_column``, ``header`` and ``json_field`` say where texts are in
            tables and JSON lines.
        vectors: a matrix with a row for each text, in the same order; or the paths of ``.npy`` and Parquet files, which are
            read where they stand. A matrix is written to a temporary file, in parts if it is mapped from one. Without it,
            ``vectors_column`` is the column of vectors in Parquet files of texts.
        output: file of the model. Its extension chooses the format. Without it, the model is in memory alone.
        validate: the fraction of the texts that is held out to measure on after each epoch.
        init: a model, or the path of one, whose vectors are the start.
        progress: True shows the progress on stderr. The default shows it on a terminal and in a notebook.
        callback: function that gets a `Progress` about once a second and at the end.
        {settings}

    Settings have the names of the flags of `w2v distill` with underscores. None is the program's own default.

    Returns:
        The model. `Model.training` says how training went, as `w2v distill --json` prints it.

    Raises:
        TypeError, UsageError, Error, Interrupted: as of `train_pairs`.

    >>> import numpy as np, w2v
    >>> lines = ["red apple", "green apple", "deep river", "blue river"] * 5
    >>> teacher = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]] * 5)
    >>> model = w2v.distill(lines, teacher, epochs=20, lr=0.1, min_count=1, maxn=0)
    >>> model.embed(["an apple"])[0].argmax()
    0
    """
    given: Dict[str, Any] = dict(settings)
    folder = new_folder()
    writers: List[Callable[[], None]] = []
    stream: Optional[Iterator[Tuple[bytes, int]]] = None
    if isinstance(texts, (str, os.PathLike)):
        args = [f"--texts={os.fsdecode(texts)}"]
    elif isinstance(texts, (list, tuple)) and texts and all(isinstance(text, os.PathLike) for text in texts):
        args = [f"--texts={path}" for path in _paths(texts)]
    else:
        _refuse_layout(given, "texts")
        stream, args = _lines(texts_of(texts)), ["--texts=-"]
    if isinstance(vectors, np.ndarray) or hasattr(vectors, "__array__"):
        matrix = _matrix(vectors)
        file = os.path.join(folder, "vectors.npy")
        writers.append(partial(np.save, file, matrix))
        args.append(f"--vectors={file}")
    elif isinstance(vectors, (str, os.PathLike)):
        args.append(f"--vectors={os.fsdecode(vectors)}")
    elif isinstance(vectors, (list, tuple)) and all(isinstance(path, (str, os.PathLike)) for path in vectors):
        args += [f"--vectors={path}" for path in _paths(vectors)]
    elif vectors is not None:
        raise TypeError(f"vectors is of type {type(vectors).__name__}, and must be a matrix of numpy or paths")
    held = None if validate is None else repr(float(validate))
    return _train("distill", DISTILL_FLAGS, given, args, stream, folder, writers, output, held, init, progress, callback)


def _source(
    what: str, name: str, items: Any, paths: Any, given: Mapping[str, Any]
) -> "Tuple[List[str], Optional[Iterable[Any]]]":
    """Return the files to train on, or the iterable."""
    if (items is None) == (paths is None):
        raise TypeError(f"{what} needs {name}, or paths=, and not both")
    if paths is not None:
        return _paths([paths] if isinstance(paths, (str, os.PathLike)) else paths), None
    if isinstance(items, (str, os.PathLike)):
        raise TypeError(f"{name} is a path, and must be an iterable: give paths= to train on files")
    _refuse_layout(given, name)
    return [], items


def _refuse(pairs: Any, what: str) -> None:
    """Refuse what does not give pairs."""
    columns = names_of(pairs)
    if columns is not None:
        some = (columns + ["text", "other"][len(columns) :])[:2]
        values = ".to_pylist()" if hasattr(pairs, "to_batches") else ""
        example = ", ".join(f"{what}[{name!r}]{values}" for name in some)
        raise TypeError(f"{what} is a table: give the pairs of two of its columns, such as zip({example})")
    refuse(pairs, what)


def _refuse_layout(given: Mapping[str, Any], name: str) -> None:
    for flag in _LAYOUT:
        if given.get(flag):
            raise UsageError(f"{flag}= says what is in files, and {name} are none: name files by their paths")


def _train(
    command: str,
    known: Mapping[str, Flag],
    given: Dict[str, Any],
    args: List[str],
    stream: Optional[Iterator[Tuple[bytes, int]]],
    folder: str,
    writers: List[Callable[[], None]],
    output: Optional[Path],
    validate: Optional[str],
    init: Any,
    progress: Optional[bool],
    callback: Optional[Callable[[Progress], object]],
) -> Model:
    if callback is not None and not callable(callback):
        raise TypeError(f"callback is of type {type(callback).__name__}, and must be a function")
    if output is None and given.get("format") is not None:
        raise UsageError("format= needs output=: a model without a file of its own is in the native format")
    what = "train_pairs" if command == "pairs" else command
    flags = classifier_flags(given, _settings(known), f"{what}()", known)
    start = _initial(init, given, folder, writers)["init"]
    if start is not None:
        flags.append(f"--init={os.fsdecode(start)}")
    if validate is not None:
        flags.append(f"--validate={validate}")
    path = path_of(output, "output") if output is not None else os.path.join(folder, "model.w2v")
    items = "pairs" if command == "pairs" else "texts"
    training = _Rows(stream, False, display(progress, items, items), callback)
    training._goes_on = what + "(…, resume={!r}) goes on"
    result = None if output is not None else path
    run = Run([f"--output={path}", *flags, *args], fed=stream is not None, folder=folder, result=result, worded=worded({}, known, items), command=(command,))
    return _model_of(run, training, writers, folder, path, own=output is None)


class _Rows(_Lines):
    """One run of w2v pairs or w2v distill."""

    _last: Optional[Event] = None

    def _heard(self, event: Event) -> None:
        kind = event["event"]
        if kind == "progress":
            self._last = event
            self._tell(event, False)
            return
        super()._heard(event)
        if kind == "done" and self._done.get("complete"):
            done, last = self._done, self._last or {}
            self._tell({"pairs": done["trained"], "total": done["pairs"] * done["epochs"], "loss": done["loss"],
                        "lr": last.get("lr", 0.0), "elapsed": done["seconds"]}, True)  # fmt: skip

    def _tell(self, event: Mapping[str, Any], final: bool) -> None:
        found = self._evaluations[-1] if self._evaluations else {}
        left = event["elapsed"] * (event["total"] / event["pairs"] - 1) if event["pairs"] else 0.0
        progress = Progress(
            tokens=event["pairs"],
            total=event["total"],
            loss=event["loss"],
            learning_rate=event["lr"],
            tokens_per_second=None,
            elapsed=event["elapsed"],
            eta=0.0 if final else left,
            final=final,
            held_out_loss=found.get("loss"),
            scores={name: found[name] for name in ("ndcg_10", "mrr", "spearman", "cosine") if name in found},
        )
        self._display.training(progress)
        if self._callback is not None:
            self._callback(progress)


class _Pairs:
    """Pairs as lines of JSON. The first one tells whether they have scores."""

    def __init__(self, pairs: Iterable[Any], what: str, scored: Optional[bool] = None) -> None:
        self._what = what
        self._items = iter(pairs)
        self._first: List[Any] = []
        for item in self._items:
            self._first = [item]
            break
        if scored is None:
            item = self._first[0] if self._first else ()
            scored = isinstance(item, (tuple, list)) and len(item) == 3 and _is_number(item[2])
        self.scored = scored

    @property
    def flags(self) -> List[str]:
        """What makes the program read the lines."""
        return ["--json-field=0,1", "--score-field=2"] if self.scored else ["--json-field=0,1,2"]

    def blocks(self) -> Iterator[Tuple[bytes, int]]:
        """Yield lines of JSON, with the number of pairs in them."""
        lines: List[str] = []
        size = number = 0
        for items in (self._first, self._items):
            for pair in items:
                lines.append(self._line(pair, number))
                number += 1
                size += len(lines[-1])
                if size >= _BLOCK:
                    yield ("\n".join(lines) + "\n").encode(), len(lines)
                    lines, size = [], 0
        if lines:
            yield ("\n".join(lines) + "\n").encode(), len(lines)

    def _line(self, pair: Any, number: int) -> str:
        if not isinstance(pair, (tuple, list)) or len(pair) < 2:
            raise TypeError(f"item {number} of {self._what} is no pair of texts: {pair!r:.60}")
        texts, more = pair[:2], pair[2:]
        line: Dict[str, Any] = {"0": texts[0], "1": texts[1]}
        if self.scored:
            if len(more) != 1 or not _is_number(more[0]):
                raise TypeError(f"item {number} of {self._what} has no score, and the first one has: give (text, text, score)")
            if not math.isfinite(more[0]):
                raise ValueError(f"item {number} of {self._what} has the score {more[0]}, and must have a number")
            line["2"] = float(more[0])
        else:
            line["2"] = texts = [text for part in more for text in (part if isinstance(part, (list, tuple)) else (part,))]
        for text in (*pair[:2], *(texts if not self.scored else ())):
            if not isinstance(text, str):
                raise not_a_text(text, f"a text of item {number} of {self._what}")
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise ValueError(f"item {number} of {self._what} has a text that is no UTF-8: {error.reason}") from None
        return _encode(line)

    def write(self, path: str) -> None:
        """Write the lines to a file."""
        with open(path, "wb") as out:
            for block, _ in self.blocks():
                out.write(block)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _lines(texts: Iterable[str]) -> Iterator[Tuple[bytes, int]]:
    """Yield texts as lines, with their number. A newline in a text is white space like a space."""
    held: List[str] = []
    size = number = 0
    for text in texts:
        held.append(text)
        size += len(text) if isinstance(text, str) else _BLOCK
        if size >= _BLOCK:
            yield encoded_texts(held, number), len(held)
            number, held, size = number + len(held), [], 0
    if held:
        yield encoded_texts(held, number), len(held)


def _matrix(vectors: Any) -> NDArray[Any]:
    """Return vectors as the program reads them, or refuse what is no matrix of numbers."""
    matrix = vectors if isinstance(vectors, np.ndarray) else np.asarray(vectors)
    if matrix.ndim != 2:
        raise TypeError(f"vectors is an array of shape {matrix.shape}, and must have a row for each text")
    if matrix.dtype.kind not in "fiu":
        raise TypeError(f"vectors is an array of {matrix.dtype}, and must have numbers")
    if matrix.dtype.kind != "f" or matrix.dtype.itemsize > 8:
        matrix = matrix.astype(np.float64)
    return matrix if matrix.flags.c_contiguous else np.ascontiguousarray(matrix)
