"""The search for settings is that of the program."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import w2v

LINES = [["the", "cat", "sat", "on", "the", "mat"], ["a", "dog", "sat", "on", "a", "cat"]] * 30


def pairs(folder: Path) -> Path:
    path = folder / "pairs.tsv"
    path.write_text("the\tcat\t1\ndog\tcat\t5\nmat\tdog\t3\non\ta\t2\n", encoding="utf-8")
    return path


def test_same_search_from_files_and_from_memory(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("".join(" ".join(line) + "\n" for line in LINES), encoding="utf-8")
    settings = {"eval": pairs(tmp_path), "trials": 4, "vector_size": 4, "sample": 0, "subwords": "none", "min_count": 1}
    of_file = w2v.tune(text, output=tmp_path / "tuned.w2v", **settings)  # type: ignore[arg-type]
    of_lists = w2v.tune(iter(LINES), **settings)  # type: ignore[arg-type]
    assert of_file.path == str(tmp_path / "tuned.w2v") and of_lists.path is None
    assert of_file.training is not None and of_lists.training is not None
    assert len(of_file.training["trials"]) == 4 and of_file.training["judge"] == "sets"
    assert of_file.training["best"] == of_lists.training["best"]
    assert of_file.training["command"].startswith(f"w2v train {text} ")
    assert " --output tuned.w2v" in of_lists.training["command"] and of_lists.training["output"] is None
    for word in of_file.words:
        assert np.array_equal(of_file[word], of_lists[word])


def test_refuses(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="tune\\(\\) has no argument resume"):
        w2v.tune(LINES, resume="x.ck")
    with pytest.raises(TypeError, match="tune\\(\\) needs sentences"):
        w2v.tune()
    with pytest.raises(w2v.UsageError, match="choose one"):
        w2v.tune(LINES, trials=2, budget="1s")
    with pytest.raises(w2v.Error, match="too small to be judged by its halves"):
        w2v.tune(LINES, trials=2, min_count=1)
