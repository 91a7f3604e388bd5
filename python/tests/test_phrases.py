"""Phrases: counts, scores and joined sentences are those of gensim and of the program."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, Dict, List

import pytest

import w2v
from program import run
from w2v.compat.gensim.models.phrases import Phraser
from w2v.phrases import FrozenPhrases, Table

CASES: List[Dict[str, Any]] = [
    {"min_count": 1, "threshold": 1},
    {"min_count": 3, "threshold": 5.5, "delimiter": "~~"},
    {"min_count": 2, "threshold": 0.3, "scoring": "npmi"},
    {"min_count": 2, "threshold": 1, "connector_words": frozenset(["of", "the", "in"])},
    {"min_count": 2, "threshold": -0.5, "scoring": "npmi", "connector_words": frozenset(["of", "and"])},
    {"min_count": 1, "threshold": 2, "max_vocab_size": 3000},
]


def scorer(worda_count: int, wordb_count: int, bigram_count: int, len_vocab: int, min_count: int, corpus_word_count: int) -> float:
    return bigram_count / (worda_count + wordb_count)


@pytest.mark.parametrize("settings", [*CASES, {"min_count": 1, "threshold": 0.1, "scoring": scorer}])
def test_as_gensim(sentences: List[List[str]], settings: Dict[str, Any]) -> None:
    gensim = pytest.importorskip("gensim.models.phrases")
    # gensim takes phrases apart at every delimiter, also at those of their words.
    cut = [[word.replace("_", "") for word in tokens] for tokens in sentences]
    learned, others = cut[:1500], cut[1500:2500]
    theirs, ours = gensim.Phrases(learned, **settings), w2v.Phrases(iter(learned), **settings)
    for _ in range(2):  # with further sentences, too
        assert ours.vocab == theirs.vocab
        assert ours.corpus_word_count == theirs.corpus_word_count
        assert ours.export_phrases() == theirs.export_phrases()
        assert len(ours.export_phrases()) > 5
        for sentence in others:
            assert ours[sentence] == theirs[sentence]
        assert list(ours[others]) == list(theirs[others])
        assert list(ours.analyze_sentence(others[0])) == list(theirs.analyze_sentence(others[0]))
        assert ours.find_phrases(others) == theirs.find_phrases(others)
        frozen = ours.freeze()
        assert frozen.phrasegrams == theirs.freeze().phrasegrams
        assert list(frozen[others]) == list(theirs.freeze()[others])
        theirs.add_vocab(others)
        ours.add_vocab(others)


def test_three_words_as_gensim(sentences: List[List[str]]) -> None:
    gensim = pytest.importorskip("gensim.models.phrases")
    sentences = [[word.replace("_", "") for word in tokens] for tokens in sentences]
    their_pairs, our_pairs = gensim.Phrases(sentences, min_count=2, threshold=2), w2v.Phrases(sentences, min_count=2, threshold=2)
    theirs = gensim.Phrases(their_pairs[sentences], min_count=2, threshold=2)
    ours = w2v.Phrases(our_pairs[sentences], min_count=2, threshold=2)
    assert ours.vocab == theirs.vocab
    assert list(ours[our_pairs[sentences]]) == list(theirs[their_pairs[sentences]])
    assert any(token.count("_") == 2 for sentence in ours[our_pairs[sentences]] for token in sentence)
    # gensim takes such phrases apart at every delimiter, and so does not find all of them again.
    assert set(ours.export_phrases().items()) >= {of for of in theirs.export_phrases().items() if of[0].count("_") == 1}


def test_as_the_program(binary: str, sentences: List[List[str]], tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    sentences = [[word.replace("_", "") for word in tokens] for tokens in sentences]
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("".join(" ".join(tokens) + "\n" for tokens in sentences))
    run(binary, "phrases", str(corpus), "--min-count", "3", "--threshold", "4", "--connector-words", "of,the", "--write-table", str(table))
    ours = w2v.Phrases(sentences, min_count=3, threshold=4, connector_words=["of", "the"])
    ours.freeze().save(tmp_path / "ours.tsv")
    assert (tmp_path / "ours.tsv").read_text().splitlines()[0] == table.read_text().splitlines()[0]
    found = Table((tmp_path / "ours.tsv").read_text()).passes[0].ends
    want = Table(table.read_text()).passes[0].ends
    assert found.keys() == want.keys()
    for phrase, of in want.items():
        for ends, (count, score) in of.items():
            assert found[phrase][ends][0] == count
            assert found[phrase][ends][1] == pytest.approx(score, rel=1e-12)
    joined = run(binary, "phrases", "--table", str(tmp_path / "ours.tsv"), str(corpus), "-o", str(tmp_path / "joined.txt"))
    assert joined is not None
    assert (tmp_path / "joined.txt").read_text().split("\n")[:-1] == [" ".join(tokens) for tokens in ours[sentences]]


def test_files(sentences: List[List[str]], tmp_path: Path) -> None:
    phrases = w2v.Phrases(sentences, min_count=2, threshold=3, scoring="default", connector_words=["of"])
    phrases.save(tmp_path / "counts.json")
    phrases.freeze().save(tmp_path / "table.tsv")
    pickled = pickle.loads(pickle.dumps(phrases))
    for loaded in (w2v.Phrases.load(tmp_path / "counts.json"), w2v.Phrases.load(tmp_path / "table.tsv"), pickled):
        assert loaded.export_phrases() == phrases.export_phrases()
        assert list(loaded[sentences[:200]]) == list(phrases[sentences[:200]])
        assert loaded.delimiter == "_" and loaded.connector_words == {"of"}
    counts = w2v.Phrases.load(tmp_path / "counts.json")
    assert isinstance(counts, w2v.Phrases) and counts.vocab == phrases.vocab
    assert isinstance(w2v.Phrases.load(tmp_path / "table.tsv"), FrozenPhrases)
    for text, message in [("{}", "neither counts of phrases"), ("[1", "neither"), ("w2v-phrases-1\t1\t9\t_\n", "9 more phrases should follow")]:
        (tmp_path / "wrong").write_text(text)
        with pytest.raises(w2v.Error, match=message):
            w2v.Phrases.load(tmp_path / "wrong")
    with pytest.raises(w2v.Error, match="freeze\\(\\) the phrases first, or pickle them"):
        w2v.Phrases(sentences, scoring=scorer).save(tmp_path / "own")
    with pytest.raises(w2v.Error, match="a phrase has a tab"):
        w2v.Phrases([["new\t", "york"]] * 9, threshold=0.1, min_count=1).freeze().save(tmp_path / "tab")


def test_one_sentence_or_several() -> None:
    phrases = w2v.Phrases([["new", "york"]] * 10, min_count=1, threshold=0.1)
    assert phrases[["new", "york", "new"]] == ["new_york", "new"]
    assert phrases[("new", "york")] == ["new_york"]
    assert phrases[[]] == []
    applied = phrases[[["new", "york"], []]]
    assert list(applied) == [["new_york"], []] == list(applied)  # it can be read again
    assert list(phrases[iter([["new", "york"]])]) == [["new_york"]]


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: w2v.Phrases(min_count=0), ValueError, "min_count is 0"),
        (lambda: w2v.Phrases(threshold=0), ValueError, "threshold is 0"),
        (lambda: w2v.Phrases(threshold=2, scoring="npmi"), ValueError, "from -1 to 1"),
        (lambda: w2v.Phrases(scoring="pmi"), ValueError, "must be default or npmi"),
        (lambda: w2v.Phrases(scoring=lambda worda_count: 1.0), ValueError, "has no arguments wordb_count, bigram_count"),
        (lambda: w2v.Phrases(connector_words="of"), TypeError, "list of words"),
        (lambda: w2v.Phrases(delimiter=""), ValueError, "delimiter is '': it is empty"),
        (lambda: w2v.Phrases(delimiter=" "), ValueError, "delimiter is ' ': it has white space in it"),
        (lambda: w2v.Phrases(delimiter=5), TypeError, "delimiter is 5, of type int"),  # type: ignore[arg-type]
        (lambda: w2v.Phrases(min_count="5"), TypeError, "min_count is '5', of type str, and must be a number"),  # type: ignore[arg-type]
        (lambda: w2v.Phrases(max_vocab_size=0), ValueError, "max_vocab_size is 0"),
        (lambda: w2v.Phrases(scoring=None), TypeError, "scoring is None"),  # type: ignore[arg-type]
        (lambda: w2v.Phrases(connector_words=[5]), TypeError, "connector_words has 5"),  # type: ignore[list-item]
        (lambda: w2v.Phrases([["a", None]]), TypeError, "sentence 0 has the token None"),  # type: ignore[list-item]
        (lambda: w2v.Phrases()[5], TypeError, "a sentence is of type int"),
        (lambda: w2v.Phrases(["a text"]), TypeError, "sentence 0 is a text"),
        (lambda: w2v.Phrases()["a text"], TypeError, "cut it into tokens first"),
        (lambda: w2v.Phrases([b"bytes"]), TypeError, "decode it"),  # type: ignore[list-item]
    ],
)
def test_what_is_refused(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


SETTINGS: Dict[str, Any] = {"vector_size": 8, "epochs": 1, "workers": 1, "min_count": 1, "progress": False, "sample": 0}


def test_phrases_of_any_sentences(corpus: Path, sentences: List[List[str]]) -> None:
    options = dict(SETTINGS, phrase_threshold=5)
    of_file = w2v.train(corpus, phrases=True, **options)
    assert any("_" in word for word in of_file.words)
    for given in (sentences, iter(sentences), (" ".join(tokens) for tokens in sentences)):
        model = w2v.train(given, phrases=True, **options)
        assert model.words == of_file.words
        assert (model.vectors == of_file.vectors).all()


def test_learned_phrases_are_trained_and_kept(corpus: Path, sentences: List[List[str]]) -> None:
    pairs = w2v.Phrases(sentences, min_count=2, threshold=2)
    more = w2v.Phrases(pairs[sentences], min_count=2, threshold=2)
    by_hand = w2v.train(more[pairs[sentences]], **SETTINGS)
    for model in (
        w2v.train(sentences, phrases=[pairs, more], **SETTINGS),
        w2v.train(corpus, phrases=[pairs.freeze(), more.freeze()], **SETTINGS),
    ):
        assert model.words == by_hand.words
        assert (model.vectors == by_hand.vectors).all()
    of_pairs = w2v.train(sentences, phrases=pairs, **SETTINGS)
    sentence = next(tokens for tokens in sentences if pairs[tokens] != tokens)
    assert (of_pairs.embed(" ".join(sentence)) == of_pairs.embed([pairs[sentence]])[0]).all()


def test_phrases_that_train_refuses(sentences: List[List[str]]) -> None:
    phrases = w2v.Phrases(sentences)
    with pytest.raises(w2v.UsageError, match="phrase_threshold= says which are to be found"):
        w2v.train(sentences, phrases=phrases, phrase_threshold=3)
    with pytest.raises(TypeError, match="must be True, w2v.Phrases, or a list of these"):
        w2v.train(sentences, phrases="yes")  # type: ignore[arg-type]


def test_frozen_phrases_are_loaded(tmp_path: Path) -> None:
    phrases = w2v.Phrases([["new", "york"]] * 9, min_count=1, threshold=0.1)
    phrases.save(tmp_path / "counts.json")
    phrases.freeze().save(tmp_path / "table.txt")
    for name in ("counts.json", "table.txt"):
        for kind in (FrozenPhrases, Phraser):
            loaded = kind.load(tmp_path / name)
            assert type(loaded) is FrozenPhrases and loaded[["new", "york"]] == ["new_york"]
