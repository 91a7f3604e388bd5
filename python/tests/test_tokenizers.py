"""Tokenizers are trained by the program, on files and on texts."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Iterator

import pytest

import w2v

LINES = ["low lower lowest", "new newer newest 中文", "two  spaces\tand a tab", ""] * 40


@pytest.mark.parametrize("model", ["bpe", "unigram", "wordpiece"])
def test_texts_are_as_a_file_with_them(model: str, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("".join(line + "\n" for line in LINES), encoding="utf-8")
    settings = dict(model=model, vocab_size=560, lowercase=True, special_tokens=["<s>", "</s>"])
    of_file = w2v.train_tokenizer(text, tmp_path / "file.json", **settings)
    of_texts = w2v.train_tokenizer((line for line in LINES), tmp_path / "texts.json", **settings)
    assert of_file == of_texts == w2v.train_tokenizer(str(text), tmp_path / "named.json", **settings)
    written = (tmp_path / "file.json").read_bytes()
    assert written == (tmp_path / "texts.json").read_bytes() == (tmp_path / "named.json").read_bytes()
    added = [token["content"] for token in json.loads(written)["added_tokens"]]
    assert added[-2:] == ["<s>", "</s>"]
    trained = w2v.train(paths=text, tokenizer=tmp_path / "file.json", dim=4, epochs=1)
    assert len(trained.words) == of_file["tokens"]


def test_what_the_program_notes_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="w2v"):
        w2v.train_tokenizer(["ab ab"], tmp_path / "t.json", vocab_size=5000)
    assert "not the 5000 that were asked for" in caplog.text


def test_refuses(tmp_path: Path) -> None:
    out = tmp_path / "t.json"
    with pytest.raises(w2v.UsageError, match="^model: "):
        w2v.train_tokenizer(["a"], out, model="words")
    with pytest.raises(w2v.UsageError, match="unknown flag: vocab"):
        w2v.train_tokenizer(["a"], out, vocab=5)
    with pytest.raises(w2v.UsageError, match="comma"):
        w2v.train_tokenizer(["a"], out, special_tokens=["a,b"])
    with pytest.raises(w2v.Error, match="no such file"):
        w2v.train_tokenizer(tmp_path / "none.txt", out)
    with pytest.raises(TypeError, match="text 1 is 1, of type int"):
        w2v.train_tokenizer(["a", 1], out)  # type: ignore[arg-type]

    def failing() -> Iterator[str]:
        yield "a text"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        w2v.train_tokenizer(failing(), out)
    assert not out.exists()
