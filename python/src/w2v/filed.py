"""The file of a model, and what the w2v program does with it."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _binary
from ._checked import path_of
from ._child import new_folder
from .errors import DataError, Error, EvaluationError, UsageError
from .groups import Groups
from .native import Native

__all__ = ["Filed", "Path", "State", "done_with", "flags_of", "settled", "state_of"]

Path = Union[str, "os.PathLike[str]"]
State = Tuple[int, ...]

_TICK = 20_000_000  # ns. Times of files may be as coarse as the timer of the system, at most 10 ms


def state_of(path: Path) -> Optional[State]:
    """Return what changes whenever a file is written to or another one takes its place; None if there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def settled(path: Path) -> Optional[State]:
    """Return the state of a file, when any later change of it gives it another state. A folder has no such state."""
    if not os.path.isfile(path):
        return None
    while True:
        state = state_of(path)
        age = time.time_ns() - state[-1] if state is not None else _TICK
        if age < 0:  # the time is that of another machine
            return None
        if age >= _TICK:
            return state
        time.sleep((_TICK - age) / 1e9)


# What a folder is by itself, and extensions of models that are files, in the order in which they are looked for.
_FOLDERS = ("modules.json", "config_sentence_transformers.json", "model.safetensors")
_MODELS = ((".w2v",), (".bin", ".ftz"), (".fifu", ".floret"), (".vec", ".npy", ".parquet"))
_OTHERS = ("pytorch_model.bin", "training_args.bin")  # of other programs, in folders of hubs


def file_in(path: Path) -> str:
    """Return the file of a model in a folder such as a snapshot of a hub; the path itself of all else.

    A folder of sentence-transformers or model2vec is a model by itself.
    """
    name = os.fspath(path)
    if not os.path.isdir(name) or any(os.path.exists(os.path.join(name, own)) for own in _FOLDERS):
        return name
    there = sorted(file for file in os.listdir(name) if os.path.isfile(os.path.join(name, file)) and file not in _OTHERS)
    for extensions in _MODELS:
        endings = tuple(extension + packed for extension in extensions for packed in ("", ".gz", ".zst"))
        found = [file for file in there if file.lower().endswith(endings)]
        if len(found) > 1:
            raise DataError(f"{name}: has {len(found)} models, {', '.join(found[:5])}: name one of them")
        if found:
            return os.path.join(name, found[0])
    return name


class Filed(Groups):
    """A model with a file. ``Model`` has the documentation of its attributes."""

    _native: Native
    _first: Optional[int] = None
    path: Optional[str] = None
    _state: Optional[State] = None  # of the file when it was read, None if that is not known

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
        flags, sets = flags_of(options) + self._first_flag(), [path_of(path) for path in paths]
        try:
            done = self._asked(lambda file: ["eval", "--json", *flags, "--", file, *sets])
        except UsageError:
            raise
        except Error as error:
            raise EvaluationError(str(error), _objects(error._printed)) from None
        return _objects(done)

    def save(self, path: Path, format: Optional[str] = None, **options: Any) -> None:
        """Write the model to a file, with ``w2v convert``. Its notes are logged as warnings of ``w2v``.

        Args:
            path: the file. Its extension says which format it has: ``.w2v``, ``.bin``, ``.vec`` and others.
            format: the name of the format if the extension does not say: ``fasttext``, ``word2vec`` ….
            options: flags of ``w2v convert``, with ``_`` for ``-``: ``top=50000``, ``dtype="f16"``.
        """
        flags, to = flags_of(options) + self._first_flag() + ([f"--to={format}"] if format else []), path_of(path)
        _binary.log_notes(self._done(lambda file: ["convert", *flags, "--", file, to]))

    def save_word2vec_format(self, fname: Path, binary: bool = False) -> None:
        """Write the vectors of words in a format of word2vec, text or binary, whatever the extension of the file is."""
        self.save(fname, "word2vec" if binary else "text")

    def _first_flag(self) -> List[str]:
        return [f"--first={self._first}"] if self._first else []

    def _asked(self, command: Callable[[str], List[str]], stdin: bytes = b"", codes: Sequence[int] = (0,)) -> bytes:
        """Return what the program prints of the model: a command of the path of a file."""
        return self._done(command, stdin, codes).stdout

    def _done(
        self, command: Callable[[str], List[str]], stdin: Union[bytes, Iterator[bytes]] = b"", codes: Sequence[int] = (0,)
    ) -> "subprocess.CompletedProcess[bytes]":
        return done_with(self.path, self._state, self._native.data.tofile, command, stdin, codes)


def done_with(
    path: Optional[str],
    state: Optional[State],
    write: Callable[[str], object],
    command: Callable[[str], Sequence[str]],
    stdin: Union[bytes, Iterator[bytes]] = b"",
    codes: Sequence[int] = (0,),
) -> "subprocess.CompletedProcess[bytes]":
    """Run the program on a model: a command of the path of a file.

    That is the file that was read, if it is the same before and afterwards, or else a new one, which is written.
    """
    if path is not None and state is not None and state_of(path) == state:
        failed: Optional[Error] = None
        try:
            with _binary.started(command(path)) as child:
                done = _binary.ended(child, stdin, codes)
        except Error as error:
            failed = error
        if state_of(path) == state:
            if failed is not None:
                raise failed
            return done
        if not isinstance(stdin, bytes):  # its first blocks are gone
            raise Error(f"{path}: the file was changed while the program read it: load the model and try again")
    folder = new_folder()
    file = os.path.join(folder, "model.w2v")
    with _binary.started(command(file), folder) as child:
        write(file)
        return _binary.ended(child, stdin, codes)


def _objects(lines: bytes) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in lines.splitlines() if line.strip()]


def flags_of(options: Mapping[str, Any]) -> List[str]:
    """Return options as flags of the program."""
    flags = []
    for name, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        flags.append(f"--{name.replace('_', '-')}={text}")
    return flags
