"""The exceptions of w2v."""

from __future__ import annotations

import errno
import os
import re
from typing import Any, Dict, Optional, Sequence


class Error(Exception):
    """The w2v program failed. The message is the program's own line."""

    _printed = b""  # what the program had printed before it failed


class UsageError(Error, ValueError):
    """An argument makes no sense, or arguments do not go together."""


class DataError(Error, ValueError):
    """A text has no words to learn, or a file is not what it must be."""


class FileError(Error, OSError):
    """A file or folder cannot be read or written. `errno` and `filename` are set if they are known."""

    def __init__(self, message: str, number: Optional[int] = None, filename: Optional[str] = None) -> None:
        super().__init__(message)
        self.errno, self.filename = number, filename  # type: ignore[assignment]
        self.strerror = os.strerror(number) if number is not None else None  # type: ignore[assignment]

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self.errno, self.filename)


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file or folder."""


class ForbiddenFileError(FileError, PermissionError):
    """The system does not let this process read or write a file or folder."""


_OF_FILES = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.ENOSPC, errno.EROFS, errno.EIO,
             errno.EMFILE, errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTEMPTY, errno.EFBIG)  # fmt: skip
_KINDS = {errno.ENOENT: MissingFileError, errno.EACCES: ForbiddenFileError, errno.EPERM: ForbiddenFileError}
# What the program says of them, as Go words them, and which error that is.
_SAID = {
    **{os.strerror(number).lower(): number for number in _OF_FILES},
    "no file matches": errno.ENOENT,
    "the system cannot find the file specified.": errno.ENOENT,
    "the system cannot find the path specified.": errno.ENOENT,
    "access is denied.": errno.EACCES,
    "there is not enough space on the disk.": errno.ENOSPC,
}
_FILE = re.compile(": (" + "|".join(map(re.escape, _SAID)) + ")(?=$|[;:,])", re.IGNORECASE)
_EMPTY = ("the corpus has no tokens", "the sentences have no tokens", "no token is seen", "no word occurs", "no text has a label", "there are no pairs")


def of_program(said: str) -> Error:
    """Return the error of what the program says, when its arguments make sense."""
    file = _FILE.search(said)
    if file is not None:
        number = _SAID[file.group(1).lower()]
        return _KINDS.get(number, FileError)(said, number, said.split(": ", 1)[0])
    return DataError(said) if any(words in said for words in _EMPTY) else Error(said)


class EvaluationError(Error):
    """An evaluation set could not be read, or nothing of it could be scored.

    Attributes:
        results: what `Model.evaluate` would have returned, of the sets that could be read.
    """

    def __init__(self, message: str, results: Sequence[Dict[str, Any]] = ()) -> None:
        super().__init__(message)
        self.results = list(results)


class Interrupted(KeyboardInterrupt):
    """Training was interrupted, after what was trained was saved.

    An `Interrupted` is a `KeyboardInterrupt`, so programs that do not know it end as usual.

    Attributes:
        model: path of the model as it was, or None if there is none. Read it with `w2v.load`.
        checkpoint: path of the checkpoint, or None. `w2v.train(…, resume=checkpoint)` goes on.
        error: what could not be saved, and why, or None.
    """

    def __init__(
        self,
        message: str,
        model: Optional[str] = None,
        checkpoint: Optional[str] = None,
        error: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.model = model
        self.checkpoint = checkpoint
        self.error = error
