"""Words that are asked for one by one have the digits of many at once, and what is kept of them stays small."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, List, Tuple

import numpy as np
import pytest
from numpy.typing import NDArray
from test_composition import UNSEEN

import w2v
from w2v import kept
from w2v.buckets import BucketRows

Models = Callable[[str], Path]


@pytest.mark.parametrize("name", ["words", "fasttext", "floret", "hash", "hash-append"])
def test_one_by_one_as_together(models: Models, name: str) -> None:
    path = models(name)
    alone, together = w2v.load(path), w2v.load(path)
    words = alone.words[:100] + [word for word in UNSEEN if word in together]
    want = together[words]
    for _ in range(2):  # new, and kept
        np.testing.assert_array_equal([alone[word] for word in words], want)
    np.testing.assert_array_equal(alone[words[:20]], want[:20])
    np.testing.assert_array_equal(w2v.load(path).vectors[:100], want[:100])


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_few_dimensions(models: Models, n: int) -> None:
    first = w2v.load(models("fasttext"), dim=n)
    np.testing.assert_array_equal([first[word] for word in first.words[:100]], first.vectors[:100])


def test_a_vector_is_the_callers(models: Models) -> None:
    model = w2v.load(models("fasttext"))
    for word in (model.words[0], "unseenword"):
        before = model[word].copy()
        model[word][:] = 7
        model.get(word)[:] = 7
        model.get_vector(word)[:] = 7
        np.testing.assert_array_equal(model[word], before)


def test_sentences_one_by_one_as_together(models: Models) -> None:
    for pooling in ("mean", "weighted", "sif"):
        model, other = w2v.load(models("fasttext")), w2v.load(models("fasttext"))
        texts = [" ".join(model.words[i : i + 5] + UNSEEN[i % 7 : i % 7 + 2]) for i in range(40)]
        want = other.embed(texts, pooling=pooling)
        for _ in range(2):
            np.testing.assert_array_equal([model.embed(text, pooling=pooling) for text in texts], want)


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_NUMBERS", 30)
    few: kept.Kept[int] = kept.Kept(3)
    asked: List[int] = []

    def make(keys: List[int]) -> Tuple[NDArray[np.float32], NDArray[np.bool_]]:
        asked.extend(keys)
        return np.array([[key] * 3 for key in keys], np.float32), np.array([key % 2 == 0 for key in keys])

    for keys in ([1, 2], [2, 3], list(range(8)), list(range(20)), [4, 4, 5]):
        rows, there = few.of(keys, make)
        assert there.tolist() == [key % 2 == 0 for key in keys]
        assert rows[there].tolist() == [[key] * 3 for key in keys if key % 2 == 0]
        assert len(few._rows) <= 10
    assert asked[:3] == [1, 2, 3], "a row is made once"
    assert few.one(7, lambda key: None) is None


def test_rows_of_buckets_written_down() -> None:
    rng = np.random.default_rng(1)
    there = rng.random(1003) < 0.3
    rows = rng.permutation(int(there.sum())).astype(np.int32)
    of = BucketRows(rows, np.packbits(there, bitorder="little"), len(there))
    want = np.full(len(there), -1, np.int64)
    want[there] = rows
    every = np.arange(len(there))
    np.testing.assert_array_equal(of.of(every[:3]), want[:3])
    for _ in range(3):
        np.testing.assert_array_equal(of.of(every), want)
    assert of._every is not None
