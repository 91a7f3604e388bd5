"""What programs rely on of gensim holds in gensim itself and in w2v.compat.gensim: every test runs with both."""

from __future__ import annotations

import bz2
import copy
import gzip
import importlib
import io
import pickle
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import numpy as np
import pytest

from w2v import Error

Sentences = List[List[str]]

pytestmark = [  # gensim leaves files open, and warns of single words
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:gensim"),
]

SMALL = [["human", "interface", "computer"], ["survey", "user", "computer", "system"], ["system", "human", "system", "user"],
         ["user", "response", "time"], ["trees", "graph"], ["graph", "minors", "trees"], ["graph", "minors", "survey"]] * 20  # fmt: skip


@pytest.fixture(params=["gensim", "w2v.compat.gensim"])
def lib(request: Any, binary: str) -> Any:
    """gensim, or what stands for it."""
    pytest.importorskip("gensim")
    module = importlib.import_module(request.param)
    importlib.import_module(f"{request.param}.models.word2vec")
    return module


@pytest.fixture(scope="module")
def trained(binary: str, sentences: Sentences) -> Callable[[Any], Any]:
    """A function from a library to a model that it has trained."""
    made: Dict[str, Any] = {}

    def train(lib: Any) -> Any:
        if lib.__name__ not in made:
            made[lib.__name__] = lib.models.Word2Vec(sentences, vector_size=24, window=4, min_count=5, sg=1, epochs=3, workers=1, seed=3)
        return made[lib.__name__]

    return train


@pytest.fixture
def model(lib: Any, trained: Callable[[Any], Any]) -> Any:
    return trained(lib)


@pytest.fixture
def kv(lib: Any) -> Any:
    """Some vectors that are the same in both."""
    vectors = lib.models.KeyedVectors(3)
    vectors.add_vectors(["east", "north", "up", "northeast", "west"], [[1, 0, 0], [0, 2, 0], [0, 0, 3], [1, 1, 0], [-1, 0, 0]])
    return vectors


# Word2Vec: training


def test_of_sentences(model: Any, sentences: Sentences) -> None:
    counts: Dict[str, int] = {}
    for word in (word for sentence in sentences for word in sentence):
        counts[word] = counts.get(word, 0) + 1
    assert set(model.wv.index_to_key) == {word for word, n in counts.items() if n >= 5}
    assert model.wv.vectors.shape == (len(model.wv), 24)
    assert model.wv.vectors.dtype == np.float32
    assert model.vector_size == model.wv.vector_size == model.layer1_size == 24
    assert (model.window, model.min_count, model.epochs, model.workers, model.seed) == (4, 5, 3, 1, 3)
    assert (model.sg, model.hs, model.negative) == (1, 0, 5)
    assert model.corpus_count == len(sentences)
    assert model.corpus_total_words == sum(map(len, sentences))
    assert model.train_count == 1
    assert model.total_train_time > 0
    assert all(model.wv.get_vecattr(word, "count") == counts[word] for word in model.wv.index_to_key)
    found = [counts[word] for word in model.wv.index_to_key]
    assert found == sorted(found, reverse=True)
    assert str(model).startswith("Word2Vec<vocab=")
    assert model.syn1neg.shape == (len(model.wv), 24)


@pytest.mark.parametrize("settings", [{}, {"sg": 1}, {"hs": 1, "negative": 0}, {"sg": 1, "hs": 1, "negative": 0}, {"negative": 2}, {"sample": 0},
                                      {"window": 1}, {"ns_exponent": 0.5}, {"shrink_windows": False}, {"cbow_mean": 1}, {"compute_loss": True},
                                      {"workers": 2}, {"alpha": 0.03}, {"comment": "a remark"}])  # fmt: skip
def test_settings(lib: Any, settings: Dict[str, Any]) -> None:
    model = lib.models.Word2Vec(SMALL, vector_size=8, min_count=1, epochs=2, **settings)
    assert len(model.wv) == 11 and np.isfinite(model.wv.vectors).all()
    assert all(getattr(model, name) == value for name, value in settings.items() if hasattr(model, name) and name != "cbow_mean")


@pytest.mark.parametrize("least", [1, 21, 60])
def test_min_count(lib: Any, least: int) -> None:
    model = lib.models.Word2Vec(SMALL, vector_size=8, min_count=least)
    assert {model.wv.get_vecattr(word, "count") >= least for word in model.wv.index_to_key} == {True}


def test_max_final_vocab(lib: Any) -> None:
    assert len(lib.models.Word2Vec(SMALL, vector_size=8, min_count=1, max_final_vocab=4).wv) <= 4


def test_the_same_twice(lib: Any) -> None:
    one, other = (lib.models.Word2Vec(SMALL, vector_size=8, min_count=1, workers=1, seed=5) for _ in range(2))
    np.testing.assert_array_equal(one.wv.vectors, other.wv.vectors)
    third = lib.models.Word2Vec(SMALL, vector_size=8, min_count=1, workers=1, seed=6)
    assert not np.array_equal(one.wv.vectors, third.wv.vectors)


def test_in_steps(lib: Any) -> None:
    model = lib.models.Word2Vec(vector_size=8, min_count=2, window=3, seed=1, workers=1)
    model.build_vocab(SMALL)
    assert model.corpus_count == len(SMALL) and model.corpus_total_words == sum(map(len, SMALL))
    assert set(model.wv.index_to_key) == {word for sentence in SMALL for word in sentence}
    before = np.array(model.wv.vectors)
    assert before.any() and abs(before).max() <= 0.5
    trained, raw = model.train(SMALL, total_examples=model.corpus_count, epochs=model.epochs)
    assert 0 < trained <= raw
    assert not np.array_equal(before, model.wv.vectors)
    assert model.train_count == 1


def test_training_goes_on(lib: Any) -> None:
    model = lib.models.Word2Vec(SMALL, vector_size=8, min_count=1, workers=1, sample=0)
    before, words = np.array(model.wv.vectors), list(model.wv.index_to_key)
    model.train([["graph", "trees", "unheard", "of"]] * 30, total_examples=30, epochs=3)
    assert list(model.wv.index_to_key) == words and "unheard" not in model.wv
    assert not np.array_equal(before, model.wv.vectors)


def test_words_are_added(lib: Any) -> None:
    model = lib.models.Word2Vec(SMALL, vector_size=8, min_count=2, workers=1, sample=0)
    more = [["graph", "kernel", "trees"], ["kernel", "system"]] * 10
    model.build_vocab(more, update=True)
    model.train(more, total_examples=model.corpus_count, epochs=2)
    assert "kernel" in model.wv and "survey" in model.wv and len(model.wv) == 12
    assert model.wv.get_vecattr("kernel", "count") == 20
    assert model.wv.get_vecattr("graph", "count") == 60 + 10


def test_of_counts(lib: Any) -> None:
    model = lib.models.Word2Vec(vector_size=8, min_count=3, workers=1, sample=0)
    model.build_vocab_from_freq({"graph": 60, "trees": 40, "rare": 2}, corpus_count=7)
    assert set(model.wv.index_to_key) == {"graph", "trees"} and model.corpus_count == 7
    model.train(SMALL, total_examples=len(SMALL), epochs=2)
    assert model.wv.get_vecattr("graph", "count") == 60 and "system" not in model.wv


@pytest.mark.parametrize("says, kept", [(0, 9), (1, 10), (2, 11)])
def test_trim_rule(lib: Any, says: int, kept: int) -> None:
    del kept  # by the counts below

    def rule(word: str, count: int, least: int) -> int:
        return says if word == "time" else 0

    model = lib.models.Word2Vec(SMALL, vector_size=8, min_count=1 if says == 1 else 21, trim_rule=rule)
    assert ("time" in model.wv) == (says == 2)
    assert ("graph" in model.wv) is True


def test_corpus_file(lib: Any, tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("".join(" ".join(sentence) + "\n" for sentence in SMALL))
    model = lib.models.Word2Vec(corpus_file=str(path), vector_size=8, min_count=1)
    assert len(model.wv) == 11 and model.corpus_count == len(SMALL)
    model = lib.models.Word2Vec(vector_size=8, min_count=1)
    model.build_vocab(corpus_file=str(path))
    model.train(corpus_file=str(path), total_words=model.corpus_total_words, epochs=1)
    assert model.train_count == 1


@pytest.mark.parametrize(
    "wrong, error",
    [
        (lambda lib: lib.models.Word2Vec(SMALL, corpus_file="corpus.txt"), TypeError),
        (lambda lib: lib.models.Word2Vec(corpus_file="no-such-file"), TypeError),
        (lambda lib: lib.models.Word2Vec(SMALL, vector_size=8, no_such=1), TypeError),
        (lambda lib: lib.models.Word2Vec([["once"]], min_count=5), RuntimeError),
        (lambda lib: lib.models.Word2Vec().train(SMALL, total_examples=1, epochs=1), RuntimeError),
        (lambda lib: _built(lib).train(SMALL, epochs=1), ValueError),
        (lambda lib: _built(lib).train(SMALL, total_examples=7), ValueError),
        (lambda lib: _built(lib).train(SMALL, total_examples=7, epochs=0), ValueError),
        (lambda lib: _built(lib).train(total_examples=7, epochs=1), TypeError),
        (lambda lib: lib.models.Word2Vec().build_vocab(), TypeError),
        (lambda lib: lib.models.Word2Vec().build_vocab(SMALL, update=True), RuntimeError),
        (lambda lib: lib.models.Word2Vec(SMALL, min_count=1).most_similar, AttributeError),
        (lambda lib: lib.models.Word2Vec(SMALL, min_count=1).wv.vocab, AttributeError),
        (lambda lib: lib.models.Word2Vec(SMALL, min_count=1).wv.index2word, AttributeError),
        (lambda lib: lib.models.Word2Vec.load("no-such-file"), FileNotFoundError),
    ],
)
def test_what_is_an_error(lib: Any, wrong: Callable[[Any], Any], error: Any) -> None:
    with pytest.raises(error):
        wrong(lib)


def _built(lib: Any) -> Any:
    model = lib.models.Word2Vec(vector_size=8, min_count=1)
    model.build_vocab(SMALL)
    return model


@pytest.mark.parametrize("settings", [{}, {"hs": 1, "negative": 0}])
def test_changes_of_vectors_stay(lib: Any, tmp_path: Path, settings: Dict[str, Any]) -> None:
    model = lib.models.Word2Vec(SMALL, vector_size=4, min_count=1, seed=1, workers=1, **settings)
    model.wv["human"] = np.full(4, 9.0)
    model.wv.add_vectors(["trees"], [np.full(4, 7.0)], replace=True)
    np.testing.assert_array_equal(model.wv[["human", "trees"]], [np.full(4, 9.0), np.full(4, 7.0)])
    if not settings:
        assert model.syn1neg.shape == (11, 4) and model.syn1neg.any()
    model.save(str(tmp_path / "model"))
    again = lib.models.Word2Vec.load(str(tmp_path / "model"))
    np.testing.assert_array_equal(again.wv.vectors, model.wv.vectors)
    for one in (model, again):
        one.train([["user", "system"]] * 20, total_examples=20, epochs=1)
        np.testing.assert_array_equal(one.wv["human"], np.full(4, 9.0))
        assert len(one.wv) == 11


def test_training_begins_with_changed_vectors(lib: Any) -> None:
    model = lib.models.Word2Vec(vector_size=4, min_count=1, workers=1)
    model.build_vocab(SMALL)
    model.wv["human"] = np.full(4, 9.0)
    model.train([["user", "system"]] * 20, total_examples=20, epochs=1)
    np.testing.assert_array_equal(model.wv["human"], np.full(4, 9.0))
    model.build_vocab(SMALL)
    assert not (model.wv["human"] == 9).any()


# Word2Vec: callbacks


def test_callbacks(lib: Any, tmp_path: Path) -> None:
    calls: List[str] = []
    losses: List[float] = []
    before: List[Any] = []

    class Recorder(lib.models.callbacks.CallbackAny2Vec):  # type: ignore[misc]
        def on_train_begin(self, model: Any) -> None:
            calls.append("train")
            before.append(np.array(model.wv["graph"]) if "graph" in model.wv else None)

        def on_epoch_begin(self, model: Any) -> None:
            calls.append("begin")

        def on_epoch_end(self, model: Any) -> None:
            calls.append("end")
            losses.append(model.get_latest_training_loss())
            model.save(str(tmp_path / f"epoch-{len(losses)}.model"))
            assert len(model.wv) == 11 and model.epochs == 3 and model.min_alpha == 0.0001

        def on_train_end(self, model: Any) -> None:
            calls.append("done")
            model.wv["human"] = np.full(8, 9.0)

    model = lib.models.Word2Vec(SMALL * 5, vector_size=8, min_count=1, epochs=3, compute_loss=True, callbacks=[Recorder()], workers=1, sample=0)
    assert calls == ["train", *["begin", "end"] * 3, "done"]
    assert 0 < losses[0] < losses[1] < losses[2]  # losses add up
    assert model.get_latest_training_loss() == losses[2]
    saved = [lib.models.Word2Vec.load(str(tmp_path / f"epoch-{n}.model")) for n in (1, 3)]
    assert not np.array_equal(saved[0].wv.vectors, saved[1].wv.vectors)
    np.testing.assert_array_equal(saved[1].wv["graph"], model.wv["graph"])
    np.testing.assert_array_equal(model.wv["human"], np.full(8, 9.0))
    graph, wv = np.array(model.wv["graph"]), model.wv
    model.train(SMALL, total_examples=len(SMALL), epochs=3, callbacks=[Recorder()])  # which begins with what was trained
    np.testing.assert_array_equal(before[1], graph)
    np.testing.assert_array_equal(wv.vectors, model.wv.vectors)  # which a program may keep
    assert not np.array_equal(wv["graph"], graph)


def test_vectors_do_not_change_while_training() -> None:
    models: Any = importlib.import_module("w2v.compat.gensim.models")
    kept: List[Any] = []

    class Changer(models.CallbackAny2Vec):  # type: ignore[misc]
        def on_train_begin(self, model: Any) -> None:
            self.refused(model)

        def on_epoch_end(self, model: Any) -> None:
            self.refused(model)
            kept.append(copy.copy(model.wv))
            kept[-1]["human"] = np.full(8, 9.0)

        def refused(self, model: Any) -> None:
            for wv in (model.wv, own):
                with pytest.raises(RuntimeError, match="these vectors cannot be changed: training goes on"):
                    wv.unit_normalize_all()
            with pytest.raises(RuntimeError, match="these vectors cannot be changed: training goes on"):
                model.wv.add_vector("new", np.ones(8))

    model = models.Word2Vec(vector_size=8, min_count=1, epochs=2)
    model.build_vocab(SMALL)
    own = model.wv
    model.train(SMALL, total_examples=len(SMALL), epochs=2, callbacks=[Changer()])
    assert own["human"].tolist() != kept[0]["human"].tolist() == [9.0] * 8
    own.unit_normalize_all()


def test_an_exception_ends_training(lib: Any) -> None:
    class Stop(Exception):
        pass

    class Stopper(lib.models.callbacks.CallbackAny2Vec):  # type: ignore[misc]
        def on_epoch_end(self, model: Any) -> None:
            raise Stop

    with pytest.raises(Stop):
        lib.models.Word2Vec(SMALL, vector_size=8, min_count=1, callbacks=[Stopper()])


# Word2Vec: answers and files


def test_predict_output_word(lib: Any, model: Any) -> None:
    answers = model.predict_output_word(["paris", "london"], topn=7)
    assert len(answers) == 7 and all(0 <= probability <= 1 for _, probability in answers)
    assert [p for _, p in answers] == sorted((p for _, p in answers), reverse=True)
    assert model.predict_output_word(["xx-unknown"]) is None


def test_models_are_saved(lib: Any, model: Any, tmp_path: Path) -> None:
    model.save(str(tmp_path / "word2vec.model"))
    again = lib.models.Word2Vec.load(str(tmp_path / "word2vec.model"))
    np.testing.assert_array_equal(again.wv.vectors, model.wv.vectors)
    assert list(again.wv.index_to_key) == list(model.wv.index_to_key)
    assert (again.vector_size, again.window, again.sg, again.epochs, again.min_count) == (24, 4, 1, 3, 5)
    np.testing.assert_array_equal(again.syn1neg, model.syn1neg)
    before = np.array(again.wv["the"])
    again.train(SMALL, total_examples=len(SMALL), epochs=2)
    assert again.wv["the"].shape == before.shape
    mapped = lib.models.Word2Vec.load(str(tmp_path / "word2vec.model"), mmap="r")
    np.testing.assert_array_equal(mapped.wv["the"], model.wv["the"])


def test_vectors_are_saved(lib: Any, model: Any, tmp_path: Path) -> None:
    model.wv.save(str(tmp_path / "vectors.kv"))
    again = lib.models.KeyedVectors.load(str(tmp_path / "vectors.kv"), mmap="r")
    np.testing.assert_array_equal(again.vectors, model.wv.vectors)
    assert again.get_vecattr("the", "count") == model.wv.get_vecattr("the", "count")
    assert again.most_similar("paris", topn=3) == model.wv.most_similar("paris", topn=3)


@pytest.mark.parametrize("binary_file", [False, True])
def test_word2vec_format(lib: Any, model: Any, tmp_path: Path, binary_file: bool) -> None:
    path, counts = str(tmp_path / "vectors.txt"), str(tmp_path / "counts.txt")
    model.wv.save_word2vec_format(path, fvocab=counts, binary=binary_file)
    again = lib.models.KeyedVectors.load_word2vec_format(path, binary=binary_file)
    assert list(again.index_to_key) == list(model.wv.index_to_key)
    np.testing.assert_allclose(again.vectors, model.wv.vectors, rtol=1e-5, atol=1e-6)
    first = lib.models.KeyedVectors.load_word2vec_format(path, binary=binary_file, limit=5)
    assert list(first.index_to_key) == list(model.wv.index_to_key)[:5]
    lines = Path(counts).read_text().splitlines()
    assert lines[0].split() == [model.wv.index_to_key[0], str(model.wv.get_vecattr(0, "count"))]
    assert len(lines) == len(model.wv)
    assert Path(path).read_bytes().split(b"\n", 1)[0] == f"{len(model.wv)} 24".encode()


def test_word2vec_format_without_header(lib: Any, kv: Any, tmp_path: Path) -> None:
    kv.save_word2vec_format(str(tmp_path / "glove.txt"), write_header=False)
    assert len((tmp_path / "glove.txt").read_text().splitlines()) == 5
    again = lib.models.KeyedVectors.load_word2vec_format(str(tmp_path / "glove.txt"), no_header=True)
    np.testing.assert_array_equal(again.vectors, kv.vectors)


def test_files_of_the_other(lib: Any, tmp_path: Path) -> None:
    """Each reads what the other has written in a format of word2vec."""
    for name in ("gensim", "w2v.compat.gensim"):
        other = importlib.import_module(name).models.KeyedVectors(2)
        other.add_vectors(["a", "b"], [[1, 2], [3, 4]])
        other.save_word2vec_format(str(tmp_path / "v.bin"), binary=True)
        np.testing.assert_array_equal(lib.models.KeyedVectors.load_word2vec_format(str(tmp_path / "v.bin"), binary=True)["b"], [3, 4])


# KeyedVectors


def test_lookups(kv: Any) -> None:
    assert kv["north"].tolist() == [0, 2, 0]
    assert kv[["north", "east"]].tolist() == [[0, 2, 0], [1, 0, 0]]
    assert kv[1].tolist() == [0, 2, 0]
    assert kv.get_vector("north", norm=True).tolist() == [0, 1, 0]
    assert "north" in kv and "south" not in kv and len(kv) == 5
    assert kv.index_to_key[1] == "north" and kv.key_to_index["north"] == 1
    assert kv.get_index("up") == 2 and kv.get_index("south", default=-1) == -1
    assert kv.has_index_for("up") and not kv.has_index_for("south")
    assert kv.vectors.shape == (5, 3) and kv.vector_size == 3
    assert np.allclose(kv.get_normed_vectors()[2], [0, 0, 1])
    kv.fill_norms()
    assert np.allclose(kv.norms, [1, 2, 3, np.sqrt(2), 1])
    calls: List[Callable[[], Any]] = [
        lambda: kv["south"], lambda: kv.get_vector("south"), lambda: kv.get_index("south"), lambda: kv[["up", "south"]],
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(KeyError):
            call()


def test_copies_are_not_the_vectors(kv: Any) -> None:
    vector = np.array(kv["north"])
    vector[:] = 9
    assert kv["north"].tolist() == [0, 2, 0]


def test_most_similar(kv: Any) -> None:
    words = [word for word, _ in kv.most_similar("east", topn=4)]
    assert words[0] == "northeast" and words[-1] == "west"
    assert dict(kv.most_similar("east"))["northeast"] == pytest.approx(np.sqrt(0.5), abs=1e-6)
    assert dict(kv.most_similar("east"))["west"] == pytest.approx(-1, abs=1e-6)
    assert len(kv.most_similar("east", topn=2)) == 2 and kv.most_similar("east", topn=0) == []
    assert kv.most_similar(["east", "north"], topn=1)[0][0] == "northeast"
    assert kv.most_similar(positive=["northeast"], negative=["east"], topn=1)[0][0] == "north"
    assert kv.most_similar(positive=[("north", 2.0), ("up", 0.5)], topn=1)[0][0] == "northeast"
    assert kv.most_similar(np.array([1, 0, 0], np.float32), topn=1)[0][0] == "east"
    assert kv.most_similar(positive=[np.array([0, 1, 0], np.float32)], topn=1)[0][0] == "north"
    assert kv.most_similar("east", topn=None).shape == (5,)
    assert {word for word, _ in kv.most_similar("east", restrict_vocab=3)} == {"north", "up"}
    assert {word for word, _ in kv.most_similar("east", clip_start=2, clip_end=4)} == {"up", "northeast"}
    assert kv.similar_by_word("east", topn=1) == kv.similar_by_key("east", topn=1) == kv.most_similar("east", topn=1)
    assert kv.similar_by_vector(np.array([0, 0, 1], np.float32), topn=1)[0][0] == "up"
    assert kv.most_similar_cosmul("east", topn=1)[0][0] == "northeast"
    assert kv.most_similar_cosmul(positive=["northeast"], negative=["up"], topn=1)[0][0] in ("east", "north")
    with pytest.raises(KeyError):
        kv.most_similar("south")
    with pytest.raises(ValueError):
        kv.most_similar(positive=[], negative=[])


def test_comparisons(kv: Any) -> None:
    assert kv.similarity("east", "northeast") == pytest.approx(np.sqrt(0.5), abs=1e-6)
    assert kv.distance("east", "west") == pytest.approx(2, abs=1e-6)
    assert np.allclose(kv.distances("east", ["east", "north", "west"]), [0, 1, 2], atol=1e-6)
    assert kv.distances("east").shape == (5,)
    assert kv.n_similarity(["east", "west", "north"], ["north"]) == pytest.approx(1, abs=1e-6)
    assert kv.n_similarity(["east"], ["north"]) == pytest.approx(0, abs=1e-6)
    assert kv.rank("east", "northeast") == 1 and kv.rank("east", "west") == 4
    assert set(kv.closer_than("east", "west")) == {"north", "up", "northeast"}
    assert kv.closer_than("east", "northeast") == []
    assert kv.most_similar_to_given("east", ["up", "northeast", "west"]) == "northeast"
    assert kv.doesnt_match(["east", "northeast", "north", "west"]) == "west"
    assert kv.doesnt_match(["east", "south"]) == "east"
    assert kv.rank_by_centrality(["east", "northeast", "west"])[-1][1] == "west"
    assert kv.relative_cosine_similarity("east", "northeast", topn=1) == pytest.approx(1, abs=1e-6)
    with pytest.raises(KeyError):
        kv.similarity("east", "south")
    with pytest.raises(ZeroDivisionError):
        kv.n_similarity([], ["east"])
    with pytest.raises(ValueError):
        kv.doesnt_match([])


def test_means(kv: Any) -> None:
    assert np.allclose(kv.get_mean_vector(["east", "north"]), [0.5, 0.5, 0])
    assert np.allclose(kv.get_mean_vector(["east", "north"], pre_normalize=False), [0.5, 1, 0])
    assert np.allclose(kv.get_mean_vector(["east", "north"], weights=[3, 1]), [0.75, 0.25, 0])
    assert np.allclose(kv.get_mean_vector(["east", "north"], post_normalize=True), [np.sqrt(0.5), np.sqrt(0.5), 0])
    assert np.allclose(kv.get_mean_vector(["east", "south"]), [1, 0, 0])
    with pytest.raises(KeyError):
        kv.get_mean_vector(["south"], ignore_missing=False)
    with pytest.raises(ValueError):
        kv.get_mean_vector([])


def test_words_are_added_to_vectors(lib: Any, kv: Any) -> None:
    kv.add_vectors(["south", "east"], [[0, -1, 0], [9, 9, 9]])
    assert len(kv) == 6 and kv["south"].tolist() == [0, -1, 0] and kv["east"].tolist() == [1, 0, 0]
    kv.add_vectors(["east"], [[5, 0, 0]], replace=True)
    assert kv["east"].tolist() == [5, 0, 0] and len(kv) == 6
    kv["down"] = np.array([0, 0, -1])
    assert kv["down"].tolist() == [0, 0, -1]
    kv[["down", "below"]] = np.array([[0, 0, -2], [0, 0, -3]])
    assert kv["down"].tolist() == [0, 0, -2] and kv["below"].tolist() == [0, 0, -3]
    assert kv.most_similar("down", topn=1)[0][0] == "below"
    kv.add_vectors("one", [1, 1, 1])
    assert kv["one"].tolist() == [1, 1, 1] and kv.index_to_key[-1] == "one"
    empty = lib.models.KeyedVectors(2)
    assert len(empty) == 0 and "one" not in empty
    empty["one"] = np.array([1, 2])
    assert empty["one"].tolist() == [1, 2]


def test_add_vector(lib: Any) -> None:
    vectors = lib.models.KeyedVectors(2)
    assert vectors.add_vector("first", np.ones(2)) == 0
    assert vectors.index_to_key == ["first"]


def test_vectors_for_all(kv: Any) -> None:
    some = kv.vectors_for_all(["up", "east", "up", "south"])
    assert list(some.index_to_key) == ["up", "east"] and some["up"].tolist() == [0, 0, 3]
    assert some.most_similar("up", topn=1)[0][0] == "east"


def test_lengths_of_1(kv: Any) -> None:
    kv.unit_normalize_all()
    assert np.allclose(np.linalg.norm(kv.vectors, axis=1), 1)
    assert kv["up"].tolist() == [0, 0, 1]


def test_the_order_of_counts(lib: Any, tmp_path: Path) -> None:
    model = lib.models.Word2Vec(SMALL, vector_size=4, min_count=1)
    before = list(model.wv.index_to_key)
    graph = np.array(model.wv["graph"])
    model.wv.sort_by_descending_frequency()
    counts = [model.wv.get_vecattr(word, "count") for word in model.wv.index_to_key]
    assert counts == sorted(counts, reverse=True) and set(before) == set(model.wv.index_to_key)
    np.testing.assert_array_equal(model.wv["graph"], graph)


def test_copies(kv: Any) -> None:
    for other in (copy.deepcopy(kv), pickle.loads(pickle.dumps(kv))):
        assert other["up"].tolist() == [0, 0, 3] and list(other.index_to_key) == list(kv.index_to_key)
        other["new"] = np.array([1, 1, 1])
        assert "new" in other and "new" not in kv


def test_case_counts(lib: Any) -> None:
    vectors = lib.models.KeyedVectors(2)
    vectors.add_vectors(["paris", "rome"], [[1, 0], [0, 1]])
    assert "Paris" not in vectors
    with pytest.raises(KeyError):
        vectors["Paris"]


def test_evaluations(lib: Any, model: Any, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("king\tqueen\t9\nparis\tlondon\t8\nthe\tparis\t1\nxx-unknown\tking\t2\n")
    scores: Any = model.wv.evaluate_word_pairs(str(tmp_path / "pairs.tsv"))
    pearson, spearman, unknown = scores
    assert -1 <= pearson[0] <= 1 and 0 <= pearson[1] <= 1 and -1 <= spearman[0] <= 1 and unknown == 25
    known = " ".join(model.wv.index_to_key[:4])
    (tmp_path / "analogies.txt").write_text(f": capitals\n{known}\nxx-unknown france rome italy\n: none\n")
    score, sections = model.wv.evaluate_word_analogies(str(tmp_path / "analogies.txt"))
    assert 0 <= score <= 1 and [section["section"] for section in sections] == ["capitals", "none", "Total accuracy"]
    assert len(sections[0]["correct"]) + len(sections[0]["incorrect"]) == 1
    with pytest.raises(ValueError):
        model.wv.evaluate_word_pairs(str(tmp_path / "analogies.txt"))


# FastText


@pytest.fixture(scope="module")
def fasttexts(binary: str, sentences: Sentences) -> Callable[[Any], Any]:
    made: Dict[str, Any] = {}

    def train(lib: Any) -> Any:
        if lib.__name__ not in made:
            made[lib.__name__] = lib.models.FastText(sentences, vector_size=16, window=3, min_count=5, sg=1, epochs=1, workers=1, bucket=5000, min_n=2, max_n=4)
        return made[lib.__name__]

    return train


def test_fasttext(lib: Any, fasttexts: Callable[[Any], Any], tmp_path: Path) -> None:
    model = fasttexts(lib)
    assert (model.min_n if hasattr(model, "min_n") else model.wv.min_n) == 2
    assert model.wv["parisienne"].shape == (16,) and "parisienne" in model.wv
    assert "parisienne" not in model.wv.key_to_index and "paris" in model.wv.key_to_index
    assert not model.wv.has_index_for("parisienne")
    assert len(model.wv.most_similar("parisienne", topn=3)) == 3
    assert -1 <= model.wv.similarity("parisienne", "paris") <= 1
    assert model.wv.get_sentence_vector(["paris", "parisienne"]).shape == (16,)
    assert model.wv[["paris", "parisienne"]].shape == (2, 16)
    assert model.wv.n_similarity(["paris"], ["parisienne", "london"]) <= 1
    assert model.wv.doesnt_match(["paris", "london", "guitar"]) in ("paris", "london", "guitar")
    assert str(model).startswith("FastText<vocab=")
    model.save(str(tmp_path / "fasttext.model"))
    again = lib.models.FastText.load(str(tmp_path / "fasttext.model"))
    np.testing.assert_allclose(again.wv["parisienne"], model.wv["parisienne"], atol=1e-6)
    model.wv.save(str(tmp_path / "fasttext.kv"))
    vectors = lib.models.KeyedVectors.load(str(tmp_path / "fasttext.kv"))
    np.testing.assert_allclose(vectors["parisienne"], model.wv["parisienne"], atol=1e-6)


def test_fasttext_files(lib: Any, fasttexts: Callable[[Any], Any], tmp_path: Path) -> None:
    model, module = fasttexts(lib), lib.models.fasttext
    module.save_facebook_model(model, str(tmp_path / "model.bin"))
    again = module.load_facebook_model(str(tmp_path / "model.bin"))
    vectors = module.load_facebook_vectors(str(tmp_path / "model.bin"))
    for word in ("paris", "parisienne"):
        np.testing.assert_allclose(again.wv[word], model.wv[word], atol=1e-5)
        np.testing.assert_allclose(vectors[word], model.wv[word], atol=1e-5)
    assert list(again.wv.index_to_key) == list(model.wv.index_to_key)
    again.build_vocab([["brandnewword", "paris"]] * 6, update=True)
    again.train([["brandnewword", "paris"]] * 6, total_examples=6, epochs=1)
    assert "brandnewword" in again.wv.key_to_index


@pytest.mark.parametrize("settings", [{"sg": 0}, {"hs": 1, "negative": 0}, {"max_n": 0}, {"bucket": 100}, {"min_n": 3, "max_n": 3}])
def test_fasttext_settings(lib: Any, settings: Dict[str, Any]) -> None:
    model = lib.models.FastText(SMALL, **{"vector_size": 8, "min_count": 1, "epochs": 1, "bucket": 1000, **settings})
    assert len(model.wv) == 11 and model.wv["graph"].shape == (8,)


def test_fasttext_in_steps(lib: Any) -> None:
    model = lib.models.FastText(vector_size=8, min_count=1, bucket=1000)
    model.build_vocab(corpus_iterable=SMALL)
    model.train(corpus_iterable=SMALL, total_examples=model.corpus_count, epochs=2)
    assert model.wv["graphs"].any()


# Sentences


def test_line_sentence(lib: Any, tmp_path: Path) -> None:
    text = "the first line\n\na second  line\tof naïve words\n"
    want = [["the", "first", "line"], ["a", "second", "line", "of", "naïve", "words"]]
    (tmp_path / "lines.txt").write_text(text, encoding="utf8")
    with gzip.open(tmp_path / "lines.txt.gz", "wt", encoding="utf8") as file:
        file.write(text)
    with bz2.open(tmp_path / "lines.txt.bz2", "wt", encoding="utf8") as file:
        file.write(text)
    line_sentence = lib.models.word2vec.LineSentence
    for name in ("lines.txt", "lines.txt.gz", "lines.txt.bz2"):
        lines = line_sentence(str(tmp_path / name))
        assert list(lines) == want == list(lines)  # it can be read again
    assert list(line_sentence(str(tmp_path / "lines.txt"), limit=1)) == want[:1]
    assert list(line_sentence(str(tmp_path / "lines.txt"), max_sentence_length=4)) == [want[0], want[1][:4], want[1][4:]]
    assert list(line_sentence(io.BytesIO(text.encode()))) == want
    model = lib.models.Word2Vec(line_sentence(str(tmp_path / "lines.txt")), vector_size=4, min_count=1)
    assert "naïve" in model.wv


def test_path_line_sentences(lib: Any, tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("b b\n")
    (tmp_path / "a.txt").write_text("a a\n")
    folder = lib.models.word2vec.PathLineSentences
    assert list(folder(str(tmp_path))) == [["a", "a"], ["b", "b"]]
    assert list(folder(str(tmp_path / "b.txt"))) == [["b", "b"]]
    with pytest.raises(ValueError):
        folder(str(tmp_path / "none"))


def test_text8(lib: Any, tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(25000)]
    (tmp_path / "text8").write_text(" ".join(words))
    corpus = list(lib.models.word2vec.Text8Corpus(str(tmp_path / "text8"), max_sentence_length=1000))
    assert [word for sentence in corpus for word in sentence] == words
    assert {len(sentence) for sentence in corpus} == {1000}


@pytest.mark.parametrize(
    "text, options, want",
    [
        ("The Quick, brown fox! 42 a", {}, ["the", "quick", "brown", "fox"]),
        ("Šéfredaktor", {"deacc": True}, ["sefredaktor"]),
        ("Šéfredaktor", {}, ["šéfredaktor"]),
        ("supercalifragilistic ok", {}, ["ok"]),
        ("a an the", {"min_len": 1, "max_len": 2}, ["a", "an"]),
        ("_under under_score", {}, ["under_score"]),
        (b"bytes too", {}, ["bytes", "too"]),
        ("x2 2x abc123def", {}, ["abc", "def"]),
    ],
)
def test_simple_preprocess(lib: Any, text: Any, options: Dict[str, Any], want: List[str]) -> None:
    utils = importlib.import_module(f"{lib.__name__}.utils")
    assert utils.simple_preprocess(text, **options) == want


def test_tokens(lib: Any) -> None:
    utils = importlib.import_module(f"{lib.__name__}.utils")
    assert list(utils.tokenize("The _Šéf of 42 x2", lower=True, deacc=True)) == ["the", "_sef", "of", "x"]
    assert list(utils.tokenize("Šéf".encode())) == list(utils.simple_tokenize("Šéf")) == ["Šéf"]
    assert utils.deaccent("Šéf") == "Sef" and utils.any2unicode(b"bytes") == "bytes"
    assert (utils.RULE_DEFAULT, utils.RULE_DISCARD, utils.RULE_KEEP) == (0, 1, 2)


# Phrases


def test_phrases(lib: Any, tmp_path: Path) -> None:
    module = importlib.import_module(f"{lib.__name__}.models.phrases")
    phrases = module.Phrases(SMALL, min_count=1, threshold=0.1)
    assert phrases[["graph", "minors", "trees"]] == ["graph_minors", "trees"]
    assert phrases.vocab["graph_minors"] == 40 and phrases.corpus_word_count == sum(map(len, SMALL))
    assert list(phrases[SMALL])[-1] == ["graph_minors", "survey"]
    frozen = phrases.freeze()
    assert frozen[["graph", "minors"]] == ["graph_minors"] and set(frozen.phrasegrams) == set(phrases.export_phrases())
    for of in (phrases, phrases.freeze()):
        assert of.score_candidate("graph", "minors", []) == ("graph_minors", frozen.phrasegrams["graph_minors"])
        assert of.score_candidate("graph", "human", []) == of.score_candidate("graph", "minors", ["of"]) == (None, None)
    assert module.Phraser(phrases)[["graph", "minors"]] == ["graph_minors"]
    assert module.Phrases(SMALL, min_count=1, threshold=0.1, delimiter=" ")[["graph", "minors"]] == ["graph minors"]
    phrases.save(str(tmp_path / "phrases.pkl"))
    frozen.save(str(tmp_path / "frozen.pkl"))
    for name in ("phrases.pkl", "frozen.pkl"):
        again = module.Phrases.load(str(tmp_path / name))
        assert again[["graph", "minors", "trees"]] == ["graph_minors", "trees"]
        assert again.export_phrases() if name == "phrases.pkl" else again.phrasegrams
    phrases.add_vocab([["new", "york"]] * 30)
    assert phrases[["new", "york"]] == ["new_york"]
    assert {"of", "the", "in"} <= module.ENGLISH_CONNECTOR_WORDS
    middle = module.Phrases([["bank", "of", "america", "x"]] * 9, min_count=1, threshold=0.1, connector_words=module.ENGLISH_CONNECTOR_WORDS)
    assert middle[["bank", "of", "america"]] == ["bank_of_america"]
    for wrong in ({"min_count": 0}, {"threshold": 0}, {"scoring": "none"}, {"threshold": 3, "scoring": "npmi"}):
        with pytest.raises(ValueError):
            module.Phrases(SMALL, **wrong)
    model = lib.models.Word2Vec(phrases[SMALL], vector_size=8, min_count=1)
    assert "graph_minors" in model.wv


# What cannot hold in w2v, and why. tests/assertions.py lists it


def cannot_hold() -> Iterator[Tuple[str, str]]:
    yield "word2vec().alpha == 0.025", "0.025 is a poor rate for small texts: the default is the rate that suits the text"
    yield "word2vec(hs=1, negative=5).syn1neg.any()", "w2v trains hierarchical softmax or negative sampling"
    yield "word2vec(hs=1, negative=0).syn1.any()", "w2v does not show the tree"
    yield "len(word2vec(hs=1, negative=0).score(SMALL, 2)) == 2", "w2v measures the loss on held-out text, with validate="
    for setting in ("min_alpha=0.01", "cbow_mean=0", "max_vocab_size=100", "hashfxn=len", "null_word=1", "sorted_vocab=0", "batch_words=100"):
        yield f"len(word2vec({setting}).wv) >= 11", "w2v has no such setting, and refuses all values but the default"
    yield "fasttext().wv.__setitem__('graph', np.ones(4)) is None", "rows of words are composed of those of n-grams"
    yield "'' in fasttext().wv", "a text without an n-gram of the model has no vector"
    yield "'kernel' in updated().wv", "build_vocab(update=True) counts words, and train adds them"
    yield "updated().train(MORE, total_examples=10, epochs=1)[1] == 30", "the program does not count tokens that are no words of the vocabulary"
    yield "in_callback('on_train_begin', lambda model: len(model.wv)) == 11", "the program counts words while it reads"
    yield "in_callback('on_epoch_end', lambda model: model.wv.add_vector('new', np.ones(4))) == 11", "training goes on, and would not know of the change"
    yield "loaded().corpus_count == len(SMALL)", "a model records tokens, and no sentences"
    yield "models.KeyedVectors.load(pickled()).vectors.shape == (1, 2)", "opening a pickle runs what it says"
    yield "kv().save(pickled()) is None", "a pickle may be the only copy of a model of gensim"
    yield "kv().vectors.flags.writeable", "rows may be composed, and are those of a file: kv[word] = vector changes one"
    yield "kv().set_vecattr('east', 'weight', 2) is None", "words have counts alone"
    yield "models.KeyedVectors(2, 5).vectors.shape == (5, 2)", "add_vectors makes room itself"
    yield "models.KeyedVectors(2, dtype=np.float64).vectors.dtype == np.float64", "vectors are float32"
    yield "models.KeyedVectors.load_word2vec_format(latin1(), encoding='latin1')['\u00e9'].tolist() == [1, 2]", "w2v reads UTF-8"
    yield "models.Doc2Vec(vector_size=4, dm=1).dm == 1", "w2v has PV-DBOW, whose vectors are better"
    yield "models.LdaModel.__name__ == 'LdaModel'", "it is not about word vectors"
    yield "module('corpora').Dictionary.__name__ == 'Dictionary'", "it is not about word vectors"
    yield "module('downloader').load.__name__ == 'load'", "models are downloaded by other means"
    yield "module('parsing.preprocessing').strip_tags('<b>x') == 'x'", "texts are cut by tokenizer= of w2v.train, or by utils.simple_preprocess"
    yield "len(module('test.utils').common_texts) == 9", "they are gensim's own sentences"


MORE = [["graph", "kernel", "rare"]] * 10  # new words, one of which is left out


@pytest.mark.parametrize("assertion, why", [pytest.param(*of, id=of[0]) for of in cannot_hold()])
def test_what_cannot_hold(lib: Any, tmp_path: Path, assertion: str, why: str) -> None:
    small: Dict[str, Any] = {"vector_size": 4, "min_count": 1, "workers": 1, "epochs": 1}

    def updated() -> Any:
        model = lib.models.Word2Vec(SMALL, **small)
        model.build_vocab(MORE, update=True, trim_rule=lambda word, count, least: 1 if word == "rare" else 0)
        return model

    def in_callback(name: str, call: Callable[[Any], Any]) -> Any:
        found: List[Any] = []
        callback = type("Callback", (lib.models.callbacks.CallbackAny2Vec,), {name: lambda self, model: found.append(call(model))})
        lib.models.Word2Vec(SMALL, callbacks=[callback()], **small)
        return found[0]

    def kv(module: Any = lib) -> Any:
        vectors = module.models.KeyedVectors(2)
        vectors.add_vectors(["east"], [[1, 0]])
        return vectors

    def loaded() -> Any:
        lib.models.Word2Vec(SMALL, **small).save(str(tmp_path / "model"))
        return lib.models.Word2Vec.load(str(tmp_path / "model"))

    def pickled() -> str:
        kv(importlib.import_module("gensim")).save(str(tmp_path / "pickle"))
        return str(tmp_path / "pickle")

    def latin1() -> str:
        (tmp_path / "latin1.txt").write_text("1 2\n\u00e9 1 2\n", encoding="latin1")
        return str(tmp_path / "latin1.txt")

    names = {
        **locals(), "models": lib.models, "np": np, "SMALL": SMALL, "MORE": MORE,
        "word2vec": lambda **settings: lib.models.Word2Vec(SMALL, **{**small, **settings}),
        "fasttext": lambda: lib.models.FastText(SMALL, bucket=100, **small),
        "module": lambda name: importlib.import_module(f"{lib.__name__}.{name}"),
    }  # fmt: skip
    try:
        held, error = bool(eval(assertion, names)), None
    except (AttributeError, FileExistsError, ImportError, RuntimeError, TypeError, Error) as refused:
        held, error = False, refused
    assert held == (lib.__name__ == "gensim"), (error, why)


# What is refused, in w2v alone


def refusals() -> Iterator[Tuple[str, Callable[[Any], Any], Any, str]]:
    yield "dm", lambda m: m.models.Doc2Vec(dm=1), TypeError, "takes no dm: w2v has PV-DBOW, dm=0"
    yield "a misspelt setting", lambda m: m.models.Doc2Vec(vectorsize=5), TypeError, "Doc2Vec.*vectorsize'. Did you mean vector_size"
    yield "documents that are lists", lambda m: m.models.Doc2Vec(SMALL, min_count=1), TypeError, "a document is a TaggedDocument, with words and tags, and not list"
    yield "a generator of documents", lambda m: m.models.Doc2Vec(iter(SMALL)), TypeError, "documents are read more than once"
    yield "tags that are a text", lambda m: m.models.Doc2Vec([m.models.doc2vec.TaggedDocument(SMALL[0], "7")], min_count=1), TypeError, "are a list, and not a text"
    yield "tags", lambda m: m.models.Doc2Vec([m.models.doc2vec.TaggedDocument(SMALL[0], [7])], min_count=1), ValueError, "they must be 0, 1, 2 and so on"
    yield "downloader", lambda m: importlib.import_module(f"{m.__name__}.downloader"), ImportError, "download the file of a model"
    yield "parsing", lambda m: importlib.import_module(f"{m.__name__}.parsing.preprocessing"), ImportError, "or cut texts with utils.simple_preprocess"
    yield "common_texts", lambda m: importlib.import_module(f"{m.__name__}.test.utils"), ImportError, "import them from gensim itself"
    yield "SaveLoad", lambda m: m.utils.SaveLoad, ImportError, "import it from gensim.utils"
    yield "min_alpha of train", lambda m: _with_min_alpha(m).train(SMALL, total_examples=1, epochs=1), TypeError, "train.. of w2v.compat.gensim takes no min_alpha"
    yield "LdaModel", lambda m: m.models.LdaModel, ImportError, "import it from gensim itself"
    yield "corpora", lambda m: m.corpora, ImportError, "import it from gensim itself"
    yield "cbow_mean", lambda m: m.models.Word2Vec(SMALL, cbow_mean=0), TypeError, "CBOW takes the mean"
    yield "min_alpha", lambda m: m.models.Word2Vec(SMALL, min_alpha=0.01), TypeError, "falls to 0"
    yield "max_vocab_size", lambda m: m.models.Word2Vec(SMALL, max_vocab_size=100), TypeError, "max_final_vocab keeps"
    yield "word_ngrams", lambda m: m.models.FastText(SMALL, word_ngrams=2), TypeError, "runs of words"
    yield "a path", lambda m: m.models.Word2Vec("corpus.txt"), TypeError, "a path is corpus_file="
    yield "nothing to train with", lambda m: m.models.Word2Vec(SMALL, negative=0), ValueError, "leave nothing to train with"
    yield "score", lambda m: m.models.Word2Vec().score, AttributeError, "validate="
    yield "set_vecattr", lambda m: m.models.KeyedVectors(2).set_vecattr, AttributeError, "words have counts alone"
    yield "a misspelt name", lambda m: m.models.KeyedVectors(2).most_simlar, AttributeError, "no most_simlar. Did you mean most_similar?"
    yield "a misspelt name of Word2Vec", lambda m: m.models.Word2Vec().build_vocabs, AttributeError, "no build_vocabs. Did you mean build_vocab?"
    yield "a method of vectors", lambda m: m.models.Word2Vec().most_similar, AttributeError, "no most_similar: write wv.most_similar"
    yield "a misspelt class", lambda m: m.models.KeyedVector, AttributeError, "Did you mean KeyedVectors?"
    yield "total_vec", lambda m: m.models.KeyedVectors(2).save_word2vec_format("x", total_vec=3), TypeError, "takes no total_vec"
    yield "latin1", lambda m: m.models.KeyedVectors.load_word2vec_format("x", encoding="latin1"), TypeError, "w2v reads UTF-8"


def _with_min_alpha(lib: Any) -> Any:
    model = _built(lib)
    model.min_alpha = 0.01
    return model


@pytest.mark.parametrize("name, call, error, message", [pytest.param(*of, id=of[0]) for of in refusals()])
def test_what_is_refused_by_name(binary: str, name: str, call: Callable[[Any], Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call(importlib.import_module("w2v.compat.gensim"))


# Vectors of documents. The classes of gensim are its own, and make other numbers: these tests are of what they share.


def test_doc2vec(lib: Any, tmp_path: Path) -> None:
    words = [["sun", "moon", "star", "sky"], ["dog", "cat", "horse", "cow"]]
    random = np.random.default_rng(1)
    texts = [random.choice(words[i % 2], 12).tolist() for i in range(300)]
    documents = [lib.models.doc2vec.TaggedDocument(text, [f"d{i}", ("sky", "farm")[i % 2]]) for i, text in enumerate(texts)]
    model = lib.models.Doc2Vec(dm=0, dbow_words=1, vector_size=16, min_count=1, epochs=20, seed=1, workers=1)
    model.build_vocab(documents)
    model.train(documents, total_examples=model.corpus_count, epochs=model.epochs)
    assert len(model.dv) == 302 and model.dv["d0"].shape == (16,) and model.corpus_count == 300
    nearest = [tag for tag, _ in model.dv.most_similar("d0", topn=20) if tag not in ("sky", "farm")]
    assert all(int(tag[1:]) % 2 == 0 for tag in nearest)
    inferred = model.infer_vector(["cow", "cat"])
    (found, _), *_ = model.dv.most_similar([inferred], topn=1)
    assert found == "farm" or int(found[1:]) % 2 == 1
    sky, farm = words
    assert model.similarity_unseen_docs(sky * 3, sky[::-1] * 3) > model.similarity_unseen_docs(sky * 3, farm * 3)
    model.save(str(tmp_path / "model"))
    again = type(model).load(str(tmp_path / "model"))
    np.testing.assert_array_equal(again.dv["d7"], model.dv["d7"])
    if lib.__name__ != "gensim":
        np.testing.assert_array_equal(model.infer_vector(texts[3]), model.dv["d3"])
        np.testing.assert_array_equal(again.infer_vector(texts[3]), model.dv["d3"])
        np.testing.assert_allclose(model.infer_vector(sum(texts[0::2], [])), model.dv["sky"], atol=1e-6)
    path = tmp_path / "lines.txt"
    path.write_text("".join(" ".join(text) + "\n" for text in texts[:60]))
    lines = lib.models.Doc2Vec(corpus_file=str(path), dm=0, vector_size=8, min_count=1, epochs=2, workers=1)
    assert lines.dv[59].shape == (8,) and len(lines.dv) == 60
    lines.save(str(tmp_path / "numbered"))
    for dv in (lines.dv, type(model).load(str(tmp_path / "numbered")).dv):
        assert list(dv.index_to_key) == list(range(60)) and 59 in dv and "5" not in dv and 60 not in dv
        answers = [dv.most_similar(3), dv.similar_by_key(3), dv.similar_by_vector(dv[3]), dv.most_similar(positive=[1, dv[2]], negative=[4])]
        tags = [tag for answer in answers for tag, _ in answer] + dv.closer_than(1, 2) + [dv.doesnt_match([1, 2, 3]), dv.most_similar_to_given(1, [2, 3])]
        assert all(isinstance(tag, (int, np.integer)) for tag in tags)
    numbered = list(lib.models.doc2vec.TaggedLineDocument(str(path)))
    assert numbered[5].tags == [5] and list(numbered[5].words) == texts[5]
