"""Models with unusual words: the program and the package find the same ones, and say so."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

import w2v
from program import neighbours, run

VECTORS = ["1 0 0", "0.9 0.1 0", "0.7 0.3 0.1", "0.1 0.9 0.2", "0 0.1 1"]
HOSTILE = {
    "controls": ["a\x01", "b\x7f", "c", "d\x1b[31m", "e"],
    "blanks": ["New York", "\u00a0", "a b", "c", "d"],
    "marks": ["\ufeffking", "king", "\ufeff", "q\ufeff", "\u200b"],
    "carriage returns": ["a\rb", "c", "d", "e", "f"],
    "surrogates and wide letters": ["\U0001f600", "e\u0301", "\u00e9", "\u0130", "i\u0307"],
}


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A text of the words a to e."""
    path = tmp_path / "plain.vec"
    path.write_text("".join(f"{word} {vector}\n" for word, vector in zip("abcde", VECTORS)))
    return path


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_words(binary: str, tmp_path: Path, name: str) -> None:
    words, model = HOSTILE[name], tmp_path / "hostile.w2v"
    text = tmp_path / "hostile.vec"
    text.write_bytes(("5 3\n" + "".join(f"{w} {v}\n" for w, v in zip(words, VECTORS))).encode())
    run(binary, "convert", str(text), str(model))
    for path in (model, text):
        loaded = w2v.load(path)
        assert loaded.words == words
        for word in loaded.words:
            got, want = loaded.most_similar(word, topn=9), neighbours(binary, "nn", "-k9", "--", str(path), word)
            assert [w for w, _ in got] == [w for w, _ in want]


def test_repeated_words(binary: str, plain: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    chosen, model = tmp_path / "list.txt", tmp_path / "twice.w2v"
    chosen.write_text("a\nb\na\nc\nnone\n")
    run(binary, "convert", str(plain), str(model), "--words", str(chosen), "--missing", "zero")
    with caplog.at_level(logging.WARNING, "w2v"):
        loaded = w2v.load(model)
    assert "1 of its words is listed a second time" in caplog.text
    assert [word for word, _ in loaded.most_similar("a", topn=9)] == ["b", "c"]
    assert [word for word, _ in neighbours(binary, "nn", "-k9", "--", str(model), "a")] == ["b", "c"]
    assert [word for word, _ in loaded.most_similar("b", topn=9)] == ["a", "c"]


def test_notes_are_logged(binary: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = tmp_path / "blanks.vec"
    text.write_text("2 3\nNew York 1 0 0\nNew York 0 1 0\n")
    with caplog.at_level(logging.WARNING, "w2v"):
        loaded = w2v.load(text)
        assert "listed a second time" in caplog.text
        caplog.clear()
        loaded.save(tmp_path / "again.vec")
    assert "1 word has blanks" in caplog.text
