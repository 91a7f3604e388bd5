"""Pickled pipelines serve texts without the program, and without a file that is written."""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import w2v
from w2v.scoring import _largest

#: Loads a pickle, and prints its predictions. Whatever starts a process or opens a file to write is an error.
SERVES = """
import json, os, pickle, sys
def forbid(event, args):
    writes = event == "open" and (args[1] or "r")[0] != "r" and args[0] != os.devnull
    if writes or event in ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.fork", "os.mkdir", "tempfile.mkdtemp"):
        raise AssertionError(f"{event} {args}")
served = pickle.load(open(sys.argv[1], "rb"))
texts = json.load(sys.stdin)
served.predict([texts[0]])  # imports are done
sys.addaudithook(forbid)
print(json.dumps([served.predict([text])[0] for text in texts] + list(served.predict(texts))))
"""

LABELS = ["a", "b", "c", "d"]
ODD = ["", "   ", "zzz qqq", "</s>", "soup </s> salt", "w1\nw2", "größen w3 only", "w1\tw2\0w3", "Salt, W1. w2"]


def examples() -> List[str]:
    rng = random.Random(3)
    words = [f"w{i}" for i in range(300)] + ["größe", "naïve", "soup", "salt"]
    return [" ".join(rng.choices(words[:150] if i % 3 else words[100:], k=rng.randint(1, 25))) for i in range(300)]


TEXTS = examples()
Y = [LABELS[i % 3 if i % 7 else 3] for i in range(len(TEXTS))]


def served(of: Any, texts: List[str], tmp_path: Path) -> List[str]:
    """Return what a pickle predicts where there is no program and nothing can be written."""
    (tmp_path / "served.pickle").write_bytes(pickle.dumps(of))
    folder = Path(w2v.__file__).parents[1]
    nowhere = str(tmp_path / "nowhere")
    done = subprocess.run(
        [sys.executable, "-B", "-c", SERVES, str(tmp_path / "served.pickle")],
        input=json.dumps(texts), stdout=subprocess.PIPE, check=True, encoding="utf-8", cwd="/",
        env={**os.environ, "PYTHONPATH": str(folder), "W2V_BINARY": nowhere, "PATH": nowhere, "TMPDIR": nowhere},
    )  # fmt: skip
    predicted: List[str] = json.loads(done.stdout)
    return predicted


def compare(ours: Sequence[NDArray[Any]], want: Sequence[NDArray[Any]]) -> None:
    assert [some.tolist() for some in ours] == [some.tolist() for some in want]


@pytest.mark.parametrize(
    "settings",
    [{}, {"tokenizer": "unicode", "lowercase": True, "maxn": 0}],
)
def test_classifiers(settings: Dict[str, Any], tmp_path: Path) -> None:
    classifier = w2v.Classifier(dim=8, epochs=3, **settings).fit(TEXTS, Y)
    texts = TEXTS[:20] + ODD
    assert served(classifier, texts, tmp_path) == classifier.predict(texts).tolist() * 2


def test_pipelines(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    settings = {"minn": 3, "maxn": 4, "buckets": 5000}
    vectorizer = w2v.W2VVectorizer(vector_size=8, min_count=1, epochs=1, subwords="fasttext", train_options=settings)
    pipeline = make_pipeline(vectorizer, LogisticRegression()).fit(TEXTS, Y)
    texts = TEXTS[:20] + ODD[:-1]
    assert served(pipeline, texts, tmp_path) == pipeline.predict(texts).tolist() * 2


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"maxn": 0, "word_ngrams": 1},
        {"word_ngrams": 3, "maxn": 5, "minn": 2},
        {"loss": "ova"},
        {"loss": "ns"},
        {"minn": 1, "maxn": 3},
        {"unknown_precision": 0.5, "validate": 0.2},
        {"tokenizer": "unicode", "lowercase": True},
    ],
)
def test_the_digits_of_the_program(settings: Dict[str, Any]) -> None:
    classifier = w2v.Classifier(dim=8, epochs=3, **settings).fit(TEXTS, Y)
    copy = pickle.loads(pickle.dumps(classifier))
    texts = TEXTS[:50] + ODD
    for k, threshold in ((1, 0.0), (2, 0.0), (-1, 0.0), (3, 0.3)):
        for known in (False, True):
            compare(copy._asked(texts, k, threshold, known), classifier._asked(texts, k, threshold, known))
    assert classifier._worker.running and not copy._worker.running
    with pytest.raises(TypeError, match="text 1 is 1, of type int"):
        copy.predict(["a", 1])
    classifier.close()


def test_files_with_labels_in_texts(tmp_path: Path) -> None:
    path = tmp_path / "labelled.txt"
    path.write_text("".join(f"__label__{label} {text}\n" for text, label in zip(TEXTS, Y)), encoding="utf-8")
    several: List[Dict[str, Any]] = [{}, {"tokenizer": "unicode"}]
    for settings in several:
        classifier = w2v.Classifier(dim=8, epochs=3, **settings).fit_files(path)
        copy = pickle.loads(pickle.dumps(classifier))
        texts = ["__label__a w1 w2", "w1 __label__nobody w2", "__label__b", "x__label__a w1"] + ODD
        compare(copy._asked(texts, -1, 0.0), classifier._asked(texts, -1, 0.0))
        assert not copy._worker.running
        classifier.close()


def test_what_the_program_must_do(tmp_path: Path) -> None:
    classifier = w2v.Classifier(dim=8, epochs=3, loss="hs").fit(TEXTS, Y)
    copy = pickle.loads(pickle.dumps(classifier))
    assert copy.predict(TEXTS).tolist() == classifier.predict(TEXTS).tolist() and copy._worker.running
    copy.close()
    classifier.close()


@pytest.mark.parametrize(
    "scores, k, want",
    [
        ([1, 3, 2], 1, [1]),
        ([1, 3, 2], 2, [1, 2]),
        ([1, 3, 2], 0, [1, 2, 0]),
        ([3, 3, 1], 1, [1]),  # of equal ones, the heap of GNU's C++ library keeps the last
        ([], 2, []),
    ],
)
def test_largest(scores: List[float], k: int, want: List[int]) -> None:
    assert _largest(np.array(scores, np.float32), np.arange(len(scores)), k).tolist() == want
