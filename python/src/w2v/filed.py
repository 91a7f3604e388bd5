"""The file of a model, and what the w2v program does with it."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from . import _binary
from .errors import Error, EvaluationError, UsageError
from .groups import Groups
from .native import Native

__all__ = ["Filed", "Path", "State", "state_of"]

Path = Union[str, "os.PathLike[str]"]
State = Tuple[int, int, int, int]


def state_of(path: Path) -> Optional[State]:
    """Return what changes when another file takes the place of a file. None if there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class Filed(Groups):
    """A model with a file. ``Model`` has the documentation of its attributes."""

    _native: Native
    _first: Optional[int] = None
    path: Optional[str] = None
    _state: Optional[State] = None  # of the file when it was read

    def evaluate(self, *paths: Path, **options: Any) -> List[Dict[str, Any]]:
        """Score the model on evaluation sets of any task, with ``w2v eval``.

        Args:
            paths: files and folders of sets.
            options: flags of ``w2v eval``, with ``_`` for ``-``: ``restrict=300000``, ``fold_vocab=True``.

        Returns:
            what ``w2v eval --json`` prints: an object for each set, among others with ``set``, ``task``,
            ``score``, ``items`` and ``used``.

        Raises:
            EvaluationError: a set could not be read, or nothing of it could be scored. The results of all sets that
                could be read are its ``results``; ``score`` is None where there is none.
        """
        if not paths:
            raise ValueError("there are no evaluation sets")
        with self._file() as file:
            flags = _flags(options) + self._first_flag()
            try:
                done = _binary.run(["eval", "--json", *flags, "--", file, *(os.fspath(path) for path in paths)])
            except UsageError:
                raise
            except Error as error:
                raise EvaluationError(str(error), _objects(error._printed)) from None
        return _objects(done.stdout)

    def save(self, path: Path, format: Optional[str] = None, **options: Any) -> None:
        """Write the model to a file, with ``w2v convert``.

        Args:
            path: the file. Its extension says which format it has: ``.w2v``, ``.bin``, ``.vec`` and others.
            format: the name of the format if the extension does not say: ``fasttext``, ``word2vec`` ….
            options: flags of ``w2v convert``, with ``_`` for ``-``: ``top=50000``, ``dtype="f16"``.
        """
        flags = _flags(options) + self._first_flag() + ([f"--to={format}"] if format else [])
        with self._file() as file:
            _binary.run(["convert", *flags, "--", file, os.fspath(path)])

    def _first_flag(self) -> List[str]:
        return [f"--first={self._first}"] if self._first else []

    @contextmanager
    def _file(self) -> Iterator[str]:
        """Give the path of a file of the model: the one that was read, or a new one if that has changed or is gone."""
        if self.path is not None and self._state is not None and state_of(self.path) == self._state:
            yield self.path
            return
        with tempfile.TemporaryDirectory(prefix="w2v-") as folder:
            file = os.path.join(folder, "model.w2v")
            self._native.data.tofile(file)
            yield file


def _objects(lines: bytes) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in lines.splitlines() if line.strip()]


def _flags(options: Mapping[str, Any]) -> List[str]:
    """Return options as flags of the program."""
    flags = []
    for name, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        flags.append(f"--{name.replace('_', '-')}={text}")
    return flags
