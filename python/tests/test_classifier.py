"""Classifier learns and predicts, has the interface of scikit-learn, and keeps one process that predicts."""

from __future__ import annotations

import copy
import inspect
import json
import os
import pickle
import random
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, Iterator, List, Tuple

import numpy as np
import pytest
from program import children

import w2v
from w2v import Classifier, _flags

GOLDEN = Path(__file__).resolve().parents[2] / "testdata" / "fasttext"

pytestmark = pytest.mark.usefixtures("binary")

SMALL: Dict[str, Any] = {"dim": 8, "epochs": 30, "buckets": 1000}
LONG: Dict[str, Any] = {**SMALL, "epochs": 100}
TOPICS: Dict[str, List[str]] = {
    "kitchen": "soup bread oven butter onion pepper knife spoon recipe dough salt simmer bake taste plate".split(),
    "music": "guitar song chorus drum melody singer violin rhythm concert band tune stage piano note bass".split(),
    "sea": "ship harbour wave sail anchor captain tide island storm deck rope lighthouse net coast crew".split(),
}
COMMON = "the a of and in with for was is on at by from to it".split()


def texts(n: int = 150, seed: int = 7) -> Tuple[List[str], List[str]]:
    """Return short texts about three topics. Each has some words of its topic, and many that all share."""
    rng = random.Random(seed)
    documents, labels = [], []
    for i in range(n):
        topic = list(TOPICS)[i % len(TOPICS)]
        words = rng.choices(COMMON, k=8) + rng.choices(TOPICS[topic], k=4)
        rng.shuffle(words)
        documents.append(" ".join(words))
        labels.append(topic)
    return documents, labels


@pytest.fixture(scope="module")
def fitted(binary: str) -> Iterator[Classifier]:
    classifier = Classifier(**SMALL).fit(*texts())
    yield classifier
    classifier.close()


def predicted(binary: str, path: Path, documents: List[str], *flags: str) -> List[List[str]]:
    """Return the columns that w2v classify predict prints before each text."""
    done = subprocess.run([binary, "classify", "predict", str(path), *flags], input="".join(f"{d}\n" for d in documents).encode(), stdout=subprocess.PIPE, check=True)
    return [line.split("\t")[:-1] for line in done.stdout.decode().split("\n")[:-1]]


def test_it_learns(fitted: Classifier) -> None:
    documents, labels = texts(60, seed=8)
    assert fitted.classes_.tolist() == sorted(TOPICS)
    assert fitted.predict(documents).tolist() == labels
    assert fitted.score(documents, labels) == 1
    assert fitted.score(documents, labels[1:] + labels[:1], sample_weight=[1.0] * 60) == 0
    assert fitted.training_ is not None and fitted.training_["texts"] == 150 and "output" not in fitted.training_
    assert fitted.settings["loss"] == "softmax"
    probabilities = fitted.predict_proba(documents)
    assert probabilities.shape == (60, 3) and probabilities.dtype == np.float64
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)
    assert fitted.classes_[probabilities.argmax(axis=1)].tolist() == labels


def test_predictions_are_those_of_the_program(fitted: Classifier, binary: str, tmp_path: Path) -> None:
    path = tmp_path / "c.w2v"
    fitted.save(path)
    documents, _ = texts(40, seed=9)
    documents += ["", "zzz", "the\tship\rsails \x0b", "naïve façade 日本", "x" * 50_000]
    lines = [d.replace("\t", " ").replace("\r", " ") for d in documents]
    want = predicted(binary, path, lines, "-k", "2")
    for classifier in (fitted, Classifier.load(path)):
        got = classifier.predict(documents, k=2)
        assert [[x for label, p in pairs for x in (label, f"{p:.6g}")] for pairs in got] == want
        assert classifier.predict(documents).tolist() == [columns[0] for columns in want]
        assert [classifier.predict(d, k=2) for d in documents] == got
        assert [classifier.predict(d) for d in documents[:3]] == [columns[0] for columns in want[:3]]
        assert classifier.predict(documents[:1], threshold=1.1) == [[]]
        assert classifier.predict("the ship\nsails", k=-1) == classifier.predict("the ship sails", k=3)


@pytest.mark.parametrize(
    "name", "supervised.bin wordngrams.bin quantised.ftz pruned.ftz labels.ftz class-hs.bin class-ova.bin class-ns.bin class-runs.ftz".split()
)
def test_files_of_fasttext(name: str, binary: str) -> None:
    documents = (GOLDEN / "lines.txt").read_text(encoding="utf-8", errors="ignore").split("\n")[:60]
    classifier = Classifier.load(GOLDEN / name)
    want = predicted(binary, GOLDEN / name, documents, "-k", "3")
    got = [[x for label, p in pairs for x in (label, f"{p:.6g}")] for pairs in classifier.predict(documents, k=3)]
    assert got == [[x for x in columns if x] for columns in want]
    assert sorted(classifier.labels) == classifier.classes_.tolist()
    rows = classifier.predict_proba(documents)
    best = classifier.predict(documents)
    if name == "class-ova.bin":  # a text may have several labels
        assert [set(own) for own in best] == [set(classifier.classes_[row >= 0.5]) for row in rows]
        return
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=1e-9)
    if name != "class-ns.bin":  # whose steps make labels equal
        assert classifier.classes_[rows.argmax(axis=1)].tolist() == best.tolist()


def test_streams_are_read_as_they_come(fitted: Classifier) -> None:
    documents, labels = texts(150)
    alive: List[int] = []

    def stream() -> Iterator[Tuple[str, str]]:
        for pair in zip(documents, labels):
            alive.append(1)
            yield pair

    same = Classifier(**SMALL).fit(stream())
    assert len(alive) == 150
    by_two = Classifier(**SMALL).fit(iter(documents), (label for label in labels))
    assert same.predict(documents, k=3) == by_two.predict(documents, k=3) == fitted.predict(documents, k=3)
    read: List[str] = []

    def asked() -> Iterator[str]:
        for document in documents * 100:
            read.append(document)
            yield document

    answers = fitted.predict_stream(asked())
    assert not read
    assert next(answers) == labels[0] and len(read) == 1
    assert [next(answers) for _ in range(149)] == labels[1:]
    assert len(read) < 300
    assert list(answers) == labels * 99
    assert next(iter(fitted.predict_stream(documents, k=2, threshold=0.0))) == fitted.predict(documents[0], k=2)


@pytest.mark.parametrize(
    "labels, names",
    [
        ([3, 1], ["3", "1"]),
        ([True, False], ["True", "False"]),
        ([1.0, -1.0], ["1", "-1"]),
        (["two words", "<&\"\\,>é"], ["two words", "<&\"\\,>é"]),
        (["__label__x", "x"], ["__label__x", "x"]),
        (np.array(["ab", "b"]), ["ab", "b"]),
        (np.array([7, 5], np.uint8), ["7", "5"]),
    ],
)
def test_labels_of_any_kind(labels: Any, names: List[str], tmp_path: Path) -> None:
    documents = ["up and away", "down and out"] * 10
    y = np.tile(labels, 10) if isinstance(labels, np.ndarray) else list(labels) * 10
    classifier = Classifier(**SMALL).fit(documents, y)
    assert classifier.classes_.tolist() == sorted(np.asarray(labels).tolist())
    assert classifier.predict(documents[:2]).tolist() == np.asarray(labels).tolist()
    assert type(classifier.predict("up")) is type(np.asarray(labels).tolist()[0])
    assert sorted(classifier.labels) == sorted(names)
    explained = classifier.explain("up", labels[1])
    assert explained is not None and explained["label"] == labels[1]
    classifier.save(tmp_path / "c.w2v")
    assert Classifier.load(tmp_path / "c.w2v").predict(documents[:2]).tolist() == names
    assert pickle.loads(pickle.dumps(classifier)).predict(documents[:2]).tolist() == np.asarray(labels).tolist()


def test_a_label_that_is_a_word_of_the_texts() -> None:
    classifier = Classifier(maxn=0, word_ngrams=1, **SMALL).fit(["cat", "dog", "a cat", "a dog"] * 5, ["cat", "dog"] * 10)
    assert classifier.predict(["cat", "dog"]).tolist() == ["cat", "dog"]


def several(n: int = 160) -> Tuple[List[str], List[List[str]]]:
    rng = random.Random(3)
    documents, labels = [], []
    for _ in range(n):
        topics = rng.sample(sorted(TOPICS), rng.choice([1, 2]))
        words = [word for topic in topics for word in rng.choices(TOPICS[topic], k=4)]
        rng.shuffle(words)
        documents.append(" ".join(words))
        labels.append(sorted(topics))
    return documents, labels


def test_texts_of_several_labels() -> None:
    documents, labels = several()
    classifier = Classifier(**LONG).fit(documents, labels)
    assert classifier.settings["loss"] == "ova"
    found = classifier.predict(documents)
    assert isinstance(found, list) and [sorted(one) for one in found] == labels
    assert classifier.score(documents, labels) == 1
    names = sorted(TOPICS)
    matrix = np.array([[int(name in own) for name in [*names, "none"]] for own in labels])
    by_column = Classifier(**LONG).fit(documents, matrix)
    assert by_column.classes_.tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(by_column.predict(documents), matrix)
    assert by_column.score(documents, matrix) == 1
    np.testing.assert_allclose(by_column.predict_proba(documents)[:, :3], classifier.predict_proba(documents), atol=1e-6)
    assert not by_column.predict_proba(documents)[:, 3].any()
    sparse = pytest.importorskip("scipy.sparse").csr_matrix(matrix)
    np.testing.assert_array_equal(Classifier(**LONG).fit(documents, sparse).predict(documents), matrix)
    assert Classifier(loss="softmax", **SMALL).fit(documents, labels).settings["loss"] == "softmax"


def test_texts_of_several_labels_in_files(tmp_path: Path) -> None:
    documents, labels = several()
    path = tmp_path / "lines.txt"
    path.write_text("".join(" ".join(f"__label__{name}" for name in own) + f" {text}\n" for text, own in zip(documents, labels)))
    want = [[f"__label__{name}" for name in own] for own in labels]
    classifier = Classifier(loss="ova", **LONG).fit_files(path)
    for extension in (".w2v", ".bin"):
        classifier.save(tmp_path / f"m{extension}")
        for one in (classifier, Classifier.load(tmp_path / f"m{extension}")):
            assert [sorted(of) for of in one.predict(documents)] == want and one.predict(documents[0]) == one.predict(documents[:1])[0]
    one_each = Classifier(loss="ova", **LONG).fit(documents, [own[0] for own in labels])
    one_each.save(tmp_path / "one.w2v")
    for one in (one_each, Classifier.load(tmp_path / "one.w2v")):
        assert one.predict(documents[:2]).tolist() == [own[0] for own in labels[:2]]
    assert Classifier(**LONG).fit_files(path).predict(documents[0]) in want[0]
    assert classifier.score(documents[:1], [f"__label__{labels[0][0]}"]) == float(len(labels[0]) == 1)


def test_texts_without_labels_are_not_left_out_in_silence(tmp_path: Path) -> None:
    documents, names = texts(30)
    labels = [[name] if i % 3 else [] for i, name in enumerate(names)]
    message = "10 of the texts have no label"
    with pytest.warns(UserWarning, match=message):
        classifier = Classifier(**SMALL).fit(documents, labels)
    assert classifier.training_ is not None and classifier.training_["without_label"] == 10 and classifier.training_["texts"] == 20
    path = tmp_path / "lines.txt"
    path.write_text("".join((f"__label__{own[0]} " if own else "") + text + "\n" for text, own in zip(documents, labels)))
    with pytest.warns(UserWarning, match=message):
        Classifier(**SMALL).fit_files(path)
    with pytest.warns(UserWarning, match=message):
        Classifier(dim=8, buckets=1000).tune(documents, labels, validate=0.3, trials=1)


def test_formats_without_labels_are_refused(fitted: Classifier, tmp_path: Path) -> None:
    for name, format in [("x.vec", None), ("x.txt", None), ("x", None), ("x.w2v", "word2vec")]:
        with pytest.raises(w2v.UsageError, match="the format has no place for labels"):
            fitted.save(tmp_path / name, format)
    assert not list(tmp_path.iterdir())
    fitted.save(tmp_path / "model", "w2v")
    assert Classifier.load(tmp_path / "model").labels == fitted.labels


def test_files_in_all_layouts(fitted: Classifier, tmp_path: Path) -> None:
    documents, labels = texts(150)
    lines, table, objects = tmp_path / "l.txt", tmp_path / "t.csv", tmp_path / "o.jsonl"
    lines.write_text("".join(f"__label__{y} {x}\n" for x, y in zip(documents, labels)))
    table.write_text("kind,body\n" + "".join(f"{y},{x}\n" for x, y in zip(documents, labels)))
    objects.write_text("".join(json.dumps({"a": {"text": x}, "tags": [y]}) + "\n" for x, y in zip(documents, labels)))
    want = fitted.predict_proba(documents)
    layouts: List[Tuple[Any, Dict[str, Any]]] = [
        (table, {"text_column": "body", "label_column": "kind", "header": True}),
        ([objects], {"json_field": "a.text", "label_field": "tags"}),
        (str(lines), {}),
    ]
    for path, layout in layouts:
        classifier = Classifier(**SMALL).fit_files(path, **layout)
        prefix = "" if layout else "__label__"
        assert classifier.classes_.tolist() == [prefix + name for name in sorted(TOPICS)]
        np.testing.assert_allclose(classifier.predict_proba(documents), want, atol=1e-7)
    result = classifier.test(lines, bootstrap=0)
    assert (result["texts"], result["accuracy"]["value"]) == (150, classifier.score(documents, ["__label__" + y for y in labels]))
    with pytest.raises(TypeError, match="fit_files\\(\\) has no argument text_colum; did you mean text_column"):
        Classifier().fit_files(table, text_colum=1)  # type: ignore[call-arg]


def test_explanations_add_up(fitted: Classifier) -> None:
    explained = fitted.explain("the ship and the harbour")
    assert explained is not None
    assert (explained["text"], explained["label"]) == ("the ship and the harbour", "sea")
    assert sum(part["contribution"] for part in explained["parts"]) == pytest.approx(explained["score"])
    assert {part["kind"] for part in explained["parts"]} == {"word", "n-gram", "run"}
    with pytest.raises(ValueError, match="'desert' is not one of the labels"):
        fitted.explain("the ship", "desert")


def test_smaller_classifiers(fitted: Classifier, tmp_path: Path) -> None:
    documents, labels = texts(60, seed=8)
    path = tmp_path / "small.w2v"
    for small in (fitted.quantize(), fitted.quantize(path, method="int8"), Classifier.load(path)):
        assert small.score(documents, labels) == 1
    assert len(fitted.quantize()._file.read()) < len(fitted._file.read())
    assert fitted.score(documents, labels) == 1


def test_runs_go_on_from_vectors_and_checkpoints(fitted: Classifier, tmp_path: Path) -> None:
    documents, labels = texts(150)
    more = Classifier(init=fitted, epochs=1, lr=0.01).fit(documents, labels)
    assert more.score(documents, labels) > 0.9
    checkpoint = tmp_path / "run.ck"
    whole = Classifier(checkpoint=checkpoint, **SMALL).fit(documents, labels)
    again = Classifier(resume=checkpoint).fit(documents, labels)
    np.testing.assert_array_equal(whole.predict_proba(documents), again.predict_proba(documents))
    seen: List[w2v.Progress] = []
    held = Classifier(validate=0.2, **SMALL).fit(documents, labels, callback=seen.append)
    assert held.training_ is not None and len(held.training_["evaluations"]) == SMALL["epochs"]
    assert seen[-1].final and seen[-1].held_out_loss is not None


def test_held_out_texts_of_their_own(tmp_path: Path) -> None:
    documents, labels = texts(60)
    classifier = Classifier(validate=texts(30, seed=8), early_stop=3, **SMALL).fit(documents, labels)
    assert classifier.training_ is not None and classifier.training_["texts"] == 60
    assert classifier.training_["evaluations"][-1]["held_out_loss"] < 0.3
    with pytest.raises(w2v.UsageError, match="give a pair of held-out texts and their labels"):
        Classifier(validate=tmp_path / "v.txt").fit(documents, labels)


def test_settings_that_are_searched_for(tmp_path: Path) -> None:
    documents, labels = texts(60)
    path = tmp_path / "l.txt"
    path.write_text("".join(f"__label__{y} {x}\n" for x, y in zip(documents, labels)))
    found = Classifier(dim=8, seed=3).tune(documents, labels, validation=texts(30, seed=8), trials=4, metric="accuracy")
    assert found.training_ is not None and len(found.training_["trials"]) == 4 and found.training_["metric"] == "accuracy"
    assert found.get_params()["dim"] == 8 and found.get_params()["epochs"] == found.training_["settings"]["epochs"]
    assert found.classes_.tolist() == sorted(TOPICS) and found.score(documents, labels) > 0.9
    again = Classifier(**found.get_params()).fit(documents, labels)
    np.testing.assert_array_equal(again.predict_proba(documents), found.predict_proba(documents))
    files = Classifier(dim=8).tune_files(path, validate=0.3, trials=2)
    assert files.classes_.tolist() == ["__label__" + name for name in sorted(TOPICS)]
    with pytest.raises(TypeError, match="tune\\(\\) has no argument trial; did you mean trials"):
        Classifier().tune(documents, labels, trial=3)  # type: ignore[call-arg]
    with pytest.raises(w2v.UsageError, match="checkpoint is a setting of fit alone"):
        Classifier(checkpoint="x").tune(documents, labels, trials=3)


@pytest.mark.parametrize("numbers", [False, True])
def test_texts_that_are_unknown(numbers: bool) -> None:
    documents, names = texts(300)
    rng = random.Random(1)
    documents += [" ".join(rng.choices(COMMON, k=8)) for _ in range(60)]
    labels: List[Any] = [*names, *rng.choices(list(TOPICS), k=60)]
    if numbers:
        labels = [list(TOPICS).index(name) for name in labels]
    classifier = Classifier(unknown_precision=0.95, validate=0.3, **SMALL).fit(documents, labels)
    asked = ["the ship and the harbour", "for with was it", "soup and bread"]
    want = [2, w2v.classifier.UNKNOWN, 0] if numbers else ["sea", w2v.classifier.UNKNOWN, "kitchen"]
    assert classifier.predict(asked).tolist() == list(classifier.predict_stream(asked)) == want
    assert [classifier.predict(text) for text in asked] == want
    assert [label for label, _ in classifier.predict(asked[1], k=3)] == ["unknown"]
    rows = classifier.predict_proba(asked)
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    assert rows[1].max() < classifier.settings["unknown_threshold"] <= rows[[0, 2]].max(axis=1).min()


def test_weights_of_labels_with_commas() -> None:
    documents = ["same text"] * 40
    y = ["often, very"] * 30 + ['a "seldom", one'] * 10
    first, second = (Classifier(**SMALL, label_weight=weight).fit(documents, y) for weight in (None, {'a "seldom", one': 9}))
    assert second.predict_proba("same text")[0, 0] > first.predict_proba("same text")[0, 0] + 0.1


def test_weights_of_texts(fitted: Classifier) -> None:
    documents, y = texts()
    wrong = ["nothing", *y[1:]]
    weights = np.ones(len(y))
    weights[0] = len(y) - 1
    assert fitted.score(documents, wrong, sample_weight=weights) == 0.5
    with pytest.raises(ValueError, match="sample_weight has the shape"):
        fitted.score(documents, y, sample_weight=[1.0])
    with pytest.raises(ValueError, match="no argument foo"):
        Classifier().set_params(foo=1)


def test_weights_of_labels() -> None:
    documents = ["same text"] * 40
    y = ["often"] * 30 + ["seldom"] * 10
    first = Classifier(**SMALL).fit(documents, y)
    assert first.predict("same text") == "often"
    weighted: List[Dict[str, Any]] = [{"balanced": True, "lr": 0.05}, {"label_weight": {"seldom": 9}}]
    for settings in weighted:
        assert Classifier(**settings, **SMALL).fit(documents, y).predict_proba("same text")[0, 1] > first.predict_proba("same text")[0, 1] + 0.1


def test_without_known_words() -> None:
    classifier = Classifier.load(GOLDEN / "class-ns.bin")
    trained = Classifier(maxn=0, min_count=2, **SMALL).fit(["one one", "two two", "two two"], ["b", "a", "a"])
    for one in (classifier, trained):
        assert len(one.predict([""])) == 1 and one.predict_proba(["", "zzz"]).shape == (2, len(one.classes_))
    assert classifier.predict([]).shape == (0,)
    assert classifier.predict_proba([]).shape == (0, len(classifier.classes_))
    assert classifier.predict([], k=2) == [] and list(classifier.predict_stream([])) == []


@pytest.mark.parametrize(
    "X, y, message",
    [
        (["a", 1], ["x", "y"], "text 1 is 1, of type int, and must be a text"),
        (["a", "b"], ["x"], "X has 2 texts, and y has labels of 1"),
        (iter(["a", "b"]), iter(["x"]), "X has more than 1 texts, and y has labels of 1"),
        (iter(["a"]), iter(["x", "y"]), "y has labels of more texts than X has"),
        (["a", "b"], ["x", 1], "text 1 has the label 1, and labels before it are texts"),
        (["a", "b"], [1, True], "text 1 has the label True, and labels before it are numbers"),
        (["a", "b"], ["x", ["y"]], "text 1 has a label of type list"),
        (["a", "b"], [["x"], "y"], "text 1 has the label 'y', and those before it have lists"),
        (["a", "b"], [0.5, 1.0], "Unknown label type: text 0 has the label 0.5"),
        (["a", "b"], [float("nan"), 1.0], "text 0 has no label, nan: leave such rows out"),
        (["a", "b"], [None, "x"], "text 0 has no label, None: leave such rows out"),
        (["a", "b"], ["x ", "y"], "text 0 has the label 'x ': a label must not be empty or have white space"),
        (["a", "b"], ["", "y"], "text 0 has the label ''"),
        (["a", "b"], np.array([[2, 0], [1, 1]]), "other values than 0 and 1"),
        (["a\ud800", "b"], ["x", "y"], "text 0 is no UTF-8"),
        ([], [], "there are no texts to learn from"),
        ("ab", ["x", "y"], "X is one text"),
        (["a", "b"], None, "item 0 of X is no pair"),
        (np.array([["a"], ["b"]]), ["x", "y"], "X is an array of shape \\(2, 1\\)"),
        ({"a": 1}, ["x"], "X is a dictionary"),
    ],
)
def test_what_cannot_be_learned_is_refused(X: Any, y: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Classifier(**SMALL).fit(X, y)


def test_what_cannot_be_predicted_is_refused(fitted: Classifier, tmp_path: Path) -> None:
    for X, message in [(["a", None], "text 1 is missing, None"), (["\ud800"], "text 0 is no UTF-8"), (b"a", "X is bytes")]:  # type: Any, str
        with pytest.raises((TypeError, ValueError), match=message):
            fitted.predict(X)
    with pytest.raises(ValueError, match="k is -2, must be 1 or more, or -1 or 0 for all labels"):
        fitted.predict(["a"], k=-2)
    assert len(fitted.predict(["the ship"], k=0)[0]) == len(fitted.predict(["the ship"], k=-1)[0]) == len(fitted.classes_)
    with pytest.raises(ValueError, match="threshold is NaN"):
        fitted.predict(["a"], threshold=float("nan"))
    with pytest.raises(ValueError, match="has learned nothing yet"):
        Classifier().predict(["a"])
    with pytest.raises(TypeError, match="Classifier has no argument wordNgrams; did you mean word_ngrams"):
        Classifier(wordNgrams=2)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="Classifier has no argument window"):
        Classifier().set_params(window=2)
    with pytest.raises(w2v.UsageError, match="^dim must be at least 1, is 0$"):
        Classifier(dim=0).fit(["a", "b"], ["x", "y"])
    with pytest.raises(FileNotFoundError):
        Classifier.load(tmp_path / "none.bin")
    with pytest.raises(w2v.Error, match="the model is no classifier"):
        Classifier.load(GOLDEN / "skipgram.bin")
    (tmp_path / "x.bin").write_bytes(b"x" * 100)
    with pytest.raises(w2v.Error, match="x.bin"):
        Classifier.load(tmp_path / "x.bin")
    assert fitted.predict("the ship") == "sea"  # after all that


def test_exceptions_of_the_texts_end_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def failing() -> Iterator[Tuple[str, str]]:
        yield from [("some text", "x")] * 50_000
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        Classifier(**SMALL).fit(failing())
    assert os.listdir(tmp_path) == []


def test_a_file_that_changes_is_not_predicted_with(fitted: Classifier, tmp_path: Path) -> None:
    path = tmp_path / "c.w2v"
    fitted.save(path)
    classifier = Classifier.load(path)
    data = pickle.dumps(classifier)
    Classifier(**SMALL).fit(["a", "b"] * 5, ["x", "y"] * 5).save(path)
    assert classifier.predict("the ship") == "sea"  # the process has the file that was there
    classifier.close()
    asks: List[Callable[[], Any]] = [
        lambda: classifier.predict("the ship"),
        lambda: pickle.dumps(classifier),
        lambda: classifier.save(tmp_path / "d.w2v"),
    ]
    for ask in asks:
        with pytest.raises(w2v.Error, match="c.w2v was changed after it was loaded: load it again"):
            ask()
    path.unlink()
    assert pickle.loads(data).predict("the ship") == "sea"


def test_one_process_answers_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = children()
    classifier = Classifier(**SMALL).fit(*texts(30))
    for _ in range(3):
        classifier.predict(["the ship"])
    assert len(set(children()) - set(before)) == 1
    assert os.listdir(tmp_path) == [] or os.name == "nt"
    (pid,) = set(children()) - set(before)
    os.kill(pid, 9)  # somebody ends it
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert classifier.predict("the ship") == "sea"
    classifier.close()
    assert not set(children()) - set(before)
    other = copy.deepcopy(classifier)
    assert other.predict("the ship") == classifier.predict("the ship")
    assert not set(children()) - set(before), "a few texts take no process"
    assert other.explain("the ship") == classifier.explain("the ship")
    assert len(set(children()) - set(before)) == 2
    del other, classifier
    assert not set(children()) - set(before)
    assert os.listdir(tmp_path) == []


def test_threads_share_a_classifier(fitted: Classifier) -> None:
    documents, _ = texts(150)
    want = fitted.predict(documents, k=2)
    wrong: List[Any] = []

    def ask(part: int) -> None:
        for _ in range(10):
            if fitted.predict(documents[part::4], k=2) != want[part::4]:
                wrong.append(part)

    threads = [threading.Thread(target=ask, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


FORKS = """
import os, sys, w2v
classifier = w2v.Classifier(dim=4, epochs=30).fit(["the ship", "a song"] * 10, ["sea", "music"] * 10)
for end in (os._exit, sys.exit):
    child = os.fork()
    if child == 0:
        end(0 if classifier.predict(["ship", "song"]).tolist() == ["sea", "music"] else 3)
    assert os.waitpid(child, 0)[1] == 0
    assert classifier.predict("song") == "music"
from multiprocessing import get_context
for kind in ("fork", "spawn"):
    with get_context(kind).Pool(2) as pool:
        assert pool.map(classifier.predict, ["ship", "song"] * 5) == ["sea", "music"] * 5
print("done")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_forked_processes_have_their_own(tmp_path: Path) -> None:
    program = tmp_path / "forks.py"
    program.write_text(f"if __name__ == '__main__':\n" + "".join(f"    {line}\n" for line in FORKS.splitlines()))
    done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", str(program)], stdout=subprocess.PIPE, timeout=120)
    assert (done.returncode, done.stdout) == (0, b"done\n")


def test_ctrl_c_leaves_no_answer_behind(fitted: Classifier, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(child: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(fitted._worker, "_read", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fitted.predict("a song")
    assert fitted.predict("the ship") == "sea"


def test_settings_are_those_of_the_program() -> None:
    names = set(inspect.signature(Classifier).parameters)
    assert names == set(Classifier().get_params())
    assert names < set(_flags.CLASSIFIER_FLAGS)
    assert {"dim", "epochs", "lr", "loss", "word_ngrams", "minn", "maxn", "seed", "threads", "checkpoint", "init"} <= names
    assert not names & {"output", "json", "log_json", "text_column", "label_prefix"}
    classifier = Classifier(dim=7).set_params(lr=0.1)
    assert repr(classifier) == "Classifier(dim=7, lr=0.1)"
    assert {name: value for name, value in classifier.get_params().items() if value is not None} == {"dim": 7, "lr": 0.1, "deterministic": True}


def test_scikit_learn_is_not_needed(binary: str) -> None:
    program = (
        "import sys; sys.modules['sklearn'] = None; import w2v\n"
        "assert w2v.Classifier(dim=4, epochs=9).fit(['a', 'b'] * 9, [1, 2] * 9).predict('a') == 1"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


class TestScikitLearn:
    """The tools of scikit-learn take a Classifier for one of its own."""

    @pytest.fixture(autouse=True)
    def needs_scikit_learn(self) -> None:
        pytest.importorskip("sklearn")

    def test_clones_and_pipelines(self, fitted: Classifier) -> None:
        from sklearn.base import clone, is_classifier
        from sklearn.exceptions import NotFittedError
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import FunctionTransformer
        from sklearn.utils.validation import check_is_fitted

        documents, labels = texts(60)
        copied = clone(fitted)
        assert copied.get_params() == fitted.get_params() and not hasattr(copied, "classes_")
        assert is_classifier(copied)
        check_is_fitted(fitted)
        with pytest.raises(NotFittedError):
            check_is_fitted(copied)
        with pytest.raises(NotFittedError):
            copied.predict(documents)
        lower = FunctionTransformer(lambda X: [x.lower() for x in X])
        pipeline = make_pipeline(lower, Classifier(**SMALL)).fit([d.upper() for d in documents], labels)
        assert pipeline.predict(documents).tolist() == labels
        assert pipeline.score(documents, labels) == 1
        assert pipeline.predict_proba(documents).shape == (60, 3)

    def test_grid_search_and_cross_validation(self) -> None:
        from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score

        documents, labels = texts(60)
        scores = cross_val_score(Classifier(**SMALL), documents, labels, cv=3, scoring="neg_log_loss")
        assert (scores > -0.5).all()
        assert cross_val_score(Classifier(**SMALL), np.array(documents, object), labels, cv=3, n_jobs=2).mean() > 0.9
        assert cross_val_predict(Classifier(**SMALL), documents, labels, cv=3, method="predict_proba").shape == (60, 3)
        search = GridSearchCV(Classifier(**SMALL), {"dim": [2, 6], "word_ngrams": [1, 2]}, cv=2, scoring="roc_auc_ovr").fit(documents, labels)
        assert not np.isnan(search.cv_results_["mean_test_score"]).any()
        assert search.predict(documents).tolist() == labels

    def test_calibration(self) -> None:
        from sklearn.calibration import CalibratedClassifierCV

        documents, names = texts(90)
        labels = np.array(names)
        calibrated = CalibratedClassifierCV(Classifier(**SMALL), cv=3).fit(documents, labels)
        assert calibrated.score(documents, labels) > 0.95
        ready = CalibratedClassifierCV(Classifier(**SMALL).fit(documents, labels), cv="prefit").fit(documents, labels)
        assert ready.classes_.tolist() == sorted(TOPICS)

    def test_several_labels_in_a_matrix(self) -> None:
        from sklearn.metrics import f1_score
        from sklearn.model_selection import cross_val_predict
        from sklearn.preprocessing import MultiLabelBinarizer

        documents, labels = several()
        y = MultiLabelBinarizer().fit_transform(labels)
        found = cross_val_predict(Classifier(**LONG), documents, y, cv=3)
        assert f1_score(y, found, average="micro") > 0.9

    def test_fits_are_the_same_again(self) -> None:
        documents, labels = texts(60)
        first, second = (Classifier(threads=threads, **SMALL).fit(documents, labels) for threads in (1, 3))
        np.testing.assert_array_equal(first.predict_proba(documents), second.predict_proba(documents))
        np.testing.assert_array_equal(first.fit(documents, labels).predict_proba(documents), second.predict_proba(documents))

    def test_checks_that_do_not_need_numbers(self) -> None:
        from sklearn.utils import estimator_checks

        for check in (
            "check_no_attributes_set_in_init",
            "check_parameters_default_constructible",
            "check_get_params_invariance",
            "check_set_params",
            "check_estimators_unfitted",
            "check_estimator_repr",
        ):
            if hasattr(estimator_checks, check):
                getattr(estimator_checks, check)("Classifier", Classifier())

    def test_both_kinds_of_tags(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from sklearn import utils

        for name in ("Tags", "TargetTags", "ClassifierTags", "InputTags"):  # of 1.6
            if not hasattr(utils, name):
                monkeypatch.setattr(utils, name, SimpleNamespace, raising=False)
        tags = Classifier().__sklearn_tags__()
        assert tags.estimator_type == "classifier" and tags.classifier_tags.multi_label
        assert (tags.input_tags.string, tags.input_tags.two_d_array, tags.target_tags.required) == (True, False, True)
        assert Classifier()._more_tags()["X_types"] == ["string"]
