"""What programs for gensim and fastText ask beyond neighbours, and what they are told of names that w2v does not have."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Callable, Dict, List

import numpy as np
import pytest

import w2v
from w2v.elsewhere import FASTTEXT, GENSIM
from w2v.transport import least_cost

Models = Callable[[str], Path]
DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_among(models: Models) -> None:
    model = w2v.load(models("fasttext"))
    words = [model.words[i] for i in (40, 3, 17, 90)]
    cosines = model.most_similar("unseenword", topn=None, among=words)
    np.testing.assert_allclose(cosines, [model.similarity("unseenword", word) for word in words], atol=1e-6)
    every = dict(model.most_similar(words[1], topn=len(model)))
    found = model.most_similar(words[1], among=words, topn=2)
    want = sorted(((word, every[word]) for word in words if word != words[1]), key=lambda one: -one[1])[:2]
    assert [word for word, _ in found] == [word for word, _ in want]
    np.testing.assert_allclose([cosine for _, cosine in found], [cosine for _, cosine in want], atol=1e-6)
    assert model.most_similar(words[1], among=words.__contains__, topn=2) == found, "a function tells which"
    assert model.most_similar(words[1], among=words, exclude=[found[0][0], "zzz"], topn=1) == found[1:]
    assert model.most_similar(words[1], exclude=[model.most_similar(words[1], topn=1)[0][0]], topn=1) == model.most_similar(words[1], topn=2)[1:]
    a, b, c, d = words
    best = model.analogy(a, b, c, topn=2)
    assert model.analogy(a, b, c, topn=1, exclude=[best[0][0]]) == best[1:]
    assert {word for word, _ in model.analogy(a, b, c, among=words)} == {d}
    assert model.most_similar(words[1], among=[]) == []
    assert len(model.most_similar(words[1], among=words + words)) == 3, "a word answers once"
    with pytest.raises(w2v.MissingWordError, match="zzz"):
        model.most_similar(words[1], among=["zzz"])
    with pytest.raises(TypeError, match="give one"):
        model.most_similar(words[1], among=words, restrict_vocab=10)
    with pytest.raises(TypeError, match="exclude= leaves out answers"):
        model.most_similar(words[1], topn=None, exclude=words)
    with pytest.raises(TypeError, match="among= takes the words"):
        model.most_similar(words[1], restrict_vocab=words)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="a list"):
        model.most_similar(words[1], among=words[2])


def test_relative_cosine_similarity(models: Models) -> None:
    pytest.importorskip("gensim")
    model = w2v.load(models("words"))
    kv = model.to_gensim()
    for a, b in (model.words[10:12], model.words[50:52]):
        assert model.relative_cosine_similarity(a, b) == pytest.approx(kv.relative_cosine_similarity(a, b), rel=1e-4)


def test_the_least_cost() -> None:
    rng = np.random.default_rng(1)
    for n in range(1, 6):
        costs = rng.random((n, n)).round(1)
        ones = np.ones(n, np.int64)
        want = min(sum(costs[i, j] for i, j in enumerate(to)) for to in itertools.permutations(range(n)))
        assert least_cost(ones, ones, costs) == pytest.approx(want)
    # What goes where: two of three stay, one moves at the cost of 4.
    assert least_cost(np.array([3]), np.array([2, 1]), np.array([[0.0, 4.0]])) == 4
    assert least_cost(np.array([2, 2]), np.array([3, 1]), np.array([[0.0, 9.0], [1.0, 5.0]])) == 6


def test_wmdistance(models: Models) -> None:
    model = w2v.load(models("words"))
    a, b, c, d = model.words[20:24]
    u = {word: model.get_vector(word, norm=True).astype(float) for word in (a, b, c, d)}

    def apart(one: str, other: str) -> float:
        return float(np.linalg.norm(u[one] - u[other]))

    assert model.wmdistance([a], [b]) == pytest.approx(apart(a, b))
    assert model.wmdistance([a, a, b], [b, b, a]) == pytest.approx(apart(a, b) / 3)
    pairs = min(apart(a, c) + apart(b, d), apart(a, d) + apart(b, c))
    assert model.wmdistance([a, b, "zzz"], [c, d]) == pytest.approx(pairs / 2)
    far = float(np.linalg.norm(model[a].astype(float) - model[b]))
    assert model.wmdistance([a], [b], norm=False) == pytest.approx(far)
    assert model.wmdistance([a], ["zzz"]) == math.inf and model.wmdistance([], [a]) == math.inf
    with pytest.raises(TypeError, match="is a text"):
        model.wmdistance("a text", [a])


def test_predict_output_word(models: Models) -> None:
    model = w2v.load(models("words"))
    assert model.context_vectors is not None
    some = model.words[30:33]
    scores = model.context_vectors.astype(float) @ model[some].astype(float).mean(axis=0)
    shares = np.exp(scores) / np.exp(scores).sum()
    found = model.predict_output_word([*some, "zzz"], topn=4)
    assert found is not None and [word for word, _ in found] == [model.words[i] for i in np.argsort(-shares)[:4]]
    np.testing.assert_allclose([share for _, share in found], np.sort(shares)[::-1][:4])
    assert model.predict_output_word(["zzz"]) is None
    with pytest.raises(w2v.Error, match="no context vectors"):
        w2v.load(models("hs")).predict_output_word(some)


@pytest.mark.parametrize("as_binary", [False, True])
def test_save_word2vec_format(models: Models, tmp_path: Path, as_binary: bool) -> None:
    gensim = pytest.importorskip("gensim.models")
    model = w2v.load(models("words"))
    model.save_word2vec_format(tmp_path / "vectors.any", binary=as_binary)
    kv = gensim.KeyedVectors.load_word2vec_format(str(tmp_path / "vectors.any"), binary=as_binary)
    assert kv.index_to_key == model.words
    np.testing.assert_array_equal(kv.vectors, model.vectors)


def names() -> List[str]:
    return sorted({**GENSIM, **FASTTEXT})


@pytest.mark.parametrize("name", names())
def test_names_that_are_not_here(models: Models, name: str) -> None:
    model = w2v.load(models("words"))
    advice = {**FASTTEXT, **GENSIM}[name].replace("`", "")
    with pytest.raises(AttributeError) as error:
        getattr(model, name)
    assert str(error.value) == f"a model of w2v has no {name}. In its place: {advice}"
    assert not hasattr(model, "no_such_name")


@pytest.mark.parametrize("page, table", [("from-gensim.md", GENSIM), ("from-fasttext.md", FASTTEXT)])
def test_pages_have_the_names(page: str, table: Dict[str, str]) -> None:
    if not DOCS.exists():
        pytest.skip("the documentation is not beside the tests")
    rows = "\n".join(f"| `{name}` | {advice} |" for name, advice in sorted(table.items()))
    assert f"| name | in its place |\n|---|---|\n{rows}\n\n" in (DOCS / page).read_text(encoding="utf8")


def test_every_name_of_gensim_is_here_or_told(models: Models) -> None:
    gensim = pytest.importorskip("gensim.models")
    model = w2v.load(models("words"))
    own = {"add_lifecycle_event", "allocate_vecattrs", "load", "log_accuracy", "log_evaluate_word_pairs"}  # of its own workings
    missing = [
        name
        for name in dir(gensim.KeyedVectors)
        if not name.startswith("_") and name not in own and not hasattr(model, name) and name not in GENSIM
    ]
    assert missing == []


def test_every_name_of_fasttext_is_here_or_told(models: Models) -> None:
    fasttext = pytest.importorskip("fasttext.FastText")
    model = w2v.load(models("words"))
    here = [name for name in dir(fasttext._FastText) if not name.startswith("_")]
    assert [name for name in here if not hasattr(model, name) and name not in FASTTEXT] == []
