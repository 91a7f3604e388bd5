"""Models: word vectors, and the questions that they answer."""

from __future__ import annotations

import logging
import math
import numbers
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _binary
from ._checked import nearest_name, path_of, whole
from ._child import new_folder
from .elsewhere import instead
from .errors import DataError, Error, FileError, UsageError
from .filed import Path, file_in, settled, state_of
from .native import Native, is_native, read
from .pipeline import Pipeline
from .safetensors import Bytes
from .shapes import Shapes
from .storage import Floats32, Product, Storage
from .vocabulary import Key, listed, not_a_word
from .words import encoded

if TYPE_CHECKING:
    import pandas
    from gensim.models import KeyedVectors

    from .interchange import TorchEmbedding

__all__ = ["Model", "load"]

_log = logging.getLogger("w2v")


def load(
    path: Path,
    *,
    dim: Optional[int] = None,
    ignore_case: Optional[bool] = None,
    limit: Optional[int] = None,
    words: Optional[Iterable[str]] = None,
) -> "Model":
    """Open a model.

    A native model (``.w2v``) is read into memory. Any other format that w2v reads is first converted by the
    w2v program, in a temporary file that does not outlive the call: fastText, word2vec, GloVe, finalfusion,
    floret, text, compressed files and others. Convert such a model once with ``w2v convert`` if it is opened
    often. What happens to the file afterwards does not change the model.

    Args:
        path: the file, or a folder: one of sentence-transformers or model2vec, or one with the file of one model in it,
            such as the snapshot of a repository of a hub.
        dim: uses the first numbers of vectors only, unchanged. It is meant for models that were trained
            with ``nested``.
        ignore_case: whether a word that is not in the vocabulary is looked up in lower case. By default
            it is if the model is in lower case, see ``Model.ignores_case``.
        limit: keeps only so many words, the most frequent ones, or the first ones if there are no counts.
        words: keeps only these words, in their order. Those that the model does not have are left out.

    Raises:
        Error: the file is not a model, or a damaged one. It is a ValueError, too.
        OSError: the file cannot be read, or is not there (FileNotFoundError).

    >>> load(model.path).most_similar("king", topn=1) == model.most_similar("king", topn=1)
    True
    """
    path = path_of(path)
    if not os.path.exists(path):
        raise FileNotFoundError(2, os.strerror(2), path)
    path = file_in(path)
    state = settled(path)
    native = _opened(path) if limit is None and words is None else _some_of(path, limit, words)
    model = Model(native, path, ignore_case)
    if state is not None and state_of(path) != state:
        raise Error(f"{os.fspath(path)} was changed while it was read: load it again")
    if limit is None and words is None:  # else the file has more
        model._state = state
    return model if dim is None else model.first(dim)


def _opened(path: Path) -> Native:
    if is_native(path):
        try:
            native = Native(read(path))
        except Error as error:
            raise DataError(f"{os.fspath(path)}: {error}") from None
        if native.words.repeated:
            count = len(native.words.repeated)
            what = "1 of its words is listed a second time" if count == 1 else f"{count} of its words are listed again"
            _log.warning("%s: %s, and first vectors are taken", os.fspath(path), what)
        return native
    return _converted(path)


def _some_of(path: Path, limit: Optional[int], words: Optional[Iterable[str]]) -> Native:
    """Return some words of a file."""
    if words is None:
        return _converted(path, f"--top={_number_of_words(limit)}")
    if limit is not None:
        raise UsageError("limit and words exclude each other: give one of them")
    kept = list(dict.fromkeys(listed(words)))
    odd = next((word for word in kept if not isinstance(word, str) or "\n" in word or "\r" in word or not word), None)
    if odd is not None:
        raise not_a_word(odd) if not isinstance(odd, str) else ValueError(f"words has {odd!r}, which the program cannot look for in a file")
    if not kept:
        raise UsageError("words is empty: name the words to load")
    return _converted(path, "--words=-", stdin=b"".join(encoded(word) + b"\n" for word in kept))


def _number_of_words(limit: Any) -> int:
    if isinstance(limit, (bool, np.bool_)) or not isinstance(limit, numbers.Real) or limit != limit or limit in (math.inf, -math.inf) or int(limit) != limit:
        raise UsageError(f"limit is {limit!r}, must be a whole number")
    if limit < 1:
        raise UsageError(f"limit is {limit!r}, must be at least 1")
    return int(limit)


def _converted(path: Path, *flags: str, stdin: bytes = b"") -> Native:
    """Return what ``w2v convert`` makes of a file."""
    folder = new_folder()
    converted = os.path.join(folder, "model.w2v")
    with _binary.started(["convert", *flags, "--", os.fspath(path), converted], folder) as child:
        try:
            _binary.log_notes(_binary.ended(child, stdin))
        except (FileError, UsageError):
            raise
        except Error as error:
            raise DataError(str(error).replace("none of the words in - is", "none of words is")) from None
        return Native(read(converted))


class Model(Shapes):
    """Word vectors. ``load`` opens a model, and ``train`` returns one.

    A model answers as gensim's KeyedVectors does, with the same names and arguments, and with the same
    digits as the w2v program. Words are looked up as they are, and then in lower case if the model is in
    lower case (``ignores_case``). Words that are not in the vocabulary are composed of n-grams if the model
    has them; ``word in model`` tells whether a word has a vector, ``word in model.key_to_index`` whether it
    is in the vocabulary. A model never changes. It can be pickled: the pickle holds the whole file.

    Attributes:
        path: the file that the model was read from, None if it never had one or is a pickled copy.
        training: what ``train`` reports of the run, or None.

    >>> model["king"].shape
    (20,)
    >>> model[["king", "queen"]].shape
    (2, 20)
    >>> "king" in model, len(model) == len(model.words)
    (True, True)
    """

    training: Optional[Mapping[str, Any]] = None

    def __init__(self, native: Native, path: Optional[str] = None, ignore_case: Optional[bool] = None) -> None:
        self._native = native
        self._words, self._composition = native.words, native.composition
        self._training = dict(native.training)
        self._ignore_case, self._asked_case = ignore_case, ignore_case
        self._output: Optional[Storage] = native.output
        self._runs = native.word_ngrams
        self._commons = {}
        self._first: Optional[int] = None
        self.path = path

    @cached_property
    def _pipeline(self) -> Pipeline:
        table = self._native.phrase_table
        if table is None and self._training.get("phrases") is True:
            _log.warning("phrases of the training text were joined, and the model's file does not hold them: their words stay apart")
        return Pipeline(self._training, table, lambda token: self._find_token(token).place >= 0)

    def __repr__(self) -> str:
        where = f" from {self.path!r}" if self.path else ""
        ngrams, pieces = self._native.ngrams, ""
        if ngrams:
            most = ngrams.get("maxn")
            runs = f"n-grams of {ngrams.get('minn')} to {most} characters" if most else "rows of whole words"
            pieces = f", with {ngrams['subwords']} {runs} in {ngrams.get('buckets')} buckets"
        return f"<w2v.Model of {len(self)} words and {self.dim} dimensions{pieces}{where}>"

    @property
    def wv(self) -> "Model":
        """The model itself. Programs for gensim's Word2Vec ask ``model.wv``."""
        return self

    @property
    def settings(self) -> Dict[str, Any]:
        """The settings of training that the model records, such as ``window``, with its dimensions and its n-grams.

        >>> [model.settings[name] for name in ("dim", "subwords", "minn", "maxn", "buckets")]
        [20, 'fasttext', 3, 6, 20000]
        """
        return {"dim": self.dim, "subwords": "none", **self._native.ngrams, **self._training}

    @property
    def counts(self) -> Optional[NDArray[np.int64]]:
        """How often each word was seen in the training text; None if that is not known."""
        counts = self._native.counts
        return None if counts is None else counts.view(counts.dtype.str.replace("u", "i"))

    def get_count(self, key: Key) -> int:
        """Return how often a word was seen in the training text.

        >>> model.get_count(model.words[0]) == model.counts[0]
        True
        """
        if self._native.counts is None:
            raise Error("the model has no counts of words")
        return int(self._native.counts[self.get_index(key)])

    def get_vecattr(self, key: Key, attr: str) -> int:
        """Return how often a word was seen, for ``attr`` "count". There are no other attributes."""
        if attr != "count":
            raise KeyError(f"words have the attribute 'count', and not {attr!r}")
        return self.get_count(key)

    @property
    def context_vectors(self) -> Optional[Floats32]:
        """The context vectors of all words, row i for word i; None if the model has none.

        They are what training predicts: gensim's ``syn1neg``. Models of hierarchical softmax have none.
        """
        if self._output is None:
            return None
        rows = self._output.array()
        if rows is None:
            rows = self._output.finish(self._output.take(np.arange(len(self))))
        return rows[: len(self)]

    def _contexts(self) -> Optional[Floats32]:
        return self.context_vectors

    def predict_output_word(self, context_words_list: Sequence[Key], topn: int = 10) -> Optional[List[Tuple[str, float]]]:
        """Return the words that are most probable between some words, by the model of training, and their probabilities.

        As in gensim, the probability is the softmax of the products of context vectors with the mean of the words'
        vectors. Words outside of the vocabulary are left out. None if no word is left.

        Raises:
            Error: the model has no context vectors, as after training with ``hs=1``.
        """
        outputs = self.context_vectors
        if outputs is None:
            raise Error("the model has no context vectors, by which words are predicted")
        places = [place for place in (self.get_index(key, -1) for key in listed(context_words_list, ordered=False)) if place >= 0]
        if not places:
            return None
        scores = outputs.astype(np.float64) @ self.vectors[places].astype(np.float64).mean(axis=0)
        powers = np.exp(scores - scores.max())
        shares = powers / powers.sum()
        order = np.argsort(-shares, kind="stable")[: max(whole(topn, "topn"), 0)]
        return [(self._words.at(int(i)), float(shares[i])) for i in order]

    if not TYPE_CHECKING:  # for which there is no such attribute

        def __getattr__(self, name: str) -> Any:
            advice = instead(name)
            what = f". In its place: {advice.replace('`', '')}" if advice else nearest_name(name, dir(Model))
            raise AttributeError(f"a model of w2v has no {name}{what}")

    def first(self, n: int) -> "Model":
        """Return the model of the first n numbers of vectors, as they are.

        This is meant for models that were trained with ``nested``: their first numbers are vectors of their
        own. All else stays.

        >>> model.first(5)["king"].tolist() == model["king"][:5].tolist()
        True
        """
        n = whole(n, "the number of dimensions")
        if not 1 <= n <= self.dim:
            raise ValueError(f"{n} dimensions asked for, the model has {self.dim}")
        if n == self.dim:
            return self
        cut = Model(self._native, self.path, self._asked_case)
        cut._composition = self._composition.first(n, len(self))
        cut._output = self._output.first(n) if self._output is not None else None
        if self._runs is not None and not isinstance(self._composition.rows, Product):
            cut._runs = self._runs.first(n)
        cut._first, cut.training, cut._state = n, self.training, self._state
        return cut

    def _write(self, path: str) -> None:
        """Write the model to a new native file as it is in memory. ``save`` writes other formats, and replaces files."""
        if self._first is None:
            self._native.data.tofile(path)
        else:
            self.save(path, "w2v")

    def to_gensim(self) -> "KeyedVectors":
        """Return the vectors as gensim's ``KeyedVectors``, with the counts of words.

        A model with fastText's n-grams becomes ``FastTextKeyedVectors``, so unknown words keep their vectors. See
        :func:`w2v.interchange.to_gensim`.

        >>> [word for word, _ in model.to_gensim().most_similar("king", topn=3)] == [
        ...     word for word, _ in model.most_similar("king", topn=3)]
        True
        """
        from . import interchange

        return interchange.to_gensim(self)

    def to_torch(
        self,
        *,
        freeze: bool = True,
        special_tokens: Sequence[str] = (),
        padding: Optional[str] = None,
        sparse: bool = False,
    ) -> "TorchEmbedding":
        """Return the vectors as a ``torch.nn.Embedding``, and a dict from word to row.

        Args:
            freeze: training does not change the rows.
            special_tokens: tokens with rows of zeros, which come before the words.
            padding: the special token whose row is never trained, by default ``"[PAD]"`` if it is one.
            sparse: gradients are sparse.

        >>> layer, vocabulary = model.to_torch()
        >>> layer.weight[vocabulary["king"]].tolist() == model["king"].tolist()
        True
        """
        from . import interchange

        return interchange.to_torch(
            self, freeze=freeze, special_tokens=special_tokens, padding=padding, sparse=sparse
        )

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the vectors as a ``pandas.DataFrame``: a row a word, a column a dimension.

        >>> model.to_pandas().loc["king"].tolist() == model["king"].tolist()
        True
        """
        from . import interchange

        return interchange.to_pandas(self)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restored, (self._native.data.tobytes(), self._asked_case, self._first, self.training)

    def __copy__(self) -> "Model":
        return self

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Model":
        return self


def _restored(
    data: bytes, ignore_case: Optional[bool], first: Optional[int], training: Optional[Mapping[str, Any]]
) -> Model:
    """Return a model that was pickled."""
    whole: Bytes = np.frombuffer(data, np.uint8)
    model = Model(Native(whole), None, ignore_case)
    model = model if first is None else model.first(first)
    model.training = training
    return model
