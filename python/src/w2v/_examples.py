"""Texts and their labels → lines of JSON that the program reads, and labels ↔ their names in a model.

A model has labels by name. Labels of Python may be texts, whole numbers, or booleans; all of them are of one kind.
"""

from __future__ import annotations

import itertools
import json
import numbers
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from ._checked import is_missing, is_row_of_pandas, not_a_text, shown
from ._sentences import refuse
from .columns import plain
from .errors import UsageError

__all__ = ["BYTES", "Examples", "FLAGS", "encoded_texts", "text_of", "texts_of"]

#: The flags that make the program read what `Examples.blocks` returns. A checkpoint has them.
FLAGS = ["--json-field=text", "--label-field=labels"]

_BLOCK = 1 << 17  # characters
_LISTS = (list, tuple, set, frozenset)
_end = object()
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def texts_of(X: Any) -> Iterable[str]:
    """Return texts to iterate over, or refuse what has none."""
    if isinstance(X, str):
        raise TypeError("X is one text, and must be an iterable of texts: give [text]")
    refuse(X, "X")
    shape = getattr(X, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise TypeError(f"X is an array of shape {shape}, and must have a text for each row: give one column")
    return plain(X)  # type: ignore[no-any-return]


BYTES = "surrogateescape"


def encoded_texts(texts: Sequence[str], first: int = 0) -> bytes:
    """Return texts as a process reads them: with a newline behind each. A newline in a text is white space like a space.

    Bytes that are not UTF-8 are those that ``decoded`` of w2v.words made surrogates of.
    """
    try:
        data = "\n".join(texts)
        if data.count("\n") >= len(texts):
            data = "\n".join([text.replace("\n", " ") for text in texts])
        return (data + "\n").encode("utf-8", BYTES) if texts else b""
    except (TypeError, UnicodeEncodeError):
        for i, text in enumerate(texts, first):
            text_of(text, i, BYTES)
        raise


def text_of(text: Any, i: int, errors: str = "strict") -> str:
    if not isinstance(text, str):
        raise not_a_text(text, f"text {i}")
    try:
        text.encode("utf-8", errors)
    except UnicodeEncodeError as error:
        raise ValueError(f"text {i} is no UTF-8: {error.reason}") from None
    return text


class Examples:
    """Texts with labels, which are read once.

    Attributes:
        several: a text may have several labels.
        columns: the number of labels, if y is a matrix with a column for each.
        unlabeled: the number of texts without labels, of those that were written.
    """

    def __init__(self, X: Any, y: Any) -> None:
        self.several = False
        self.unlabeled = 0
        self.columns: Optional[int] = None
        self._value_of: Dict[str, Any] = {}  # by name
        self._name_of: Dict[Any, str] = {}
        self._kind = ""
        pairs = self._paired(X, y)
        first = next(pairs, None)
        if first is None:
            raise ValueError("there are no texts to learn from")
        self._pairs = itertools.chain([first], pairs)
        self.several = self.columns is not None or isinstance(first[1], _LISTS) or isinstance(first[1], np.ndarray)

    def _paired(self, X: Any, y: Any) -> Iterator[Tuple[Any, Any]]:
        if y is None:
            refuse(X, "X")
            return self._given_in_pairs(X)
        texts, labels = texts_of(X), self._labels(y)
        have, want = _length(y), _length(X)
        if have is not None and want is not None and have != want:
            raise ValueError(f"X has {want} texts, and y has labels of {have}")
        return self._zipped(iter(texts), iter(labels))

    def _labels(self, y: Any) -> Iterable[Any]:
        if isinstance(y, (str, bytes)):
            raise TypeError("y is one text, and must be an iterable of labels")
        shape = getattr(y, "shape", None)
        if not isinstance(shape, tuple) or len(shape) == 1:
            refuse(y, "y")
            return plain(y)  # type: ignore[no-any-return]
        if len(shape) != 2:
            raise ValueError(f"y is an array of shape {shape}: give a label for each text, or a matrix with a column for each label")
        matrix = y.toarray() if hasattr(y, "toarray") else np.asarray(y)
        if shape[1] == 1 and not hasattr(y, "toarray"):
            return matrix[:, 0]  # type: ignore[no-any-return]
        if not np.isin(matrix, (0, 1)).all():
            raise ValueError("y is a matrix, and has other values than 0 and 1: give a column for each label, or a list of labels for each text")
        self.columns = int(shape[1])
        self._kind = "numbers"
        for column in range(self.columns):
            self._name_of[column] = str(column)
        return ([int(c) for c in np.flatnonzero(row)] for row in matrix)

    @staticmethod
    def _given_in_pairs(X: Any) -> Iterator[Tuple[Any, Any]]:
        for i, pair in enumerate(X):
            if is_row_of_pandas(pair):
                raise TypeError(f"item {i} of X is a pair with a Series of pandas, as iterrows() gives: give two columns, fit(table['text'], table['label'])")
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise TypeError(f"item {i} of X is no pair of a text and its label: without y, each item must be one")
            yield pair[0], pair[1]

    @staticmethod
    def _zipped(texts: Iterator[Any], labels: Iterator[Any]) -> Iterator[Tuple[Any, Any]]:
        for i, text in enumerate(texts):
            label = next(labels, _end)
            if label is _end:
                raise ValueError(f"X has more than {i} texts, and y has labels of {i}")
            yield text, label
        if next(labels, _end) is not _end:
            raise ValueError("y has labels of more texts than X has")

    def blocks(self) -> Iterator[Tuple[bytes, int]]:
        """Yield lines of JSON, with the number of texts in them."""
        lines: List[str] = []
        size = sent = 0
        for i, (text, label) in enumerate(self._pairs):
            if self.several:
                if not isinstance(label, _LISTS) and not isinstance(label, np.ndarray):
                    raise TypeError(f"text {i} has the label {label!r}, and those before it have lists of labels: give a list for each")
                names = [self._named(one, i) for one in label]
                self.unlabeled += not names
            else:
                names = [self._named(label, i)]
            if not isinstance(text, str):
                text_of(text, i)
            line = _encode({"text": text, "labels": names})
            lines.append(line)
            size += len(line)
            if size >= _BLOCK:
                yield _block(lines, sent), len(lines)
                sent, size, lines = sent + len(lines), 0, []
        if lines:
            yield _block(lines, sent), len(lines)

    def write(self, path: str) -> None:
        """Write all examples to a file."""
        with open(path, "wb") as file:
            for block, _ in self.blocks():
                file.write(block)

    def _named(self, label: Any, i: int) -> str:
        """Return the name of a label."""
        try:
            name = self._name_of.get(label)
        except TypeError:  # it cannot be hashed
            name = None
        if name is not None and self._kind != "booleans" and not isinstance(label, (bool, np.bool_)):
            return name
        kind, name, value = _described(label, i)
        if self._kind not in ("", kind):
            raise TypeError(f"text {i} has the label {label!r}, and labels before it are {self._kind}: give labels of one kind")
        self._kind = kind
        self._name_of[value] = name
        self._value_of.setdefault(name, value)
        return name

    def classes(self, names: Iterable[str]) -> "NDArray[Any]":
        """Return the labels that a model knows by these names, sorted, or all columns of a matrix."""
        if self.columns is not None:
            return np.arange(self.columns)
        labels: NDArray[Any] = np.unique(np.array([self._value_of[name] for name in names]))
        return labels


def _length(of: Any) -> Optional[int]:
    shape = getattr(of, "shape", None)
    if isinstance(shape, tuple) and shape:
        return int(shape[0])
    return len(of) if hasattr(of, "__len__") else None


def _block(lines: Sequence[str], first: int) -> bytes:
    try:
        return "".join([line + "\n" for line in lines]).encode()
    except UnicodeEncodeError:
        for i, line in enumerate(lines, first):
            text_of(line, i)
        raise


def name_of(label: Any) -> str:
    """Return the name that a label has in a model."""
    return _described(label, 0)[1]


def _described(label: Any, i: int) -> Tuple[str, str, Any]:
    """Return the kind of a label, its name, and its value."""
    if is_missing(label):
        raise ValueError(f"text {i} has no label, {shown(label)}: leave such rows out, as with table.dropna(subset=['label'])")
    if isinstance(label, str):
        text = str(label)
        if not text or text != text.strip():
            raise UsageError(f"text {i} has the label {text!r}: a label must not be empty or have white space around it")
        return "texts", text, text
    if isinstance(label, (bool, np.bool_)):
        return "booleans", str(bool(label)), bool(label)
    if isinstance(label, numbers.Integral):
        return "numbers", str(int(label)), int(label)
    if isinstance(label, numbers.Real):
        number = float(label)
        if not number.is_integer():
            raise ValueError(f"Unknown label type: text {i} has the label {number!r}, and labels are texts or whole numbers")
        return "numbers", str(int(number)), number
    if isinstance(label, np.ndarray) and label.ndim == 0:
        return _described(label.item(), i)
    raise TypeError(f"text {i} has a label of type {type(label).__name__}, and labels are texts, whole numbers or booleans")
