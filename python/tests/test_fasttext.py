"""w2v.fasttext answers as fastText's module does."""

from __future__ import annotations

import __future__
import math
import re
from pathlib import Path
from typing import Any, Callable, List, Tuple

import numpy as np
import pytest

from w2v import Classifier, UsageError
from w2v import fasttext as ours
from w2v._meter import Meter

GOLDEN = Path(__file__).resolve().parents[2] / "testdata" / "fasttext"
NAMES = "supervised.bin wordngrams.bin quantised.ftz pruned.ftz labels.ftz class-hs.bin class-ova.bin class-ns.bin class-runs.ftz".split()
LABELLED = str(GOLDEN / "labelled.txt")

pytestmark = pytest.mark.usefixtures("binary")


def theirs(path: Any) -> Any:
    fasttext = pytest.importorskip("fasttext")
    return fasttext.FastText._FastText(model_path=str(path))


@pytest.fixture(params=NAMES)
def both(request: Any) -> Tuple[Any, ours.FastText]:
    return theirs(GOLDEN / request.param), ours.load_model(GOLDEN / request.param)


def texts() -> List[str]:
    lines = (GOLDEN / "lines.txt").read_text(encoding="utf-8", errors="ignore").split("\n")[:100]
    return [*lines, "bread </s> baker", "</s>", "x</s> bread", "", "\0 bread", "__label__bread bread"]


def test_predictions(both: Tuple[Any, ours.FastText]) -> None:
    for k, threshold in ((1, 0.0), (3, 0.1), (-1, 0.0), (1000, 0.0), (1, 2.0)):
        (want, p), (got, q) = both[0].predict(texts(), k, threshold), both[1].predict(texts(), k, threshold)
        assert got == want
        assert [(a.dtype, a.tolist()) for a in q] == [(a.dtype, a.tolist()) for a in p]
        for text in texts()[-10:]:
            one, other = both[0].predict(text, k, threshold), both[1].predict(text, k, threshold)
            assert other[0] == one[0] and isinstance(other[0], tuple) or not other[0]
            assert other[1].dtype == one[1].dtype and other[1].tolist() == one[1].tolist()
    assert both[1].predict([]) == both[0].predict([]) == ([], [])
    refused: List[Callable[[Any], Any]] = [
        lambda m: m.predict("a\nb"),
        lambda m: m.predict(["a", "a\nb"]),
        lambda m: m.predict("a", k=0),
        lambda m: m.test("/none"),
    ]
    for bad in refused:
        for model in both:
            with pytest.raises(ValueError):
                bad(model)


def test_words_labels_and_vectors(both: Tuple[Any, ours.FastText]) -> None:
    a, b = both
    assert b.labels == a.labels
    for want, got in ((a.get_labels(True), b.get_labels(True)), (a.get_words(True, "replace"), b.get_words(True, "replace"))):
        assert got[0] == want[0] and got[1].tolist() == want[1].tolist() and got[1].dtype == want[1].dtype
    assert (b.is_quantized(), b.get_dimension()) == (a.is_quantized(), a.get_dimension())
    assert [b.get_label_id(label) for label in a.labels] == list(range(len(a.labels))) and b.get_label_id("none") == -1
    for word in ("bread", "the", "zzzz", "für"):
        assert b.get_word_id(word) == a.get_word_id(word)
        np.testing.assert_allclose(b[word], a[word], atol=1e-6)
    for text in texts()[::9]:
        np.testing.assert_allclose(b.get_sentence_vector(text), a.get_sentence_vector(text), atol=1e-6)
        assert b.get_line(text) == a.get_line(text, "replace")


def test_every_name_is_there() -> None:
    fasttext = pytest.importorskip("fasttext")
    # Another test may have imported fasttext.util, which becomes a name then.
    for name in (n for n in dir(fasttext) if not n.startswith("_") and n != "util" and not hasattr(__future__, n)):
        assert hasattr(ours, name), name
        assert name in ours.__all__, name
    for name in (n for n in dir(fasttext.FastText._FastText) if not n.startswith("__")):
        assert hasattr(ours.FastText, name), name
    for name in (n for n in dir(fasttext.FastText._Meter) if not n.startswith("__")):
        assert hasattr(Meter, name), name
    for function in ("train_supervised", "train_unsupervised", "load_model", "tokenize", "_FastText"):
        assert hasattr(fasttext.FastText, function) and hasattr(ours.FastText, function)
    with pytest.raises(AttributeError, match="has no read_args: it is the class of models"):
        ours.FastText.read_args
    with pytest.raises(AttributeError, match="ask the model itself"):
        ours.load_model(GOLDEN / "class-hs.bin").f  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="'FastText' object has no attribute 'epochs'"):
        ours.load_model(GOLDEN / "class-hs.bin").epochs  # type: ignore[attr-defined]
    for name in ("cbow", "skipgram", "supervised"):
        with pytest.raises(NotImplementedError, match="Please use `train_"):
            getattr(ours, name)("text.txt")


@pytest.mark.parametrize("name", [*NAMES, "skipgram.bin", "cbow.bin"])
def test_rows_are_theirs(name: str) -> None:
    a, b = theirs(GOLDEN / name), ours.load_model(GOLDEN / name)
    words = [*a.get_words(on_unicode_error="replace")[:20], "zzzz", "für", "</s>", "", "__label__bread"]
    for word in words:
        (want, rows), (got, places) = a.get_subwords(word, "replace"), b.get_subwords(word, "replace")
        assert got == want and places.tolist() == rows.tolist()
        assert b.get_word_id(word) == a.get_word_id(word)
        assert (word in b) == (word in a.get_words(on_unicode_error="replace"))
    if b._inside().buckets:
        assert [b.get_subword_id(word) for word in words] == [a.get_subword_id(word) for word in words]
    last = len(a.get_words(on_unicode_error="replace")) - 1
    for row in (0, 1, last):
        assert b.get_input_vector(row).tolist() == a.get_input_vector(row).tolist()
    with pytest.raises(IndexError):
        b.get_input_vector(1 << 30)
    if a.is_quantized():
        refused: List[Callable[[Any], Any]] = [lambda m: m.get_input_matrix(), lambda m: m.get_output_matrix()]
        for bad in refused:
            for model in (a, b):
                with pytest.raises(ValueError, match="Can't get quantized Matrix"):
                    bad(model)
        return
    for matrix, its in ((a.get_input_matrix(), b.get_input_matrix()), (a.get_output_matrix(), b.get_output_matrix())):
        assert its.dtype == matrix.dtype and np.array_equal(its, matrix)
    inputs, outputs = a.get_input_matrix()[:, :3] * 2, a.get_output_matrix()[:, :3] * -1
    for model in (a, b):
        model.set_matrices(inputs, outputs)
    assert np.array_equal(b.get_input_matrix(), inputs) and np.array_equal(b.get_output_matrix(), outputs)
    np.testing.assert_allclose(b["the"], a["the"], atol=1e-6)
    assert b.get_dimension() == a.get_dimension() == 3
    if b.classifier is not None:
        assert b.predict("bread of the baker", -1)[1].tolist() == a.predict("bread of the baker", -1)[1].tolist()
    with pytest.raises(ValueError, match="must have"):
        b.set_matrices(inputs[1:], outputs)


def test_meters(both: Tuple[Any, ours.FastText], tmp_path: Path) -> None:
    a, b = both
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("no label\n")
    for path, k in ((LABELLED, -1), (LABELLED, 1), (LABELLED, 2), (str(nothing), -1)):
        want, got = a.get_meter(path, k), b.get_meter(path, k)
        for label in [None, *a.labels]:
            if label is not None:
                assert [x.tolist() for x in got.score_vs_true(label)] == [x.tolist() for x in want.score_vs_true(label)]
            if path != LABELLED:
                continue  # fastText has no meter of labels that no line has
            np.testing.assert_array_equal(got.precision_recall_curve(label), want.precision_recall_curve(label))
            for share in (0.0, 0.3, 0.9, 1.0, 2.0):
                assert got.precision_at_recall(share, label) == want.precision_at_recall(share, label)
                assert got.recall_at_precision(share, label) == want.recall_at_precision(share, label)
    with pytest.raises(ValueError, match="'none' is not a label"):
        b.get_meter(LABELLED).precision_recall_curve("none")
    with pytest.raises(ValueError):
        b.get_meter("/none")


@pytest.mark.parametrize("kind", ["skipgram", "cbow"])
def test_vectors_with_their_arguments(kind: str, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("bread of the baker\nthe dog and the cat\n" * 20)
    model = ours.train_unsupervised(text, kind, dim=6, min_count=2, bucket=500, epoch=1, thread=1, verbose=0)
    assert (model.lr, model.minCount, model.dim, model.maxn) == (0.05, 2, 6, 6)
    model.save_model(tmp_path / "m.bin")
    other = theirs(tmp_path / "m.bin")
    words = other.get_words()
    assert model.words == words and "bread" in model
    assert model.get_subwords("breads")[1].tolist() == other.get_subwords("breads")[1].tolist()
    assert np.array_equal(model.get_input_matrix(), other.get_input_matrix()) and len(model.get_input_matrix()) == len(words) + 500
    np.testing.assert_allclose(model["breads"], other["breads"], atol=1e-6)


@pytest.mark.parametrize("least", [1, 3])
def test_words_of_pretrained_vectors_are_theirs(least: int, tmp_path: Path) -> None:
    fasttext = pytest.importorskip("fasttext")
    text, start = tmp_path / "text.txt", tmp_path / "start.vec"
    text.write_text("__label__a bread of the baker\n__label__b the dog and the cat\n" * 4 + "__label__b a rare bird\n")
    start.write_text("4 3\nzebra 1 2 3\nbread .1 .2 .3\nrare .5 .5 .5\n__label__b 0 0 1\n")
    given: Any = {"dim": 3, "minCount": least, "pretrainedVectors": str(start), "verbose": 0}
    a, b = fasttext.train_supervised(str(text), **given), ours.train_supervised(str(text), **given)
    assert sorted(b.words) == sorted(a.words) and sorted(b.labels) == sorted(a.labels)
    assert b["zebra"].tolist() == a["zebra"].tolist() == [1, 2, 3]


def test_models_of_other_formats_have_rows(tmp_path: Path) -> None:
    model = ours.load_model(GOLDEN / "skipgram.bin")
    model._model().save(tmp_path / "m.w2v")
    again = ours.load_model(tmp_path / "m.w2v")
    assert again.get_subwords("bread")[1].tolist() == model.get_subwords("bread")[1].tolist()
    assert np.array_equal(again.get_input_matrix(), model.get_input_matrix())


def test_tests(both: Tuple[Any, ours.FastText], tmp_path: Path) -> None:
    a, b = both
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("no label\n")
    for path, k, threshold in ((LABELLED, 1, 0.0), (LABELLED, 2, 0.3), (str(nothing), 1, 0.0)):
        assert str(b.test(path, k, threshold)) == str(a.test(path, k, threshold))
        want, got = a.test_label(path, k, threshold), b.test_label(path, k, threshold)
        assert {label: str(of["precision"]) for label, of in got.items()} == {label: str(of["precision"]) for label, of in want.items()}
        assert all(math.isnan(of["f1score"]) or 0 <= of["f1score"] <= 1 for of in got.values())


def test_training_with_their_arguments(tmp_path: Path) -> None:
    model = ours.train_supervised(LABELLED, 0.5, dim=6, epoch=20, minCount=2, word_ngrams=2, minn=2, maxn=3, bucket=500, loss="ova", thread=1, ws=3, verbose=0)
    assert (model.lr, model.wordNgrams, model.minCount, model.loss) == (0.5, 2, 2, "ova")
    n, precision, _ = model.test(LABELLED)
    assert n == 60 and precision > 0.7
    path = tmp_path / "m.bin"
    model.save_model(path)
    again = ours.load_model(path)
    assert again.predict(texts(), k=2)[0] == model.predict(texts(), k=2)[0]
    assert again.get_word_id("bread") == model.get_word_id("bread") >= 0
    again.quantize(qnorm=True, cutoff=100)
    assert again.is_quantized()
    assert len(again.get_words(on_unicode_error="replace")) < len(model.get_words(on_unicode_error="replace"))
    again.save_model(tmp_path / "m.ftz")
    other = theirs(path)
    assert other.predict(texts(), k=2)[0] == model.predict(texts(), k=2)[0]
    small = theirs(tmp_path / "m.ftz")
    assert small.is_quantized() and small.predict(texts(), k=2)[0] == again.predict(texts(), k=2)[0]


def test_autotune() -> None:
    model = ours.train_supervised(LABELLED, autotuneValidationFile=LABELLED, autotuneDuration=1, autotuneMetric="recallAtPrecision:50:__label__bread", dim=4, verbose=0)
    assert model.get_dimension() == 4 and model.classifier is not None and model.classifier.training_ is not None
    assert model.classifier.training_["metric"] == "recall-at-precision:0.5:__label__bread"
    assert model.epoch == model.classifier.training_["settings"]["epochs"]
    assert model.test(LABELLED)[0] == 60
    small = ours.train_supervised(LABELLED, autotuneValidationFile=LABELLED, autotuneDuration=1, autotuneModelSize="60k", dim=4, bucket=2000, verbose=0)
    assert small.is_quantized() and small.test(LABELLED)[0] == 60
    with pytest.raises(UsageError, match="-autotune-modelsize needs -autotune-validation"):
        ours.train_supervised(LABELLED, autotuneModelSize="60k")


def test_training_of_nothing() -> None:
    fasttext = pytest.importorskip("fasttext")
    for loss in ("softmax", "hs"):
        for name in ("epoch", "lr"):
            given: Any = {"input": LABELLED, "dim": 4, "loss": loss, "verbose": 0, "neg": 0, name: 0}
            a, b = fasttext.train_supervised(**given).predict("bread", k=3), ours.train_supervised(**given).predict("bread", k=3)
            assert a[0] == b[0] and a[1].tolist() == b[1].tolist()


def test_arguments_that_make_no_sense() -> None:
    for name, given in [
        ("unexpected keyword argument 'epochs'", {"epochs": 2}),
        ("multiple values for argument 'minCount'", {"minCount": 2, "min_count": 3}),
    ]:
        with pytest.raises(TypeError, match=name):
            ours.train_supervised(LABELLED, **given)
    with pytest.raises(ValueError, match="Unrecognized model name"):
        ours.train_unsupervised(LABELLED, model="glove")
    with pytest.raises(ValueError, match="Unrecognized loss name"):
        ours.train_supervised(LABELLED, loss="hinge")
    with pytest.raises(ValueError, match="cannot be opened for loading"):
        ours.load_model("/none.bin")


def test_word_vectors_have_no_labels() -> None:
    a, b = theirs(GOLDEN / "skipgram.bin"), ours.load_model(GOLDEN / "skipgram.bin")
    assert b.classifier is None
    with pytest.raises(ValueError, match="Model needs to be supervised for prediction!"):
        b.predict("a")
    assert b.get_labels(on_unicode_error="replace") == b.get_words(on_unicode_error="replace") == a.get_words(on_unicode_error="replace")
    for text in ("bread of the baker", "zz", ""):
        np.testing.assert_allclose(b.get_sentence_vector(text), a.get_sentence_vector(text), atol=1e-6)
    assert [word for _, word in b.get_nearest_neighbors("bread", 3)] == [word for _, word in a.get_nearest_neighbors("bread", 3, "replace")]


def test_the_classifier_is_there() -> None:
    classifier = ours.load_model(GOLDEN / "class-hs.bin").classifier
    assert isinstance(classifier, Classifier) and len(classifier.classes_) == 3
    assert ours.tokenize("a b\nc </s> d") == ["a", "b", "</s>", "c", "</s>", "d"]


def test_wrong_types_are_named(tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    path.write_text("__label__a to be or not\n__label__b that is it\n" * 30)
    model: Any = ours.train_supervised(path, dim=4, epoch=1, verbose=0)  # words that are always together share a row
    assert {word for _, word in model.get_nearest_neighbors("to", k=2)} <= {"be", "or", "not"}
    asks: List[Tuple[Any, str]] = [
        *((lambda ask=ask: ask(5), "is a str, and this is 5, of type int")
          for ask in (model.get_word_vector, model.get_sentence_vector, model.get_word_id, model.get_nearest_neighbors, model.predict, ours.tokenize)),
        (lambda: model.predict(["to", b"be"]), "this is b'be', of type bytes: decode it"),
        (lambda: model.predict("to", k="3"), "k is '3', of type str, and must be a whole number"),
        (lambda: model.get_input_vector("to"), "a row is 'to'"),
        (lambda: ours.load_model(None), "path is None, of type NoneType, and must be a path"),  # type: ignore[arg-type]
        (lambda: model.save_model(None), "path is None"),
        (lambda: ours.train_supervised(5), "input is 5, of type int, and must be a path"),
    ]
    for ask, message in asks:
        with pytest.raises(TypeError, match=re.escape(message)):
            ask()
    assert 5 not in model
    with pytest.raises(AttributeError, match="no attribute 'get_word_vektor'. Did you mean get_word_vector?"):
        model.get_word_vektor
