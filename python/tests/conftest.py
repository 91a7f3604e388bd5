"""What the tests share: the program, a small text, and models that are trained once."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Callable, Dict, Iterator, List

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: The models of the fixture `models`, by name: flags of w2v train.
MODELS: Dict[str, List[str]] = {
    "words": [],
    "fasttext": ["--subwords", "fasttext", "--buckets", "20000"],
    "floret": ["--subwords", "floret", "--buckets", "5000"],
    "floret-whole": ["--subwords", "floret", "--maxn", "0", "--buckets", "5000"],
    "hash": ["--subwords", "hash", "--buckets", "5000"],
    "hash-append": ["--subwords", "hash", "--buckets", "5000", "--append-weights"],
    "low-rank": ["--rank", "8"],
    "low-rank-fasttext": ["--rank", "8", "--subwords", "fasttext", "--buckets", "20000"],
    "nested": ["--nested", "8,16,32"],
    "cbow": ["--arch", "cbow", "--position-weights"],
    "structured": ["--arch", "structured"],
    "tied": ["--tied"],
    "hs": ["--loss", "hs"],
    "directional": ["--loss", "directional"],
}


@pytest.fixture(scope="session", autouse=True)
def interrupts() -> Iterator[None]:
    """Let Ctrl-C interrupt. Shells make programs in the background ignore it, and their children too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def binary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The path of the program: $W2V_BINARY, that of the installed package, or one built by go."""
    from w2v import _binary

    if not os.environ.get("W2V_BINARY") and not (Path(_binary.__file__).parent / "bin").is_dir():
        built = tmp_path_factory.mktemp("bin") / "w2v"
        subprocess.run(["go", "build", "-o", str(built), "./cmd/w2v"], cwd=ROOT, check=True)
        os.environ["W2V_BINARY"] = str(built)
        yield str(built)
        del os.environ["W2V_BINARY"]
        return
    yield _binary.path()


@pytest.fixture(scope="session")
def corpus(binary: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text of 100,000 tokens of the demo, a sentence a line."""
    text = subprocess.run(
        [binary, "demo", "--print-corpus"], check=True, stdout=subprocess.PIPE
    ).stdout
    lines, tokens = [], 0
    for line in text.splitlines(keepends=True):
        lines.append(line)
        tokens += len(line.split())
        if tokens >= 100_000:
            break
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    path.write_bytes(b"".join(lines))
    return path


@pytest.fixture(scope="session")
def sentences(corpus: Path) -> List[List[str]]:
    """The sentences of the text, each a list of tokens."""
    return [line.split() for line in corpus.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def models(
    binary: str, corpus: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """A function from a name in MODELS to the path of that model, in 32 dimensions.

    A model is trained when it is first asked for. Tests must not change it.
    """
    folder = tmp_path_factory.mktemp("models")

    def model(name: str) -> Path:
        path = folder / f"{name}.w2v"
        if not path.exists():
            flags = ["--dim", "32", "--epochs", "2", "--threads", "1", *MODELS[name]]
            subprocess.run(
                [binary, "train", str(corpus), "-o", str(path), *flags],
                check=True,
                stderr=subprocess.PIPE,
            )
        return path

    return model
