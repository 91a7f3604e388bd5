"""What type checkers say of programs that use w2v, and what Python's own help says."""

from __future__ import annotations

import inspect
import os
import pickle
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

import w2v
from conftest import ROOT
from w2v import _arguments, _flags, errors, settings

#: A program without errors, and lines of errors with what mypy is to say of them.
PROGRAM = '''
from typing import Iterator, List

import numpy as np
import w2v
import w2v.compat.fasttext as fasttext
from w2v import Classifier, Model, Settings
from w2v.compat.gensim.models import KeyedVectors, Phrases, Word2Vec
from w2v.compat.gensim.models.callbacks import CallbackAny2Vec
from w2v.compat.gensim.models.phrases import ENGLISH_CONNECTOR_WORDS

def sentences() -> Iterator[List[str]]:
    yield ["to", "be"]

small: Settings = {"vector_size": 8, "epochs": 2, "sample": 0, "arch": "cbow"}
model: Model = w2v.train(sentences(), **small, init="m.w2v", validate=0.1, callback=lambda progress: print(progress.fraction))
other = w2v.train("corpus.txt", subwords="fasttext", epochs="auto", lowercase="tr", tokenizer="tokenizer.json", eval=["a.tsv"], nested=[4, 8])
first: str = model.most_similar("to", topn=1)[0][0]
row: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]" = model["to"]
labels = Classifier(dim=8, loss="ova", label_weight={"spam": 2.0}, validate=0.1).fit(["a"], ["b"]).predict(["a"])
pairs = w2v.train_pairs([("a", "b")], dim=8, batch_size=64)
small_one = w2v.distill(["a"], np.zeros((1, 2)), loss="mse")
class Report(CallbackAny2Vec):
    def on_epoch_end(self, model: Word2Vec) -> None:
        print(model.get_latest_training_loss(), model.wv.most_similar("to", topn=1)[0][1])

phrases = Phrases([["new", "york"]], min_count=1, connector_words=ENGLISH_CONNECTOR_WORDS)
old = Word2Vec(phrases.freeze()[[["new", "york"]]], vector_size=8, sg=1, callbacks=[Report()])
old.wv["to"] = old.wv.get_vector("to", norm=True)
score: float = old.wv.similarity("to", "be") + old.wv.wmdistance(["to"], ["be"]) + old.wv.get_vecattr("to", "count")
kv: KeyedVectors = KeyedVectors.load_word2vec_format("m.bin", binary=True).vectors_for_all(["to"])
loaded: Word2Vec = Word2Vec.load("m.w2v")
names, probabilities = fasttext.load_model("m.bin").predict("to be", k=2)
rate: float = fasttext.train_supervised("corpus.txt", lr=0.5).lr
try:
    w2v.load("m.w2v")
except (w2v.Error, FileNotFoundError) as error:
    print(error)
'''
ERRORS = {
    'w2v.train([["a"]], arch="cbwo")': 'Argument "arch" to "train" has incompatible type "Literal[\'cbwo\']"',
    'w2v.train([["a"]], vectorsize=3)': 'Unexpected keyword argument "vectorsize" for "train"',
    'w2v.train([["a"]], vector_size="3")': 'Argument "vector_size" to "train" has incompatible type "str"',
    'w2v.train(3)': 'Argument 1 to "train" has incompatible type "int"',
    'w2v.train([["a"]]).most_similar(positiv="a")': "No overload variant",
    'Classifier(loss="ovo")': 'Argument "loss" to "Classifier" has incompatible type "Literal[\'ovo\']"',
    'w2v.train_pairs([("a", "b")], batchsize=3)': 'Unexpected keyword argument "batchsize" for "train_pairs"',
    'w2v.distill(["a"], loss="cos")': 'Argument "loss" to "distill" has incompatible type "Literal[\'cos\']"',
    'wrong: Settings = {"loss": "ova"}': "Incompatible types",
    'word: int = model.words[0]': "Incompatible types in assignment",
    'old.wv.most_simlar("to")': '"KeyedVectors" has no attribute "most_simlar"',
    'old.most_similar("to")': 'has no attribute "most_similar"',
    'old.wv.most_similar(positiv="to")': "No overload variant",
    'Word2Vec([["a"]], size=3)': 'Unexpected keyword argument "size" for "Word2Vec"',
    'number: int = old.wv.similarity("to", "be")': "Incompatible types in assignment",
    'fasttext.load_model("m.bin").get_word_vektor("to")': 'has no attribute "get_word_vektor"; maybe "get_word_vector"?',
    'w2v.compat.gensim.models.LdaModel()': "Module has no attribute",
}


def test_programs_are_checked(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    path = tmp_path / "program.py"
    path.write_text(PROGRAM + "".join(f"{line}\n" for line in ERRORS), encoding="utf-8")
    python = ROOT / "python"
    sources = str(python / "src") if (python / "src") in Path(w2v.__file__).parents else ""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", str(python / "pyproject.toml"),
         "--cache-dir", str(python / ".mypy_cache"), "--no-error-summary", "--hide-error-context", str(path)],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "MYPYPATH": sources},
    )  # fmt: skip
    said: Dict[int, str] = {}
    for line in done.stdout.splitlines():
        match = re.match(r".*program\.py:(\d+): error: (.*)", line)
        if match:
            said.setdefault(int(match.group(1)), match.group(2))
    first = PROGRAM.count("\n") + 1
    want = {first + i: words for i, words in enumerate(ERRORS.values())}
    assert sorted(said) == sorted(want), done.stdout + done.stderr
    for number, words in want.items():
        assert words in said[number]


def test_every_setting_has_a_type() -> None:
    own = {"output", "init", "validate", "progress"}
    assert settings.Settings.__annotations__.keys() == {*_arguments.names(), *_arguments.SYNONYMS, *_arguments._TRANSLATED, "cbow_mean", "sorted_vocab"} - own
    assert settings.ClassifierSettings.__annotations__.keys() == {*_arguments.classifier_names()} - {"deterministic"}
    assert settings.LayoutFlags.__annotations__.keys() == {*_arguments.LAYOUT}
    assert settings.TuningOfFiles.__annotations__.keys() == {*_arguments.search_names(), *_arguments.LAYOUT}
    for of, known in ((settings.PairsFlags, _flags.PAIRS_FLAGS), (settings.DistillFlags, _flags.DISTILL_FLAGS)):
        assert of.__annotations__.keys() == {*known} - {"output", "init", "validate", "progress", "json", "log_json", "texts", "vectors"}


@pytest.mark.parametrize(
    ("of", "names"),
    [
        (w2v.train, [*_arguments.names(), *_arguments.SYNONYMS, *_arguments._TRANSLATED]),
        (w2v.Classifier, _arguments.classifier_names()),
        (w2v.train_pairs, [*_flags.PAIRS_FLAGS]),
        (w2v.distill, [*_flags.DISTILL_FLAGS]),
    ],
)
def test_help_has_every_setting(of: Any, names: List[str]) -> None:
    text = pydoc.plain(pydoc.render_doc(of))
    missing = [name for name in names if not re.search(rf"\b{name}\b", text) and name not in ("json", "log_json")]
    assert missing == []
    text = inspect.getdoc(of) or ""
    assert "{settings}" not in text and not re.search("--[a-z]", re.sub("w2v [a-z]+ --[a-z-]+", "", text))


def test_dir_has_what_is_public() -> None:
    public = [name for name in dir(w2v) if not name.startswith("__")]
    assert public == sorted(w2v.__all__)
    assert all(hasattr(w2v, name) for name in dir(w2v))
    with pytest.raises(AttributeError, match="module 'w2v' has no attribute 'trian'"):
        w2v.trian  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("said", "worded"),
    [
        ("--min-count 5 and --subwords hash", 'min_count=5 and subwords="hash"'),
        ("--append-weights needs --init FILE", "append_weights=True needs init FILE"),
        ("run w2v train --bootstrap", "run w2v train --bootstrap"),
        ("use w2v convert MODEL --to text", "use w2v convert MODEL --to text"),
        ("--lowercase=tr, and --sentences unicode", 'lowercase=tr, and sentence_ends="unicode"'),
        ("--dim: \"x\" is not a number", "vector_size: \"x\" is not a number"),
        ("what is --no-such", "what is no_such"),
    ],
)  # fmt: skip
def test_messages_name_arguments(said: str, worded: str) -> None:
    assert _arguments.in_python(said, {"dim": "vector_size"}) == worded


def test_errors_are_those_of_python(tmp_path: Path, binary: str) -> None:
    models: Dict[str, bytes] = {"empty.w2v": b"", "words.txt": b"no numbers\n", "model.w2v": b"\x10\0\0\0\0\0\0\0{}"}
    for name, data in models.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError, match=re.escape(name)) as raised:
            w2v.load(tmp_path / name)
        assert isinstance(raised.value, w2v.Error)
    sentences = [["a", "b"]] * 9
    model = w2v.train(sentences, vector_size=4, sample=0)
    absent = tmp_path / "none"
    calls: List[Callable[[], object]] = [
        lambda: w2v.train(sentences, init=absent), lambda: w2v.train(sentences, vocab=absent), lambda: w2v.merge([absent, model]),
        lambda: model.save(absent / "m.vec"), lambda: w2v.train_pairs(paths=absent), lambda: w2v.Classifier().fit_files(absent),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(FileNotFoundError) as missing:
            call()
        assert isinstance(missing.value, w2v.Error) and missing.value.errno == 2
        assert missing.value.filename in (str(absent), str(absent / "m.vec")) and str(absent) in str(missing.value)
        again = pickle.loads(pickle.dumps(missing.value))
        assert (type(again), str(again), again.filename) == (type(missing.value), str(missing.value), missing.value.filename)
    said = errors.of_program("m.w2v: no space left on device")
    assert isinstance(said, OSError) and said.errno == 28
    assert isinstance(errors.of_program("m.w2v: permission denied"), PermissionError)
    assert type(errors.of_program("training diverged")) is w2v.Error
