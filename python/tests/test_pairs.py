"""w2v.train_pairs and w2v.distill: what they take, what they give, and what they refuse."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Tuple, Type

import numpy as np
import pytest
from program import children

import w2v

SMALL: Dict[str, Any] = {"dim": 8, "epochs": 2, "min_count": 1, "buckets": 900}
PAIRS = [
    ("red apple", "a fruit of the apple tree"),
    ("green pear", "a fruit of the pear tree"),
    ("deep river", "water that runs to the sea"),
    ("old baker", "the baker bakes bread\nat night, says „naïve“"),
] * 4
TEXTS = ["red apple", "", "deep river", "blue\nriver", "green apple"] * 6


def bits(model: w2v.Model) -> bytes:
    return np.asarray(model.vectors).tobytes()


def facts(model: w2v.Model) -> Mapping[str, Any]:
    assert model.training is not None
    return model.training


def program(binary: str, command: str, output: Path, *args: str) -> bytes:
    subprocess.run([binary, command, *args, "-o", str(output)], check=True, capture_output=True)
    return bits(w2v.load(output))


def teacher(dim: int = 3) -> "np.ndarray[Any, np.dtype[np.float64]]":
    return np.random.default_rng(1).normal(size=(len(TEXTS), dim))


FLAGS = ["--dim", "8", "--epochs", "2", "--min-count", "1", "--buckets", "900"]


def test_pairs_of_every_kind_give_the_model_of_the_program(binary: str, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text("".join(json.dumps({"q": a, "a": b}) + "\n" for a, b in PAIRS))
    want = program(binary, "pairs", tmp_path / "want.w2v", str(lines), "--json-field", "q,a", *FLAGS)
    sources: List[Iterable[Any]] = [PAIRS, ([a, b] for a, b in PAIRS), ((a, b, []) for a, b in PAIRS)]
    for source in sources:
        model = w2v.train_pairs(source, **SMALL)
        assert (bits(model), model.path, facts(model)["pairs"]) == (want, None, 16)
    output = tmp_path / "out.w2v"
    model = w2v.train_pairs(paths=lines, json_field="q,a", output=output, **SMALL)
    assert (bits(model), bits(w2v.load(output)), model.path) == (want, want, str(output))
    assert facts(model)["complete"] and facts(model)["loss"] > 0


def test_negatives_and_scores(binary: str, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text("".join(json.dumps({"q": a, "a": b, "n": ["the sea", "a tree"]}) + "\n" for a, b in PAIRS))
    want = program(binary, "pairs", tmp_path / "n.w2v", str(lines), "--json-field", "q,a,n", *FLAGS)
    sources: List[List[Any]] = [[(a, b, ["the sea", "a tree"]) for a, b in PAIRS], [(a, b, "the sea", "a tree") for a, b in PAIRS]]
    for source in sources:
        assert bits(w2v.train_pairs(source, **SMALL)) == want
    table = tmp_path / "scored.tsv"
    scored = [(a, b.replace("\n", " "), i % 5) for i, (a, b) in enumerate(PAIRS)]
    table.write_text("".join(f"{a}\t{b}\t{score}\n" for a, b, score in scored), encoding="utf-8")
    want = program(binary, "pairs", tmp_path / "s.w2v", str(table), "--score-column", "3", "--highest-score", "4", *FLAGS)
    model = w2v.train_pairs(scored, highest_score=4, validate=scored, **SMALL)
    assert bits(model) == want
    assert [sorted(e) for e in facts(model)["evaluations"]] == [["best", "epoch", "loss", "spearman"]] * 2


def test_runs_stop_early_and_go_on(tmp_path: Path) -> None:
    heard: List[w2v.Progress] = []
    checkpoint = tmp_path / "run.ck"
    settings: Dict[str, Any] = {**SMALL, "epochs": 40, "maxn": 0, "lr": 0.5}
    model = w2v.train_pairs(
        PAIRS, validate=PAIRS[:4], early_stop=2, metric="mrr", checkpoint=checkpoint, callback=heard.append, **settings
    )
    info = facts(model)
    assert info["early"] and info["best"]["epoch"] == len(info["evaluations"]) - 2
    last = heard[-1]
    assert (last.final, last.tokens, last.total) == (True, 16 * len(info["evaluations"]), 16 * 40)
    assert last.held_out_loss == info["evaluations"][-1]["loss"] and set(last.scores) == {"ndcg_10", "mrr"}
    again = w2v.train_pairs(PAIRS, validate=PAIRS[:4], resume=checkpoint)
    assert bits(again) == bits(model)
    with pytest.raises(w2v.Error, match="the corpus has other pairs than in the checkpoint"):
        w2v.train_pairs(PAIRS[1:], validate=PAIRS[:4], resume=checkpoint)


def test_a_model_is_a_start(tmp_path: Path) -> None:
    first = w2v.train_pairs(PAIRS, **SMALL)
    path = tmp_path / "first.w2v"
    w2v.train_pairs(PAIRS, output=path, **SMALL)
    assert bits(w2v.train_pairs(PAIRS, init=first, epochs=1)) == bits(w2v.train_pairs(PAIRS, init=path, epochs=1)) != bits(first)


def test_a_teacher_of_every_kind_gives_the_model_of_the_program(binary: str, tmp_path: Path) -> None:
    rows, texts = teacher(), [text.replace("\n", " ") for text in TEXTS]
    file, lines = tmp_path / "rows.npy", tmp_path / "lines.txt"
    np.save(file, rows)
    lines.write_text("".join(text + "\n" for text in texts))
    flags = ["--epochs", "2", "--min-count", "1", "--maxn", "0"]
    want = program(binary, "distill", tmp_path / "want.w2v", "--vectors", str(file), "--texts", str(lines), *flags)
    settings: Dict[str, Any] = {"epochs": 2, "min_count": 1, "maxn": 0}
    sources: List[Any] = [TEXTS, iter(TEXTS), np.array(TEXTS), str(lines), [lines]]
    for source in sources:
        for vectors in rows, np.asfortranarray(rows), np.load(file, mmap_mode="r"), file, [str(file)]:
            if isinstance(source, (list, str)) or vectors is rows and not isinstance(source, np.ndarray):
                model = w2v.distill(source, vectors, **settings)
                assert bits(model) == want
                assert facts(model)["texts"] == len(TEXTS)
    assert facts(model)["teacher_dim"] == 3
    half = w2v.distill(TEXTS, rows.astype(np.float16), validate=0.3, callback=lambda p: None, **settings)
    assert [sorted(e) for e in facts(half)["evaluations"]] == [["best", "cosine", "epoch", "loss"]] * 2


class Frame:
    """pandas.DataFrame."""

    columns = ["question", "answer"]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: w2v.train_pairs(), TypeError, "train_pairs() needs pairs, or paths=, and not both"),
        (lambda: w2v.train_pairs(PAIRS, paths="x"), TypeError, "train_pairs() needs pairs, or paths=, and not both"),
        (lambda: w2v.train_pairs("pairs.tsv"), TypeError, "pairs is a path, and must be an iterable: give paths= to train on files"),
        (lambda: w2v.train_pairs(Frame()), TypeError,  # type: ignore[arg-type]
         "pairs is a table: give the pairs of two of its columns, such as zip(pairs['question'], pairs['answer'])"),
        (lambda: w2v.train_pairs([("a",)]), TypeError, "item 0 of pairs is no pair of texts: ('a',)"),
        (lambda: w2v.train_pairs([*PAIRS, ("a", 7)]), TypeError, "a text of item 16 of pairs is 7, of type int, and must be a text"),
        (lambda: w2v.train_pairs([("a", "b", 1), ("a", "b")]), TypeError, "item 1 of pairs has no score, and the first one has: give (text, text, score)"),
        (lambda: w2v.train_pairs([("a", "b", float("nan"))]), ValueError, "item 0 of pairs has the score nan, and must have a number"),
        (lambda: w2v.train_pairs([("a", " ")]), w2v.Error, "line 1: the second text of the pair is empty"),
        (lambda: w2v.train_pairs(PAIRS, text_column=2), w2v.UsageError, "text_column= says what is in files, and pairs are none"),
        (lambda: w2v.train_pairs(PAIRS, validate="x"), w2v.UsageError, "validate= is a file, and the pairs are not"),
        (lambda: w2v.train_pairs(PAIRS, dimension=2), TypeError, "train_pairs() has no argument dimension"),  # type: ignore[call-arg]
        (lambda: w2v.train_pairs(PAIRS, early_stop=2), w2v.UsageError, "early_stop needs held-out pairs"),
        (lambda: w2v.train_pairs([], **SMALL), w2v.Error, "there are no pairs to train on"),
        (lambda: w2v.distill(TEXTS, teacher()[1:]), w2v.Error, "30 texts, and 29 vectors in vectors.npy"),
        (lambda: w2v.distill(TEXTS, teacher()[0]), TypeError, "vectors is an array of shape (3,), and must have a row for each text"),
        (lambda: w2v.distill(TEXTS, 7), TypeError,  # type: ignore[arg-type]
         "vectors is of type int, and must be a matrix of numpy or paths"),
        (lambda: w2v.distill(TEXTS), w2v.UsageError, "no teacher"),
        (lambda: w2v.distill(TEXTS, teacher() * 0), w2v.Error, "vectors.npy: row 1: the vector is zeros"),
    ],
)
def test_what_is_refused(call: Any, error: Type[BaseException], message: str) -> None:
    before = children()
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)
    assert not set(children()) - set(before)


def test_an_exception_of_the_iterable_leaves_nothing_behind() -> None:
    def broken() -> Iterator[Tuple[str, str]]:
        yield from PAIRS
        raise ArithmeticError("broken")

    before = children()
    with pytest.raises(ArithmeticError, match="broken"):
        w2v.train_pairs(broken(), **SMALL)
    assert not set(children()) - set(before)
