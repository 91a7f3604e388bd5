"""Models in fewer bits give the program's vectors, and rows are decoded when they are asked for."""

from __future__ import annotations

import subprocess
import tracemalloc
from pathlib import Path
from typing import Callable

import numpy as np
import pytest
from program import neighbours, same_answers, vectors

import w2v

Models = Callable[[str], Path]

#: Commands that make a smaller model, by the name of a test.
COMMANDS = {
    "f16": ["quantize", "--method", "f16"],
    "bf16": ["convert", "--dtype", "bf16"],
    "int8": ["quantize", "--method", "int8"],
    "int8, all kept": ["quantize", "--method", "int8", "--keep-output", "--prune=false"],
    "pq": ["quantize", "--method", "pq", "--bytes", "8"],
    "pq of uneven parts": ["quantize", "--method", "pq", "--bytes", "7"],
    "opq": ["quantize", "--method", "opq", "--bytes", "8"],
    "factorized": ["factorize", "--rank", "6"],
}

OF = ["words", "fasttext", "floret", "hash-append", "low-rank-fasttext"]


def make(binary: str, command: str, source: Path, folder: Path) -> Path:
    """Make a smaller model."""
    to = folder / "small.w2v"
    subprocess.run([binary, *COMMANDS[command], str(source), str(to)], capture_output=True, check=True)
    return to


# The program refuses to factorize weights that are dimensions.
CASES = [(command, of) for command in COMMANDS for of in OF if (command, of) != ("factorized", "hash-append")]


@pytest.mark.parametrize(("command", "of"), CASES)
def test_vectors_are_those_of_the_program(binary: str, models: Models, tmp_path: Path, command: str, of: str) -> None:
    path = make(binary, command, models(of), tmp_path)
    model = w2v.load(path)
    words = model.words[:60] + ["unseenword", "naïvely", "Ευρώπη", "qz"]
    want = vectors(binary, path, words)
    for word in words:
        assert (word in model) == (word in want), word
        if word in want:
            np.testing.assert_allclose(model[word], want[word], rtol=0, atol=1e-6, err_msg=word)
    same_answers(model.most_similar(model.words[4]), neighbours(binary, "nn", "--", str(path), model.words[4]))
    short = w2v.load(path, dim=11)
    for word, vector in vectors(binary, path, words, "--first=11").items():
        np.testing.assert_allclose(short[word], vector, rtol=0, atol=1e-6, err_msg=word)


def test_factorized_and_quantised(binary: str, models: Models, tmp_path: Path) -> None:
    product = make(binary, "factorized", models("fasttext"), tmp_path)
    path = tmp_path / "both.w2v"
    subprocess.run([binary, "quantize", "--method", "pq", str(product), str(path)], check=True, capture_output=True)
    model = w2v.load(path)
    for word, vector in vectors(binary, path, model.words[:30] + ["unseenword"]).items():
        np.testing.assert_allclose(model[word], vector, rtol=0, atol=1e-6, err_msg=word)


def test_one_word_decodes_one_row(binary: str, models: Models, tmp_path: Path) -> None:
    model = w2v.load(make(binary, "pq", models("words"), tmp_path))
    assert model.most_similar("the", topn=1)  # imports and tables
    model = w2v.load(model.path or "")
    tracemalloc.start()
    model["the"]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < model.dim * len(model) * 4 / 4, "less than a quarter of the decoded matrix"


def test_decoded_rows_agree_with_single_ones(binary: str, models: Models, tmp_path: Path) -> None:
    for command in ("int8", "opq"):
        model = w2v.load(make(binary, command, models("fasttext"), tmp_path))
        one_by_one = np.array([model[word] for word in model.words[:200]])
        np.testing.assert_allclose(model.vectors[:200], one_by_one, rtol=0, atol=1e-6)
