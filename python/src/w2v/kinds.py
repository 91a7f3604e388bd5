"""The tables of n-grams and of sums of rows that a model may have, by the names in its metadata."""

from __future__ import annotations

from typing import Dict, Optional, Type

from .errors import Error
from .indexers import MEAN, PIECES, WHOLE, Explicit, FastText, Finalfusion, Floret, Hash, Indexer, Metadata, Sum

__all__ = ["indexer_of", "sum_of"]

INDEXERS: Dict[str, Type[Indexer]] = {
    "fasttext": FastText,
    "floret": Floret,
    "hash": Hash,
    "finalfusion": Finalfusion,
    "explicit": Explicit,
}
"""A new kind is a line here, and a class of its own. A sum that belongs to the class needs no other line."""


def indexer_of(metadata: Metadata) -> Optional[Indexer]:
    """Return what the metadata of a model says of its n-grams; None if it has none."""
    kind = metadata.texts.get("subword")
    if kind is None:
        if metadata.kept is not None:
            raise Error("tensor 'ngram_buckets': expected only with metadata 'subword'")
        return None
    if metadata.kept is not None and INDEXERS.get(kind) is not FastText:
        raise Error(f"a list of buckets that were kept, and no {kind} n-grams are ever dropped")
    if kind not in INDEXERS:
        raise Error(f"metadata 'subword': unknown kind of n-grams {kind[:40]!r}")
    return INDEXERS[kind].read(metadata)


def sum_of(name: str, indexer: Optional[Indexer]) -> Sum:
    """Return the sum of that name, for words with such n-grams."""
    sums = {s.name: s for s in (MEAN, WHOLE, PIECES)}
    sums.update((kind.sum.name, kind.sum) for kind in INDEXERS.values() if kind.sum is not None)
    if name not in sums:
        raise Error(f"metadata 'composition': unknown composition {name[:20]!r}")
    if name and indexer is None:
        raise Error(f"composition {name!r} in a set without subwords")
    for title, kind in INDEXERS.items():
        if kind.sum is not None and isinstance(indexer, kind) != (kind.sum.name == name):
            raise Error(f"metadata 'composition': {kind.sum.name!r} is that of {title} n-grams alone")
    return sums[name]
