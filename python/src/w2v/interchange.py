"""Vectors of a model in other libraries: gensim, torch and pandas, and gensim's vectors as a model.

Each library is imported when it is asked for, so w2v needs none of them.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import warnings
from typing import IO, TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._checked import path_of
from ._child import new_folder
from .indexers import FastText
from .native import Native
from .storage import Floats32

if TYPE_CHECKING:
    import gensim.models
    import pandas
    import torch

    from .model import Model

__all__ = ["from_gensim", "to_gensim", "to_pandas", "to_torch", "TorchEmbedding"]


class TorchEmbedding(NamedTuple):
    """What :func:`to_torch` returns: a layer, and the row of each word in it."""

    embedding: "torch.nn.Embedding"
    vocabulary: Dict[str, int]


def _library(name: str, wanted_by: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as err:
        package = name.split(".")[0]
        raise ImportError(f"{wanted_by} needs {package}, which cannot be imported ({err}): pip install {package}") from err


def to_torch(
    model: "Model",
    *,
    freeze: bool = True,
    special_tokens: Sequence[str] = (),
    padding: Optional[str] = None,
    sparse: bool = False,
) -> TorchEmbedding:
    """Return the vectors of the words as a ``torch.nn.Embedding``, and a dict from word to row.

    ``special_tokens`` get rows of zeros before the words, in that order, as with ``w2v convert --to torch
    --special-tokens``. ``padding`` is the one whose row training leaves alone (``padding_idx``); without it, that is
    ``"[PAD]"`` if it is a special token. With ``freeze`` training changes no row. The rows are a copy: training them
    does not change the model.

    >>> layer, vocabulary = model.to_torch(special_tokens=["[PAD]", "[UNK]"])
    >>> layer.weight.shape == (len(model) + 2, model.vector_size)
    True
    >>> layer.padding_idx, vocabulary["[UNK]"], vocabulary[model.words[0]]
    (0, 1, 2)
    """
    specials = list(special_tokens)
    vocabulary: Dict[str, int] = {}
    for token in specials:
        if not token:
            raise ValueError("a special token is empty")
        if token in vocabulary:
            raise ValueError(f"the special token {token!r} is named twice")
        vocabulary[token] = len(vocabulary)
    words = model.words
    known = set(words)
    for token in specials:
        if token in known:
            raise ValueError(f"the special token {token!r} is a word of the model already: name it otherwise")
    for row, word in enumerate(words, start=len(specials)):
        vocabulary.setdefault(word, row)
    if padding is None and "[PAD]" in specials:
        padding = "[PAD]"
    if padding is not None and padding not in specials:
        raise ValueError(f"the padding token {padding!r} is not one of special_tokens: add it to them")

    torch = _library("torch", "to_torch")
    rows = np.zeros((len(specials) + len(words), model.vector_size), np.float32)
    rows[len(specials) :] = model.vectors
    embedding = torch.nn.Embedding.from_pretrained(
        torch.from_numpy(rows),
        freeze=freeze,
        padding_idx=None if padding is None else vocabulary[padding],
        sparse=sparse,
    )
    return TorchEmbedding(embedding, vocabulary)


def to_pandas(model: "Model") -> "pandas.DataFrame":
    """Return the vectors as a ``pandas.DataFrame``: a row a word, a column a dimension.

    The numbers are those of the model, without a copy where that is possible, so they cannot be written to: call
    ``copy()`` to change them.

    >>> frame = model.to_pandas()
    >>> frame.shape == (len(model), model.vector_size)
    True
    >>> bool((frame.loc[model.words[3]].to_numpy() == model[model.words[3]]).all())
    True
    """
    pandas = _library("pandas", "to_pandas")
    index = pandas.Index(list(model.words), dtype=object, name="word")
    return pandas.DataFrame(model.vectors, index=index, copy=False)


def to_gensim(model: "Model") -> "gensim.models.KeyedVectors":
    """Return the vectors as gensim's ``KeyedVectors``, with counts as the attribute ``"count"``.

    A model with fastText's n-grams becomes ``FastTextKeyedVectors``, which composes words outside the vocabulary as
    w2v does. gensim has a row for each bucket, used or not: 2,000,000 buckets of 100 dimensions take 800 MB. gensim
    has no counterpart of floret's n-grams, of hash embeddings, or of n-grams whose buckets were selected: these models
    become ``KeyedVectors`` of their words, with a warning.

    >>> kv = model.to_gensim()
    >>> kv.index_to_key == list(model.words)
    True
    >>> bool((kv.vectors == model.vectors).all())
    True
    """
    keyedvectors = _library("gensim.models.keyedvectors", "to_gensim")
    words = list(model.words)
    index = {word: i for i, word in enumerate(words)}
    if len(index) != len(words):
        twice = next(word for i, word in enumerate(words) if index[word] != i)
        raise ValueError(f"gensim cannot hold a word twice, and the model has {twice!r} more than once")
    vectors = np.array(model.vectors, np.float32)
    tables = _fasttext_tables(model)
    if tables is None:
        if model._composition.indexer is not None:
            warnings.warn(
                "gensim cannot compose vectors of the n-grams of this model: it gets the words of the vocabulary alone",
                stacklevel=3,
            )
        kv = keyedvectors.KeyedVectors(model.vector_size, count=0)
    else:
        minn, maxn, own, buckets = tables
        fasttext = _library("gensim.models.fasttext", "to_gensim")
        kv = fasttext.FastTextKeyedVectors(model.vector_size, minn, maxn, len(buckets), count=0)
    kv.index_to_key = words
    kv.key_to_index = index
    kv.next_index = len(words)
    if tables is not None:
        kv.vectors_vocab, kv.vectors_ngrams = own, buckets
        kv.vectors_vocab_lockf = np.ones(1, np.float32)
        kv.vectors_ngrams_lockf = np.ones(1, np.float32)
        kv.recalc_char_ngram_buckets()
    kv.vectors = vectors
    kv.vectors_lockf = np.ones(1, np.float32)
    if model.counts is not None:
        kv.expandos["count"] = np.array(model.counts, np.int64)
    return kv


_BATCH = 1 << 16  # rows that are decoded at a time


def _fasttext_tables(model: "Model") -> Optional[Tuple[int, int, Floats32, Floats32]]:
    """Return the lengths of n-grams, the rows of words and the rows of all buckets, if fastText has such a model."""
    composition = model._composition
    indexer = composition.indexer
    if not isinstance(indexer, FastText) or composition.sum.name or indexer.selects:
        return None
    rows = composition.rows
    own = np.empty((len(model), composition.dim), np.float32)
    buckets = np.zeros((indexer.buckets, composition.dim), np.float32)
    for table, row_of in ((own, composition.own_rows), (buckets, composition.rows_of_buckets)):
        for first in range(0, len(table), _BATCH):
            at = row_of(np.arange(first, min(first + _BATCH, len(table))))
            trained = np.flatnonzero(at >= 0)
            table[first + trained] = rows.finish(rows.take(at[trained]))
    return indexer.minn, indexer.maxn, own, buckets


def from_gensim(source: Any, path: Union[str, "os.PathLike[str]"]) -> "Model":
    """Write gensim's vectors to a native file at ``path``, and return it as a model.

    ``source`` is ``KeyedVectors``, ``FastTextKeyedVectors``, or a ``Word2Vec`` or ``FastText`` model, whose context
    vectors are kept too. Counts are kept. The n-grams of fastText stay n-grams, so words outside the vocabulary keep
    their vectors.

    >>> import w2v
    >>> copy = w2v.from_gensim(plain.to_gensim(), "copy.w2v")
    >>> copy.words == plain.words, bool((copy.vectors == plain.vectors).all())
    (True, True)
    """
    from . import _binary
    from .model import load

    path = path_of(path)
    folder = new_folder(beside=path)
    plain = os.path.join(folder, "plain.w2v")
    # The program checks the file, adds the table that finds words, and replaces an earlier file at once.
    with _binary.started(["convert", "--to=w2v", "--", plain, path], folder) as child:
        write_gensim(source, plain)
        _binary.ended(child)
    return load(path)


def is_gensim(source: Any) -> bool:
    """Tell whether an object is gensim's vectors, or a model that has some."""
    keyed = getattr(source, "wv", source)
    return hasattr(keyed, "index_to_key") and hasattr(keyed, "vectors") and hasattr(keyed, "expandos")


def write_gensim(source: Any, path: str) -> None:
    """Write gensim's vectors to a native file, which has no table that finds words."""
    if not is_gensim(source):
        raise TypeError(f"from_gensim takes gensim's vectors or one of its models, not {type(source).__name__}")
    keyed = getattr(source, "wv", source)
    words = [str(word) for word in keyed.index_to_key]
    text, offsets = _joined(words)
    metadata = {"format": "w2v", "version": "1"}
    ngrams = getattr(keyed, "vectors_ngrams", None)
    if ngrams is not None and len(ngrams):
        metadata.update(
            subword="fasttext", minn=str(keyed.min_n), maxn=str(keyed.max_n), buckets=str(len(ngrams))
        )
        rows = np.concatenate([np.asarray(keyed.vectors_vocab, "<f4"), np.asarray(ngrams, "<f4")])
    else:
        rows = np.asarray(keyed.vectors, "<f4")
    tensors: Dict[str, "np.ndarray[Any, Any]"] = {"word_offsets": offsets}
    counts = keyed.expandos.get("count")
    if counts is not None:
        tensors["counts"] = np.asarray(counts, "<u8")
    tensors["input"] = rows
    output = getattr(source, "syn1neg", None)
    if output is not None and len(output) == len(words):
        tensors["output"] = np.asarray(output, "<f4")
    tensors["words"] = text
    with open(path, "wb") as file:
        _write_safetensors(file, tensors, metadata)


def native_of(
    words: List[str], rows: Floats32, counts: Any, like: Optional[Native], outputs: Optional[Mapping[str, Floats32]] = None, **record: Any
) -> Native:
    """Return a native model of plain words, in memory, whose text was cut as that of another one, or at blanks.

    Outputs are further matrices, by their names in the file, such as that of context vectors. The record of training has further facts.
    """
    text, offsets = _joined(words)
    tensors: Dict[str, "np.ndarray[Any, Any]"] = {"word_offsets": offsets, **(like.attached if like is not None else {})}
    facts = like.training if like is not None else {}
    training = {name: value for name, value in facts.items() if name not in ("word_ngrams", "trained")}
    training.update(record)
    if counts is not None:
        tensors["counts"] = np.asarray(counts, "<u8")
    tensors.update(input=np.asarray(rows, "<f4"), **(outputs or {}), words=text)
    file = io.BytesIO()
    _write_safetensors(file, tensors, {"format": "w2v", "version": "1", "training": json.dumps(training)})
    return Native(np.frombuffer(file.getbuffer(), np.uint8))


def _joined(words: List[str]) -> Tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]:
    coded = [word.encode("utf8", "surrogateescape") for word in words]
    offsets = np.zeros(len(coded) + 1, "<u8")
    offsets[1:] = np.cumsum([len(word) for word in coded], dtype=np.uint64)
    return np.frombuffer(b"".join(coded), "u1"), offsets


_DTYPES = {"<u8": "U64", "<f4": "F32", "|u1": "U8"}


def _write_safetensors(file: IO[bytes], tensors: Dict[str, "np.ndarray[Any, Any]"], metadata: Dict[str, str]) -> None:
    header: Dict[str, Any] = {"__metadata__": metadata}
    at = 0
    for name, tensor in tensors.items():
        header[name] = {
            "dtype": _DTYPES[tensor.dtype.str],
            "shape": list(tensor.shape),
            "data_offsets": [at, at + tensor.nbytes],
        }
        at += tensor.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write(len(text).to_bytes(8, "little"))
    file.write(text)
    for tensor in tensors.values():
        file.write(np.ascontiguousarray(tensor).data)
