"""Vectors of words inside and outside of the vocabulary are those of the program, for every composition."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Callable, Dict, List

import numpy as np
import pytest
from numpy.typing import NDArray
from program import objects, vectors

import w2v
from w2v import hashing
from w2v.ngrams import code_point_runs, fasttext_runs, joined

Models = Callable[[str], Path]

#: Words that are in no vocabulary here: ASCII, other scripts, marks, one letter, long ones, and </s>, which
#: has n-grams in some kinds alone.
UNSEEN = [
    "unseenword", "bakersmen", "naïvely", "Fluß", "Ευρώπη", "печёт", "日本語", "🙂🙂", "e\u0301tude", "q", "qz", "<>",
    "x" * 40, "an-unseen-word-of-many-parts", "</s>", "don't", "1,000,000", "\u0130stanbul",
]  # fmt: skip

NAMES = [
    "words", "fasttext", "floret", "floret-whole", "hash", "hash-append", "low-rank", "low-rank-fasttext", "nested",
    "cbow", "structured", "tied", "hs", "directional",
]  # fmt: skip


def compare(model: w2v.Model, want: Dict[str, NDArray[np.float32]], words: List[str], tolerance: float) -> None:
    for word in words:
        assert (word in model) == (word in want), word
        if word in want:
            np.testing.assert_allclose(model[word], want[word], rtol=0, atol=tolerance, err_msg=word)
            np.testing.assert_array_equal(model.get(word), model[word])
        else:
            assert model.get(word) is None
    known = [word for word in words if word in want]
    np.testing.assert_allclose(model[known], [want[word] for word in known], rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_vectors_are_those_of_the_program(binary: str, models: Models, name: str) -> None:
    path = models(name)
    model = w2v.load(path)
    words = model.words[:50] + model.words[-20:] + UNSEEN
    compare(model, vectors(binary, path, words), words, 1e-6)
    places = [model.key_to_index[word] for word in model.words[:50]]
    np.testing.assert_array_equal(model.vectors[places], model[model.words[:50]])


#: More settings of n-grams: single letters, one length, whole words, four hashes, word n-grams.
SETTINGS = {
    "fasttext of one length": ["--subwords", "fasttext", "--minn", "1", "--maxn", "1", "--buckets", "50"],
    "fasttext, many shared": ["--subwords", "fasttext", "--minn", "2", "--maxn", "9", "--buckets", "17"],
    "floret of four hashes": ["--subwords", "floret", "--hashes", "4", "--minn", "2", "--buckets", "999"],
    "floret of one hash": ["--subwords", "floret", "--hashes", "1", "--buckets", "64"],
    "hash of one row": ["--subwords", "hash", "--hashes", "1", "--buckets", "64", "--importances", "100"],
    "hash of whole words": ["--subwords", "hash", "--maxn", "0", "--buckets", "64"],
    "hash of four, appended": ["--subwords", "hash", "--hashes", "4", "--buckets", "64", "--append-weights"],
    "cbow with word n-grams": ["--arch", "cbow", "--word-ngrams", "3", "--word-buckets", "500", "--position-weights"],
    "cbow, all of it": ["--arch", "cbow", "--word-ngrams", "2", "--word-buckets", "99", "--subwords", "fasttext", "--buckets", "300"],
    "cbow, rank": ["--arch", "cbow", "--word-ngrams", "2", "--word-buckets", "99", "--rank", "4"],
}  # fmt: skip


@pytest.fixture(scope="module")
def small(binary: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function that trains a model of ten dimensions on a few sentences, of which some are not ASCII."""
    folder = tmp_path_factory.mktemp("small")
    text = folder / "text.txt"
    lines = ["the baker bakes bread in the café", "Ευρώπη и печёт 日本語 🙂 naïve", "a mill by the river Fluß", "the the and bread and café"]
    text.write_text("\n".join(lines * 30), encoding="utf-8")

    def train(name: str) -> Path:
        path = folder / f"{name}.w2v"
        if not path.exists():
            flags = ["--dim", "10", "--epochs", "3", "--min-count", "2", "--sample", "0", "--threads", "1"]
            command = [binary, "train", str(text), "-o", str(path), *flags, *SETTINGS[name]]
            subprocess.run(command, check=True, capture_output=True)
        return path

    return train


@pytest.mark.parametrize("name", SETTINGS)
def test_more_settings(binary: str, small: Callable[[str], Path], name: str) -> None:
    path = small(name)
    model = w2v.load(path)
    words = model.words + UNSEEN + ["bakers", "breads", "millriver"]
    compare(model, vectors(binary, path, words), words, 1e-6)


TEXTS = ["the baker bakes", "the", "", "unknownword the bread and café", "bread " * 12, "日本語 🙂 the", "zq", "the\tbaker  bakes"]


@pytest.mark.parametrize("pooling", ["mean", "sif"])
@pytest.mark.parametrize("name", SETTINGS)
def test_sentences_are_those_of_the_program(binary: str, small: Callable[[str], Path], name: str, pooling: str) -> None:
    path = small(name)
    want = objects(binary, "sentence", f"--pooling={pooling}", str(path), stdin="".join(t + "\n" for t in TEXTS).encode())
    expected = [line["vector"] or [0] * 10 for line in want]
    model = w2v.load(path)
    np.testing.assert_allclose(model.embed(TEXTS, pooling=pooling), expected, rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.embed([t.split() for t in TEXTS], pooling=pooling), expected, rtol=0, atol=1e-6)


def test_sentences_that_only_the_program_cuts(binary: str, corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "unicode.w2v"
    flags = ["--lowercase", "--tokenizer", "unicode", "--subwords", "fasttext", "--buckets", "500", "--dim", "8", "--epochs", "1"]
    subprocess.run([binary, "train", str(corpus), "-o", str(path), *flags], check=True, capture_output=True)
    model = w2v.load(path)
    by_text = model.embed(["The weather, in THOSE days!", "…", "two\nlines"])
    by_tokens = model.embed([["the", "weather", "in", "those", "days"], [], ["two", "lines"]])
    np.testing.assert_allclose(by_text, by_tokens, atol=1e-6)
    mixed = model.first(3).embed(["The weather", ["the", "weather"]], pooling="sif", smoothing=0.01)
    np.testing.assert_allclose(mixed[0], mixed[1], atol=1e-6)


def test_embed(models: Models) -> None:
    model = w2v.load(models("fasttext"))
    assert model.embed("the weather").shape == (32,)
    assert model.embed([]).shape == (0, 32)
    lengths = np.linalg.norm(model.embed(["the weather", ""], normalize=True), axis=1)
    np.testing.assert_allclose(lengths, [1, 0], atol=1e-6)
    with pytest.raises(ValueError, match="pooling 'max'"):
        model.embed(["a"], pooling="max")
    with pytest.raises(ValueError, match="smoothing"):
        model.embed(["a"], pooling="sif", smoothing=0)


def test_a_word_of_another_case(binary: str, models: Models) -> None:
    path = models("fasttext")  # whose vocabulary has no capitals
    for flag, rule in (((), None), (("--ignore-case=false",), False), (("--ignore-case",), True)):
        model = w2v.load(path, ignore_case=rule)
        want = vectors(binary, path, ["The", "UNSEENWORD", "NAÏVELY"], *flag)
        for word, vector in want.items():
            np.testing.assert_allclose(model[word], vector, atol=1e-6, err_msg=word)
    assert w2v.load(path).ignores_case and not w2v.load(path, ignore_case=False).ignores_case


def test_one_composed_word_takes_less_than_a_millisecond(models: Models) -> None:
    model = w2v.load(models("fasttext"))
    model["warmedup"]
    times = []
    for i in range(20):
        begin = time.perf_counter()
        model[f"unseenword{i}"]
        times.append(time.perf_counter() - begin)
    assert min(times) < 1e-3


HASHES = {  # fastText's of Go's tests; MurmurHash3 of the reference implementation
    b"": 2166136261,
    b"a": 0xE40C292C,
    b"foobar": 0xBF9CF968,
}


def test_hashes() -> None:
    texts = list(HASHES)
    buffer = joined(texts, b"", b"")
    assert hashing.fasttext(buffer.bytes, buffer.begin, buffer.end).tolist() == list(HASHES.values())
    long = [b"x" * n for n in range(70)] + ["печёт".encode() * 5]
    buffer = joined(long, b"", b"")
    first, second = hashing.murmur3(buffer.bytes, buffer.begin, buffer.end, 2166136261)
    assert [hashing.murmur3_of(text, 2166136261) for text in long] == list(zip(first.tolist(), second.tolist()))


@pytest.mark.parametrize(
    ("word", "shortest", "longest", "want"),
    [
        ("ab", 1, 2, ["<a", "a", "ab", "b", "b>"]),
        ("é", 2, 3, ["<é", "<é>", "é>"]),
        ("", 1, 3, ["<>"]),
        ("</s>", 2, 3, []),
    ],
)
def test_runs_of_fasttext(word: str, shortest: int, longest: int, want: List[str]) -> None:
    text = joined([b"between", word.encode(), b""], b"<", b">")
    runs = fasttext_runs([b"between", word.encode(), b""], text, shortest, longest)
    cut = [text.bytes[a:b].tobytes().decode() for a, b, w in zip(runs.begin, runs.end, runs.word) if w == 1]
    assert cut == want


def test_runs_of_finalfusion_are_long_first_and_have_all_bytes() -> None:
    codes, marked, runs = code_point_runs([b"a\xff"], 1, 2)
    text = "".join(marked)
    assert [text[a:b] for a, b in zip(runs.begin, runs.end)] == ["<a", "<", "a\udcff", "a", "\udcff>", "\udcff", ">"]
    assert codes.tolist() == [ord("<"), ord("a"), 0xFFFD, ord(">")]
