"""Callbacks of epochs, and the models that they get."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np
import pytest

import w2v

SETTINGS: Dict[str, Any] = {"vector_size": 8, "epochs": 3, "workers": 1, "progress": False}


class Recorder:
    """Remembers when it was called."""

    def __init__(self) -> None:
        self.calls: List[Tuple[str, int]] = []
        self.moments: List[w2v.Epoch] = []

    def on_train_begin(self, epoch: w2v.Epoch) -> None:
        self.calls.append(("begin", epoch.number))
        with pytest.raises(w2v.Error, match="no epoch of this run has ended: there is no model yet"):
            epoch.model

    def on_epoch_begin(self, epoch: w2v.Epoch) -> None:
        self.calls.append(("epoch", epoch.number))

    def on_epoch_end(self, epoch: w2v.Epoch) -> None:
        self.calls.append(("end", epoch.number))
        self.moments.append(epoch)

    def on_train_end(self, epoch: w2v.Epoch) -> None:
        self.calls.append(("done", epoch.number))
        self.moments.append(epoch)


@pytest.mark.parametrize("streamed", [True, False])
def test_order_and_models(corpus: Path, sentences: List[List[str]], streamed: bool) -> None:
    functions: List[w2v.Epoch] = []
    recorder = Recorder()
    model = w2v.train(sentences if streamed else corpus, callbacks=[recorder, functions.append], **SETTINGS)
    ends = [call for n in range(3) for call in (("epoch", n), ("end", n + 1))]
    assert recorder.calls == [("begin", 0), *ends, ("done", 3)]
    first, second, third, done = recorder.moments
    assert functions == recorder.moments[:3]
    assert done.model is model and first.epochs == 3
    assert first.loss is not None and third.loss is not None and first.loss > third.loss > 0
    assert done.loss == pytest.approx(third.loss)
    assert 0 < first.tokens < second.tokens < third.tokens == done.tokens
    assert first.held_out_loss is None and first.elapsed > 0
    # With one worker, the models are those of the moments, whenever they are read.
    np.testing.assert_array_equal(third.model.vectors, model.vectors)
    assert first.model is first.model
    assert not np.array_equal(first.model.vectors, second.model.vectors)
    assert first.model.words == model.words
    assert first.model.training is not None and first.model.training["number"] == 1
    assert model.training is not None and model.training["evaluations"] == []
    assert repr(first).startswith("<w2v.Epoch 1 of 3, loss ")


def test_callbacks_of_gensim_are_told_what_to_write(corpus: Path) -> None:
    for name, advice in [("wv", "epoch.model;"), ("get_latest_training_loss", "epoch.loss;"), ("save", r"epoch.model.save\(path\);")]:
        with pytest.raises(AttributeError, match=f"an epoch of w2v has no {name}. In its place: {advice} Word2Vec of w2v.compat.gensim"):
            w2v.train(corpus, callbacks=[lambda epoch, name=name: getattr(epoch, name)], **SETTINGS)


def test_evaluations_are_told_of(corpus: Path) -> None:
    seen: List[w2v.Epoch] = []
    model = w2v.train(corpus, validate=0.1, callbacks=[seen.append], **SETTINGS)
    assert model.training is not None
    evaluations = model.training["evaluations"]
    assert [epoch.held_out_loss for epoch in seen] == [e["held_out_loss"] for e in evaluations]
    assert not {"file", "model", "epoch", "error"} & set(evaluations[0])


def test_resumed_runs_count_on(corpus: Path, tmp_path: Path) -> None:
    w2v.train(corpus, checkpoint=tmp_path / "run.ck", **SETTINGS)
    recorder = Recorder()
    w2v.train(corpus, resume=tmp_path / "run.ck", extend_epochs=2, callbacks=[recorder], progress=False)
    assert recorder.calls == [("begin", 3), ("epoch", 3), ("end", 4), ("epoch", 4), ("end", 5), ("done", 5)]


def test_an_exception_ends_training(corpus: Path, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(epoch: w2v.Epoch) -> None:
        epoch.model.save(tmp_path / "first.w2v")
        raise Enough

    with pytest.raises(Enough):
        w2v.train(corpus, callbacks=[stop], **dict(SETTINGS, epochs=50))
    assert len(w2v.load(tmp_path / "first.w2v")) > 0


def test_nothing_is_left_in_temporary_folders(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    seen: List[w2v.Epoch] = []
    w2v.train(corpus, callbacks=[seen.append], **SETTINGS)
    assert list(tmp_path.iterdir()) == []
    assert seen[0].model.dim == 8


def test_what_is_no_callback(corpus: Path) -> None:
    for wrong, message in [(3, "must be a list"), (print, "must be a list"), ([3], "and must be a function, or have one of on_train_begin")]:
        with pytest.raises(TypeError, match=message):
            w2v.train(corpus, callbacks=wrong)  # type: ignore[arg-type]
    with pytest.raises(w2v.UsageError, match="eval_every= says something else"):
        w2v.train(corpus, callbacks=[print], eval_every=1000, validate=0.1)
    with pytest.raises(w2v.UsageError, match='recipe="best" does not go with callbacks: '):
        w2v.train(corpus, callbacks=[print], recipe="best")
    with pytest.raises(TypeError, match="callbacks=, which are called with an epoch"):
        w2v.train(corpus, epoch_models="folder")  # type: ignore[call-arg]
