"""What docs/from-fasttext.md says that methods and arguments of fastText are in w2v, is so."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Tuple

import numpy as np
import pytest

import w2v
from w2v import _arguments

fasttext = pytest.importorskip("fasttext")

WORDS = ["paris", "the", "parisian", "enviroment"]


@pytest.fixture(scope="module")
def both(binary: str, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Tuple[Any, w2v.Model]:
    """The same file of `w2v fasttext`, as fastText's module and w2v read it."""
    path = tmp_path_factory.mktemp("fasttext") / "model"
    flags = ["-dim", "16", "-bucket", "5000", "-epoch", "2", "-thread", "1", "-verbose", "0"]
    subprocess.run(
        [binary, "fasttext", "skipgram", "-input", str(corpus), "-output", str(path), *flags], check=True
    )
    return fasttext.FastText._FastText(model_path=f"{path}.bin"), w2v.load(f"{path}.bin")


def test_words(both: Tuple[Any, w2v.Model]) -> None:
    theirs, ours = both
    words, counts = theirs.get_words(include_freq=True)
    assert words == ours.words
    assert ours.counts is not None
    assert counts.tolist() == ours.counts.tolist()
    assert [theirs.get_word_id(w) for w in WORDS] == [ours.key_to_index.get(w, -1) for w in WORDS]
    assert theirs.get_dimension() == ours.dim


def test_vectors(both: Tuple[Any, w2v.Model]) -> None:
    theirs, ours = both
    for word in WORDS:
        np.testing.assert_allclose(ours[word], theirs.get_word_vector(word), atol=1e-6)
    for text in ["the train to paris", "paris enviroment", "the"]:
        np.testing.assert_allclose(ours.get_mean_vector(text.split()), theirs.get_sentence_vector(text), atol=1e-6)
    assert ours.context_vectors is not None
    np.testing.assert_array_equal(ours.context_vectors, theirs.get_output_matrix())
    assert ours.get("") is None
    assert not theirs.get_word_vector("").any()


def test_answers(both: Tuple[Any, w2v.Model]) -> None:
    theirs, ours = both
    for word in WORDS:
        want = theirs.get_nearest_neighbors(word, k=3)
        got = ours.most_similar(word, topn=3)
        assert [w for w, _ in got] == [w for _, w in want]
        np.testing.assert_allclose([x for _, x in got], [x for x, _ in want], atol=1e-5)
    want = theirs.get_analogies("berlin", "germany", "france", k=3)
    got = ours.most_similar(positive=["berlin", "france"], negative=["germany"], topn=3)
    assert [w for w, _ in got] == [w for _, w in want]


@pytest.mark.parametrize(
    "name, value",
    [
        ("lr", 0.05),
        ("dim", 100),
        ("ws", 5),
        ("epoch", 5),
        ("minCount", 5),
        ("minn", 3),
        ("maxn", 6),
        ("neg", 5),
        ("loss", "hs"),
        ("bucket", 1000),
        ("thread", 2),
        ("t", 0.0001),
        ("wordNgrams", 2),
        ("pretrainedVectors", "model.vec"),
    ],
)
def test_arguments_that_are_taken(name: str, value: Any) -> None:
    assert _arguments.flags({name: value})


@pytest.mark.parametrize("name", ["lrUpdateRate", "label", "autotuneValidationFile"])
def test_arguments_that_are_refused(name: str) -> None:
    with pytest.raises(TypeError, match=name):
        _arguments.flags({name: 1})
