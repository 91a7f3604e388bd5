"""How far a training run is, and how that is shown."""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional


@dataclass(frozen=True)
class Progress:
    """How far training is. A callback gets one about once a second, and one at the end.

    With `train_pairs` and `distill`, tokens are pairs and texts.

    Attributes:
        tokens: tokens that are trained, of all epochs.
        total: tokens to train, of all epochs.
        loss: mean loss of a pair with its negatives since the progress before; in the final one,
            of the last epoch. None if nothing was trained.
        learning_rate: the learning rate now.
        tokens_per_second: tokens trained in a second, since training began.
        elapsed: seconds of training.
        eta: seconds that are left.
        final: this is the last progress of the run.
        held_out_loss: the last loss on the held-out text of `validate`, or None.
        scores: the last score of each set of `eval`, by its name.
    """

    tokens: int
    total: int
    loss: Optional[float]
    learning_rate: float
    tokens_per_second: Optional[float]
    elapsed: float
    eta: float
    final: bool
    held_out_loss: Optional[float] = None
    scores: Mapping[str, float] = field(default_factory=dict)

    @property
    def fraction(self) -> float:
        """The part of training that is done, from 0 to 1."""
        return self.tokens / self.total if self.total else 1.0


def progress_of(event: Mapping[str, Any], evaluation: Optional[Mapping[str, Any]]) -> Progress:
    """Return the progress that the program has logged, with its last evaluation."""
    scores: Dict[str, float] = {}
    held_out = None
    if evaluation is not None:
        held_out = evaluation["held_out_loss"]
        scores = {s["set"]: s["score"] for s in evaluation["scores"] or ()}
    return Progress(
        tokens=event["tokens"],
        total=event["total"],
        loss=event["loss"],
        learning_rate=event["lr"],
        tokens_per_second=event["tokens_per_second"],
        elapsed=event["elapsed"],
        eta=event["eta"],
        final=event["final"],
        held_out_loss=held_out,
        scores=scores,
    )


class Display:
    """Shows nothing."""

    def reading(self, sentences: int) -> None:
        """So many sentences have been read."""

    def training(self, progress: Progress) -> None:
        """Training is so far."""

    def close(self) -> None:
        """Nothing more is shown."""


class _Line(Display):
    """One line on stderr, written over and over on a terminal, and every ten seconds elsewhere."""

    def __init__(self, read: str) -> None:
        self._read = read
        self._terminal = sys.stderr.isatty()
        self._every = 0.2 if self._terminal else 10.0
        self._shown = 0.0
        self._width = 0

    def reading(self, sentences: int) -> None:
        self._show(f"reading: {sentences:,} {self._read}", now=False)

    def training(self, progress: Progress) -> None:
        parts = [f"training: {progress.fraction:4.0%}"]
        if progress.tokens_per_second is not None:
            parts.append(f"{progress.tokens_per_second / 1e6:.2f} M tokens/s")
        if progress.loss is not None:
            parts.append(f"loss {progress.loss:.4f}")
        if progress.held_out_loss is not None:
            parts.append(f"held-out loss {progress.held_out_loss:.4f}")
        parts.extend(f"{name} {score:.3f}" for name, score in progress.scores.items())
        parts.append(f"{progress.elapsed:.0f} s" if progress.final else f"{progress.eta:.0f} s left")
        self._show(", ".join(parts), now=progress.final)

    def _show(self, text: str, now: bool) -> None:
        at = time.monotonic()
        if not now and at - self._shown < self._every:
            return
        self._shown = at
        if self._terminal:
            sys.stderr.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\n")


class _Bar(Display):
    """A bar of tqdm, first of sentences and then of tokens."""

    def __init__(self, tqdm: Any, read: str, trained: str) -> None:
        self._tqdm, self._read, self._trained = tqdm, read, trained
        self._reading: Any = None
        self._training: Any = None

    def reading(self, sentences: int) -> None:
        if self._reading is None:
            self._reading = self._tqdm(desc="reading", unit=f" {self._read}", unit_scale=True, leave=False)
        self._reading.update(sentences - self._reading.n)

    def training(self, progress: Progress) -> None:
        if self._reading is not None:
            self._reading.close()
            self._reading = None
        if self._training is None:
            self._training = self._tqdm(
                desc="training", total=progress.total, unit=f" {self._trained}", unit_scale=True
            )
        shown: Dict[str, str] = {}
        if progress.loss is not None:
            shown["loss"] = f"{progress.loss:.4f}"
        if progress.held_out_loss is not None:
            shown["held_out"] = f"{progress.held_out_loss:.4f}"
        shown.update((name, f"{score:.3f}") for name, score in progress.scores.items())
        self._training.set_postfix(shown, refresh=False)
        self._training.update(progress.tokens - self._training.n)

    def close(self) -> None:
        for bar in self._reading, self._training:
            if bar is not None:
                bar.close()


def _in_notebook() -> bool:
    """Tell whether this is a kernel of Jupyter, whose output is that of a notebook, by what `tqdm.auto` goes by too."""
    try:
        return "IPKernelApp" in sys.modules["IPython"].get_ipython().config
    except (KeyError, AttributeError):
        return False


def display(progress: Optional[bool], read: str = "sentences", trained: str = "tokens") -> Display:
    """Return what shows progress: a bar of tqdm if that is installed, or else a line on stderr.

    Args:
        progress: True shows it, False does not, None shows it if stderr is a terminal, and in a notebook.
        read: what is read, for people.
        trained: what is trained.
    """
    if progress is None:
        progress = sys.stderr is not None and (sys.stderr.isatty() or _in_notebook())
    if not progress:
        return Display()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # in a notebook without widgets
            from tqdm.auto import tqdm
    except ImportError:
        return _Line(read)
    return _Bar(tqdm, read, trained)
