"""``FastText``, trained by w2v, and fastText's own files."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Mapping, Optional, cast

from ....model import load as _load
from .keyedvectors import FastTextKeyedVectors, KeyedVectors, Path, refuse
from .word2vec import Word2Vec

__all__ = ["FastText", "FastTextKeyedVectors", "load_facebook_model", "load_facebook_vectors", "save_facebook_model"]


class FastText(Word2Vec):
    """Trains vectors of words and of their n-grams: see `Word2Vec`."""

    def __init__(
        self,
        sentences: Optional[Iterable[Any]] = None,
        corpus_file: Optional[Path] = None,
        *args: Any,
        min_n: int = 3,
        max_n: int = 6,
        bucket: int = 2000000,
        word_ngrams: int = 1,
        **settings: Any,
    ) -> None:
        refuse("FastText", {"word_ngrams": (word_ngrams, 1, "w2v.train has runs of words, with arch='cbow'")})
        self.min_n, self.max_n, self.bucket = min_n, max_n, bucket
        super().__init__(sentences, corpus_file, *args, **settings)

    @property
    def _ngrams(self) -> Mapping[str, Any]:  # type: ignore[override]
        if not self.bucket or self.max_n < self.min_n:
            return {}
        return {"subwords": "fasttext", "min_n": self.min_n, "max_n": self.max_n, "bucket": self.bucket}

    def _of_record(self, of: Mapping[str, Any]) -> None:
        super()._of_record(of)
        names: Dict[str, str] = {"min_n": "minn", "max_n": "maxn", "bucket": "buckets"}
        for name, record in names.items():
            setattr(self, name, int(of.get(record, 0)))


def load_facebook_model(path: Path, encoding: str = "utf-8") -> FastText:
    """Open a file of fastText, to ask it or to train it on."""
    refuse("load_facebook_model", {"encoding": (encoding.lower().replace("-", ""), "utf8", "w2v reads UTF-8, and keeps bytes that are not")})
    return cast(FastText, FastText._of(_load(path, ignore_case=False)))


def load_facebook_vectors(path: Path, encoding: str = "utf-8") -> FastTextKeyedVectors:
    """Open the vectors of a file of fastText."""
    refuse("load_facebook_vectors", {"encoding": (encoding.lower().replace("-", ""), "utf8", "w2v reads UTF-8, and keeps bytes that are not")})
    return KeyedVectors.of(_load(path, ignore_case=False))


def save_facebook_model(model: FastText, path: Path) -> None:
    """Write a file of fastText."""
    model.wv.model.save(path, "fasttext")
