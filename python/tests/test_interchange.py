"""gensim, torch and pandas get the numbers of the model, and gensim's models become ours."""

from __future__ import annotations

import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, cast

import numpy as np
import pytest
from program import same_answers

import w2v
from w2v import _binary
from w2v.interchange import from_gensim

MODELS = ["words", "fasttext", "floret", "hash", "hash-append", "low-rank", "low-rank-fasttext", "nested", "cbow", "tied"]
UNKNOWN = ["parisian", "unguitarlike", "xyzzy", "größer", "日本語"]

Models = Callable[[str], Path]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore:gensim cannot compose")
def test_gensim_has_all_digits_of_words(models: Models, name: str) -> None:
    pytest.importorskip("gensim")
    model = w2v.load(models(name))
    kv = model.to_gensim()
    assert kv.index_to_key == list(model.words)
    assert kv.vector_size == model.vector_size
    np.testing.assert_array_equal(kv.vectors, model.vectors)
    assert model.counts is not None
    for word in model.words[:50]:
        np.testing.assert_array_equal(kv[word], model[word])
        assert kv.get_vecattr(word, "count") == model.counts[model.words.index(word)]


@pytest.mark.parametrize("name", ["words", "fasttext", "floret", "nested"])
@pytest.mark.filterwarnings("ignore:gensim cannot compose")
def test_gensim_answers_alike(models: Models, name: str) -> None:
    pytest.importorskip("gensim")
    model = w2v.load(models(name))
    kv = model.to_gensim()
    a, b, c = model.words[20], model.words[30], model.words[40]
    queries: List[Any] = [
        {"positive": [a]},
        {"positive": [a, b], "negative": [c]},
        {"positive": a, "restrict_vocab": 100},
        {"positive": [a], "topn": 3},
    ]
    for query in queries:
        same_answers(model.most_similar(**query), kv.most_similar(**query), within=2e-6)
    assert model.similarity(a, b) == pytest.approx(float(kv.similarity(a, b)), abs=1e-6)
    assert model.n_similarity([a, b], [c]) == pytest.approx(float(kv.n_similarity([a, b], [c])), abs=1e-6)
    assert model.doesnt_match([a, b, c]) == kv.doesnt_match([a, b, c])


@pytest.mark.parametrize("name", ["fasttext", "low-rank-fasttext"])
def test_gensim_composes_unknown_words_as_we_do(models: Models, name: str) -> None:
    fasttext = pytest.importorskip("gensim.models.fasttext")
    model = w2v.load(models(name))
    kv = model.to_gensim()
    assert isinstance(kv, fasttext.FastTextKeyedVectors)
    for word in UNKNOWN:
        assert word not in kv.key_to_index
        np.testing.assert_allclose(kv[word], model[word], rtol=0, atol=1e-6, err_msg=word)


def test_gensim_saves_and_loads_what_it_got(models: Models, tmp_path: Path) -> None:
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    model = w2v.load(models("fasttext"))
    model.to_gensim().save(str(tmp_path / "kv"))
    kv = keyedvectors.KeyedVectors.load(str(tmp_path / "kv"))
    np.testing.assert_allclose(kv.vectors, model.vectors, rtol=0, atol=1e-6)  # gensim composes them again
    np.testing.assert_allclose(kv["parisian"], model["parisian"], rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["floret", "hash", "hash-append"])
def test_what_gensim_cannot_compose_becomes_words(models: Models, name: str) -> None:
    fasttext = pytest.importorskip("gensim.models.fasttext")
    with pytest.warns(UserWarning, match="gensim cannot compose vectors of the n-grams of this model"):
        kv = w2v.load(models(name)).to_gensim()
    assert not isinstance(kv, fasttext.FastTextKeyedVectors)
    assert "unguitarlike" not in kv


@pytest.mark.parametrize("name", MODELS)
def test_torch_has_all_digits(models: Models, name: str) -> None:
    torch = pytest.importorskip("torch")
    model = w2v.load(models(name))
    embedding, vocabulary = model.to_torch()
    assert list(vocabulary) == list(model.words)
    assert list(vocabulary.values()) == list(range(len(model)))
    assert embedding.weight.requires_grad is False
    assert embedding.padding_idx is None
    np.testing.assert_array_equal(embedding.weight.numpy(), model.vectors)
    word = model.words[7]
    np.testing.assert_array_equal(embedding(torch.tensor([vocabulary[word]]))[0].numpy(), model[word])


def test_torch_agrees_with_the_file_of_the_binary(models: Models, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path = models("words")
    special = ["[PAD]", "[UNK]"]
    embedding, vocabulary = w2v.load(path).to_torch(special_tokens=special, freeze=False)
    file = tmp_path / "m.safetensors"
    _binary.run(["convert", path, file, "--to", "torch", "--special-tokens", ",".join(special)])
    words = Path(f"{file}.vocab.txt").read_text(encoding="utf8").split("\n")[:-1]
    assert list(vocabulary) == words
    raw = file.read_bytes()
    header = int.from_bytes(raw[:8], "little")
    tensor = json.loads(raw[8 : 8 + header])["embedding.weight"]
    begin, end = tensor["data_offsets"]
    weight = np.frombuffer(raw[8 + header + begin : 8 + header + end], "<f4").reshape(tensor["shape"])
    np.testing.assert_array_equal(embedding.weight.detach().numpy(), weight)
    assert embedding.padding_idx == 0
    assert embedding.weight.requires_grad


def test_training_torch_leaves_the_model_alone(models: Models) -> None:
    torch = pytest.importorskip("torch")
    model = w2v.load(models("words"))
    before = model.vectors[0].copy()
    embedding, _ = model.to_torch(freeze=False)
    embedding(torch.tensor([0])).sum().backward()
    with torch.no_grad():
        embedding.weight -= embedding.weight.grad
    np.testing.assert_array_equal(model.vectors[0], before)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"special_tokens": ["the"]}, "is a word of the model already"),
        ({"special_tokens": ["[PAD]", "[PAD]"]}, "is named twice"),
        ({"special_tokens": [""]}, "a special token is empty"),
        ({"padding": "[PAD]"}, "is not one of special_tokens"),
    ],
)
def test_torch_refuses(models: Models, arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        w2v.load(models("words")).to_torch(**arguments)


@pytest.mark.parametrize("name", MODELS)
def test_pandas_has_all_digits(models: Models, name: str) -> None:
    pytest.importorskip("pandas")
    model = w2v.load(models(name))
    frame = model.to_pandas()
    assert list(frame.index) == list(model.words)
    assert frame.index.name == "word"
    np.testing.assert_array_equal(frame.to_numpy(), model.vectors)


def test_pandas_maps_the_rows_of_the_file(models: Models) -> None:
    pytest.importorskip("pandas")
    model = w2v.load(models("words"))
    assert np.shares_memory(model.to_pandas().to_numpy(), model.vectors)


@pytest.mark.parametrize(
    "library, module", [("gensim", "gensim.models.keyedvectors"), ("torch", "torch"), ("pandas", "pandas")]
)
def test_a_missing_library_is_named(
    models: Models, monkeypatch: pytest.MonkeyPatch, library: str, module: str
) -> None:
    monkeypatch.setitem(cast(Dict[str, Any], sys.modules), module, None)
    model = w2v.load(models("words"))
    with pytest.raises(ImportError, match=f"to_{library} needs {library}.*pip install {library}"):
        getattr(model, f"to_{library}")()


@pytest.mark.parametrize("name", ["words", "fasttext", "hash", "low-rank-fasttext"])
@pytest.mark.filterwarnings("ignore:gensim cannot compose")
def test_gensim_and_back(models: Models, tmp_path: Path, name: str) -> None:
    pytest.importorskip("gensim")
    model = w2v.load(models(name))
    back = from_gensim(model.to_gensim(), tmp_path / "back.w2v")
    assert list(back.words) == list(model.words)
    assert back.counts is not None and model.counts is not None
    assert list(back.counts) == list(model.counts)
    np.testing.assert_allclose(back.vectors, model.vectors, rtol=0, atol=1e-6)
    if "fasttext" in name:
        for word in UNKNOWN:
            np.testing.assert_allclose(back[word], model[word], rtol=0, atol=1e-6, err_msg=word)


def test_models_that_gensim_trained(sentences: List[List[str]], tmp_path: Path) -> None:
    models = pytest.importorskip("gensim.models")
    settings = {"vector_size": 16, "epochs": 1, "workers": 1}
    plain = models.Word2Vec(sentences[:2000], **settings)
    ours = from_gensim(plain, tmp_path / "plain.w2v")
    np.testing.assert_array_equal(ours.vectors, plain.wv.vectors)
    assert ours.most_similar("the", topn=1)[0][0] == plain.wv.most_similar("the", topn=1)[0][0]
    ngrams = models.FastText(sentences[:2000], bucket=1000, **settings)
    ours = from_gensim(ngrams, str(tmp_path / "ngrams.w2v"))
    for word in ["the", *UNKNOWN]:
        np.testing.assert_allclose(ours[word], ngrams.wv[word], rtol=0, atol=1e-6, err_msg=word)
    # It is a whole model: training can start from it, context vectors too.
    info = _binary.run(["info", tmp_path / "plain.w2v"]).stdout.decode()
    assert "output rows" in info


def test_what_is_not_gensims_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="not dict"):
        from_gensim({"a": [1.0]}, tmp_path / "m.w2v")
    assert not list(tmp_path.iterdir())


def test_from_gensim_takes_no_words_and_any_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    monkeypatch.chdir(tmp_path)
    empty = from_gensim(keyedvectors.KeyedVectors(3000), "empty.w2v")
    assert (len(empty), empty.dim) == (0, 3000)
    one = keyedvectors.KeyedVectors(3)
    one.add_vectors(["a"], np.ones((1, 3), np.float32))
    assert from_gensim(one, "-one.w2v")["a"].tolist() == [1, 1, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["-one.w2v", "empty.w2v"]


def gensim_objects(sentences: List[List[str]]) -> Dict[str, Any]:
    """Return objects of gensim of all kinds that people keep in files."""
    corpora, models = pytest.importorskip("gensim.corpora"), pytest.importorskip("gensim.models")
    some = sentences[:2000]
    small: Dict[str, Any] = {"vector_size": 8, "epochs": 1, "workers": 1}
    word2vec = models.Word2Vec(some, **small)
    fasttext = models.FastText(some, bucket=500, **small)
    doc2vec = models.Doc2Vec([models.doc2vec.TaggedDocument(s, [i]) for i, s in enumerate(some)], **small)
    phrases, dictionary = models.Phrases(some), corpora.Dictionary(some)
    return {
        "Word2Vec": word2vec, "Word2Vec.wv": word2vec.wv, "FastText": fasttext, "FastText.wv": fasttext.wv,
        "Doc2Vec": doc2vec, "Doc2Vec.wv": doc2vec.wv, "Phrases": phrases, "FrozenPhrases": phrases.freeze(),
        "Dictionary": dictionary, "TfidfModel": models.TfidfModel(dictionary=dictionary),
    }  # fmt: skip


def test_what_is_said_of_gensims_files_is_right(
    binary: str, sentences: List[List[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # What lies in another object comes first: gensim leaves marks of files in what it has saved.
    for name, object_ in sorted(gensim_objects(sentences).items(), reverse=True):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with open(f"{name}.p{protocol}", "wb") as out:
                pickle.dump(object_, out, protocol)
        object_.save(f"{name}.saved")
        object_.save(f"{name}.apart", sep_limit=100)  # arrays are in files beside it
        vectors = getattr(object_, "wv", object_)
        files = sorted(tmp_path.glob(f"{name}.saved")) + sorted(tmp_path.glob(f"{name}.apart")) + sorted(tmp_path.glob(f"{name}.p[0-9]"))
        assert len(files) == 2 + pickle.HIGHEST_PROTOCOL + 1
        for file in files:
            with pytest.raises(w2v.Error, match=rf"pickle of gensim's {type(object_).__name__}, ") as error:
                w2v.load(file)
            said = re.search(r"in Python,(?: with the package w2v,)? say (.*?\))(?:, which|; if)", str(error.value))
            if not hasattr(vectors, "index_to_key"):
                assert said is None and "it has no vectors" in str(error.value)
                continue
            assert said is not None, error.value
            code = said.group(1).replace("FILE", file.name)
            exec(code, {"gensim": __import__("gensim"), "w2v": w2v})
            (made,) = tmp_path.glob("NAME.*")
            model = w2v.load(made)
            assert model.words == [str(word) for word in vectors.index_to_key]
            np.testing.assert_allclose(model[model.words[3]], vectors[model.words[3]], atol=1e-6)
            assert ("theunseen" in model) == ("FastText" in name)
            made.unlink()


def test_documents_of_gensim_keep_their_numbers(binary: str, sentences: List[List[str]], tmp_path: Path) -> None:
    of_documents = gensim_objects(sentences)["Doc2Vec"].dv
    model = w2v.from_gensim(of_documents, tmp_path / "documents.w2v")
    assert model.words == [str(i) for i in range(2000)]
    np.testing.assert_array_equal(model["7"], of_documents[7])
