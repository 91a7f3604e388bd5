"""W2VVectorizer keeps to the rules of scikit-learn, and makes useful vectors of texts."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pytest

import w2v

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError, SkipTestWarning  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils import check_array, estimator_checks  # noqa: E402
from sklearn.utils.validation import check_is_fitted  # noqa: E402

from w2v import W2VVectorizer  # noqa: E402

Models = Callable[[str], Path]

pytestmark = [pytest.mark.usefixtures("binary"), pytest.mark.filterwarnings("ignore:vectors of these texts have a mean length:UserWarning")]

TOPICS: Dict[str, List[str]] = {
    "kitchen": "soup bread oven butter onion pepper knife spoon recipe dough salt simmer bake taste plate".split(),
    "sea": "ship harbour wave sail anchor captain tide island storm deck rope lighthouse net coast crew".split(),
    "music": "guitar song chorus drum melody singer violin rhythm concert band tune stage piano note bass".split(),
}
COMMON = "the a of and in with for was is on at by from to it".split()


def texts(n: int = 240, seed: int = 7) -> Tuple[List[str], List[str]]:
    """Return short texts about three topics. Each has two words of its topic, and many that all share."""
    rng = random.Random(seed)
    documents, labels = [], []
    for i in range(n):
        topic = list(TOPICS)[i % len(TOPICS)]
        words = rng.choices(COMMON, k=10) + rng.choices(TOPICS[topic], k=4)
        rng.shuffle(words)
        documents.append(" ".join(words).capitalize() + ".")
        labels.append(topic)
    return documents, labels


def test_check_estimator() -> None:
    with warnings.catch_warnings():
        # scikit-learn checks transformers of texts little: its data are numbers.
        warnings.simplefilter("ignore", SkipTestWarning)
        estimator_checks.check_estimator(W2VVectorizer())


class Newer:
    """What the base classes of scikit-learn 1.6 and later answer."""

    def __sklearn_tags__(self) -> SimpleNamespace:
        return SimpleNamespace(
            input_tags=SimpleNamespace(string=False, two_d_array=True),
            transformer_tags=SimpleNamespace(preserves_dtype=["float64"]),
        )


def test_both_kinds_of_tags_say_that_documents_are_texts() -> None:
    class Vectorizer(W2VVectorizer, Newer):
        pass

    tags = Vectorizer().__sklearn_tags__()
    assert (tags.input_tags.string, tags.input_tags.two_d_array) == (True, False)
    assert tags.transformer_tags.preserves_dtype == []
    assert W2VVectorizer()._more_tags() == {"X_types": ["string"], "preserves_dtype": []}


class OfNumbers(W2VVectorizer):
    """Takes numbers as words, so that all of scikit-learn's checks run, and not only those of texts."""

    def __init__(self, model: Any = None, *, pooling: str = "mean", normalize: bool = False, random_state: Any = None) -> None:
        super().__init__(
            model,
            pooling=pooling,
            normalize=normalize,
            random_state=random_state,
            vector_size=4,
            min_count=1,
            sample=0,
            epochs=1,
            threads=1,
        )

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        return {name: getattr(self, name) for name in ("model", "pooling", "normalize", "random_state")}

    def _tokens(self, X: Any, reset: bool) -> List[List[str]]:
        X = check_array(X, ensure_min_features=2)  # a sentence of one word has no context to learn from
        if reset:
            self.n_features_in_ = X.shape[1]
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input"
            )
        return [[f"{i}:{x:.0f}" for i, x in enumerate(row)] for row in X]

    def fit(self, X: Any, y: Any = None) -> "OfNumbers":
        super().fit(self._tokens(X, reset=True))
        return self

    def transform(self, X: Any) -> Any:
        check_is_fitted(self, "model_")
        return super().transform(self._tokens(X, reset=False))

    def _more_tags(self) -> Dict[str, Any]:
        return {"X_types": ["2darray"], "preserves_dtype": []}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = False
        tags.input_tags.two_d_array = True
        return tags


@pytest.mark.parametrize("pooling", ["mean", "sif"])
def test_all_checks_of_scikit_learn_pass_with_numbers_as_words(pooling: str) -> None:
    checks = list(estimator_checks.check_estimator(OfNumbers(pooling=pooling), generate_only=True))
    assert len(checks) > 30
    for estimator, check in checks:
        check(estimator)


def test_vectors_classify_texts() -> None:
    documents, labels = texts()
    pipeline = make_pipeline(W2VVectorizer(vector_size=24, epochs=30, pooling="sif"), LogisticRegression(C=100, max_iter=1000))
    assert cross_val_score(pipeline, documents, labels, cv=3).mean() > 0.9


def test_grid_search_over_dimensions() -> None:
    documents, labels = texts(120)
    pipeline = make_pipeline(W2VVectorizer(min_count=2), LogisticRegression(max_iter=1000))
    grid = {"w2vvectorizer__vector_size": [4, 12], "w2vvectorizer__pooling": ["mean", "sif"]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(documents, labels)
    assert len(search.cv_results_["params"]) == 4
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    size = search.best_params_["w2vvectorizer__vector_size"]
    assert search.best_estimator_[0].transform(documents[:1]).shape == (1, size)


@pytest.mark.parametrize("pooling", ["mean", "sif"])
def test_vectors_are_those_of_embed(pooling: str) -> None:
    documents, _ = texts(60)
    vectorizer = W2VVectorizer(vector_size=8, pooling=pooling).fit(documents)
    rows = vectorizer.transform(documents)
    assert rows.dtype == np.float32
    np.testing.assert_array_equal(rows, vectorizer.model_.embed(documents, pooling=pooling))


def test_mean_is_the_mean_of_the_words() -> None:
    documents, _ = texts(60)
    vectorizer = W2VVectorizer(vector_size=8, pooling="mean").fit(documents)
    words = documents[0].lower().rstrip(".").split()
    known = [vectorizer.model_[word] for word in words if word in vectorizer.model_]
    np.testing.assert_allclose(vectorizer.transform(documents[:1])[0], np.mean(known, axis=0), atol=1e-6)


def test_lists_of_tokens_are_taken_as_they_are() -> None:
    documents = [["New York", "is", "LARGE"], ["new", "york", "is", "small"]] * 10
    vectorizer = W2VVectorizer(vector_size=4, pooling="mean").fit(documents)
    assert sorted(vectorizer.model_.words) == ["LARGE", "New York", "is", "new", "small", "york"]
    rows = vectorizer.transform([["New York"], ["new"]])
    np.testing.assert_array_equal(rows[0], vectorizer.model_["New York"])
    np.testing.assert_array_equal(rows[1], vectorizer.model_["new"])


def test_strings_and_functions_that_cut_them() -> None:
    documents = ["Red-hot, cold!"] * 6
    words: Dict[Any, List[str]] = {
        "unicode": ["cold", "hot", "red"],
        "whitespace": ["cold!", "red-hot,"],
        str.split: ["cold!", "red-hot,"],
        list: [" ", "!", ",", "-", "c", "d", "e", "h", "l", "o", "r", "t"],
    }
    for tokenizer, expected in words.items():
        vectorizer = W2VVectorizer(vector_size=4, tokenizer=tokenizer, sample=0).fit(documents)
        assert sorted(vectorizer.model_.words) == expected
        assert vectorizer.transform(documents).any()
    kept = W2VVectorizer(vector_size=4, lowercase=False, sample=0).fit(documents)
    assert sorted(kept.model_.words) == ["Red", "cold", "hot"]


def test_documents_may_come_from_a_generator() -> None:
    documents, _ = texts(60)
    rows = W2VVectorizer(vector_size=4).fit_transform(document for document in documents)
    np.testing.assert_array_equal(rows, W2VVectorizer(vector_size=4).fit_transform(documents))


def test_newlines_do_not_end_documents() -> None:
    documents = ["red green\nblue\r\npink red", "", "\n", "red"] * 5
    vectorizer = W2VVectorizer(vector_size=4, sample=0).fit(documents)
    rows = vectorizer.transform(documents)
    assert rows.shape == (20, 4)
    assert [bool(row.any()) for row in rows[:4]] == [True, False, False, True]


def test_unknown_words_count_only_with_ngrams() -> None:
    documents, _ = texts(60)
    assert not W2VVectorizer(vector_size=4).fit(documents).transform(["guitarist"]).any()
    ngrams = W2VVectorizer(vector_size=4, subwords="fasttext", train_options={"buckets": 1000}).fit(documents)
    assert ngrams.transform(["guitarist"]).any()


def test_a_ready_model(models: Models) -> None:
    path = models("words")
    model = w2v.load(path)
    documents = ["the king", "unknownword"]
    givens: Tuple[Any, ...] = (model, path, str(path))
    for given in givens:
        vectorizer = W2VVectorizer(given).fit(documents)
        np.testing.assert_array_equal(vectorizer.transform(documents), model.embed(documents))
        assert clone(vectorizer).model == given


def test_fits_are_reproducible_and_depend_on_the_seed() -> None:
    documents, _ = texts(90)
    rows = [W2VVectorizer(vector_size=8, random_state=seed).fit_transform(documents) for seed in (None, 1, 1, 2)]
    np.testing.assert_array_equal(rows[0], rows[1])
    np.testing.assert_array_equal(rows[1], rows[2])
    assert not np.array_equal(rows[2], rows[3])
    two = W2VVectorizer(vector_size=8, threads=2).fit_transform(documents)
    one = W2VVectorizer(vector_size=8, threads=1).fit_transform(documents)
    np.testing.assert_array_equal(one, two)
    states = [W2VVectorizer(vector_size=8, random_state=np.random.RandomState(5)).fit_transform(documents) for _ in "ab"]
    np.testing.assert_array_equal(states[0], states[1])


def test_pickles_carry_the_model(tmp_path: Path) -> None:
    documents, _ = texts(60)
    vectorizer = W2VVectorizer(vector_size=8).fit(documents)
    rows = vectorizer.transform(documents)
    file = tmp_path / "vectorizer.pickle"
    file.write_bytes(pickle.dumps(vectorizer))
    del vectorizer
    np.testing.assert_array_equal(pickle.loads(file.read_bytes()).transform(documents), rows)
    # Another process, which shares nothing but the file.
    code = "import pickle, sys; v = pickle.load(open(sys.argv[1], 'rb')); print(v.transform([sys.argv[2]]).tobytes().hex())"
    done = subprocess.run([sys.executable, "-c", code, str(file), documents[3]], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == rows[3].tobytes().hex()


def test_frames_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    documents, _ = texts(30)
    series = pandas.Series(documents, index=[f"d{i}" for i in range(30)])
    vectorizer = W2VVectorizer(vector_size=3).set_output(transform="pandas")
    frame = vectorizer.fit_transform(series)
    assert list(frame.columns) == ["w2v0", "w2v1", "w2v2"] == list(vectorizer.get_feature_names_out())
    if not sklearn.__version__.startswith(("1.4.", "1.5.")):  # some of which forget the index of a Series, whatever the transformer
        assert list(frame.index) == list(series.index)
    with pytest.raises(TypeError, match="not a table: pass one column"):
        W2VVectorizer().fit(pandas.DataFrame({"text": documents}))


def test_normalize_scales_to_length_1() -> None:
    documents, _ = texts(30)
    few = ["salt and soup", "ship and sea"] * 50
    with pytest.warns(UserWarning, match="mean length of 0.0.*: W2VVectorizer\\(normalize=True\\) makes their lengths 1"):
        W2VVectorizer(vector_size=4).fit(few)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        W2VVectorizer(vector_size=4, pooling="mean").fit(few)
        W2VVectorizer(vector_size=4, normalize=True).fit(few)
    rows = W2VVectorizer(vector_size=4, normalize=True).fit(documents).transform([*documents, "zzz"])
    np.testing.assert_allclose(np.linalg.norm(rows[:-1], axis=1), 1, rtol=1e-6)
    assert not rows[-1].any()


@pytest.mark.parametrize("method", ["transform", "get_feature_names_out"])
def test_not_fitted(method: str) -> None:
    arguments = [["a"]] if method == "transform" else []
    with pytest.raises(NotFittedError):
        getattr(W2VVectorizer(), method)(*arguments)


@pytest.mark.parametrize(
    "settings, documents, error, message",
    [
        ({}, "one string", ValueError, "not a single string"),
        ({}, {"text": ["a"]}, TypeError, "not a table: pass one column"),
        ({}, [1, 2], TypeError, "document 0 is 1, of type int"),
        ({}, np.zeros((2, 2)), TypeError, "document 0 has the token 0.0 of type float64"),
        ({}, np.array([["a b"], ["c d"]]), TypeError, "X is an array of shape"),
        ({}, {"a b", "c d"}, TypeError, "X is of type set, which has no order"),
        ({}, ["a", ["b"]], TypeError, "document 1 is a list"),
        ({}, [["a"], "b"], TypeError, "document 1 is a str"),
        ({"pooling": "max"}, ["a"], ValueError, "one of mean, weighted, sif"),
        ({"tokenizer": "words"}, ["a"], ValueError, "a function"),
        ({"vector_size": 0}, ["a b"] * 9, ValueError, "dim"),
        ({"train_options": {"no_such": 1}}, ["a b"] * 9, TypeError, "no_such"),
        ({}, ["a"], w2v.Error, "see min_count"),
    ],
)
def test_refused(settings: Any, documents: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        W2VVectorizer(**settings).fit(documents)
