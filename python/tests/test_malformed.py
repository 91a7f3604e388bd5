"""Models are not trusted: a file that is damaged, or was made to do harm, is an error and no more."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pytest
from numpy.typing import NDArray

import w2v
from w2v.buckets import BucketRows

TESTDATA = Path(__file__).resolve().parents[2] / "testdata" / "native"

Header = Dict[str, Any]
File = Tuple[Header, bytes]


def opened(name: str) -> File:
    """Return the header of a native file, and what follows it."""
    data = (TESTDATA / f"{name}.w2v").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def written(path: Path, header: Any, body: bytes) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)
    return path


def tensor(file: File, name: str) -> NDArray[Any]:
    """Return a tensor, to be changed and put back."""
    header, body = file
    begin, end = header[name]["data_offsets"]
    dtype = {"U64": "<u8", "U32": "<u4", "I32": "<i4", "U8": "u1", "I8": "i1", "F32": "<f4"}[header[name]["dtype"]]
    return np.frombuffer(body[begin:end], dtype).copy()


def put(file: File, name: str, array: NDArray[Any]) -> File:
    header, body = file
    begin, end = header[name]["data_offsets"]
    return header, body[:begin] + array.tobytes() + body[end:]


def renamed(file: File, name: str, to: str) -> File:
    header, body = file
    return {to if key == name else key: value for key, value in header.items()}, body


def with_value(file: File, name: str, **values: Any) -> File:
    header, body = file
    return {**header, name: {**header.get(name, {}), **values}}, body


def set_item(file: File, name: str, at: int, value: int) -> File:
    array = tensor(file, name)
    array[at] = value
    return put(file, name, array)


def metadata(file: File, **values: Any) -> File:
    return with_value(file, "__metadata__", **values)


#: What is done to a file, by what the error says.
DAMAGES: List[Tuple[str, str, Callable[[File], File]]] = [
    ("another version", "ngrams", lambda f: metadata(f, version="3")),
    ("of strings", "ngrams", lambda f: metadata(f, version=1)),
    ("format", "ngrams", lambda f: metadata(f, format="other")),
    ("'words', found none", "ngrams", lambda f: renamed(f, "words", "other")),
    ("'word_offsets', found none", "words", lambda f: renamed(f, "word_offsets", "others")),
    ("'input', found none", "words", lambda f: renamed(f, "input", "put")),
    ("expected dtype U64, found 'I64'", "words", lambda f: with_value(f, "word_offsets", dtype="I64")),
    ("expected dtype F32, F16", "words", lambda f: with_value(f, "input", dtype="I32")),
    ("takes .* bytes, data_offsets give it", "words", lambda f: with_value(f, "input", shape=[1 << 40, 1 << 40])),
    ("expected a dtype, a shape", "words", lambda f: with_value(f, "input", shape=[-1, 6])),
    ("expected a dtype, a shape", "words", lambda f: with_value(f, "input", shape=[1.5, 6])),
    ("expected a dtype, a shape", "words", lambda f: with_value(f, "input", shape=[True, 6])),
    ("expected a dtype, a shape", "words", lambda f: with_value(f, "input", shape={"0": 1})),
    ("expected a dtype, a shape", "words", lambda f: with_value(f, "input", data_offsets=[0])),
    ("are not a range", "words", lambda f: with_value(f, "input", data_offsets=[8, 0])),
    ("begins at byte", "words", lambda f: with_value(f, "input", data_offsets=[0, f[0]["input"]["data_offsets"][1] - f[0]["input"]["data_offsets"][0]])),
    ("expected a shape of 2 sizes", "words", lambda f: with_value(f, "input", shape=[f[0]["input"]["shape"][0] * 6])),
    ("a word ends before it begins", "words", lambda f: set_item(f, "word_offsets", 5, 1 << 40)),
    ("not those of tensor 'words'", "words", lambda f: set_item(f, "word_offsets", -1, 1)),
    ("has row 4000000000 of", "ngrams", lambda f: set_item(f, "word_rows", 3, 4_000_000_000)),
    ("a bucket has none of the", "ngrams", lambda f: set_item(f, "bucket_rows", 3, 1 << 30)),
    ("a bucket has none of the", "ngrams", lambda f: set_item(f, "bucket_rows", 3, -2)),
    ("rows of 50 buckets for 51 buckets", "ngrams", lambda f: metadata(f, buckets="51")),
    ("'buckets': expected a number", "ngrams", lambda f: metadata(f, buckets="9" * 40)),
    ("'buckets': expected a number", "ngrams", lambda f: metadata(f, buckets="-1")),
    ("'buckets': expected a number", "ngrams", lambda f: metadata(f, buckets="٣")),
    ("'maxn': expected a number from", "ngrams", lambda f: metadata(f, maxn="1000")),
    ("unknown kind of n-grams", "ngrams", lambda f: metadata(f, subword="other")),
    ("unknown composition", "ngrams", lambda f: metadata(f, composition="other")),
    ("without subwords", "words", lambda f: metadata(f, composition="pieces")),
    ("hash n-grams alone", "ngrams", lambda f: metadata(f, composition="weighted")),
    ("'importance': expected the shape", "hash", lambda f: metadata(f, importances="51")),
    ("'hashes': expected a number from 1 to 4", "hash", lambda f: metadata(f, hashes="5")),
    ("'hashes': expected a number from 1 to 4", "floret", lambda f: metadata(f, hashes="0")),
    ("rows of 60 buckets for 61 buckets", "floret", lambda f: metadata(f, buckets="61")),
    ("expected a tensor 'projection'", "rank", lambda f: renamed(f, "projection", "other")),
    ("'input_part': expected a number", "product", lambda f: metadata(f, input_part="x")),
    ("parts of 0 numbers", "product", lambda f: metadata(f, input_part="0")),
    ("have 6 parts of 1", "product", lambda f: metadata(f, input_part="1")),
    ("expected a tensor 'input_scales'", "int8", lambda f: renamed(f, "input_scales", "scales")),
    ("expected a tensor 'input_centroids'", "product", lambda f: renamed(f, "input_centroids", "other")),
    ("expected a JSON object", "words", lambda f: metadata(f, training="[" * 100_000)),
    ("expected a JSON object", "words", lambda f: metadata(f, training="[]")),
    ("expected a JSON object", "words", lambda f: metadata(f, training='{"seed": ' + "9" * 30 + "}")),
    ("only with plain words", "ngrams", lambda f: metadata(f, tied="true")),
    ("'input': 0 rows of 1000000000 numbers", "words", lambda f: without_words(f, 1_000_000_000)),
    ("'word_ngrams': expected rows of 6 numbers, found 4", "words", lambda f: with_runs(f, 2, [3, 4])),
    ("word_ngrams: expected a whole number", "words", lambda f: with_runs(f, "2", [2, 6])),
    ("word_ngrams: expected a whole number", "words", lambda f: with_runs(f, True, [2, 6])),
    ("a power of two", "words", lambda f: with_value(with_slots(f), "x", **f[0].get("x", {}))),
]


def with_slots(file: File) -> File:
    """Take the last slot from the table of words, and add its bytes to a tensor that nobody knows."""
    header, body = file
    begin, end = header["word_slots"]["data_offsets"]
    header = {**header, "word_slots": {"dtype": "U32", "shape": [(end - begin) // 4 - 1], "data_offsets": [begin, end - 4]}}
    return {**header, "x": {"dtype": "U8", "shape": [4], "data_offsets": [end - 4, end]}}, body


def without_words(file: File, dim: int) -> File:
    """Return a file of no words, whose rows claim to be wide."""
    offsets = {"dtype": "U64", "shape": [1], "data_offsets": [0, 8]}
    words = {"dtype": "U8", "shape": [0], "data_offsets": [8, 8]}
    rows = {"dtype": "F32", "shape": [0, dim], "data_offsets": [8, 8]}
    return {"__metadata__": file[0]["__metadata__"], "word_offsets": offsets, "words": words, "input": rows}, bytes(8)


def with_runs(file: File, longest: Any, shape: List[int]) -> File:
    """Add rows of runs of words to a file."""
    header, body = metadata(file, training=json.dumps({"word_ngrams": longest}))
    rows = bytes(4 * shape[0] * shape[1])
    header = {**header, "word_ngrams": {"dtype": "F32", "shape": shape, "data_offsets": [len(body), len(body) + len(rows)]}}
    return header, body + rows


@pytest.mark.parametrize(("says", "name", "damage"), DAMAGES, ids=[f"{i}-{d[0]}" for i, d in enumerate(DAMAGES)])
def test_damage_is_named(tmp_path: Path, says: str, name: str, damage: Callable[[File], File]) -> None:
    path = written(tmp_path / "bad.w2v", *damage(opened(name)))
    if says == "another version":
        says = "expected version '1' or '2'"
    with pytest.raises(w2v.Error, match=says) as caught:
        w2v.load(path)
    assert str(caught.value).startswith(str(path))


HEADERS = {
    "no object": b"[1, 2]",
    "cut off": b'{"word_offsets": {"dtype": "U64"',
    "nested deeply": b'{"word_offsets":' + b"[" * 200_000,
    "a long number": b'{"word_offsets":{"dtype":"U64","shape":[' + b"9" * 1_000_000 + b'],"data_offsets":[0,8]}}',
    "a name twice": b'{"word_offsets":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"word_offsets":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}',
    "not UTF-8": b'{"word_offsets\xff":1}',
    "no number": b'{"word_offsets":{"dtype":"U8","shape":[NaN],"data_offsets":[0,0]}}',
    "more than an object": b'{"word_offsets":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}} and more',
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers_that_are_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(w2v.Error, match=r"header"):
        w2v.load(written(tmp_path / "bad.w2v", HEADERS[name], b""))


def test_a_header_longer_than_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.w2v"
    path.write_bytes(struct.pack("<Q", 90_000_000) + b'{"word_offsets":')
    with pytest.raises(w2v.Error, match="is said to have 90000000 bytes"):
        w2v.load(path)


@pytest.mark.parametrize("name", ["words", "ngrams", "product", "hash", "rank"])
def test_cut_off_anywhere(tmp_path: Path, name: str) -> None:
    data = (TESTDATA / f"{name}.w2v").read_bytes()
    path = tmp_path / "cut.w2v"
    for size in {len(data) - 1, len(data) - 100, len(data) // 2, 3000}:
        path.write_bytes(data[:size])
        with pytest.raises(w2v.Error, match="cut off"):
            w2v.load(path)
    path.write_bytes(data + b"\0")
    with pytest.raises(w2v.Error, match="cut off or damaged"):
        w2v.load(path)


def test_codes_out_of_range(tmp_path: Path) -> None:
    file = opened("product")
    codes = tensor(file, "input")
    codes[:] = 255
    model = w2v.load(written(tmp_path / "bad.w2v", *put(file, "input", codes)))
    with pytest.raises(w2v.Error, match="the model is damaged: a row has a code above"):
        model["the"]


def test_a_table_of_words_that_leads_nowhere(tmp_path: Path) -> None:
    file = opened("words")
    slots = tensor(file, "word_slots")
    slots[:] = 7  # no slot is empty, and none is right
    model = w2v.load(written(tmp_path / "bad.w2v", *put(file, "word_slots", slots)))
    assert model.get_index("café") == w2v.load(TESTDATA / "words.w2v").get_index("café")
    slots[:] = 4_000_000_000  # words that are not there
    model = w2v.load(written(tmp_path / "worse.w2v", *put(file, "word_slots", slots)))
    assert "zzz" not in model


@pytest.mark.parametrize("name", ["ngrams", "product", "appended", "factorized", "floret", "int8"])
def test_any_bytes(tmp_path: Path, name: str) -> None:
    """Whatever bytes are changed, the model is opened or refused, and answers or is refused."""
    data = (TESTDATA / f"{name}.w2v").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    chance = random.Random(name)
    path = tmp_path / "bad.w2v"
    opened_at_all = 0
    for _ in range(150):
        damaged = bytearray(data)
        end = chance.choice([8 + length, len(data)])
        for _ in range(chance.randint(1, 8)):
            damaged[chance.randrange(8, end)] = chance.randrange(256)
        path.write_bytes(damaged)
        try:
            with np.errstate(all="ignore"):
                model = w2v.load(path)
                model.get("café")
                model.get("unseenword")
                model.most_similar(0)
                opened_at_all += 1
        except (w2v.Error, KeyError, ValueError) as error:
            assert str(error)
    assert opened_at_all > 0


def test_memory_is_not_taken_by_claims(tmp_path: Path) -> None:
    """A small file that claims two thousand million buckets takes no memory for them."""
    resource = pytest.importorskip("resource")  # Unix has it
    claims = metadata(opened("ngrams"), buckets="2147483647")
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, hard))
    try:
        with pytest.raises(w2v.Error, match="rows of 50 buckets for 2147483647 buckets"):
            w2v.load(written(tmp_path / "bad.w2v", *claims))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def built(path: Path, words: List[bytes], rows: NDArray[Any]) -> Path:
    """Write a model of plain words by hand."""
    text = b"".join(words)
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in words])]).astype("<u8")
    arrays = {"word_offsets": ("U64", offsets), "input": ("F32", rows.astype("<f4")), "words": ("U8", np.frombuffer(text, np.uint8))}
    header: Header = {"__metadata__": {"format": "w2v", "version": "1"}}
    body = b""
    for name, (dtype, array) in arrays.items():
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    return written(path, header, body)


def test_any_bytes_are_words(binary: str, tmp_path: Path) -> None:
    words = [b"", b"plain", "é".encode(), b"\xff\xfe", b"\xe2\x82", b"two words", b"\x00", b"plain", b"\xed\xa0\x80"]
    path = built(tmp_path / "bytes.w2v", words, np.arange(18).reshape(9, 2) + 1)
    for model in (w2v.load(path), w2v.load(path, ignore_case=True)):
        assert [word.encode("utf-8", "surrogateescape") for word in model.words] == words
        assert model.words[3] == "\udcff\udcfe"
        assert model.key_to_index["plain"] == model.get_index("plain") == 1, "of equal words the first one counts"
        assert len(model.key_to_index) == 8
        for i, word in enumerate(model.words):
            if i != 7:
                assert model[word].tolist() == [2 * i + 1, 2 * i + 2]
        assert "\ud800" in model  # encoded as the bytes of the last word
        assert len(model.most_similar("", topn=20)) == 7, "a word is not a neighbour twice"
    again = tmp_path / "again.w2v"
    w2v.load(path).save(again)  # with a table of words, by the program
    assert w2v.load(again).get_index("\udce2\udc82") == 4


def test_a_model_without_words(tmp_path: Path) -> None:
    model = w2v.load(built(tmp_path / "empty.w2v", [], np.empty((0, 3))))
    assert len(model) == 0 and model.words == [] and model.vectors.shape == (0, 3)
    assert "x" not in model
    assert model.similar_by_vector(np.ones(3)) == []
    assert model.embed(["x y"]).tolist() == [[0, 0, 0]]


def test_a_word_without_a_direction_is_the_farthest(tmp_path: Path) -> None:
    path = built(tmp_path / "zero.w2v", [b"a", b"zero", b"b", b"c"], np.array([[1, 0], [0, 0], [-1, 0], [0, 1]]))
    model = w2v.load(path)
    assert model.most_similar_to_given("a", ["zero", "b", "c"]) == "c"
    assert model.most_similar_to_given("a", ["zero", "b"]) == "b"


def test_tensors_without_alignment_are_read(tmp_path: Path) -> None:
    header, body = opened("words")
    shifted = {key: value if key == "__metadata__" else {**value, "data_offsets": [n + 3 for n in value["data_offsets"]]} for key, value in header.items()}
    shifted["first"] = {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]}
    model = w2v.load(written(tmp_path / "shifted.w2v", shifted, b"abc" + body))
    np.testing.assert_array_equal(model.vectors, w2v.load(TESTDATA / "words.w2v").vectors)


def test_rows_of_buckets() -> None:
    """Rows of buckets are found by the bits of those that have one."""
    every = np.arange(12)
    some = BucketRows(np.array([7, 8, 9, 5], np.int32), np.array([0b101, 0b1010], np.uint8), 12)
    assert some.of(every).tolist() == [7, -1, 8, -1, -1, -1, -1, -1, -1, 9, -1, 5]
    assert BucketRows(every[::-1].astype(np.int32), None, 12).of(every[:3]).tolist() == [11, 10, 9]
    for bits, rows, says in (
        ([0b101, 0b10000], 3, "expected no bits after that of bucket 11"),
        ([0b101, 0b10], 2, "expected a row for each bit"),
        ([0b101], 2, "expected 2 bytes for 12 buckets, found 1"),
    ):
        with pytest.raises(w2v.Error, match=says):
            BucketRows(np.zeros(rows, np.int32), np.array(bits, np.uint8), 12)
    with pytest.raises(w2v.Error, match="has none of the 9 rows"):
        some.check(9)
