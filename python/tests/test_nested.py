"""The first numbers of vectors are models of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

import numpy as np
import pytest
from program import neighbours, objects, same_answers, vectors

import w2v

Models = Callable[[str], Path]

NAMES = ["nested", "words", "fasttext", "floret", "hash", "low-rank", "low-rank-fasttext", "cbow", "structured", "tied", "hs"]


@pytest.mark.parametrize("name", NAMES)
def test_first_is_that_of_the_program(binary: str, models: Models, name: str) -> None:
    path = models(name)
    model = w2v.load(path, dim=7)
    assert model.dim == model.vector_size == 7 and model.vectors.shape == (len(model), 7)
    words = model.words[:30] + ["unseenword"]
    want = vectors(binary, path, words, "--first", "7")
    for word, vector in want.items():
        np.testing.assert_allclose(model[word], vector, atol=1e-6, err_msg=word)
    same_answers(model.most_similar(model.words[9]), neighbours(binary, "nn", "--first=7", "--", str(path), model.words[9]))
    (sentence,) = objects(binary, "sentence", "--first=7", str(path), stdin=b"the weather in those days\n")
    np.testing.assert_allclose(model.embed("the weather in those days"), sentence["vector"], atol=1e-6)


def test_first_of_a_mapped_model_copies_nothing(models: Models) -> None:
    model = w2v.load(models("nested"))
    cut = model.first(8)
    assert np.shares_memory(cut.vectors, model.vectors)
    assert cut.words is model.words
    assert model.first(model.dim) is model


def test_context_vectors(binary: str, models: Models, tmp_path: Path) -> None:
    for name in ("words", "structured", "tied", "fasttext"):
        model = w2v.load(models(name))
        want = vectors(binary, models(name), model.words[:20], "--vectors=output")
        assert model.context_vectors is not None
        for i, word in enumerate(model.words[:20]):
            np.testing.assert_allclose(model.context_vectors[i], want[word], atol=1e-6, err_msg=f"{name} {word}")
        short = model.first(5).context_vectors
        assert short is not None
        np.testing.assert_allclose(short, model.context_vectors[:, :5], atol=1e-6)
    assert w2v.load(models("hs")).context_vectors is None


def test_weights_that_are_dimensions_cannot_be_cut(models: Models) -> None:
    model = w2v.load(models("hash-append"))
    assert model.first(30)["the"].tolist() == model["the"][:30].tolist()
    with pytest.raises(ValueError, match="all stay or none: ask for 30 at most"):
        model.first(31)


@pytest.mark.parametrize("n", [0, -1, 33])
def test_dimensions_that_there_are_not(models: Models, n: int) -> None:
    with pytest.raises(ValueError, match=f"{n} dimensions asked for, the model has 32"):
        w2v.load(models("nested"), dim=n)


def test_notes_name_no_temporary_folder(caplog: pytest.LogCaptureFixture) -> None:
    sentences = [["cat", "owl", "pig", "bee"]] * 50
    trained = w2v.train(sentences, dim=8, nested="4,8", min_count=1, sample=0, threads=1)
    with caplog.at_level("INFO", "w2v"):
        w2v.train(sentences, init=trained.first(4), min_count=1, sample=0, threads=1)
    notes = [r.getMessage() for r in caplog.records if "init.w2v" in r.getMessage()]
    assert notes and not any("w2v-" in note for note in notes)
