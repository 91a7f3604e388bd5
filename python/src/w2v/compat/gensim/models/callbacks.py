"""Callbacks of training."""

from __future__ import annotations

from typing import Any

__all__ = ["CallbackAny2Vec"]


class CallbackAny2Vec:
    """What is called when training and its epochs begin and end, with the ``Word2Vec`` that is trained.

    At the end of an epoch, ``model.wv`` is what has been learned so far. Training goes on meanwhile.
    """

    def on_train_begin(self, model: Any) -> None:
        """Training begins: there are no vectors yet."""

    def on_epoch_begin(self, model: Any) -> None:
        """An epoch begins."""

    def on_epoch_end(self, model: Any) -> None:
        """An epoch has ended."""

    def on_train_end(self, model: Any) -> None:
        """Training has ended."""
