"""What stands in a file of fastText: its arguments, its dictionary and its matrices, row for row."""

from __future__ import annotations

import struct
from typing import Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from . import hashing
from .ngrams import subwords
from .words import decoded, encoded

__all__ = ["Contents"]

_HEAD = struct.Struct("<14id")  # magic number, version, and the arguments
_DIM_AT = 8
_SIZES = struct.Struct("<3i2q")  # entries, words, labels, tokens, pruned buckets
_SUPERVISED = 3
_CENTROIDS = 256

Matrix = NDArray[np.float32]


class Contents:
    """The content of a file that the program could open.

    Attributes:
        dim: how many numbers a row has.
        minn, maxn, buckets: the n-grams.
        ids: the number of each word, and of the labels behind them.
        words: how many words there are.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        head = _HEAD.unpack_from(data)
        self.dim, self.buckets, self.minn, self.maxn = head[2], head[10], head[11], head[12]
        if head[1] == 11 and head[9] == _SUPERVISED:
            self.maxn = 0  # as fastText reads classifiers of this version
        at = _HEAD.size
        entries, self.words, _, _, pruned = _SIZES.unpack_from(data, at)
        at += _SIZES.size
        self.ids: Dict[str, int] = {}
        for i in range(entries):
            end = data.index(b"\0", at)
            self.ids.setdefault(decoded(data[at:end]), i)
            at = end + 10  # a count of 8 bytes and a kind follow the zero
        self._kept: Optional[Dict[int, int]] = None
        if pruned >= 0:
            pairs = np.frombuffer(data, "<i4", 2 * pruned, at).reshape(-1, 2)
            self._kept = dict(pairs.tolist())
            at += 8 * pruned
        self.quantized = data[at] != 0
        self._input = at + 1

    def subwords(self, word: str) -> Tuple[List[str], List[int]]:
        """Return the word, if it is known, and its n-grams, and the rows of them that the file has."""
        names, rows = ([word], [self.ids[word]]) if word in self.ids else ([], [])
        of, buckets = subwords(encoded(word), self.minn, self.maxn, self.buckets)
        for bucket in buckets:
            kept = bucket if self._kept is None else self._kept.get(bucket)
            if kept is not None:
                rows.append(self.words + kept)
        return names + of, rows

    def subword_id(self, subword: str) -> int:
        """Return the row that an n-gram is hashed to."""
        if self.buckets <= 0:
            raise ValueError("the model has no n-grams")
        raw = np.frombuffer(encoded(subword), np.uint8)
        hashes = hashing.fasttext(raw, np.zeros(1, np.int64), np.array([len(raw)]))
        row: int = self.words + int(hashes[0]) % self.buckets
        return row

    def input_row(self, i: int) -> Matrix:
        """Return a row of the input matrix."""
        if not self.quantized:
            matrix, _ = self._dense(self._input)
            if not 0 <= i < len(matrix):
                raise IndexError(f"row {i} of {len(matrix)}")
            copied: Matrix = matrix[i].astype(np.float32)
            return copied
        normed, rows, _, size = struct.unpack_from("<?2qi", self._data, self._input)
        if not 0 <= i < rows:
            raise IndexError(f"row {i} of {rows}")
        at = self._input + 21
        codes, at = np.frombuffer(self._data, np.uint8, size, at), at + size
        dim, parts, width, _ = struct.unpack_from("<4i", self._data, at)
        at += 16
        centroids = np.frombuffer(self._data, "<f4", dim * _CENTROIDS, at)
        at += 4 * dim * _CENTROIDS
        row = np.empty(dim, np.float32)
        for part in range(parts):
            begin, end = part * width, min((part + 1) * width, dim)
            code = int(codes[i * parts + part])
            first = begin * _CENTROIDS + code * (end - begin)
            row[begin:end] = centroids[first : first + end - begin]
        if normed:
            norms = np.frombuffer(self._data, "<f4", _CENTROIDS, at + rows + 16)
            row *= norms[self._data[at + i]]
        return row

    def matrices(self) -> Tuple[Matrix, Matrix]:
        """Return the input and the output matrix, both copied."""
        inputs, at = self._dense(self._input)
        outputs, _ = self._dense(at + 1)
        return inputs.astype(np.float32), outputs.astype(np.float32)

    def _dense(self, at: int) -> Tuple[Matrix, int]:
        """Return a matrix, and where it ends."""
        rows, columns = struct.unpack_from("<2q", self._data, at)
        matrix = np.frombuffer(self._data, "<f4", rows * columns, at + 16).reshape(rows, columns)
        return matrix, at + 16 + matrix.nbytes

    def with_matrices(self, inputs: Matrix, outputs: Matrix) -> bytes:
        """Return the content of a file with other matrices, of as many rows."""
        own = self._dense(self._input)
        for name, given, now in (("input", inputs, own[0]), ("output", outputs, self._dense(own[1] + 1)[0])):
            if given.ndim != 2 or len(given) != len(now):
                raise ValueError(f"the {name} matrix has the shape {given.shape}, and must have {len(now)} rows")
        if inputs.shape[1] != outputs.shape[1] or inputs.shape[1] < 1:
            raise ValueError(f"rows of {inputs.shape[1]} and of {outputs.shape[1]} numbers do not go together")
        head = bytearray(self._data[: self._input])
        struct.pack_into("<i", head, _DIM_AT, inputs.shape[1])
        parts = [bytes(head)]
        for matrix, mark in ((inputs, b"\0"), (outputs, b"")):
            parts += [struct.pack("<2q", *matrix.shape), matrix.astype("<f4").tobytes(), mark]
        return b"".join(parts)
