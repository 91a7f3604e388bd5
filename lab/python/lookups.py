"""Questions that a program asks one by one: w2v, gensim and fastText answer them from the same vectors.

A model of plain words and one with fastText's n-grams are made of random words, with w2v. gensim gets their numbers by
`to_gensim`, fastText by its own file. What counts is CPU time: of questions that are new to a model, which has answered
others before, and of the same questions again.

  W2V_BINARY=…/w2v PYTHONPATH=…/python/src python3 lookups.py --words 100000
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from typing import Any, Callable, Dict, List, Tuple

import fasttext
import numpy as np
import w2v

LETTERS = "etaoinshrdlucmfwypvbgkqjxz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    a = parser.parse_args()
    fasttext.FastText.eprint = lambda *_: None
    with tempfile.TemporaryDirectory() as folder:
        rng = random.Random(1)
        words = sorted({word_of(rng) for _ in range(a.words * 2)})
        rng.shuffle(words)
        words, unknown = words[: a.words], words[a.words : a.words + 4000]
        text = os.path.join(folder, "text")
        with open(text, "w", encoding="utf-8") as file:
            for i in range(0, len(words), 20):
                file.write(" ".join(words[i : i + 20]) + "\n")
        paths = []
        for name, more in ("plain", {}), ("ngrams", {"subwords": "fasttext", "buckets": 2_000_000}):
            paths.append(os.path.join(folder, name + ".w2v"))
            w2v.train(text, min_count=1, epochs=1, output=paths[-1], progress=False, **more)
        w2v.load(paths[1]).save(os.path.join(folder, "ngrams.bin"))
        compare(a.rounds, paths, os.path.join(folder, "ngrams.bin"), words, unknown)


def word_of(rng: random.Random) -> str:
    return "".join(LETTERS[min(int(rng.expovariate(0.15)), 25)] for _ in range(rng.randint(4, 12)))


def compare(rounds: int, paths: List[str], binary: str, words: List[str], unknown: List[str]) -> None:
    rng = random.Random(2)
    pairs = [(rng.choice(words), rng.choice(words)) for _ in range(10_000)]
    some = rng.sample(words, 2000)
    others, unknown = words[:3000] + unknown[2000:], unknown[:2000]
    by_rank = [1 / rank for rank in range(1, len(words) + 1)]  # as words are in texts
    texts = [" ".join(rng.choices(words, by_rank, k=18) + rng.choices(unknown, k=2)) for _ in range(1000)]
    times: Dict[Tuple[str, str], List[Tuple[float, float]]] = {}
    # gensim has no vectors of texts: the nearest is the mean of words.
    for _ in range(rounds):
        plain, ngrams = (w2v.load(path) for path in paths)
        kv, ft = w2v.load(paths[0]).to_gensim(), w2v.load(paths[1]).to_gensim()
        bin_ = fasttext.load_model(binary)
        for model in plain, ngrams, kv, ft:
            for word in others[: 3000 if model in (plain, kv) else 5000]:
                model[word]
        ngrams.embed("a text")
        assert np.allclose(kv[words[7]], plain[words[7]]) and np.allclose(ft[unknown[7]], ngrams[unknown[7]], atol=1e-6)
        assert np.allclose(bin_.get_word_vector(unknown[7]), ngrams[unknown[7]], atol=1e-6)
        every: List[Tuple[str, List[Any], Dict[str, Callable[[Any], Any]]]] = [
            ("model[word], 100,000", words, {"w2v": plain.__getitem__, "gensim": kv.__getitem__}),
            ("similarity, 10,000", pairs, {"w2v": lambda p: plain.similarity(*p), "gensim": lambda p: kv.similarity(*p)}),
            (
                "words of a model with n-grams, 2,000",
                some,
                {"w2v": ngrams.__getitem__, "gensim": ft.__getitem__, "fastText": bin_.get_word_vector},
            ),
            (
                "unknown words, 2,000",
                unknown,
                {"w2v": ngrams.__getitem__, "gensim": ft.__getitem__, "fastText": bin_.get_word_vector},
            ),
            (
                "texts of 20 words, with n-grams, 1,000",
                texts,
                {"w2v": ngrams.embed, "gensim": lambda t: ft.get_mean_vector(t.split()), "fastText": bin_.get_sentence_vector},
            ),
        ]
        for title, questions, answers in every:
            for name, ask in answers.items():
                taken = []
                for _ in range(2):
                    begin = time.process_time()
                    for question in questions:
                        ask(question)
                    taken.append(1000 * (time.process_time() - begin))
                times.setdefault((title, name), []).append((taken[0], taken[1]))
    print("| one by one | w2v, ms: new | again | gensim: new | again | fastText: new | again |\n|---|---|---|---|---|---|---|")
    for title in dict.fromkeys(title for title, _ in times):
        cells = []
        for name in "w2v", "gensim", "fastText":
            taken_ = times.get((title, name))
            cells += [f"{statistics.median(t[i] for t in taken_):.1f}" if taken_ else "" for i in range(2)]
        print(f"| {title} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
