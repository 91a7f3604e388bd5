"""The examples of docstrings are run, and all that is public has a docstring."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, Iterator, List

import numpy as np
import pytest

import w2v
from w2v import fasttext


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(w2v.__path__):
        if found.name == "__main__":
            continue
        if found.name == "vectorizer":
            pytest.importorskip("sklearn")
        yield importlib.import_module(f"w2v.{found.name}")


def examples() -> List[Any]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [test for module in modules() for test in finder.find(module) if test.examples]
    return [pytest.param(test, id=test.name) for test in tests]


@pytest.fixture(scope="module")
def names(binary: str, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dict[str, Any]]:
    """The names that examples may use: `model` has n-grams, and `plain` has words alone."""
    folder = tmp_path_factory.mktemp("docstrings")
    animals = ["__label__cat the cat purrs", "__label__cat a cat sleeps", "__label__dog the dog barks", "__label__dog a dog runs"]
    (folder / "animals.txt").write_text("".join(f"{line}\n" for line in animals * 10), encoding="utf-8")
    settings: Dict[str, Any] = {"vector_size": 20, "epochs": 2, "workers": 1}
    all_names: Dict[str, Any] = {
        "w2v": w2v,
        "np": np,
        "model": w2v.train(corpus, subwords="fasttext", bucket=20000, output=folder / "model.w2v", **settings),
        "plain": w2v.train(corpus, output=folder / "plain.w2v", **settings),
        "classifier": w2v.Classifier(dim=8, epochs=20).fit([(line[15:], line[9:12]) for line in animals * 10]),
        "classified": fasttext.train_supervised(folder / "animals.txt", dim=8, epoch=40, lr=1.0, verbose=0),
        "path": folder / "animals.txt",
    }
    yield all_names
    for classifier in (all_names["classifier"], all_names["classified"].classifier):
        classifier.close()


@pytest.mark.parametrize("test", examples())
def test_example(
    test: doctest.DocTest, names: Dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    test.globs.update(names, **({"model": names["classified"]} if test.name.startswith("w2v.fasttext") else {}))
    report: List[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.append)
    assert result.attempted > 0
    assert result.failed == 0, "".join(report)


def test_what_newcomers_call_has_examples() -> None:
    with_examples = {param.id for param in examples()}
    for name in [
        "w2v.training.train",
        "w2v.model.load",
        "w2v.model.Model",
        "w2v.embedding.Embedding.embed",
        "w2v.queries.Queries.most_similar",
        "w2v.interchange.to_gensim",
        "w2v.interchange.to_torch",
        "w2v.interchange.to_pandas",
        "w2v.vectorizer.W2VVectorizer",
        "w2v.classifier.Classifier",
        "w2v.classifier.Classifier.fit",
        "w2v.fasttext.train_supervised",
    ]:
        assert name in with_examples


@pytest.mark.parametrize("name", [*w2v.__all__, "fasttext.FastText"])
def test_all_that_is_public_has_a_docstring(name: str) -> None:
    thing = fasttext.FastText if name == "fasttext.FastText" else getattr(w2v, name)
    assert inspect.getdoc(thing), name
    if not inspect.isclass(thing):
        return
    for attribute, value in inspect.getmembers(thing):
        public = not attribute.startswith("_") and (getattr(value, "__module__", None) or "").startswith("w2v")
        if public and (callable(value) or isinstance(value, property)):
            assert inspect.getdoc(value), f"{name}.{attribute}"
