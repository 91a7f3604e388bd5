"""Models are merged by the program, those in files and those in memory."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import w2v

LINES = [["the", "cat", "sat", "on", "the", "mat"], ["a", "dog", "sat", "on", "a", "cat"]] * 30


def trained(**settings: object) -> w2v.Model:
    return w2v.train(LINES, min_count=1, sample=0, epochs=2, workers=1, **settings)  # type: ignore[arg-type]


def test_files_and_models_in_memory(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    words, ngrams = trained(dim=6), trained(dim=8, subwords="fasttext", bucket=200)
    file = tmp_path / "words.w2v"
    words.save(file)
    with caplog.at_level(logging.WARNING, logger="w2v"):
        merged = w2v.merge([words, ngrams], dim=7, weights=[1, 0.5])
    assert "without context vectors" in caplog.text
    of_files = w2v.merge([file, ngrams], tmp_path / "merged.w2v", dim=7, weights=[1, 0.5])
    assert merged.path is None and of_files.path == str(tmp_path / "merged.w2v")
    for word in [*words.words, "cats", "unseen"]:
        assert np.array_equal(merged[word], of_files[word])
    said, other = merged.training, of_files.training
    assert said is not None and other is not None
    assert said["in"] == ["1.w2v", "2.w2v"] and said["output"] is None
    assert other["in"] == [str(file), "2.w2v"] and other["output"] == str(tmp_path / "merged.w2v")
    assert said["dim"] == 7 and said["shared_words"] == len(words.words)
    assert [part["weight"] for part in said["parts"]] == [1, 0.5]
    # Joined unit vectors on their first right singular vectors have these directions, as numpy computes them.
    def unit(rows: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    joined = [
        weight * unit(np.array([model[word] for word in merged.words], np.float64))
        for model, weight in ((words, 1), (ngrams, 0.5))
    ]
    u, s, _ = np.linalg.svd(np.hstack(joined), full_matrices=False)
    want = unit(u[:, :7] * s[:7])
    got = unit(np.array([merged[word] for word in merged.words], np.float64))
    assert np.allclose(got @ got.T, want @ want.T, atol=1e-5)


def test_average_of_a_model_with_itself(tmp_path: Path) -> None:
    ngrams = trained(dim=5, subwords="fasttext", bucket=100)
    same = w2v.merge([ngrams, ngrams], method="average")
    for word in [*ngrams.words, "cats"]:
        assert np.allclose(same[word], ngrams[word], atol=1e-5)


def test_refuses(tmp_path: Path) -> None:
    words = trained(dim=3)
    with pytest.raises(w2v.UsageError, match="two or more, and there is 1$"):
        w2v.merge([words])
    with pytest.raises(TypeError, match="^weights is a text, '1,2', and must be numbers"):
        w2v.merge([words, words], weights="1,2")  # type: ignore[arg-type]
    with pytest.raises(w2v.UsageError, match="^method: "):
        w2v.merge([words, words], method="sum")
    with pytest.raises(w2v.Error, match="dimensions asked for, there are 6 together"):
        w2v.merge([words, words], dim=7)
    with pytest.raises(w2v.Error, match="none.w2v"):
        w2v.merge([words, tmp_path / "none.w2v"])
    with pytest.raises(TypeError, match="model 1 is of type int"):
        w2v.merge([words, 3])  # type: ignore[list-item]


def test_recipe(tmp_path: Path) -> None:
    """A recipe of lists is the merged model of its parts, whose checkpoints stay."""
    words, ngrams = trained(dim=12, window=10), trained(dim=12, subwords="fasttext", power=1)
    cbow = trained(dim=12, subwords="fasttext", arch="cbow")
    ticks: list[w2v.Progress] = []
    best = trained(dim=6, recipe="best", checkpoint=tmp_path / "run.ck", callback=ticks.append)
    merged = w2v.merge([words, ngrams, cbow], dim=6, weights=[1, 1.5, 1], power=0.7)
    for word in [*words.words, "cats"]:
        assert np.array_equal(best[word], merged[word])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.ck.cbow", "run.ck.n-grams", "run.ck.wide-words"]
    assert ticks
    assert best.training is not None and best.training["recipe"] == "best"
    again = trained(dim=6, recipe="best", resume=tmp_path / "run.ck")
    assert np.array_equal(again["cat"], best["cat"])
    with pytest.raises(w2v.UsageError, match="recipe"):
        trained(dim=6, recipe="best", arch="cbow")
