"""Questions have the program's answers: the same words in the same order, but for rounding, and cosines to 1e-6."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Callable, List, Tuple

import numpy as np
import pytest
from program import neighbours, objects, same_answers

import w2v
from w2v.search import Directions, best
from w2v.vocabulary import MissingWordError

Models = Callable[[str], Path]

NAMES = ["words", "fasttext", "floret", "hash-append", "low-rank-fasttext"]

# Words of the demo's text.
ASKED = ["weather", "king", "queen", "woman", "song"]


@pytest.fixture(params=NAMES)
def path(request: pytest.FixtureRequest, models: Models) -> Path:
    return models(str(request.param))


def unseen(path: Path) -> List[str]:
    return [] if path.stem == "words" else ["unseenword", "weatherman"]


def test_most_similar(binary: str, path: Path) -> None:
    model = w2v.load(path)
    for word in [w for w in ASKED if w in model.key_to_index] + unseen(path):
        want = neighbours(binary, "nn", "-k", "12", "--", str(path), word)
        same_answers(model.most_similar(word, topn=12), want)
        same_answers(model.similar_by_word(word, topn=12), want)
        same_answers(model.similar_by_key(word, topn=12), want)


def test_most_similar_to_a_sum(binary: str, path: Path) -> None:
    model = w2v.load(path)
    a, b, c = model.words[20:23]
    want = neighbours(binary, "nn", "--", str(path), f"{a} - {b} + 0.5*{c}")
    same_answers(model.most_similar(positive=[a, (c, 0.5)], negative=[b]), want)
    same_answers(model.most_similar(positive=[a, b, (c, -2)]), neighbours(binary, "nn", "--", str(path), f"{a} + {b} - 2*{c}"))


def test_restricted_and_clipped(binary: str, path: Path) -> None:
    model = w2v.load(path)
    word = model.words[50]  # which need not be among those that may answer
    want = neighbours(binary, "nn", "--restrict", "30", "--", str(path), word)
    same_answers(model.most_similar(word, restrict_vocab=30), want)
    same_answers(model.most_similar(word, clip_end=30), want)
    places = [model.key_to_index[w] for w, _ in model.most_similar(word, clip_start=10, clip_end=20, topn=99)]
    assert sorted(places) == list(range(10, 20))
    assert model.most_similar(word, topn=0) == []


def test_all_cosines(path: Path) -> None:
    model = w2v.load(path)
    word = model.words[3]
    cosines = model.most_similar(word, topn=None)
    assert cosines.shape == (len(model),)
    assert cosines[3] == pytest.approx(1, abs=1e-6)
    assert cosines[9] == pytest.approx(model.similarity(word, model.words[9]), abs=1e-6)
    some = model.most_similar(word, topn=None, clip_start=2, clip_end=7)
    np.testing.assert_allclose(some, cosines[2:7], rtol=0, atol=1e-6)


def test_batches_are_single_questions(path: Path) -> None:
    model = w2v.load(path)
    words: List[Any] = model.words[:40] + unseen(path)
    for word, answers in zip(words, model.most_similar_batch(words, topn=5)):
        same_answers(answers, model.most_similar(word, topn=5))
    vector = model[words[0]]
    by_vector, by_word = model.most_similar_batch([vector, words[1]], topn=3)
    assert by_vector[0][0] == words[0], "a vector's own word may answer"
    same_answers(by_vector, model.similar_by_vector(vector, topn=3))
    same_answers(by_word, model.most_similar(words[1], topn=3))
    assert model.most_similar_batch([]) == []


def test_analogies(binary: str, path: Path) -> None:
    model = w2v.load(path)
    a, b, c = model.words[20:23]
    same_answers(model.analogy(a, b, c), neighbours(binary, "analogy", "--", str(path), a, b, c))
    want = neighbours(binary, "analogy", "--method", "3cosmul", "--", str(path), a, b, c)
    got = model.most_similar_cosmul(positive=[b, c], negative=[a])
    same_answers(got, want, within=1e-5)


def test_similarity(binary: str, path: Path) -> None:
    model = w2v.load(path)
    words = model.words[:6] + (unseen(path) or model.words[6:8])
    want = objects(binary, "similarity", "--", str(path), *words)
    for pair in want:
        assert model.similarity(pair["a"], pair["b"]) == pytest.approx(pair["similarity"], abs=1e-6)
        assert model.distance(pair["a"], pair["b"]) == pytest.approx(1 - pair["similarity"], abs=1e-6)
        near = model.distances(pair["a"], [pair["b"], pair["a"]])
        np.testing.assert_allclose(near, [1 - pair["similarity"], 0], atol=1e-6)
    assert model.distances(words[0]).shape == (len(model),)


def test_doesnt_match(binary: str, path: Path) -> None:
    model = w2v.load(path)
    words = model.words[5:10]
    (want,) = objects(binary, "doesnt-match", "--", str(path), *words)
    assert model.doesnt_match(words) == want["odd"]
    ranked = model.rank_by_centrality(words)
    assert [word for _, word in ranked] == [w["word"] for w in reversed(want["words"])]
    np.testing.assert_allclose([s for s, _ in ranked], [w["similarity"] for w in reversed(want["words"])], atol=1e-6)
    with pytest.raises(ValueError, match="three"):
        model.doesnt_match(words[:2])


def test_gensim_agrees(models: Models) -> None:
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    model = w2v.load(models("words"))
    theirs = keyedvectors.KeyedVectors(model.dim)
    theirs.add_vectors(model.words, model.vectors)
    a, b, c, d = model.words[10:14]
    same_answers(model.most_similar([a, b], [c]), theirs.most_similar([a, b], [c]))
    same_answers(model.most_similar([a, (b, 0.3)], restrict_vocab=50), theirs.most_similar([a, (b, 0.3)], restrict_vocab=50))
    same_answers(model.similar_by_vector(model[a]), theirs.similar_by_vector(model[a]))
    same_answers(model.most_similar(10), theirs.most_similar(10))
    assert model.n_similarity([a, b], [c, d]) == pytest.approx(theirs.n_similarity([a, b], [c, d]), abs=1e-6)
    assert model.doesnt_match([a, b, c, d]) == theirs.doesnt_match([a, b, c, d])
    assert model.rank(a, b) == theirs.rank(a, b)
    assert set(model.closer_than(a, b)) == set(theirs.closer_than(a, b))
    assert model.most_similar_to_given(a, [b, c, d]) == theirs.most_similar_to_given(a, [b, c, d])
    assert model.similarity(a, b) == pytest.approx(float(theirs.similarity(a, b)), abs=1e-6)
    np.testing.assert_allclose(model.distances(a), theirs.distances(a), atol=1e-6)
    np.testing.assert_allclose(model.get_vector(a, norm=True), theirs.get_vector(a, norm=True), atol=1e-6)
    np.testing.assert_allclose(model.get_normed_vectors(), theirs.get_normed_vectors(), atol=1e-6)
    np.testing.assert_allclose(
        model.get_mean_vector([a, b], [1, -2], post_normalize=True), theirs.get_mean_vector([a, b], [1, -2], post_normalize=True), atol=1e-6
    )


def test_words_without_a_vector(models: Models) -> None:
    plain, ngrams = w2v.load(models("words")), w2v.load(models("fasttext"))
    assert "unseenword" not in plain and plain.get("unseenword", 5) == 5
    assert "unseenword" in ngrams and not ngrams.has_index_for("unseenword")
    asks: List[Callable[[], object]] = [
        lambda: plain["unseenword"],
        lambda: plain[["the", "unseenword"]],
        lambda: plain.most_similar("unseenword"),
        lambda: plain.similarity("the", "unseenword"),
        lambda: ngrams.get_index("unseenword"),
    ]
    for ask in asks:
        with pytest.raises(KeyError, match="'unseenword'") as caught:
            ask()
        assert isinstance(caught.value, MissingWordError) and isinstance(caught.value, w2v.Error)
        assert caught.value.word == "unseenword"
    with pytest.raises(MissingWordError, match=r"train with subwords='fasttext'"):
        plain["unseenword"]
    assert plain.n_similarity(["the", "unseenword"], ["the"]) == pytest.approx(1)
    with pytest.raises(ValueError, match="no words"):
        plain.most_similar()
    with pytest.raises(ValueError, match="32 dimensions"):
        plain.most_similar(positive=[np.zeros(3)])


def test_wrong_arguments_are_named(models: Models, tmp_path: Path) -> None:
    model: Any = w2v.load(models("words"))
    silent = model.with_vectors(["silent"], np.zeros((1, 32)))
    whole = "topn is '3', of type str, and must be a whole number"
    path = "path is None, of type NoneType, and must be a path"
    asks: List[Tuple[Any, str]] = [
        *((lambda ask=ask: ask("the", topn="3"), whole) for ask in (model.most_similar, model.similar_by_word, model.most_similar_cosmul)),
        *((lambda ask=ask: ask(["the"], topn="3"), whole) for ask in (model.most_similar_batch, model.predict_output_word)),
        (lambda: model.most_similar("the", clip_end=2.5), "clip_end is 2.5, of type float"),
        (lambda: model.most_similar([("the", "and")]), "a tuple in a question is a word and its weight"),
        (lambda: model.first("3"), "the number of dimensions is '3'"),
        (lambda: model.get_subwords(3), "a word is a str"),
        (lambda: w2v.train([["a"]], output=5), "output is 5, of type int, and must be a path"),  # type: ignore[arg-type]
        *((lambda ask=ask: ask(None), path) for ask in (w2v.load, model.save, model.evaluate, model.evaluate_word_pairs, w2v.Phrases.load)),
    ]
    for ask, message in asks:
        with pytest.raises(TypeError, match=re.escape(message)):
            ask()
    for key in (np.zeros(32), np.full(32, np.nan)):
        for positive in (key, [key]):
            with pytest.raises(ValueError, match="nothing is similar to a vector without a direction"):
                (model.most_similar if positive is key else model.most_similar_batch)(positive)
    for method in (silent.most_similar, silent.most_similar_batch):
        with pytest.raises(w2v.MissingWordError, match="no vector for the word 'silent': its vector is zero or not finite"):
            method(["silent"])
    for name, meant in [("most_simlar", "most_similar"), ("vector", "vectors"), ("evaluat", "evaluate")]:
        with pytest.raises(AttributeError, match=f"a model of w2v has no {name}. Did you mean {meant}\\?"):
            getattr(model, name)
    with pytest.raises(AttributeError, match="no attribute 'Clasifier'. Did you mean Classifier?"):
        w2v.Clasifier  # type: ignore[attr-defined]


def test_what_is_no_word(models: Models) -> None:
    model: Any = w2v.load(models("words"))  # Any: a checker of types refuses these questions
    asks: List[Callable[[], object]] = [
        lambda: model.similarity("the", None),
        lambda: model.most_similar([None]),
        lambda: model[[1.5]],
        lambda: model[1.5],
        lambda: model[b"the"],
        lambda: model.most_similar(b"the"),
        lambda: model.most_similar_cosmul("the", b"the"),
    ]
    for ask in asks:
        with pytest.raises(TypeError, match="a word is a str, or an int for its place in the vocabulary; found"):
            ask()
    with pytest.raises(TypeError, match="sentence 0 has the token b'the' of type bytes: tokens are texts, so decode it"):
        model.embed([[b"the"]])
    with pytest.raises(TypeError, match="sentence 0 is 1, of type int, and must be a text or a list of tokens"):
        model.embed([1])
    wrong: List[Any] = [[[1, 2]], [["the", None]], {"the"}, {"text": "the"}, [{"text": "the"}], [{"the"}], None, 5, b"the", np.zeros((2, 2)), np.array([["the"]])]
    for sentences in wrong:
        with pytest.raises(TypeError, match="sentence"):
            model.embed(sentences)
    words: List[Callable[[], object]] = [
        lambda: model[{"the", "and"}],
        lambda: model[{"the": 1}],
        lambda: model[True],
        lambda: model.most_similar({"the": 2.0}),
        lambda: model.most_similar_batch({"the", "and"}),
        lambda: model.doesnt_match({"the", "and", "of"}),
        lambda: model.get_mean_vector({"the": 2.0}),
        lambda: model.n_similarity(["the"], {"and": 1}),
        lambda: model.most_similar_to_given("the", {"and", "of"}),
        lambda: model.distances("the", {"and", "of"}),
    ]
    for ask in words:
        with pytest.raises(TypeError, match="must be a list|a word is a str"):
            ask()


@pytest.mark.parametrize("text", ["the", b"the"])
def test_a_text_is_no_list_of_words(models: Models, text: Any) -> None:
    model = w2v.load(models("words"))
    asks: List[Callable[[], object]] = [
        lambda: model.n_similarity(["the"], text),
        lambda: model.n_similarity(text, ["the"]),
        lambda: model.doesnt_match(text),
        lambda: model.get_mean_vector(text),
    ]
    for ask in asks:
        with pytest.raises(TypeError, match="is a text, and must be a list of words"):
            ask()


def test_vectors_have_the_shape_of_the_models(models: Models) -> None:
    model = w2v.load(models("words"))
    for vector in (np.ones(1, np.float32), np.ones(33, np.float32), np.ones((1, 32), np.float32)):
        with pytest.raises(ValueError, match="for a model of 32 dimensions"):
            model.get_mean_vector(["the", vector])
        with pytest.raises(ValueError, match="for a model of 32 dimensions"):
            model.most_similar_batch([vector])


def test_questions_about_nothing(models: Models) -> None:
    model = w2v.load(models("words"))
    with pytest.raises(ValueError, match="no words to which"):
        model.most_similar_cosmul()
    with pytest.raises(ValueError, match="no words of which one"):
        model.most_similar_to_given("the", [])
    with pytest.raises(TypeError, match=r"must be a list of words: \['the'\]"):
        model.most_similar_batch("the")


def test_small_integers_of_numpy_do_not_overflow(models: Models) -> None:
    model = w2v.load(models("words"))
    places = np.arange(250, 255, dtype=np.uint8)
    np.testing.assert_array_equal(model[places], model.vectors[250:255])
    few: Any = np.uint8(255)
    word = model.words[3]
    assert model.most_similar(word, topn=few) == model.most_similar(word, topn=255)
    assert model.most_similar(word, topn=300, clip_start=few) == model.most_similar(word, topn=300, clip_start=255)
    assert model.most_similar(word, topn=300, clip_end=few) == model.most_similar(word, topn=300, clip_end=255)


def test_places_are_keys(models: Models) -> None:
    model = w2v.load(models("words"))
    np.testing.assert_array_equal(model[5], model[model.words[5]])
    np.testing.assert_array_equal(model[[np.int64(5), 6]], model[model.words[5:7]])
    assert 0 in model and len(model) not in model and None not in model
    assert True not in model and False not in model  # no places: model[True] is an error, too
    with pytest.raises(KeyError):
        model[len(model)]


def test_rows_without_a_direction_and_of_extreme_lengths() -> None:
    rows = np.array([[0, 0], [np.inf, 0], [np.nan, 1], [1e-38, 0], [0, 3e38], [1, 1]], np.float32)
    directions = Directions(rows)
    cosines = directions.cosines(np.array([[1, 0]], np.float32), 0, 6)[0]
    np.testing.assert_allclose(cosines, [np.nan, np.nan, np.nan, 1, 0, 2**-0.5], atol=1e-6)
    assert [place for place, _ in best(cosines, 10, ())] == [3, 5, 4]
    np.testing.assert_allclose(np.linalg.norm(directions.units(), axis=1), [0, 0, 0, 1, 1, 1], atol=1e-6)


def test_equally_near_words_are_in_the_order_of_the_vocabulary() -> None:
    scores = np.array([1, 2, 2, 2, 1, 2], np.float32)
    assert best(scores, 3, ()) == [(1, 2), (2, 2), (3, 2)]
    assert best(scores, 3, (2,)) == [(1, 2), (3, 2), (5, 2)]
    assert best(scores, 9, (0,), first=4)[0] == (5, 2)


def test_the_best_of_many_are_those_of_all() -> None:
    scores = np.round(np.random.default_rng(3).standard_normal(50_000), 2).astype(np.float32)
    scores[[5, 49_999]] = np.nan
    order = sorted((i for i in range(50_000) if not np.isnan(scores[i])), key=lambda i: (-scores[i], i))
    for topn in (1, 10, 40, 3_000):
        skip = set(order[2:5])
        want = [(i, float(scores[i])) for i in order if i not in skip][:topn]
        assert best(scores, topn, skip) == want
