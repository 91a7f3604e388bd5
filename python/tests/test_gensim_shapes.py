"""Answers in gensim's and fastText's shapes have their numbers."""

from __future__ import annotations

import gzip
import math
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List

import numpy as np
import pytest

import w2v
from w2v import Model
from w2v.correlation import pearson, spearman
from w2v.interchange import native_of

Models = Callable[[str], Path]

PAIRS = "# a comment\nparis\tLondon\t7.5\nking\tqueen\t9\nking\tqueen\nxx-unknown\tking\t1\nthe\tof\t3\nParis\tking\t2\nhe\tshe\t6.5\nking\tking\t10\ntrain\tguitar\t1\n"
ANALOGIES = """: capitals
paris france london england
Paris France rome italy
london england paris france
unknown-word france rome italy
: family
king queen man woman
he she him her
a b c
man woman king queen
: empty
"""


@pytest.fixture(scope="module")
def model(models: Models) -> w2v.Model:
    return w2v.load(models("words"))


@pytest.fixture(scope="module")
def theirs(model: w2v.Model) -> Any:
    pytest.importorskip("gensim")
    return model.to_gensim()


OPTIONS: List[Dict[str, Any]] = [
    {}, {"case_insensitive": False}, {"dummy4unknown": True}, {"restrict_vocab": 500}, {"restrict_vocab": 300, "dummy4unknown": True},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS)
def test_evaluate_word_pairs(model: w2v.Model, theirs: Any, options: Dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(PAIRS)
    want = theirs.evaluate_word_pairs(str(tmp_path / "pairs.tsv"), **options)
    got = model.evaluate_word_pairs(tmp_path / "pairs.tsv", **options)
    for ours, of_scipy in zip(got[:2], want[:2]):
        np.testing.assert_allclose([ours.statistic, ours.pvalue], [of_scipy[0], of_scipy[1]], rtol=1e-5)
    assert got[2] == want[2]


def test_evaluate_word_pairs_of_other_forms(model: w2v.Model, theirs: Any, tmp_path: Path) -> None:
    with gzip.open(tmp_path / "pairs.csv.gz", "wt", encoding="latin1") as file:
        file.write(PAIRS.replace("\t", ",") + "café,king,2\n")
    settings: Dict[str, Any] = {"delimiter": ",", "encoding": "latin1"}
    want = theirs.evaluate_word_pairs(str(tmp_path / "pairs.csv.gz"), **settings)
    got = model.evaluate_word_pairs(tmp_path / "pairs.csv.gz", **settings)
    assert got[0][0] == pytest.approx(want[0][0], rel=1e-6) and got[2] == want[2]
    (tmp_path / "none.tsv").write_text("xx-unknown\tyy-unknown\t3\n")
    with pytest.raises(ValueError, match="has no pair with a number"):
        model.evaluate_word_pairs(tmp_path / "none.tsv")
    with pytest.raises(FileNotFoundError):
        model.evaluate_word_pairs(tmp_path / "no-file")


@pytest.mark.parametrize("options", OPTIONS)
def test_evaluate_word_analogies(model: w2v.Model, theirs: Any, options: Dict[str, Any], tmp_path: Path) -> None:
    words = model.words[:40]
    more = "".join(f"{a} {b} {c} {d}\n" for a, b, c, d in zip(words, words[1:], words[2:], words[3:]))
    (tmp_path / "analogies.txt").write_text(ANALOGIES + more)
    want = theirs.evaluate_word_analogies(str(tmp_path / "analogies.txt"), **options)
    assert model.evaluate_word_analogies(tmp_path / "analogies.txt", **options) == want
    cosmul = model.evaluate_word_analogies(tmp_path / "analogies.txt", similarity_function="most_similar_cosmul", **options)
    assert [section["section"] for section in cosmul[1]] == [section["section"] for section in want[1]]


def test_evaluate_word_analogies_of_other_forms(model: w2v.Model, tmp_path: Path) -> None:
    (tmp_path / "analogies.txt").write_text("paris france london england\n")
    with pytest.raises(ValueError, match="line 1: a section must begin before it"):
        model.evaluate_word_analogies(tmp_path / "analogies.txt")
    with pytest.raises(ValueError, match="must be most_similar or"):
        model.evaluate_word_analogies(tmp_path / "analogies.txt", similarity_function="similarity")


def test_correlations_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(1)
    for n in (3, 4, 10, 300, 3000):
        for mix in (0.0, 0.03, 0.5, 5.0):
            x = random.integers(0, 10, n).astype(float) + 1e-9 * np.arange(n) * (n < 5)
            y = random.normal(size=n) + mix * x
            for ours, of_scipy in ((pearson(x.tolist(), y.tolist()), stats.pearsonr(x, y)), (spearman(x.tolist(), y.tolist()), stats.spearmanr(x, y))):
                np.testing.assert_allclose(ours, [of_scipy[0], of_scipy[1]], rtol=1e-9, atol=1e-7)
    assert math.isnan(pearson([1, 1], [2, 3]).statistic)
    assert pearson([1, 2, 3], [2, 4, 6]) == (1.0, 0.0)
    assert pearson([1, 2], [2, 3]).pvalue == 1.0 and math.isnan(spearman([1, 2], [2, 3]).pvalue)
    assert pearson(list(range(400)), [i**3 for i in range(400)]).pvalue == pytest.approx(stats.pearsonr(range(400), [i**3 for i in range(400)])[1], rel=1e-9)


@pytest.mark.parametrize("name", ["words", "fasttext", "hs"])
def test_vectors_for_all(models: Models, name: str) -> None:
    model = w2v.load(models(name))
    words = ["king", "parisienne", "the", "king", "queen"]
    theirs = pytest.importorskip("gensim") and model.to_gensim()
    several: List[Dict[str, Any]] = [{}, {"allow_inference": False}, {"copy_vecattrs": True}]
    for options in several:
        want, got = theirs.vectors_for_all(words, **options), model.vectors_for_all(words, **options)
        assert got.words == want.index_to_key
        np.testing.assert_allclose(got.vectors, want.vectors, rtol=1e-6, atol=1e-7)
        assert (got.counts is not None) == bool(options.get("copy_vecattrs"))
    some = model.vectors_for_all(["queen", "king"], copy_vecattrs=True)
    assert some.get_count("king") == model.get_count("king")
    assert some.most_similar("king", topn=1)[0][0] == "queen"
    assert some.path is None and "parisienne" not in some


def test_vectors_for_all_can_be_saved(models: Models, tmp_path: Path) -> None:
    some = w2v.load(models("fasttext")).vectors_for_all(["king", "parisienne"])
    some.save(tmp_path / "some.w2v")
    again = w2v.load(tmp_path / "some.w2v")
    assert again.words == ["king", "parisienne"]
    np.testing.assert_array_equal(again.vectors, some.vectors)


def test_with_vectors(model: w2v.Model) -> None:
    vectors = np.arange(64, dtype=np.float32).reshape(2, 32)
    more = model.with_vectors(["king", "new-word"], vectors)
    assert more.words == [*model.words, "new-word"] and "new-word" not in model
    np.testing.assert_array_equal(more["new-word"], vectors[1])
    np.testing.assert_array_equal(more["king"], model["king"])
    assert more.get_count("new-word") == 0 and more.get_count("king") == model.get_count("king")
    replaced = model.with_vectors(["king", "new-word"], vectors, replace=True)
    np.testing.assert_array_equal(replaced["king"], vectors[0])
    np.testing.assert_array_equal(model.with_vectors("new-one", vectors[0])["new-one"], vectors[0])
    with pytest.raises(ValueError, match=r"weights of shape \(1, 32\) for 2 words"):
        model.with_vectors(["a", "b"], vectors[0])
    with pytest.raises(ValueError, match="given twice"):
        model.with_vectors(["new", "new"], vectors)


@pytest.mark.parametrize(
    "keys, weights, error, message",
    [
        (["iPhone"], [[1, 2]], ValueError, "'iPhone': lower-case it"),
        (["Ärger"], [[1, 2]], ValueError, "'Ärger': lower-case it"),
        (["a", "b"], [[1, 2], [3, np.nan]], ValueError, "the vector of 'b', row 1, has nan"),
        (["a"], [[np.inf, 1]], ValueError, "the vector of 'a', row 0, has inf"),
        (["a"], [[1, 1e39]], ValueError, r"the vector of 'a', row 0, has 1e\+39"),
        (["a", "b"], np.array([[1, 2], [1, 2j]]), ValueError, "the vector of 'b', row 1, has complex numbers"),
        (["a", 3], [[1, 2], [3, 4]], TypeError, "not 3 of type int"),
    ],
)
def test_with_vectors_refuses(keys: Any, weights: Any, error: Any, message: str) -> None:
    native = native_of(["the", "king"], np.ones((2, 2), np.float32), None, None)
    with pytest.raises(error, match=message):
        Model(native).with_vectors(keys, weights)


def test_with_vectors_ignores_case_as_before() -> None:
    native = native_of(["the", "king"], np.ones((2, 2), np.float32), None, None)
    assert Model(native).with_vectors(["iphone"], [[1, 2]]).embed(["The King"]).any()
    more = Model(native, None, True).with_vectors(["iPhone"], [[1, 2]])
    assert more.get_index("iPhone") == 2 and more.get_index("The") == 0
    exact = Model(native, None, False).with_vectors(["iPhone"], [[1, 2]])
    assert "iPhone" in exact and "The" not in exact


def test_analogies_without_questions(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text(": capitals\n")
    native = native_of(["the", "king"], np.ones((2, 2), np.float32), None, None)
    with pytest.raises(ValueError, match=r"none\.txt has no questions"):
        Model(native).evaluate_word_analogies(tmp_path / "none.txt")


@pytest.mark.parametrize(
    "positive, negative, message",
    [
        (["the"], ["the"], "the sum of the question is zero"),
        ([np.zeros(2)], [], "the sum of the question is zero"),
        ([np.array([1, np.nan])], [], "not finite"),
    ],
)
def test_most_similar_of_no_direction(positive: Any, negative: Any, message: str) -> None:
    native = native_of(["the", "king"], np.ones((2, 2), np.float32), None, None)
    with pytest.raises(ValueError, match=message):
        Model(native).most_similar(positive, negative)


def test_with_vectors_of_ngrams(models: Models) -> None:
    model = w2v.load(models("fasttext"))
    with pytest.raises(w2v.Error, match=r"model.vectors_for_all\(model.words\) has its words alone"):
        model.with_vectors("one", np.zeros(32))
    assert "one-two" in model.vectors_for_all(model.words).with_vectors("one-two", np.ones(32))
    with pytest.raises(AttributeError, match=r"In its place: a model does not change: model.with_vectors\(words, vectors\)"):
        model.add_vectors(["one"], np.zeros((1, 32)))  # type: ignore[attr-defined]


@pytest.mark.parametrize("options", [{}, {"exponent": 1.0}, {"threshold": 0.2}])
def test_soft_cosine(model: w2v.Model, theirs: Any, options: Dict[str, float]) -> None:
    similarities = pytest.importorskip("gensim.similarities")
    corpora = pytest.importorskip("gensim.corpora")
    texts = [["king", "queen", "king"], ["paris", "london", "xx-unknown"], ["queen", "paris"], ["xx-unknown"]]
    dictionary = corpora.Dictionary(texts)
    # gensim looks for the nearest words of the whole vocabulary, and forgets those that are not in the dictionary.
    index = similarities.WordEmbeddingSimilarityIndex(theirs.vectors_for_all(dictionary.token2id), **options)
    matrix = similarities.SparseTermSimilarityMatrix(index, dictionary, nonzero_limit=None)
    for one in texts:
        for other in texts:
            bags = [dictionary.doc2bow(text) for text in (one, other)]
            want = matrix.inner_product(*bags, normalized=(True, True))
            assert model.soft_cosine(one, other, **options) == pytest.approx(float(want), abs=1e-6)
    assert model.soft_cosine([], ["king"]) == 0


def test_most_similar_by_an_index(binary: str, models: Models, model: w2v.Model, tmp_path: Path) -> None:
    subprocess.run([binary, "index", str(models("words")), "-o", str(tmp_path / "words.index")], check=True, stderr=subprocess.PIPE)
    index = w2v.Index(tmp_path / "words.index")
    questions: List[List[Any]] = [["king"], ["king", "woman"], [model["paris"]]]
    for positive in questions:
        want = model.most_similar(positive=positive, topn=3)
        got = model.most_similar(positive=positive, topn=3, indexer=index)
        assert {w for w, _ in got} & {w for w, _ in want} and len(got) == 3
        assert "king" not in [w for w, _ in got] or positive == [model["paris"]]

    class Neighbours:
        def most_similar(self, vector: Any, num_neighbors: int) -> Any:
            return model.most_similar(vector, topn=num_neighbors)

    found = model.most_similar("king", topn=3, indexer=Neighbours())
    assert [w for w, _ in found] == [w for w, _ in model.most_similar("king", topn=3)]
    with pytest.raises(TypeError, match="indexer= answers with topn words"):
        model.most_similar("king", indexer=index, restrict_vocab=10)


def test_load_some_words(models: Models, model: w2v.Model, tmp_path: Path) -> None:
    model.save(tmp_path / "model.vec")
    for path in (models("words"), tmp_path / "model.vec"):
        first = w2v.load(path, limit=20)
        assert first.words == model.words[:20]
        np.testing.assert_allclose(first.vectors, model.vectors[:20], rtol=1e-5)
        some = w2v.load(path, words=["king", "xx-unknown", "paris", "king"])
        assert some.words == ["king", "paris"]
        first.save(tmp_path / "first.w2v")
        assert w2v.load(tmp_path / "first.w2v").words == model.words[:20]
    with pytest.raises(TypeError, match="is a text, and must be a list of words"):
        w2v.load(models("words"), words="king")


def test_vocab_with_counts(corpus: Path) -> None:
    settings: Dict[str, Any] = {"vector_size": 8, "epochs": 1, "workers": 1, "min_count": 1, "progress": False}
    model = w2v.train(corpus, vocab={"the": 900, "of": 1000, "new york": 3}, **settings)
    assert model.words == ["of", "the", "new york"]
    assert model.counts is not None and model.counts.tolist() == [1000, 900, 3]
    for wrong, message in [({" a": 1}, "without white space"), ({"a": 1.5}, "whole numbers"), ({3: 1}, "words are texts"), ({"a": -1}, "whole numbers")]:
        with pytest.raises(w2v.UsageError, match=message):
            w2v.train(corpus, vocab=wrong, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("subwords", [None, "fasttext"])
def test_maxn_0_is_words_alone(corpus: Path, subwords: Any) -> None:
    model = w2v.train(corpus, subwords=subwords, maxn=0, min_n=3, bucket=100, vector_size=8, epochs=1, progress=False)
    assert "xx-unknown" not in model


def test_words_and_texts_as_fasttext_has_them(binary: str, corpus: Path, tmp_path: Path) -> None:
    fasttext = pytest.importorskip("fasttext")
    flags = ["-dim", "16", "-bucket", "5000", "-epoch", "1", "-thread", "1", "-verbose", "0"]
    subprocess.run([binary, "fasttext", "skipgram", "-input", str(corpus), "-output", str(tmp_path / "m"), *flags], check=True)
    theirs, ours = fasttext.FastText._FastText(model_path=f"{tmp_path}/m.bin"), w2v.load(tmp_path / "m.bin")
    for word in ("king", "parisienne", "naïve", "ﬁ", "</s>"):
        names, rows = theirs.get_subwords(word)
        got, at = ours.get_subwords(word)
        assert got == names and at.tolist() == rows.tolist()
        np.testing.assert_allclose(ours.get_word_vector(word), theirs.get_word_vector(word), atol=1e-6)
    for text in ("the king of paris", "", "xx-unknown \t the"):
        np.testing.assert_allclose(ours.get_sentence_vector(text), theirs.get_sentence_vector(text), atol=1e-6)
        np.testing.assert_array_equal(ours.get_sentence_vector(text.split()), ours.get_sentence_vector(text))


def test_subwords_of_other_models(models: Models) -> None:
    assert w2v.load(models("words")).get_subwords("king")[0] == ["king"]
    assert w2v.load(models("words")).get_subwords("xx-unknown")[0] == []
    with pytest.raises(w2v.Error, match="are not those of fastText"):
        w2v.load(models("floret")).get_subwords("king")
