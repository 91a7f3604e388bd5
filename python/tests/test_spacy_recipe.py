"""The component of docs/howto/spacy.md, with a stand-in for the few classes of spaCy that it uses.

spaCy itself is not in Debian. The stand-in follows spaCy 3.8's sources: hooks are dicts of a document, a token and a span
ask those of their document, and `Language.factory` is a decorator with a name and default settings.
"""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import numpy as np
import pytest

import w2v

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "spacy.md"
FACTORIES: Dict[str, Any] = {}


class Language:
    @staticmethod
    def factory(name: str, default_config: Dict[str, Any]) -> Callable[[Any], Any]:
        def register(create: Any) -> Any:
            FACTORIES[name] = lambda **config: create(None, name, **{**default_config, **config})
            return create

        return register


class Token:
    def __init__(self, doc: "Doc", text: str) -> None:
        self.doc, self.text, self.lower_ = doc, text, text.lower()

    vector = property(lambda self: self.doc.user_token_hooks["vector"](self))
    has_vector = property(lambda self: self.doc.user_token_hooks["has_vector"](self))

    def similarity(self, other: Any) -> float:
        return float(self.doc.user_token_hooks["similarity"](self, other))


class Doc:
    def __init__(self, text: str) -> None:
        self.tokens = [Token(self, word) for word in text.split()]
        self.user_hooks: Dict[str, Any] = {}
        self.user_span_hooks: Dict[str, Any] = {}
        self.user_token_hooks: Dict[str, Any] = {}

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, i: int) -> Token:
        return self.tokens[i]

    vector = property(lambda self: self.user_hooks["vector"](self))
    has_vector = property(lambda self: self.user_hooks["has_vector"](self))

    def similarity(self, other: Any) -> float:
        return float(self.user_hooks["similarity"](self, other))


@pytest.fixture
def component(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return a function that makes the component of the page."""
    if not PAGE.exists():
        pytest.skip("the documentation is not beside the tests")
    found = re.search(r"<!-- file: w2v_spacy\.py -->\n```python\n(.*?)```", PAGE.read_text(encoding="utf8"), re.DOTALL)
    assert found, "the page has no file w2v_spacy.py"
    spacy, language = types.ModuleType("spacy"), types.ModuleType("spacy.language")
    setattr(language, "Language", Language)
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    monkeypatch.setitem(sys.modules, "spacy.language", language)
    exec(compile(found.group(1), str(PAGE), "exec"), {"__name__": "w2v_spacy"})
    create: Callable[..., Any] = FACTORIES["w2v_vectors"]
    return create


def test_tokens_have_the_vectors_of_the_model(component: Any, models: Callable[[str], Path]) -> None:
    path = models("fasttext")
    model = w2v.load(path)
    doc: Doc = component(path=str(path))(Doc("The train from Paris reached Unguitarland"))
    for token in doc:
        np.testing.assert_allclose(token.vector, model[token.lower_], rtol=0, atol=1e-6)
        assert token.has_vector
    np.testing.assert_allclose(doc.vector, np.mean([model[t.lower_] for t in doc], axis=0), rtol=0, atol=1e-6)
    assert doc[3].similarity(doc[1]) == pytest.approx(model.similarity("paris", "train"), abs=1e-6)
    assert doc.similarity(doc) == pytest.approx(1)


def test_unknown_words_without_ngrams_have_zeros(component: Any, models: Callable[[str], Path]) -> None:
    doc: Doc = component(path=str(models("words")))(Doc("Paris xyzzy"))
    assert [token.has_vector for token in doc] == [True, False]
    assert not doc[1].vector.any()
    assert doc[0].similarity(doc[1]) == 0
    assert doc.has_vector


def test_floret_files_are_what_spacy_expects(models: Callable[[str], Path], tmp_path: Path) -> None:
    # spacy/training/initialize.py: eight words in the first line, then a row and its number a line.
    w2v.load(models("floret")).save(tmp_path / "m.floret")
    lines: List[str] = (tmp_path / "m.floret").read_text(encoding="utf8").splitlines()
    header = lines[0].split()
    assert len(header) == 8
    rows, dim = int(header[0]), int(header[1])
    assert len(lines) == rows + 1
    for line in lines[1:50]:
        assert len(line.rstrip().rsplit(" ", dim)) == dim + 1
