"""Vectors of many texts in a file are those of embed, and of the program."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, Iterator

import numpy as np
import pytest

import w2v

#: What a line may have, and what needs JSON.
TEXTS = ["a king and a queen", "", 'a "quoted"\nking', "kings’ \t\u2028 \ud800", "?!", "zzzzzz"]


def test_matrix(models: Callable[[str], Path], tmp_path: Path) -> None:
    for name in "words", "fasttext":
        model = w2v.load(models(name))
        texts = TEXTS * 700  # several blocks
        matrix = model.embed_to(tmp_path / f"{name}.npy", iter(texts))
        assert isinstance(matrix, np.memmap) and matrix.dtype == np.float32 and matrix.shape == (len(texts), model.dim)
        np.testing.assert_allclose(matrix, model.embed(texts), atol=1e-6)
        weighted = model.embed_to(tmp_path / f"{name}-weighted.npy", TEXTS, pooling="weighted", smoothing=0.01, dtype="f16")
        assert weighted.dtype == np.float16
        np.testing.assert_allclose(weighted, model.embed(TEXTS, pooling="weighted", smoothing=0.01), atol=1e-2)


def test_first_dimensions(models: Callable[[str], Path], tmp_path: Path) -> None:
    model = w2v.load(models("nested")).first(8)
    np.testing.assert_allclose(model.embed_to(tmp_path / "a.npy", TEXTS), model.embed(TEXTS), atol=1e-6)


def test_files(binary: str, models: Callable[[str], Path], corpus: Path, tmp_path: Path) -> None:
    want = tmp_path / "want.npy"
    subprocess.run([binary, "embed", str(models("words")), str(corpus), "-o", str(want)], check=True, capture_output=True)
    model = w2v.load(models("words"))
    files: Dict[str, Any] = {"one": corpus, "several": [str(corpus)]}
    for name, paths in files.items():
        got = model.embed_to(tmp_path / f"{name}.npy", paths=paths)
        assert got.tobytes() == np.load(want).tobytes()
    table = tmp_path / "table.tsv"
    table.write_text("id\ttext\n1\tking\n2\tqueen\n", encoding="utf-8")
    got = model.embed_to(str(tmp_path / "table.npy"), paths=table, text_column="text", header=True)
    np.testing.assert_allclose(got, model.embed(["king", "queen"]), atol=1e-6)
    assert model.embed_to(tmp_path / "none.npy", []).shape == (0, model.dim)


def test_interruption(models: Callable[[str], Path], tmp_path: Path) -> None:
    model = w2v.load(models("words"))
    out = tmp_path / "out.npy"

    def broken() -> Iterator[str]:
        yield from TEXTS * 20000
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        model.embed_to(out, broken())
    assert not out.exists()
    texts = TEXTS * 20001
    np.testing.assert_allclose(model.embed_to(out, texts), model.embed(TEXTS)[np.arange(len(texts)) % len(TEXTS)], atol=1e-6)
    assert [file.name for file in tmp_path.iterdir()] == ["out.npy"]


def test_refusals(models: Callable[[str], Path], tmp_path: Path) -> None:
    model = w2v.load(models("words"))
    out = tmp_path / "out.npy"
    wrong: Dict[str, Callable[[], Any]] = {
        "give sentences or paths=, one of them": lambda: model.embed_to(out),
        "sentences is a text, and must be an iterable": lambda: model.embed_to(out, "a king"),
        "of type list, and must be a text": lambda: model.embed_to(out, ["a", ["b"]]),  # type: ignore[list-item]
        "its name must end in .npy": lambda: model.embed_to(tmp_path / "out.jsonl", ["a"]),
        "is not f32, f16, int8 or ubinary": lambda: model.embed_to(out, ["a"], dtype="f8"),
        "unknown flag": lambda: model.embed_to(out, ["a"], nothing=1),
        "no such file": lambda: model.embed_to(out, paths=tmp_path / "none.txt"),
    }
    for why, of in wrong.items():
        with pytest.raises((TypeError, ValueError, w2v.Error), match=why):
            of()
    assert list(tmp_path.iterdir()) == []
