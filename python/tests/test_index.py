"""Searches of an index have the program's answers."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Callable

import numpy as np
import pytest
from program import objects, same_answers

import w2v


@pytest.fixture(scope="module")
def path(binary: str, models: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("index") / "words.index"
    flags = ["--degree", "8", "--effort", "30", "--measure", "50"]
    subprocess.run([binary, "index", str(models("words")), "-o", str(out), *flags], check=True, capture_output=True)
    return out


def test_search(binary: str, path: Path) -> None:
    index = w2v.Index(path)
    assert index.about["entries"] == len(index) == len(index.names)
    assert 0.9 < index.about["measured"][0]["recall"] <= 1
    np.testing.assert_allclose(np.linalg.norm(index.vectors, axis=1), 1, atol=1e-5)
    for effort in (12, 20):
        for row in range(0, len(index), 40):
            q = index.vectors[row]
            lines = objects(
                binary, "search", "--query-vectors", "-k", "12", "--effort", str(effort), "--", str(path), " ".join(map(repr, q.tolist()))
            )
            (got,) = index.search(q, 12, effort=effort)
            same_answers(got, [(n["word"], n["similarity"]) for n in lines[0]["neighbors"]])


def test_exact(path: Path) -> None:
    index = w2v.Index(path)
    for row in (0, 17):
        cosines = index.vectors @ index.vectors[row]
        want = [index.names[i] for i in np.argsort(-cosines, kind="stable")[:5]]
        assert [name for name, _ in index.search(index.vectors[row], 5, exact=True)[0]] == want
        even = [index.names[i] for i in np.argsort(-cosines, kind="stable") if len(index.names[i]) % 2 == 0][:5]
        got = index.search(index.vectors[row], 5, among=lambda name: len(name) % 2 == 0)[0]
        assert [name for name, _ in got] == even
        named = index.search(index.vectors[row], 5, among=even[1:], exclude=[even[2], "a name of no entry"])[0]
        assert [name for name, _ in named] == even[1:2] + even[3:]
        left = index.search(index.vectors[row], 3, exclude=want[:2])[0]
        assert [name for name, _ in left] == want[2:5]
        assert index.search(index.vectors[row], among=[]) == [[]]
        with pytest.raises(w2v.MissingWordError, match="'zzz': the index has no such entry"):
            index.search(index.vectors[row], among=[even[0], "zzz"])
        with pytest.raises(TypeError, match="vectors is 'a text', and an index is asked with vectors: give model.embed"):
            index.search("a text")
        with pytest.raises(TypeError, match="put one name into a list"):
            index.search(index.vectors[row], among="word")


def test_refusals(path: Path, models: Callable[[str], Path], tmp_path: Path) -> None:
    index = w2v.Index(path)
    assert index.search(np.zeros(index.vectors.shape[1])) == [[]]
    with pytest.raises(ValueError, match="vectors of 3 numbers in an index of 32 dimensions"):
        index.search([1, 2, 3])
    with pytest.raises(w2v.Error, match="this is an index, and a model is wanted"):
        w2v.load(path)
    with pytest.raises(w2v.Error, match="is not an index of this version"):
        w2v.Index(models("words"))
    data = path.read_bytes()
    for size in (0, 7, 100, len(data) // 2, len(data) - 1):
        (tmp_path / "cut.index").write_bytes(data[:size])
        with pytest.raises(w2v.Error, match="cut.index: "):
            w2v.Index(tmp_path / "cut.index")
