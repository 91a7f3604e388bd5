"""What programs rely on of fastText's module holds in fastText itself and in w2v.compat.fasttext: every test runs with both."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import numpy as np
import pytest

LABELLED = "".join(
    f"{line}\n"
    for line in [
        "__label__cat the cat purrs on the mat", "__label__cat a cat sleeps all day", "__label__dog the dog barks at the door",
        "__label__dog a dog runs in the park", "__label__cat __label__dog the cat and the dog play",
    ]
    * 20
)  # fmt: skip


@pytest.fixture(params=["fasttext", "w2v.compat.fasttext"])
def lib(request: Any, binary: str) -> Any:
    """fastText's module, or what stands for it."""
    pytest.importorskip("fasttext")
    return importlib.import_module(request.param)


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("labelled") / "labelled.txt"
    path.write_text(LABELLED)
    return str(path)


@pytest.fixture(scope="module")
def made() -> Dict[Any, Any]:
    return {}


@pytest.fixture
def classifier(lib: Any, labelled: str, made: Dict[Any, Any]) -> Any:
    if (lib.__name__, "classifier") not in made:
        made[lib.__name__, "classifier"] = lib.train_supervised(labelled, dim=8, epoch=30, lr=1.0, verbose=0, thread=1, minn=2, maxn=3, bucket=1000)
    return made[lib.__name__, "classifier"]


@pytest.fixture
def vectors(lib: Any, corpus: Path, made: Dict[Any, Any]) -> Any:
    if (lib.__name__, "vectors") not in made:
        made[lib.__name__, "vectors"] = lib.train_unsupervised(str(corpus), model="skipgram", dim=16, epoch=1, bucket=5000, thread=1, verbose=0)
    return made[lib.__name__, "vectors"]


def test_names_of_the_module(lib: Any) -> None:
    for name in ("train_supervised", "train_unsupervised", "load_model", "tokenize", "EOS", "BOW", "EOW", "FastText"):
        assert hasattr(lib, name)
    assert (lib.EOS, lib.BOW, lib.EOW) == ("</s>", "<", ">")
    assert lib.tokenize("to be\tor\nnot") == ["to", "be", "or", "</s>", "not"]
    assert lib.tokenize("") == [] and lib.tokenize("  two  words ") == ["two", "words"]


def test_vectors(vectors: Any, corpus: Path) -> None:
    assert vectors.get_dimension() == 16
    words, counts = vectors.get_words(include_freq=True)
    assert words == vectors.words == vectors.get_words() and len(counts) == len(words)
    assert words[0] == "the" and "paris" in words and len(set(words)) == len(words)
    assert counts[words.index("the")] == corpus.read_text().split().count("the")
    assert "paris" in vectors and "xx-unknown" not in vectors
    assert vectors.get_word_id("the") == 0 and vectors.get_word_id("xx-unknown") == -1
    assert words[vectors.get_word_id("paris")] == "paris"
    assert vectors.get_word_vector("paris").shape == vectors["paris"].shape == (16,)
    assert vectors.get_word_vector("paris").dtype == np.float32
    assert vectors["parisienne"].any()
    np.testing.assert_array_equal(vectors["paris"], vectors.get_word_vector("paris"))
    assert not vectors.is_quantized()


def test_subwords(vectors: Any) -> None:
    names, rows = vectors.get_subwords("paris")
    assert names[0] == "paris" and rows[0] == vectors.get_word_id("paris")
    assert names[1:4] == ["<pa", "<par", "<pari"] and names[-1] == "is>"
    assert len(names) == len(rows) and (rows[1:] >= len(vectors.words)).all()
    assert vectors.get_subword_id("<pa") == rows[1]
    np.testing.assert_allclose(np.mean([vectors.get_input_vector(row) for row in rows], axis=0), vectors["paris"], atol=1e-5)
    assert vectors.get_subwords("xyzzy")[0][0] == "<xy"
    assert vectors.get_input_matrix().shape == (len(vectors.words) + 5000, 16)
    assert vectors.get_output_matrix().shape == (len(vectors.words), 16)


def test_sentences(vectors: Any) -> None:
    units = [vectors[word] / np.linalg.norm(vectors[word]) for word in ("the", "train")]
    np.testing.assert_allclose(vectors.get_sentence_vector("the train"), np.mean(units, axis=0), atol=1e-5)
    assert not vectors.get_sentence_vector("").any()
    with pytest.raises(ValueError):
        vectors.get_sentence_vector("two\nlines")
    words, labels = vectors.get_line("the train")
    assert words[:2] == ["the", "train"] and labels == []


def test_neighbours(vectors: Any) -> None:
    found = vectors.get_nearest_neighbors("paris", k=4)
    assert len(found) == 4 and len(vectors.get_nearest_neighbors("paris")) == 10
    assert [score for score, _ in found] == sorted((score for score, _ in found), reverse=True)
    assert "paris" not in [word for _, word in found] and all(isinstance(word, str) for _, word in found)
    assert len(vectors.get_nearest_neighbors("parisienne", k=2)) == 2
    found = vectors.get_analogies("berlin", "germany", "france", k=3)
    assert len(found) == 3 and not {"berlin", "germany", "france"} & {word for _, word in found}


def test_files_of_vectors(lib: Any, vectors: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "model.bin")
    vectors.save_model(path)
    again = lib.load_model(path)
    assert again.words == vectors.words and again.get_dimension() == 16
    for word in ("paris", "parisienne"):
        np.testing.assert_allclose(again[word], vectors[word], atol=1e-6)
    other = importlib.import_module("fasttext" if lib.__name__ != "fasttext" else "w2v.compat.fasttext").load_model(path)
    np.testing.assert_allclose(other["parisienne"], vectors["parisienne"], atol=1e-5)
    with pytest.raises(ValueError):
        lib.load_model("no-such-file")


@pytest.mark.parametrize("settings", [{"model": "cbow"}, {"maxn": 0}, {"minn": 2, "maxn": 3}, {"loss": "hs"}, {"minCount": 50}, {"ws": 2}, {"neg": 3}, {"t": 0.01}, {"lr": 0.1}])
def test_settings_of_vectors(lib: Any, corpus: Path, settings: Dict[str, Any]) -> None:
    model = lib.train_unsupervised(str(corpus), dim=8, epoch=1, bucket=1000, thread=1, verbose=0, **settings)
    assert model["the"].any() and model.get_dimension() == 8
    assert all(getattr(model, name) == value for name, value in settings.items() if name not in ("model", "loss"))
    _, counts = model.get_words(include_freq=True)
    assert counts[1:].min() >= settings.get("minCount", 5)


def test_predictions(classifier: Any) -> None:
    labels, probabilities = classifier.predict("the cat purrs")
    assert labels == ("__label__cat",) and isinstance(labels, tuple) and 0.5 < probabilities[0] <= 1.001
    labels, probabilities = classifier.predict("the dog barks", k=2)
    assert labels == ("__label__dog", "__label__cat") and probabilities.shape == (2,)
    assert probabilities.sum() == pytest.approx(1, abs=0.01)
    assert classifier.predict("the dog barks", k=-1)[0] == labels
    assert classifier.predict("the dog barks", k=2, threshold=0.5)[0] == ("__label__dog",)
    several = classifier.predict(["the cat purrs", "a dog runs"])
    assert several[0] == [["__label__cat"], ["__label__dog"]] and [len(p) for p in several[1]] == [1, 1]
    with pytest.raises(ValueError):
        classifier.predict("two\nlines")
    with pytest.raises(ValueError):
        classifier.predict("the cat", k=0)


def test_labels_and_words(classifier: Any) -> None:
    labels, counts = classifier.get_labels(include_freq=True)
    assert sorted(labels) == sorted(classifier.labels) == ["__label__cat", "__label__dog"]
    assert sorted(counts.tolist()) == [60, 60]
    assert "cat" in classifier.words and "__label__cat" not in classifier.words
    assert classifier.get_label_id("__label__cat") in (0, 1)
    words, found = classifier.get_line("the cat __label__dog")
    assert words == ["the", "cat", "</s>"] and found == ["__label__dog"]
    assert classifier.get_dimension() == 8
    assert classifier.get_output_matrix().shape == (2, 8)
    assert classifier.get_word_vector("cat").shape == classifier.get_sentence_vector("the cat").shape == (8,)


def test_scores(classifier: Any, labelled: str, tmp_path: Path) -> None:
    n, precision, recall = classifier.test(labelled)
    assert n == 100 and precision > 0.9 and 0.7 < recall <= 1
    assert classifier.test(labelled, k=2)[2] == 1
    by_label = classifier.test_label(labelled)
    assert set(by_label) == {"__label__cat", "__label__dog"} and by_label["__label__cat"]["precision"] > 0.9
    with pytest.raises(ValueError):
        classifier.test("no-such-file")


def test_attributes_of_training(classifier: Any) -> None:
    assert (classifier.dim, classifier.epoch, classifier.lr, classifier.wordNgrams, classifier.minn, classifier.maxn) == (8, 30, 1.0, 1, 2, 3)
    assert classifier.label == "__label__" and classifier.bucket == 1000


def test_files_of_classifiers(lib: Any, classifier: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "model.bin")
    classifier.save_model(path)
    again = lib.load_model(path)
    assert again.predict("the cat purrs")[0] == ("__label__cat",)
    np.testing.assert_allclose(again.predict("the cat purrs")[1], classifier.predict("the cat purrs")[1], atol=1e-5)
    other = importlib.import_module("fasttext" if lib.__name__ != "fasttext" else "w2v.compat.fasttext").load_model(path)
    np.testing.assert_allclose(other.predict("a dog", k=2)[1], classifier.predict("a dog", k=2)[1], atol=1e-5)


def test_quantized(lib: Any, labelled: str, tmp_path: Path) -> None:
    model = lib.train_supervised(labelled, dim=8, epoch=30, lr=1.0, verbose=0, thread=1, minn=2, maxn=3, bucket=1000)
    model.quantize(dsub=2)
    assert model.is_quantized() and model.predict("the cat purrs")[0] == ("__label__cat",)
    model.save_model(str(tmp_path / "model.ftz"))
    assert lib.load_model(str(tmp_path / "model.ftz")).is_quantized()
    with pytest.raises(ValueError):
        model.get_input_matrix()


@pytest.mark.parametrize("settings", [{"loss": "ova"}, {"loss": "hs"}, {"loss": "ns"}, {"wordNgrams": 2, "bucket": 1000}, {"minCount": 2}, {"label": "__label__"}])
def test_settings_of_classifiers(lib: Any, labelled: str, settings: Dict[str, Any]) -> None:
    model = lib.train_supervised(input=labelled, dim=8, epoch=40, lr=1.0, verbose=0, thread=1, **settings)
    assert model.predict("the cat purrs")[0] == ("__label__cat",)


@pytest.mark.parametrize(
    "wrong, error",
    [
        (lambda lib: lib.train_supervised("no-such-file", verbose=0), ValueError),
        (lambda lib: lib.train_supervised(input="x", no_such=1), TypeError),
        (lambda lib: lib.train_unsupervised("x", model="none"), ValueError),
        (lambda lib: lib.train_unsupervised("x", loss="none"), ValueError),
        (lambda lib: lib.skipgram("x"), Exception),
        (lambda lib: lib.cbow("x"), Exception),
        (lambda lib: lib.supervised("x"), Exception),
    ],
)
def test_what_is_an_error(lib: Any, wrong: Callable[[Any], Any], error: Any) -> None:
    with pytest.raises(error):
        wrong(lib)


def cannot_hold() -> Iterator[Tuple[str, str]]:
    yield "vectors.f is not None", "it is the C++ object; the model has its methods"
    yield "not isinstance(vectors.loss, str)", "it is an enum of C++"
    yield "module('util').reduce_model.__name__ == 'reduce_model'", "w2v convert --dim makes vectors of fewer dimensions"
    yield "module('util').download_model.__name__ == 'download_model'", "models are downloaded by other means"


@pytest.mark.parametrize("assertion, why", [pytest.param(*of, id=of[0]) for of in cannot_hold()])
def test_what_cannot_hold(lib: Any, vectors: Any, assertion: str, why: str) -> None:
    try:
        held, error = bool(eval(assertion, {"vectors": vectors, "module": lambda name: importlib.import_module(f"{lib.__name__}.{name}")})), None
    except (AttributeError, ImportError) as refused:
        held, error = False, refused
    assert held == (lib.__name__ == "fasttext"), (error, why)


def test_what_is_refused_by_name() -> None:
    module = importlib.import_module("w2v.compat.fasttext")
    names: List[str] = ["util", "fasttext_pybind"]
    for name in names:
        with pytest.raises(ImportError, match=f"w2v.compat.fasttext has no {name}: "):
            getattr(module, name)
    with pytest.raises(AttributeError):
        module.no_such_name
