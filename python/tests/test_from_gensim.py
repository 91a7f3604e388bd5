"""What docs/from-gensim.md says of names and defaults is so, in gensim and in w2v."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

import w2v
from w2v import _arguments
from w2v._flags import FLAGS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "from-gensim.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not beside the tests")


def test_the_list_of_assertions_is_so() -> None:
    done = subprocess.run([sys.executable, str(Path(__file__).with_name("assertions.py")), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout


def section(title: str) -> str:
    text = PAGE.read_text(encoding="utf8")
    return text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def rows(title: str) -> List[List[str]]:
    lines = [line for line in section(title).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def arguments() -> List[Tuple[str, str, List[str]]]:
    """Return each argument of gensim that the table has, its default, and what it is in w2v."""
    found = []
    for gensim, default, ours, _, _ in rows("Arguments of Word2Vec and FastText") if PAGE.exists() else []:
        for name in re.findall(r"`(\w+)`", gensim):
            found.append((name, default, re.findall(r"`([^`]+)`", ours)))
    return found


def signature(name: str) -> inspect.Parameter:
    models = pytest.importorskip("gensim.models")
    for cls in (models.Word2Vec, models.FastText):
        parameters = inspect.signature(cls.__init__).parameters
        if name in parameters:
            return parameters[name]
    raise AssertionError(f"gensim has no argument {name}")


@pytest.mark.parametrize("name, default, ours", arguments())
def test_arguments(name: str, default: str, ours: List[str]) -> None:
    of_gensim = signature(name).default
    if default:
        numbers = [part.strip().replace(",", "") for part in default.split(", ")]
        assert str(of_gensim) in [number.split(":")[0] for number in numbers]
    example: Dict[str, Any] = {"vocab": "v.tsv", "callback": print, "sg": 0, "shrink_windows": False}
    for argument in ours:
        if re.fullmatch(r"\w+", argument):
            if argument in ("callbacks", "sentences"):
                assert argument in inspect.signature(w2v.train).parameters
            else:
                assert _arguments.flags({argument: example.get(argument, 1)})
        elif re.fullmatch(r'\w+="\w+"', argument):
            assert _arguments.flags({argument.split("=")[0]: argument.split('"')[1]})
    if not ours and name not in ("sentences", "corpus_file"):
        with pytest.raises(TypeError, match=f"train.. has no argument {name}"):
            _arguments.flags({name: 0})


@pytest.mark.parametrize("name", ["cbow_mean", "sorted_vocab"])
def test_what_w2v_always_does_may_be_asked_for(name: str) -> None:
    assert _arguments.flags({name: 1}) == ([], {})
    with pytest.raises(TypeError, match=name):
        _arguments.flags({name: 0})


def test_defaults_of_w2v() -> None:
    for gensim, _, ours, default, _ in rows("Arguments of Word2Vec and FastText"):
        for argument in re.findall(r"`(\w+)`", ours):
            name = _arguments.SYNONYMS.get(argument, argument)
            if name in FLAGS and re.fullmatch(r"[\d,.]+", default) and name != "buckets":
                assert float(FLAGS[name].default) == float(default.replace(",", "")), gensim


def test_every_argument_of_gensim_is_in_the_table() -> None:
    models = pytest.importorskip("gensim.models")
    listed = {name for name, _, _ in arguments()}
    for cls in (models.Word2Vec, models.FastText):
        assert set(inspect.signature(cls.__init__).parameters) - {"self"} <= listed


def test_methods_of_the_same_names_take_the_same_arguments() -> None:
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    listed = section("Methods of KeyedVectors").split("`model.wv`")[0]
    names = re.findall(r'`(\w+)(?:\([^`]*\))?`', listed)
    assert len(names) > 20
    kv = keyedvectors.KeyedVectors(3)
    for name in names:
        ours, theirs = getattr(w2v.Model, name), getattr(kv, name)
        if not inspect.isfunction(ours):
            continue
        arguments_of_ours = [p for p in inspect.signature(ours).parameters if p != "self"]
        arguments_of_theirs = list(inspect.signature(theirs).parameters)
        assert set(arguments_of_ours) <= {*arguments_of_theirs, "among", "exclude"}, name
