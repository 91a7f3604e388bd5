"""Reads native models. docs/format.md describes the format.

Nothing of a file is trusted: all sizes are checked when it is opened, and so are the tables that rows are
found by. The rows themselves are not looked at before somebody asks for them.
"""

from __future__ import annotations

import io
import json
import os
import re
from functools import cached_property
from typing import Any, Mapping, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .buckets import BucketRows
from .composition import Composition
from .errors import Error
from .indexers import Indexer, Metadata
from .kinds import indexer_of, sum_of
from .safetensors import Bytes, Tensor, integer, parse, starts_like_one, view
from .storage import BFloat16, Codes, Floats, Int8, Mean, Product, Quantised, Storage
from .words import Words

__all__ = ["Native", "content", "is_native", "read"]

_HEAD = 1 << 20  # bytes of a file that tell its format
_OURS = re.compile(rb'"word_offsets"|"format"\s*:\s*"w2v"')
_WIDE = 1 << 16  # numbers of a row that a file may claim without having any row
_VERSIONS = ("1", "2")  # the second is that of files with a projection
_DTYPES = {
    "word_offsets": "U64", "counts": "U64", "word_rows": "U32", "bucket_rows": "I32", "bucket_set": "U8",
    "ngram_buckets": "U32", "word_slots": "U32", "words": "U8", "ngram_offsets": "U64", "ngram_rows": "U32",
    "ngrams": "U8", "phrase_table": "U8", "tokenizer_json": "U8",
}  # fmt: skip


def read(path: Union[str, "os.PathLike[str]"]) -> Bytes:
    """Return the bytes of a file, in memory of their own: nothing that happens to the file later changes them."""
    with open(path, "rb", buffering=0) as file:
        return content(file)


def content(file: io.FileIO) -> Bytes:
    """Return the bytes of an open file, as `read` does."""
    data = np.empty(os.fstat(file.fileno()).st_size, np.uint8)
    at, rest = 0, memoryview(data)  # type: ignore[arg-type]
    while at < len(data):
        count = file.readinto(rest[at:])
        if not count:
            raise Error(f"the file has become shorter while it was read: {at} of {len(data)} bytes are left")
        at += count
    data.flags.writeable = False
    return data


def is_native(path: Union[str, "os.PathLike[str]"]) -> bool:
    """Tell whether a file is a native model, by its content."""
    if os.path.isdir(path):
        return False
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    return starts_like_one(head) and _OURS.search(head) is not None


class Native:
    """A native model: its words and the matrices that vectors are made of."""

    def __init__(self, data: Bytes) -> None:
        self.data = data
        self._tensors, self.metadata, self._begin = parse(data)
        if self.metadata.get("format") == "w2v-index":
            raise Error("this is an index, and a model is wanted: w2v search asks it")
        if self.metadata.get("format") != "w2v":
            raise Error("expected a safetensors file with 'format': 'w2v' in its metadata")
        if self.metadata.get("version") not in _VERSIONS:
            version = self.metadata.get("version", "")[:20]
            raise Error(f"expected version '1' or '2' of the format, found {version!r}: a newer w2v reads it")
        self.training = self._read_training()
        slots = self._list("word_slots")
        self.words = Words(self._needed("words"), self._needed("word_offsets"), slots)
        n = len(self.words)
        self.counts: Optional[NDArray[np.uint64]] = self._list("counts")
        if self.counts is not None and len(self.counts) != n:
            raise Error(f"tensor 'counts': {len(self.counts)} counts for {n} words")
        self.composition = self._composition(n)
        self.word_ngrams = self._word_ngrams()
        self.output = self._output(n)

    def _read_training(self) -> Mapping[str, Any]:
        try:
            training = json.loads(self.metadata.get("training", "{}"), parse_int=integer)
        except (ValueError, RecursionError):
            training = None
        if not isinstance(training, dict):
            raise Error("metadata 'training': expected a JSON object")
        return training

    @property
    def ngrams(self) -> Mapping[str, Any]:
        """What the file says of its n-grams, under the names of settings; nothing if it has none."""
        kind = self.metadata.get("subword")
        if kind is None:
            return {}
        numbers = {name: self.metadata.get(name) for name in ("minn", "maxn", "buckets", "hashes", "importances")}
        return {"subwords": kind, **{name: integer(text) for name, text in numbers.items() if text is not None and text.isdigit()}}

    def _array(self, name: str, dtype: str, dimensions: int) -> Optional[NDArray[Any]]:
        """Return a tensor, None if the file does not have it."""
        tensor = self._tensors.get(name)
        if tensor is None:
            return None
        if tensor.dtype != dtype:
            raise Error(f"tensor {name!r}: expected dtype {dtype}, found {tensor.dtype[:20]!r}")
        return self._view(tensor, dimensions)

    def _view(self, tensor: Tensor, dimensions: int) -> NDArray[Any]:
        if len(tensor.shape) != dimensions or dimensions == 2 and max(tensor.shape) >= 1 << 31:
            raise Error(f"tensor {tensor.name!r}: expected a shape of {dimensions} sizes, found {list(tensor.shape)}")
        return view(self.data, self._begin, tensor)

    def _list(self, name: str) -> Optional[NDArray[Any]]:
        return self._array(name, _DTYPES[name], 1)

    def _needed(self, name: str) -> NDArray[Any]:
        array = self._list(name)
        if array is None:
            raise Error(f"expected a tensor {name!r}, found none")
        return array

    def has(self, name: str) -> bool:
        """Tell whether the file has a tensor."""
        return name in self._tensors

    def matrix(self, name: str) -> Optional[Storage]:
        """Return a matrix in whatever form the file has it, None if it has none."""
        tensor = self._tensors.get(name)
        if tensor is None:
            return None
        if tensor.dtype not in ("F32", "F16", "BF16", "I8", "U8"):
            raise Error(f"tensor {name!r}: expected dtype F32, F16, BF16, I8 or U8, found {tensor.dtype[:20]!r}")
        numbers = self._view(tensor, 2)
        try:
            if tensor.dtype == "BF16":
                return BFloat16(numbers)
            if tensor.dtype == "I8":
                return Int8(numbers, self._beside(name, "_scales"))
            if tensor.dtype == "U8":
                return Quantised(self._codes(name, numbers))
        except Error as error:
            raise Error(f"tensor {name!r}: {error}") from None
        return Floats(numbers)

    def _beside(self, name: str, suffix: str, dimensions: int = 1) -> NDArray[Any]:
        array = self._array(name + suffix, "F32", dimensions)
        if array is None:
            raise Error(f"expected a tensor {name + suffix!r} beside it, found none")
        return array

    def _codes(self, name: str, codes: NDArray[Any]) -> Codes:
        part = self.metadata.get(name + "_part", "")
        if not (part.isascii() and part.isdigit() and len(part) <= 10):
            raise Error(f"metadata {name + '_part'!r}: expected a number, found {part[:20]!r}")
        return Codes(
            codes,
            self._beside(name, "_centroids", 2),
            int(part),
            self._array(name + "_norms", "F32", 1),
            self._array(name + "_norm_codes", "U8", 1),
            self._array(name + "_rotation", "F32", 2),
        )

    def _composition(self, words: int) -> Composition:
        rows = self.matrix("input")
        if rows is None:
            raise Error("expected a tensor 'input', found none")
        if rows.dim < 1:
            raise Error("tensor 'input': expected rows of at least one number")
        if rows.dim > max(len(self.data), _WIDE):
            raise Error(f"tensor 'input': {rows.rows} rows of {rows.dim} numbers in a file of {len(self.data)} bytes")
        projection = self._array("projection", "F32", 2)
        if projection is None and self.metadata["version"] != "1":
            raise Error("expected a tensor 'projection' in a file of version '2', found none")
        if projection is not None:
            if projection.shape[0] != rows.dim or projection.shape[1] < 1:
                shape = f"{rows.dim} rows of at least one number"
                raise Error(f"tensor 'projection': expected {shape}, found {projection.shape}")
            rows = Product(rows, projection)
        indexer = indexer_of(Metadata(self.metadata, self._ngrams, self._list("ngram_buckets")))
        learned = indexer.learned if indexer is not None else None
        return Composition(
            words,
            rows,
            sum_of(self.metadata.get("composition", ""), indexer),
            indexer,
            self._list("word_rows"),
            self._bucket_rows(indexer),
            self._array(learned.name, "F32", 2) if learned is not None else None,
        )

    def _bucket_rows(self, indexer: Optional[Indexer]) -> Optional[BucketRows]:
        rows, bits = self._list("bucket_rows"), self._list("bucket_set")
        if rows is None and bits is None:
            return None
        if indexer is None:
            raise Error("tensors 'bucket_rows' and 'bucket_set': expected only with metadata 'subword'")
        if rows is None:
            rows = np.empty(0, np.int32)
        return BucketRows(rows, bits, indexer.buckets)

    @property
    def attached(self) -> Mapping[str, NDArray[Any]]:
        """What says how the text was cut, beside the facts of training."""
        found = {name: self._list(name) for name in ("phrase_table", "tokenizer_json")}
        return {name: array for name, array in found.items() if array is not None}

    @property
    def phrase_table(self) -> Optional[bytes]:
        """The table of phrases that were joined in the training text, None if there is none."""
        table = self._list("phrase_table")
        return None if table is None else table.tobytes()

    @cached_property
    def unknown_token(self) -> Optional[str]:
        """The unknown token of the tokenizer.json that cut the training text, None if there is none."""
        text = self._list("tokenizer_json")
        try:
            token = json.loads(text.tobytes())["model"]["unk_token"] if text is not None else None
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
        return token if isinstance(token, str) else None

    def _ngrams(self) -> Optional[Tuple[Any, NDArray[np.uint32]]]:
        offsets = self._list("ngram_offsets")
        if offsets is None or self.metadata.get("subword") != "explicit":
            return None
        text, rows = self._list("ngrams"), self._list("ngram_rows")
        if text is None or rows is None:
            raise Error("expected tensors 'ngrams' and 'ngram_rows' beside 'ngram_offsets', found none")
        try:
            ngrams = Words(text, offsets, None)
        except Error as error:
            raise Error(str(error).replace("word", "ngram")) from None
        return [ngrams.bytes_of(i) for i in range(len(ngrams))], rows

    def _word_ngrams(self) -> Optional[Storage]:
        """Return the rows of runs of words, None if the file has none."""
        runs, rows = self.matrix("word_ngrams"), self.composition.rows
        wide = (rows.factor.dim if isinstance(rows, Product) else rows.dim) + self.composition.appended
        if runs is not None and runs.dim != wide:
            raise Error(f"tensor 'word_ngrams': expected rows of {wide} numbers, found {runs.dim}")
        if runs is not None and type(self.training.get("word_ngrams", 0)) is not int:
            raise Error("metadata 'training': word_ngrams: expected a whole number")
        return runs

    def _output(self, words: int) -> Optional[Storage]:
        """Return the context vectors of words, None if the file has none."""
        dim = self.composition.dim
        output, by_position = self.matrix("output"), self.matrix("position_output")
        if self.metadata.get("tied") == "true":
            if self.composition.indexer is not None or "word_rows" in self._tensors:
                raise Error("metadata 'tied': expected only with plain words, each with a row of its own")
            return self.composition.rows
        if output is None and by_position is not None and words:
            if by_position.rows < words or by_position.rows % words or by_position.dim != dim:
                found = f"{by_position.rows} of {by_position.dim}"
                raise Error(f"tensor 'position_output': expected rows of {dim} for each of {words} words, found {found}")
            return Mean(by_position, words)
        if output is not None and output.rows and (output.rows != words or output.dim != dim):
            raise Error(f"tensor 'output': expected {words} rows of {dim}, found {output.rows} of {output.dim}")
        return output if output is not None and output.rows else None


