"""Training end to end from Python: an iterable of sentences in, a model out.

w2v, gensim and fastText take turns, each in a process of its own, with the same settings. What
counts is the time from before the first sentence is read until a vector can be asked for, after
the imports: CPU time of the process and its children, and wall time. fastText reads a file,
because it cannot read anything else.

  python3 bench.py text.gz --tokens 1000000 --rounds 3
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import json
import lzma
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, Dict, Iterator, List, Tuple

OPENERS = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
KINDS = {"words": ["w2v", "gensim", "fastText"], "subwords": ["w2v", "gensim", "fastText"]}


class Sentences:
    """The sentences of a file, which can be read again, as gensim wants it."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __iter__(self) -> Iterator[List[str]]:
        with open(self.path, encoding="utf-8") as lines:
            for line in lines:
                yield line.split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", help="text with a sentence a line, plain or compressed")
    parser.add_argument("--tokens", type=int, default=10**12, help="take so many tokens of it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--kinds", default="words,subwords")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.one:
        print(json.dumps(one(a)))
        return
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, "text.txt")
        tokens, lines = take(a.text, a.tokens, text)
        print(f"{tokens:,} tokens in {lines:,} sentences, {os.path.getsize(text) / 1e6:.1f} MB; {a.epochs} epochs, {a.threads} threads\n")
        crossing(text, tokens)
        for kind in a.kinds.split(","):
            compare(a, kind, text)


def take(path: str, tokens: int, out: str) -> Tuple[int, int]:
    """Write the first so many tokens of a text."""
    with open(path, "rb") as f:
        opener: Callable[..., Any] = OPENERS.get(f.read(2), open)
    taken = lines = 0
    with opener(path, "rt", encoding="utf-8") as source, open(out, "w", encoding="utf-8") as target:
        for line in source:
            target.write(line)
            taken += len(line.split())
            lines += 1
            if taken >= tokens:
                break
    return taken, lines


def cpu() -> float:
    """CPU seconds of this process and of its children that have ended."""
    used = 0.0
    for who in resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN:
        usage = resource.getrusage(who)
        used += usage.ru_utime + usage.ru_stime
    return used


def crossing(text: str, tokens: int) -> None:
    """Measure the way of sentences into the program, which only counts them."""
    from w2v import _binary, _sentences

    lists = list(Sentences(text))

    def encode(sentences: Any) -> None:
        for _ in _sentences.blocks(sentences, whole=False):
            pass

    def send(sentences: Any, whole: bool = False) -> None:
        command = [_binary.path(), "vocab", *_sentences.FLAGS, "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as p:
            assert p.stdin is not None
            p.stdin.write(_sentences.OPENING)
            for block, _ in _sentences.blocks(sentences, whole=whole):
                p.stdin.write(block)
            p.stdin.write(_sentences.CLOSING)
        assert p.returncode == 0

    print("| the way of sentences | M tokens/s, wall | M tokens per CPU second |\n|---|---|---|")
    ways: List[Tuple[str, Callable[[], None]]] = [
        ("a generator that splits lines, alone", lambda: [None for _ in Sentences(text)] and None),
        ("lists, made ready for the pipe", lambda: encode(lists)),
        ("lists, into the program that counts", lambda: send(lists)),
        ("the generator, into the program that counts", lambda: send(Sentences(text))),
        ("lists as arrays of JSON, as for tokens with spaces", lambda: send(lists, True)),
    ]
    for name, way in ways:
        walls, cpus = [], []
        for _ in range(5):
            used, begin = cpu(), time.perf_counter()
            way()
            walls.append(time.perf_counter() - begin)
            cpus.append(cpu() - used)
        print(f"| {name} | {tokens / min(walls) / 1e6:.1f} | {tokens / min(cpus) / 1e6:.1f} |", flush=True)
    print()


def compare(a: argparse.Namespace, kind: str, text: str) -> None:
    samples: Dict[str, List[Dict[str, float]]] = {name: [] for name in KINDS[kind]}
    for _ in range(a.rounds):
        for name, taken in samples.items():
            command = [sys.executable, __file__, text, "--one", f"{kind}:{name}", "--epochs", str(a.epochs), "--threads", str(a.threads)]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            taken.append(json.loads(done.stdout))
    print(f"| {kind} | CPU, s | w2v is faster by | wall, s | w2v is faster by |\n|---|---|---|---|---|")
    for name, taken in samples.items():
        cells = []
        for key in "cpu", "wall":
            ratios = [s[key] / w[key] for s, w in zip(taken, samples["w2v"])]
            cells.append(f"{statistics.median(s[key] for s in taken):.2f}")
            cells.append("" if name == "w2v" else f"{statistics.median(ratios):.1f} × ({min(ratios):.1f}–{max(ratios):.1f})")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print()


def one(a: argparse.Namespace) -> Dict[str, float]:
    """Train once, and return what that took."""
    kind, name = a.one.split(":")
    subwords = kind == "subwords"
    vector: Callable[[], Any]
    if name == "w2v":
        import w2v

        def vector() -> Any:
            model = w2v.train(
                (sentence for sentence in Sentences(a.text)), vector_size=100, window=5, negative=5, min_count=5,
                sample=1e-3, alpha=0.025, epochs=a.epochs, workers=a.threads, subwords="fasttext" if subwords else None,
                progress=False,
            )  # fmt: skip
            return model["the"]

    elif name == "gensim":
        from gensim.models import FastText, Word2Vec

        def vector() -> Any:
            more: Dict[str, Any] = dict(min_n=3, max_n=6, bucket=2_000_000) if subwords else {}
            model = (FastText if subwords else Word2Vec)(
                Sentences(a.text), sg=1, vector_size=100, window=5, negative=5, min_count=5, sample=1e-3, alpha=0.025,
                epochs=a.epochs, workers=a.threads, **more,
            )  # fmt: skip
            return model.wv["the"]

    else:
        import fasttext

        def vector() -> Any:
            model = fasttext.train_unsupervised(
                a.text, model="skipgram", dim=100, ws=5, neg=5, minCount=5, t=1e-3, lr=0.05, epoch=a.epochs,
                thread=a.threads, minn=3 if subwords else 0, maxn=6 if subwords else 0, bucket=2_000_000, verbose=0,
            )  # fmt: skip
            return model.get_word_vector("the")

    used, begin = cpu(), time.perf_counter()
    assert len(vector()) == 100
    return {"cpu": cpu() - used, "wall": time.perf_counter() - begin}


if __name__ == "__main__":
    main()
