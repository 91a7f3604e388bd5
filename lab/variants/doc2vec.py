"""Paragraph vectors of w2v beside those of gensim's Doc2Vec, told by linear classifiers: prints a table.

python3 doc2vec.py W2V TRAIN TEST...   W2V is the program; TRAIN and TEST are pairs of files with a label and a text on each line

Both programs have one thread, 100 numbers and words that occur 5 times. Both vectors of training and of test texts are inferred;
for gensim, those that training made of the training texts are tried too. CPU time is that of training and of the vectors of all
texts: gensim's begins when the texts are in memory, and w2v's includes reading them. Needs gensim and scikit-learn.
"""

import os
import resource
import subprocess
import sys
import tempfile
import warnings
from typing import Any, List, Tuple

import numpy as np
from gensim.models.doc2vec import Doc2Vec, TaggedDocument
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")  # of classifiers that have not converged


def read(path: str) -> Tuple[List[str], List[str]]:
    with open(path, encoding="utf-8") as file:
        labels, texts = zip(*[(line.rstrip("\n").split(" ", 1) + [""])[:2] for line in file])
    return list(labels), list(texts)


def cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def accuracy(train: Any, labels: List[str], test: Any, actual: List[str]) -> float:
    def scaled(rows: Any) -> Any:
        return 10 * rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    return float(LogisticRegression(max_iter=300).fit(scaled(train), labels).score(scaled(test), actual))


def by_gensim(train: List[str], test: List[str], **settings: Any) -> Tuple[float, float, List[Any], Any]:
    words, others = [text.split() for text in train], [text.split() for text in test]
    documents = [TaggedDocument(text, [i]) for i, text in enumerate(words)]
    began = cpu(resource.RUSAGE_SELF)
    model = Doc2Vec(documents, vector_size=100, min_count=5, workers=1, epochs=20, seed=1, **settings)
    trained = cpu(resource.RUSAGE_SELF)
    inferred = np.array([model.infer_vector(text) for text in others])
    ended = cpu(resource.RUSAGE_SELF)
    again = np.array([model.infer_vector(text) for text in words])
    return trained - began, ended - trained, [model.dv.vectors, again], inferred


def by_w2v(program: str, train: List[str], test: List[str], arch: str, pooling: str) -> Tuple[float, float, List[Any], Any]:
    with tempfile.TemporaryDirectory() as folder:

        def run(*command: str) -> float:
            began = cpu(resource.RUSAGE_CHILDREN)
            subprocess.run([program, *command], check=True, capture_output=True, cwd=folder)
            return cpu(resource.RUSAGE_CHILDREN) - began

        for name, texts in ("train", train), ("test", test):
            with open(os.path.join(folder, name + ".txt"), "w", encoding="utf-8") as file:
                file.writelines(text + "\n" for text in texts)
        trained = run("train", "train.txt", "-o", "model.w2v", "--arch", arch, "--threads", "1")
        made = [run("embed", "model.w2v", f"{name}.txt", "-o", f"{name}.npy", "--pooling", pooling) for name in ("train", "test")]
        of_train, of_test = (np.load(os.path.join(folder, name + ".npy")) for name in ("train", "test"))
        return trained, sum(made), [of_train], of_test


def main(program: str, *paths: str) -> None:
    print("| texts | vectors | accuracy | standard error | CPU s, training | CPU s, vectors | CPU s |")
    print("|---|---|---|---|---|---|---|")
    for train_path, test_path in zip(paths[::2], paths[1::2]):
        labels, train = read(train_path)
        actual, test = read(test_path)
        rows = {
            "gensim, dm=0": lambda: by_gensim(train, test, dm=0),
            "gensim, dm=0, dbow_words=1": lambda: by_gensim(train, test, dm=0, dbow_words=1),
            "gensim, dm=1": lambda: by_gensim(train, test, dm=1),
            "w2v, skip-gram, dbow": lambda: by_w2v(program, train, test, "skipgram", "dbow"),
            "w2v, CBOW, dbow": lambda: by_w2v(program, train, test, "cbow", "dbow"),
            "w2v, skip-gram, weighted": lambda: by_w2v(program, train, test, "skipgram", "weighted"),
        }
        for name, make in rows.items():
            training, making, of_train, of_test = make()
            scores = [accuracy(rows, labels, of_test, actual) for rows in of_train]
            best = max(scores)
            error = np.sqrt(best * (1 - best) / len(actual))
            shown = " / ".join(f"{score:.3f}" for score in scores)
            print(f"| {os.path.basename(train_path)} | {name} | {shown} | {error:.3f} | {training:.1f} | {making:.1f} | {training + making:.1f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
