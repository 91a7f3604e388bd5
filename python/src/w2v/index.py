"""Indexes of ``w2v index``: the nearest of millions of words or texts."""

from __future__ import annotations

import heapq
import json
import os
from typing import Any, Callable, Dict, Iterable, List, Optional, Set, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._checked import shown
from .errors import DataError, Error
from .native import read
from .safetensors import Tensor, parse, view
from .search import unit
from .vocabulary import MissingWordError
from .words import Words

__all__ = ["Index"]

_BEGINS = 4  # entries from which a walk begins
_BLOCK = 1 << 16  # rows that an exact search compares at a time


class Index:
    """An index that ``w2v index`` has written, read into memory.

    ``names`` are its entries, ``vectors`` their directions, a row each, and ``about`` says how it was built and what
    recall was measured. The file is not compared with its checksum: ``w2v info`` does that.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        try:
            self._read(path)
        except Error as error:
            raise DataError(f"{os.fspath(path)}: {error}") from None

    def _read(self, path: Union[str, "os.PathLike[str]"]) -> None:
        data = read(path)
        tensors, metadata, begin = parse(data)
        if metadata.get("format") != "w2v-index" or metadata.get("version") != "1":
            raise Error("is not an index of this version: w2v index makes one")

        def array(name: str, dtype: str, dimensions: int) -> NDArray[Any]:
            tensor: Optional[Tensor] = tensors.get(name)
            if tensor is None or tensor.dtype != dtype or len(tensor.shape) != dimensions:
                raise Error(f"tensor {name!r}: expected {dtype} of {dimensions} dimensions")
            return view(data, begin, tensor)

        words = Words(array("words", "U8", 1), array("word_offsets", "U64", 1), None)
        self.names: List[str] = words.list
        self.vectors: NDArray[np.float32] = array("input", "F32", 2)
        self._links = array("graph_links", "U32", 2)
        self._entries = array("graph_entries", "U32", 1).astype(np.int64)
        n = len(self.names)
        self._same: Optional[NDArray[Any]] = array("graph_same", "U32", 1) if "graph_same" in tensors else None
        if len(self.vectors) != n or len(self._links) != n or self._same is not None and len(self._same) != n:
            raise Error(f"expected a row and links for each of {n} entries")
        if n > 0 and (len(self._entries) == 0 or int(self._entries.max()) >= n):
            raise Error(f"tensor 'graph_entries': expected rows below {n}")
        try:
            about = json.loads(metadata.get("index", ""))
        except (ValueError, RecursionError):
            about = None
        if not isinstance(about, dict):
            raise Error("metadata 'index': expected a JSON object")
        self.about: Dict[str, Any] = about
        self._heads = self.vectors[self._entries]

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<w2v.Index of {len(self)} {self.about.get('of', 'entries')}, {self.vectors.shape[1]} dimensions>"

    def search(
        self,
        vectors: ArrayLike,
        topn: int = 10,
        *,
        effort: int = 64,
        exact: bool = False,
        among: Union[None, Callable[[str], bool], Iterable[str]] = None,
        exclude: Iterable[str] = (),
    ) -> List[List[Tuple[str, float]]]:
        """Return the entries nearest to each vector with their cosines, the nearest first.

        A larger ``effort`` misses fewer of the nearest. ``among`` are the names that may answer, or a function that tells it
        of a name, and those in ``exclude`` may not; names that the index does not have are ignored there, and refused in ``among``. ``exact`` compares with all entries, and so does a search with either of
        these. A vector without a direction has no answers.
        """
        if isinstance(vectors, (str, bytes)) or isinstance(vectors, (list, tuple)) and any(isinstance(one, (str, bytes)) for one in vectors):
            raise TypeError(f"vectors is {shown(vectors)}, and an index is asked with vectors: give model.embed(texts), or model[words]")
        rows = np.atleast_2d(np.asarray(vectors, np.float32))
        if rows.ndim != 2 or rows.shape[1] != self.vectors.shape[1]:
            raise ValueError(f"vectors of {rows.shape[-1]} numbers in an index of {self.vectors.shape[1]} dimensions")
        if topn < 1 or effort < 1:
            raise ValueError("topn and effort must be at least 1")
        allowed = self._allowed(among, exclude)
        answers = []
        for row in rows:
            q, directed = unit(row)
            found: List[Tuple[float, int]] = []
            if directed and (exact or allowed is not None or max(effort, topn) >= len(self)):
                found = self._scan(q, topn, allowed)
            elif directed:
                found = self._expand(self._walk(q, max(effort, topn)))
            answers.append([(self.names[i], min(1.0, max(-1.0, score))) for score, i in found[:topn]])
        return answers

    def _allowed(
        self, among: Union[None, Callable[[str], bool], Iterable[str]], exclude: Iterable[str]
    ) -> Optional[NDArray[Any]]:
        """Return the positions of entries that may answer; None for all."""
        if isinstance(among, str) or isinstance(exclude, str):
            raise TypeError("among and exclude are several names: put one name into a list")
        without = set(exclude)
        if among is None and not without:
            return None
        if among is None or callable(among):
            may = among
        else:
            names = dict.fromkeys(among)
            unknown = set(names).difference(self.names)
            if unknown:
                raise MissingWordError(next(name for name in names if name in unknown), "the index has no such entry")
            may = names.__contains__
        return np.flatnonzero([name not in without and (may is None or bool(may(name))) for name in self.names])

    def _scan(self, q: NDArray[np.float32], topn: int, allowed: Optional[NDArray[Any]]) -> List[Tuple[float, int]]:
        ids = np.arange(len(self)) if allowed is None else allowed
        scores = [self.vectors[ids[at : at + _BLOCK]] @ q for at in range(0, len(ids), _BLOCK)]
        if not scores:
            return []
        all_scores = np.concatenate(scores)
        order = np.argsort(-all_scores, kind="stable")[:topn]
        return [(float(all_scores[i]), int(ids[i])) for i in order]

    def _walk(self, q: NDArray[np.float32], effort: int) -> List[Tuple[float, int]]:
        """Walk through the graph as the program does: see docs/search.md."""
        heads = self._heads @ q
        seen: Set[int] = set()
        best: List[Tuple[float, int]] = []  # a heap with the worst first
        ahead: List[Tuple[float, int]] = []  # a heap with the best first
        for i in np.argsort(-heads, kind="stable")[: min(_BEGINS, effort)]:
            row = int(self._entries[i])
            if row not in seen:
                seen.add(row)
                heapq.heappush(best, (float(heads[i]), -row))
                heapq.heappush(ahead, (-float(heads[i]), row))
        while ahead:
            score, row = heapq.heappop(ahead)
            if len(best) == effort and -score < best[0][0]:
                break
            fresh = [i for i in self._links[row].tolist() if i < len(self) and i not in seen]
            if not fresh:
                continue
            seen.update(fresh)
            for cosine, i in zip((self.vectors[fresh] @ q).tolist(), fresh):
                if len(best) < effort:
                    heapq.heappush(best, (cosine, -i))
                elif (cosine, -i) > best[0]:
                    heapq.heapreplace(best, (cosine, -i))
                else:
                    continue
                heapq.heappush(ahead, (-cosine, i))
        return sorted(((cosine, -i) for cosine, i in best), key=lambda found: (-found[0], found[1]))

    def _expand(self, found: List[Tuple[float, int]]) -> List[Tuple[float, int]]:
        """Add the entries that have the same vector as one that was found."""
        if self._same is None:
            return found
        every: List[Tuple[float, int]] = []
        for score, row in found:
            chain: Set[int] = set()
            while row < len(self) and row not in chain:
                chain.add(row)
                row = int(self._same[row])
            every.extend((score, i) for i in chain)
        return sorted(every, key=lambda one: (-one[0], one[1]))
