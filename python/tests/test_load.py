"""Models are opened, in every format that the program reads, and stay what they are."""

from __future__ import annotations

import copy
import gzip
import json
import os
import pickle
from pathlib import Path
from typing import Any, Callable, List

import numpy as np
import pytest
from program import vectors

import w2v
from w2v.native import read

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
Models = Callable[[str], Path]

#: What vectors were written for of the golden files of testdata/native, to the last digit but for
#: products of matrices, whose sums have no order.
GOLDEN = sorted(path.stem for path in (TESTDATA / "native").glob("*.w2v"))


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_native(name: str) -> None:
    model = w2v.load(TESTDATA / "native" / f"{name}.w2v")
    lines = (TESTDATA / "native" / f"{name}.vectors.txt").read_text(encoding="utf-8").splitlines()
    assert lines
    # Products of matrices have no order of sums, and the files were made without the instruction that
    # multiplies and adds with one rounding.
    tolerance = 3e-7 if name.startswith(("factorized", "rank", "rotated", "hash", "appended")) else 0
    for line in lines:
        word, *numbers = line.split(" ")
        want = np.array(numbers, np.float32)
        np.testing.assert_allclose(model[word], want, rtol=0, atol=tolerance, err_msg=word)
        np.testing.assert_allclose(model.vectors[model.get_index(word)] if word in model.key_to_index else want, want, rtol=0, atol=tolerance)


FOREIGN = {
    "fasttext/skipgram.bin": ["mill", "café", "bakers", "unseen"],
    "fasttext/pruned.ftz": ["mill", "café", "bakers", "unseen"],
    "fasttext/quantised.ftz": ["mill", "café", "bakers", "unseen"],
    "fasttext/wordngrams.bin": ["mill", "café"],
    "fasttext/skipgram.vec": ["mill", "café"],
    "finalfusion/buckets.fifu": ["mill", "café", "bakers", "naïvely"],
    "finalfusion/explicit.fifu": ["mill", "café", "bakers", "naïvely"],
    "finalfusion/fasttext-explicit.fifu": ["mill", "café", "bakers", "naïvely"],
    "finalfusion/fasttext.fifu": ["mill", "café", "bakers", "naïvely"],
    "finalfusion/quantised-opq.fifu": ["mill", "café"],
    "floret/two.floret": ["mill", "café", "bakers", "naïvely", "🙂"],
    "floret/four.floret": ["mill", "café", "bakers", "naïvely", "🙂"],
    "gensim/word2vec.bin": ["mill", "café"],
    "gensim/glove.txt": ["mill", "café"],
    "parquet/duckdb-words.parquet": ["w0", "w4999"],
}


@pytest.mark.parametrize("name", FOREIGN)
def test_other_formats_give_the_program_s_vectors(binary: str, name: str) -> None:
    model = w2v.load(TESTDATA / name)
    want = vectors(binary, TESTDATA / name, FOREIGN[name])
    assert want
    for word in FOREIGN[name]:
        if word in want:
            np.testing.assert_allclose(model[word], want[word], atol=1e-6, err_msg=word)
        else:
            assert word not in model
    assert model.path == str(TESTDATA / name)


def overwritten(path: Path, other: bytes) -> None:
    path.write_bytes(other)


def overwritten_in_the_same_instant(path: Path, other: bytes) -> None:
    status = path.stat()
    path.write_bytes(other[: status.st_size].ljust(status.st_size, b"x"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def emptied(path: Path, other: bytes) -> None:
    os.truncate(path, 0)


def cut(path: Path, other: bytes) -> None:
    os.truncate(path, path.stat().st_size // 2)


def replaced(path: Path, other: bytes) -> None:
    beside = path.with_name("beside")
    beside.write_bytes(other)
    os.replace(beside, path)


def removed(path: Path, other: bytes) -> None:
    path.unlink()


CHANGES = [overwritten, overwritten_in_the_same_instant, emptied, cut, replaced, removed]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["words", "fasttext"])
def test_what_happens_to_the_file_does_not_change_the_model(
    name: str, change: Callable[[Path, bytes], None], binary: str, models: Models, tmp_path: Path
) -> None:
    untouched = w2v.load(models(name))
    word, other = untouched.words[:2]
    path = tmp_path / "model.w2v"
    path.write_bytes(models(name).read_bytes())
    model = w2v.load(path)
    some = model.vectors[:5]  # is in use while the file changes
    change(path, models("cbow").read_bytes())
    np.testing.assert_array_equal(some, untouched.vectors[:5])
    np.testing.assert_array_equal(model.vectors, untouched.vectors)
    assert model.words == untouched.words
    assert model.most_similar(word) == untouched.most_similar(word)
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{word}\t{w}\t{i}\n" for i, w in enumerate(model.words[1:9])), encoding="utf-8")
    assert model.evaluate(pairs)[0]["score"] == untouched.evaluate(pairs)[0]["score"]
    for part in (model, model.first(8), pickle.loads(pickle.dumps(model))):
        part.save(tmp_path / "saved.w2v")
        np.testing.assert_array_equal(w2v.load(tmp_path / "saved.w2v").vectors, part.vectors)
    # A rate of almost nothing: what training begins with is what it returns.
    warm = w2v.train([[word, other]] * 50, init=model, min_count=1, epochs=1, lr=1e-30, sample=0, workers=1)
    np.testing.assert_allclose(warm[word], untouched[word], atol=1e-6)


def test_a_file_that_changes_while_it_is_read_is_no_model(models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.w2v"
    path.write_bytes(models("words").read_bytes())

    def read_and_changed(file: Path) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
        data = read(file)
        overwritten_in_the_same_instant(path, b"")
        return data

    monkeypatch.setattr("w2v.model.read", read_and_changed)
    with pytest.raises(w2v.Error, match="was changed while it was read: load it again"):
        w2v.load(path)


def test_no_temporary_file_is_left(binary: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    model = w2v.load(TESTDATA / "fasttext" / "skipgram.bin")
    assert len(model["mill"]) == model.dim
    assert list(tmp_path.iterdir()) == []


def test_compressed(binary: str, models: Models, tmp_path: Path) -> None:
    path = tmp_path / "model.w2v.gz"
    path.write_bytes(gzip.compress(models("words").read_bytes()))
    assert w2v.load(path).words == w2v.load(models("words")).words


def test_rows_are_not_copied_and_read_only(models: Models) -> None:
    model = w2v.load(models("words"))
    data, rows = model._native.data, model.vectors
    begin, at = data.ctypes.data, rows.ctypes.data
    assert begin <= at < begin + len(data), "the rows are those of the file"
    assert rows.shape == (len(model), model.dim) and rows.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        rows[0, 0] = 1
    model[model.words[0]][0] = 1  # a vector of a word is the caller's
    assert model[model.words[0]][0] != 1 and model.get(model.words[0])[0] != 1
    assert not np.array_equal(model.vectors[0, :1], [1])


def test_composed_rows_are_read_only(models: Models) -> None:
    rows = w2v.load(models("fasttext")).vectors
    with pytest.raises(ValueError, match="read-only"):
        rows[0, 0] = 1


def test_words_and_places_do_not_change(models: Models) -> None:
    model = w2v.load(models("words"))
    words, places = model.words, model.key_to_index
    changes: List[Callable[[], object]] = [
        lambda: words.append("x"), words.sort, words.reverse, words.clear, words.pop, lambda: words.__setitem__(0, "x"),
        lambda: places.update(x=1), places.clear, lambda: places.pop(words[0]), lambda: places.__setitem__("x", 1),
    ]  # fmt: skip
    for change in changes:
        with pytest.raises(TypeError, match="the words of a model do not change: change a copy, (list|dict)"):
            change()
    assert words == list(words) and json.loads(json.dumps(places)) == dict(places)
    for kept in (words, places):
        for copied in (pickle.loads(pickle.dumps(kept)), copy.copy(kept), copy.deepcopy(kept)):
            assert copied == kept and type(copied) in (list, dict)
    words[:2].append("a slice is another list")


def test_counts_may_be_subtracted(models: Models) -> None:
    counts = w2v.load(models("words")).counts
    assert counts is not None and counts.dtype == np.int64 and counts[-1] - counts[0] < 0
    with pytest.raises(ValueError, match="read-only"):
        counts[0] = 1


def test_words_and_counts(models: Models) -> None:
    model = w2v.load(models("words"))
    assert model.words == list(model) == model.index_to_key
    assert model.key_to_index[model.words[7]] == model.get_index(model.words[7]) == 7
    assert model.counts is not None and list(model.counts) == sorted(model.counts, reverse=True)
    assert model.get_vecattr(model.words[3], "count") == model.get_count(model.words[3]) == model.counts[3]
    assert model.vector_size == model.dim == 32
    assert model.settings["window"] == 5
    assert model.wv is model


def test_models_say_what_they_are(models: Models) -> None:
    words, ngrams = w2v.load(models("words")), w2v.load(models("floret"))
    assert repr(words) == f"<w2v.Model of {len(words)} words and 32 dimensions from {str(models('words'))!r}>"
    assert " and 32 dimensions, with floret n-grams of 3 to 6 characters in 5000 buckets from " in repr(ngrams)
    assert "with floret rows of whole words in 5000 buckets" in repr(w2v.load(models("floret-whole")))
    assert words.settings["subwords"] == "none" and words.settings["dim"] == words.first(8).settings["dim"] * 4 == 32
    assert [ngrams.settings[name] for name in ("subwords", "minn", "maxn", "buckets", "hashes")] == ["floret", 3, 6, 5000, 2]


def test_words_are_found_with_and_without_a_dictionary(models: Models) -> None:
    by_table, by_dictionary = w2v.load(models("words")), w2v.load(models("words"))
    assert by_dictionary.key_to_index
    for word in by_dictionary.words:
        assert by_table.get_index(word) == by_dictionary.get_index(word)
    for word in ("", "zzzz", "\udcff", "\ud800", "naïve"):
        assert by_table.get_index(word, -1) == by_dictionary.get_index(word, -1) == -1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        w2v.load(tmp_path / "none.w2v")


def test_folders_of_hubs(binary: str, models: Models, tmp_path: Path) -> None:
    model = w2v.load(models("words"))
    snapshot = tmp_path / "snapshots" / "0123abc"
    snapshot.mkdir(parents=True)
    for name in ("README.md", ".gitattributes", "config.json", "pytorch_model.bin"):
        (snapshot / name).write_text("{}", encoding="utf-8")
    with pytest.raises(w2v.Error, match="0123abc"):
        w2v.load(snapshot)
    model.save(snapshot / "words.vec")
    (snapshot / "model.bin").symlink_to(TESTDATA / "fasttext" / "skipgram.bin")  # hubs keep files elsewhere
    assert w2v.load(snapshot).words == w2v.load(TESTDATA / "fasttext" / "skipgram.bin").words, "n-grams before words alone"
    (snapshot / "other.bin").symlink_to(TESTDATA / "fasttext" / "skipgram.bin")
    with pytest.raises(ValueError, match="has 2 models, model.bin, other.bin: name one of them"):
        w2v.load(snapshot)
    (snapshot / "model.w2v").symlink_to(models("words"))
    loaded = w2v.load(snapshot)
    assert loaded.words == model.words and loaded.path == str(snapshot / "model.w2v")
    for kind in ("sentence-transformers", "model2vec"):
        model.save(tmp_path / kind, format=kind)
        own = w2v.load(tmp_path / kind)
        assert set(model.words) <= set(own.words) and own.path == str(tmp_path / kind)


def test_what_is_no_model(binary: str, tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"\x00\x01\x02 nothing that a model begins with")
    with pytest.raises(w2v.Error, match=r"x\.bin"):
        w2v.load(path)


def test_copies_and_pickles(binary: str, models: Models, tmp_path: Path) -> None:
    path = tmp_path / "model.w2v"
    path.write_bytes(models("fasttext").read_bytes())
    model = w2v.load(path)
    assert copy.deepcopy(model) is model and copy.copy(model) is model
    data = pickle.dumps(model.first(8))
    path.unlink()
    again = pickle.loads(data)
    assert again.path is None and again.dim == 8
    np.testing.assert_array_equal(again["unseenword"], model.first(8)["unseenword"])
    again.save(tmp_path / "saved.vec")
    np.testing.assert_allclose(w2v.load(tmp_path / "saved.vec").vectors, model.vectors[:, :8], atol=1e-6)


def test_save_converts(binary: str, models: Models, tmp_path: Path) -> None:
    model = w2v.load(models("fasttext"))
    model.save(tmp_path / "model.bin")
    model.save(tmp_path / "vectors", format="text", top=10)
    np.testing.assert_allclose(w2v.load(tmp_path / "model.bin")["unseenword"], model["unseenword"], atol=1e-6)
    assert w2v.load(tmp_path / "vectors").words == model.words[:10]
    with pytest.raises(w2v.UsageError, match="unknown flag"):
        model.save(tmp_path / "x.vec", no_such_flag=1)


def test_another_file_at_the_path_is_not_the_model(binary: str, models: Models, tmp_path: Path) -> None:
    path = tmp_path / "model.w2v"
    path.write_bytes(models("words").read_bytes())
    model = w2v.load(path)
    other = tmp_path / "other"
    other.write_bytes(models("cbow").read_bytes())
    os.replace(other, path)
    for part in (model, model.first(8)):
        part.save(tmp_path / "saved.w2v")
        np.testing.assert_array_equal(w2v.load(tmp_path / "saved.w2v").vectors, part.vectors)


def test_paths_that_begin_with_a_dash(binary: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-a.vec").write_text("1 2\nword 1 2\n", encoding="utf-8")
    w2v.load("-a.vec").save("-b.w2v")
    assert w2v.load("-b.w2v")["word"].tolist() == [1, 2]


def test_evaluate(binary: str, models: Models, tmp_path: Path) -> None:
    model = w2v.load(models("words"))
    a, b, c, d = model.words[:4]
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(f"{a}\t{b}\t9\n{a}\t{c}\t5\n{b}\t{c}\t4\n{c}\t{d}\t1\n", encoding="utf-8")
    (result,) = model.evaluate(pairs)
    assert (result["task"], result["items"], result["used"]) == ("similarity", 4, 4)
    (short,) = model.first(2).evaluate(pairs, restrict=3)
    assert short["used"] == 3
    with pytest.raises(ValueError, match="no evaluation sets"):
        model.evaluate()


def test_a_set_without_a_score_takes_no_scores_from_others(binary: str, models: Models, tmp_path: Path) -> None:
    model = w2v.load(models("words"))
    a, b, c = model.words[:3]
    known, unknown = tmp_path / "known.tsv", tmp_path / "unknown.tsv"
    known.write_text(f"{a}\t{b}\t9\n{a}\t{c}\t5\n{b}\t{c}\t4\n", encoding="utf-8")
    unknown.write_text("zzq\tqqz\t9\nzzq\tyyq\t5\nqqz\tyyq\t4\n", encoding="utf-8")
    with pytest.raises(w2v.EvaluationError, match="^nothing could be scored of unknown") as caught:
        model.evaluate(unknown, known)
    first, second = pickle.loads(pickle.dumps(caught.value)).results
    assert (first["set"], first["score"], second) == ("unknown", None, *model.evaluate(known))
    with pytest.raises(w2v.EvaluationError, match="no-such-set") as caught:
        model.evaluate(known, tmp_path / "no-such-set")
    assert caught.value.results == []
    with pytest.raises(w2v.UsageError):
        model.evaluate(known, no_such_flag=1)


def test_the_program_is_needed_for_other_formats_only(models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("W2V_BINARY", os.devnull + "-none")
    assert len(w2v.load(models("words"))) > 0
    with pytest.raises(w2v.Error, match="W2V_BINARY"):
        w2v.load(TESTDATA / "fasttext" / "skipgram.bin")


@pytest.mark.parametrize(
    "some, message",
    [
        ({"limit": 2.9}, r"limit is 2\.9, must be a whole number"),
        ({"limit": True}, "limit is True, must be a whole number"),
        ({"limit": 0}, "limit is 0, must be at least 1"),
        ({"limit": 1, "words": ["a"]}, "limit and words exclude each other"),
        ({"words": []}, "words is empty"),
        ({"words": ["zz"]}, "none of words is in the vocabulary"),
    ],
)
def test_some_words_are_refused_by_name(binary: str, tmp_path: Path, some: Any, message: str) -> None:
    (tmp_path / "a.vec").write_text("2 2\na 1 2\nb 3 4\n")
    with pytest.raises(ValueError, match=message):
        w2v.load(tmp_path / "a.vec", **some)
