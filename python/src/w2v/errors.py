"""The exceptions of w2v."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence


class Error(Exception):
    """The w2v program failed. The message is the program's own line."""

    _printed = b""  # what the program had printed before it failed


class UsageError(Error, ValueError):
    """An argument makes no sense, or arguments do not go together."""


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
