"""A scikit-learn transformer: texts in, a vector a text out."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted
except ImportError as err:
    raise ImportError(
        f"W2VVectorizer needs scikit-learn, which cannot be imported ({err}): pip install scikit-learn"
    ) from err

from ._checked import not_a_text
from ._sentences import not_a_token, refuse, tokens_of
from .characters import lower
from .model import Model, load
from .sentences import METHODS
from .training import train

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["W2VVectorizer"]

Document = Union[str, Sequence[str]]
Tokenizer = Union[str, Callable[[str], Sequence[str]]]

_LOOKED_AT = 200  # texts whose lengths are looked at
_SHORT = 0.02


class W2VVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Turn documents into vectors that are made of the vectors of their words.

    ``fit`` trains word vectors on the documents, or takes a ready ``model``. ``transform`` returns a float32 array with
    a row a document. A document is a string, or a list of tokens, which are taken as they are. A document without any
    known word becomes zeros.

    Fits are reproducible: without ``random_state`` the seed is 1, and ``deterministic`` gives the same bits with any
    number of threads.

    Parameters
    ----------
    model : Model or path, optional
        A trained model. Then ``fit`` trains nothing, the settings of training do not count, and strings are cut into
        words as the model's own text was.
    pooling : "mean", "weighted", "sif", "dbow" or None
        How a document's vector is made: the mean of its words' vectors, a mean in which frequent words count less, or
        that without what all texts have in common. None is the model's own way, else "weighted": see ``Model.embed``.
    lowercase : bool or str
        Turn strings into lower case; ``"tr"`` and other languages by their rules.
    tokenizer : "unicode", "whitespace" or a function
        How strings are cut into words: by Unicode's word boundaries without punctuation, at white space, or by a
        function from a string to a list of tokens.
    vector_size, window, min_count, epochs, sample, arch, subwords
        Settings of :func:`w2v.train`. With ``subwords="fasttext"`` words that ``fit`` has not seen have vectors too.
        ``sample`` is higher here, because collections of documents are small: lower it for millions of words.
    normalize : bool
        Scale each document's vector to length 1, which linear models need if the words of texts are few and frequent.
    deterministic : bool
        Train the same bits with any number of threads; False trains faster.
    random_state : int, RandomState or None
        Where the seed comes from; None is seed 1.
    threads : int, optional
        How many threads train; None is all cores.
    train_options : dict, optional
        Further arguments of :func:`w2v.train`, such as ``{"negative": 10, "lr": 0.05}``.

    Attributes
    ----------
    model_ : Model
        The model whose vectors are used, after ``fit``.

    Examples
    --------
    >>> from w2v import W2VVectorizer
    >>> texts = ["the cat sat on the mat", "the dog sat on the rug", "stocks fell as rates rose"] * 10
    >>> vectorizer = W2VVectorizer(vector_size=16, normalize=True)
    >>> vectorizer.fit_transform(texts).shape
    (30, 16)
    >>> list(vectorizer.get_feature_names_out()[:3])
    ['w2v0', 'w2v1', 'w2v2']
    """

    model_: Model

    def __init__(
        self,
        model: Union[Model, str, "os.PathLike[str]", None] = None,
        *,
        pooling: Optional[str] = None,
        lowercase: Union[bool, str] = True,
        tokenizer: Tokenizer = "unicode",
        vector_size: int = 100,
        window: int = 5,
        min_count: int = 5,
        epochs: Union[int, str] = "auto",
        sample: float = 0.01,
        arch: str = "skipgram",
        subwords: str = "none",
        normalize: bool = False,
        deterministic: bool = True,
        random_state: Any = None,
        threads: Optional[int] = None,
        train_options: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.model = model
        self.pooling = pooling
        self.lowercase = lowercase
        self.tokenizer = tokenizer
        self.vector_size = vector_size
        self.window = window
        self.min_count = min_count
        self.epochs = epochs
        self.sample = sample
        self.arch = arch
        self.subwords = subwords
        self.normalize = normalize
        self.deterministic = deterministic
        self.random_state = random_state
        self.threads = threads
        self.train_options = train_options

    def fit(self, raw_documents: Iterable[Document], y: Any = None) -> "W2VVectorizer":
        """Train word vectors on the documents, or take ``model``; ``y`` is ignored."""
        if self.pooling is not None and self.pooling not in METHODS:
            raise ValueError(f"pooling is {self.pooling!r}: it must be None, or one of {', '.join(METHODS)}")
        if not callable(self.tokenizer) and self.tokenizer not in ("unicode", "whitespace"):
            raise ValueError(f'tokenizer is {self.tokenizer!r}: it must be "unicode", "whitespace" or a function')
        documents = self._documents(raw_documents)
        if isinstance(self.model, Model):
            self.model_ = self.model
        elif self.model is not None:
            self.model_ = load(self.model)
        else:
            self.model_ = train(documents, **self._settings(documents))
        if not self.normalize:
            lengths = np.linalg.norm(self.model_.embed(documents[:_LOOKED_AT], pooling=self.pooling), axis=1)
            length = float(lengths[lengths > 0].mean()) if lengths.any() else 1.0
            if length < _SHORT:
                warnings.warn(
                    f"vectors of these texts have a mean length of {length:.2g}, because frequent words count less, and linear models learn "
                    "little of such numbers: W2VVectorizer(normalize=True) makes their lengths 1", stacklevel=2)  # fmt: skip
        return self

    def fit_transform(self, raw_documents: Iterable[Document], y: Any = None, **fit_params: Any) -> "NDArray[np.float32]":
        """Train on the documents and return their vectors. A generator of documents is read once."""
        if isinstance(raw_documents, Iterator):
            raw_documents = list(raw_documents)
        return super().fit_transform(raw_documents, y, **fit_params)  # type: ignore[no-any-return]

    def transform(self, raw_documents: Iterable[Document]) -> "NDArray[np.float32]":
        """Return the vectors of the documents, a row each."""
        check_is_fitted(self, "model_")
        documents = self._documents(raw_documents)
        rows = np.asarray(self.model_.embed(documents, pooling=self.pooling), np.float32)
        if self.normalize:
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            rows = rows / np.where(lengths > 0, lengths, 1).astype(np.float32)
        return rows

    def get_feature_names_out(self, input_features: Any = None) -> "NDArray[np.object_]":
        """Return the names of the columns: w2v0, w2v1, …"""
        check_is_fitted(self, "model_")
        return np.asarray([f"w2v{i}" for i in range(self.model_.vector_size)], dtype=object)

    def _settings(self, documents: List[Document]) -> Dict[str, Any]:
        settings: Dict[str, Any] = {
            "vector_size": self.vector_size,
            "window": self.window,
            "min_count": self.min_count,
            "epochs": self.epochs,
            "sample": self.sample,
            "arch": self.arch,
            "subwords": self.subwords,
            "deterministic": self.deterministic,
            "seed": self._seed(),
        }
        if self.threads is not None:
            settings["threads"] = self.threads
        if documents and isinstance(documents[0], str):
            settings.update(tokenizer=self.tokenizer, lowercase=self.lowercase)
        settings.update(self.train_options or {})
        return settings

    def _seed(self) -> int:
        if self.random_state is None:
            return 1
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _lowered(self, document: str) -> str:
        if isinstance(self.lowercase, str) and self.lowercase not in ("true", "false"):
            return lower(document, self.lowercase)
        return lower(document, "") if self.lowercase and self.lowercase != "false" else document

    def _documents(self, raw_documents: Iterable[Document]) -> List[Document]:
        """Check what the documents are: all strings, or all lists of tokens."""
        if isinstance(raw_documents, (str, bytes)):
            raise ValueError("W2VVectorizer takes an iterable of documents, not a single string: pass [text]")
        if hasattr(raw_documents, "columns") or isinstance(raw_documents, Mapping):
            raise TypeError("W2VVectorizer takes an iterable of documents, not a table: pass one column, table['text']")
        refuse(raw_documents, "X")
        documents: List[Document] = []
        for i, document in enumerate(raw_documents):
            if isinstance(document, str):
                if callable(self.tokenizer):
                    document = list(self.tokenizer(self._lowered(document)))
            elif isinstance(document, (list, tuple, np.ndarray)):
                tokens = tokens_of(document, f"document {i}")
                wrong = [token for token in tokens if not isinstance(token, str)]
                if wrong:
                    raise not_a_token(wrong[0], f"document {i}")
                document = [str(token) for token in tokens]
            else:
                raise not_a_text(document, f"document {i}", "must be a text or a list of tokens")
            if documents and isinstance(document, str) != isinstance(documents[0], str):
                raise TypeError(f"document {i} is a {type(document).__name__}, and those before it are not: mix none")
            documents.append(document)
        return documents

    def __sklearn_tags__(self) -> Any:
        """Say to scikit-learn 1.6 and later that documents are texts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _more_tags(self) -> Dict[str, Any]:
        """Say the same to earlier versions."""
        return {"X_types": ["string"], "preserves_dtype": []}
