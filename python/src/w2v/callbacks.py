"""Callbacks of epochs: what is called while `train` trains, and with what."""

from __future__ import annotations

import io
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional

from .errors import Error, UsageError
from .native import Native, content

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Callbacks", "Epoch"]

#: What a callback may have. The names are those of gensim's CallbackAny2Vec.
_METHODS = ("on_train_begin", "on_epoch_begin", "on_epoch_end", "on_train_end")


class Epoch:
    """A moment of training between two epochs, as callbacks get it.

    Attributes:
        number: how many epochs have ended, 0 when training begins.
        epochs: how many there are.
        tokens: tokens that are trained, of all epochs.
        loss: mean loss of a pair with its negatives in the epoch that has ended; None if none was measured.
        held_out_loss: the loss on the held-out text of ``validate``, or None.
        elapsed: seconds of training.
    """

    def __init__(self, event: Mapping[str, Any], epochs: int, file: Optional[io.FileIO] = None, model: "Optional[Model]" = None) -> None:
        self.number, self.epochs = int(event["epoch"]), epochs
        self.tokens, self.elapsed = int(event["tokens"]), float(event.get("elapsed", 0))
        self.loss: Optional[float] = event.get("loss")
        self.held_out_loss: Optional[float] = event.get("held_out_loss")
        self._file, self._made, self._wrong = file, model, event.get("error")

    def __repr__(self) -> str:
        return f"<w2v.Epoch {self.number} of {self.epochs}, loss {self.loss}>"

    @property
    def has_model(self) -> bool:
        """Whether an epoch of this run has ended, so that there is a model."""
        return self._made is not None or self._file is not None

    @cached_property
    def model(self) -> "Model":
        """The model as it was when the epoch ended. It is read when it is asked for, now or later.

        Raises:
            Error: no epoch has ended yet, or the model could not be written.
        """
        from .model import Model

        if self._made is not None:
            return self._made
        if self._file is None:
            raise Error(f"the model of this epoch could not be written: {self._wrong}" if self._wrong else "no epoch of this run has ended: there is no model yet")
        with self._file as file:
            model = Model(Native(content(file)))
        model.training = {name: getattr(self, name) for name in ("number", "epochs", "tokens", "loss", "held_out_loss", "elapsed")}
        return model

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            advice = {"wv": "epoch.model", "get_latest_training_loss": "epoch.loss", "save": "epoch.model.save(path)"}.get(name, "")
            what = f". In its place: {advice}; Word2Vec of w2v.compat.gensim calls callbacks with a model of gensim" if advice else ""
            raise AttributeError(f"an epoch of w2v has no {name}{what}")


class Callbacks:
    """Calls callbacks of epochs."""

    def __init__(self, given: Any) -> None:
        if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
            raise TypeError(f"callbacks is of type {type(given).__name__}, and must be a list of functions, or of objects with on_epoch_end")
        self._all: List[Any] = list(given)
        for one in self._all:
            if not callable(one) and not any(hasattr(one, name) for name in _METHODS):
                raise TypeError(f"a callback is of type {type(one).__name__}, and must be a function, or have one of {', '.join(_METHODS)}")
        self._epochs = self._total = self._before = 0

    def __bool__(self) -> bool:
        return bool(self._all)

    def flags(self, settings: Mapping[str, Any], folder: str) -> List[str]:
        """Return the flags that make the program write models of epochs into a folder."""
        if not self._all:
            return []
        for name in ("eval_every", "epoch_models"):
            if settings.get(name) is not None:
                raise UsageError(f"callbacks= are called when epochs end, and {name}= says something else: give one of them")
        return [f"--epoch-models={os.path.join(folder, 'epochs')}"]

    def begin(self, event: Mapping[str, Any]) -> None:
        """Training begins, as the program says."""
        self._epochs, self._total = event["epochs"], event["total"]
        self._before = event["tokens"] * self._epochs // max(self._total, 1)
        self._call(Epoch({"epoch": self._before, "tokens": event["tokens"]}, self._epochs), "on_train_begin", "on_epoch_begin")

    def ended(self, event: Mapping[str, Any], file: Optional[io.FileIO]) -> None:
        """An epoch has ended."""
        if event["epoch"] == self._before:  # a resumed run begins with an evaluation
            return
        more = ("on_epoch_begin",) if event["tokens"] < self._total else ()
        self._call(Epoch(event, self._epochs, file), "on_epoch_end", *more)

    def end(self, done: Mapping[str, Any], model: "Model") -> None:
        """Training has ended with a model."""
        if not self._all:
            return
        number = done["trained"] * done["epochs"] // max(self._total, 1)
        moment = {"epoch": number, "tokens": done["trained"], "loss": done["loss"], "elapsed": done["seconds"]}
        self._call(Epoch(moment, self._epochs, model=model), "on_train_end")

    def _call(self, moment: Epoch, *names: str) -> None:
        for name in names:
            for one in self._all:
                if hasattr(one, name):
                    getattr(one, name)(moment)
                elif name == "on_epoch_end" and callable(one):
                    one(moment)
