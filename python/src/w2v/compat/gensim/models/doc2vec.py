"""``Doc2Vec``: words that w2v trains, and vectors of documents that predict their words."""

from __future__ import annotations

import inspect
import os
from collections import Counter
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ...._checked import nearest_name
from ....interchange import native_of
from ....model import Model
from ....model import load as _load
from .keyedvectors import KeyedVectors, Path, Vectors, refuse, save
from .word2vec import LineSentence, Rule, Word2Vec

__all__ = ["Doc2Vec", "TaggedDocument", "TaggedLineDocument"]

Tag = Union[int, str]


class TaggedDocument(NamedTuple):
    """The words of a document, and the names that it has among vectors."""

    words: Sequence[str]
    tags: Sequence[Tag]


class TaggedLineDocument:
    """The lines of a file as documents, whose tags are their numbers from 0."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def __iter__(self) -> Iterator[TaggedDocument]:
        for number, words in enumerate(LineSentence(self.source, 1 << 62)):
            yield TaggedDocument(words, [number])


class _Words:
    """The words of documents."""

    def __init__(self, documents: Iterable[Any]) -> None:
        if iter(documents) is documents:
            raise TypeError("documents are read more than once, and a generator is not: give a list, or an object with __iter__")
        self.documents = documents

    def __iter__(self) -> Iterator[Any]:
        for document in self.documents:
            if not hasattr(document, "words") or not hasattr(document, "tags"):
                raise TypeError(f"a document is a TaggedDocument, with words and tags, and not {type(document).__name__}")
            yield document.words


class Doc2Vec(Word2Vec):
    """Trains word vectors, and makes vectors of documents: PV-DBOW, with the words' context vectors as they are trained.

    ``dv`` has a vector for each tag. It is the one that predicts the words of its documents best, so ``infer_vector`` gives it again,
    and always the same. ``dm=0`` is the default, because there is no PV-DM.
    """

    def __init__(
        self,
        documents: Optional[Iterable[Any]] = None,
        corpus_file: Optional[Path] = None,
        vector_size: int = 100,
        dm_mean: Optional[int] = None,
        dm: int = 0,
        dbow_words: int = 1,
        dm_concat: int = 0,
        dm_tag_count: int = 1,
        dv: Optional[KeyedVectors] = None,
        dv_mapfile: Optional[Path] = None,
        comment: Optional[str] = None,
        trim_rule: Optional[Rule] = None,
        callbacks: Iterable[Any] = (),
        window: int = 5,
        epochs: int = 10,
        **settings: Any,
    ) -> None:
        known = [name for of in (Doc2Vec, Word2Vec) for name in inspect.signature(of).parameters if name not in ("settings", "sentences")]
        for name in settings:
            if name not in known:
                raise TypeError(f"Doc2Vec.__init__() got an unexpected keyword argument {name!r}{nearest_name(name, known)}")
        refuse("Doc2Vec", {
            "dm": (dm, 0, "w2v has PV-DBOW, dm=0, whose vectors are better"),
            "dm_mean": (dm_mean, None, "it belongs to PV-DM"),
            "dm_concat": (dm_concat, 0, "it belongs to PV-DM"),
            "dm_tag_count": (dm_tag_count, 1, "it belongs to PV-DM"),
            "dv": (dv, None, "vectors of documents are made of words"),
            "dv_mapfile": (dv_mapfile, None, "model.embed_to writes vectors of any number of texts to a file"),
            "hs": (settings.get("hs", 0), 0, "documents predict words by the context vectors of negative sampling"),
            "sg": (settings.pop("sg", 1), 1, "words are trained by skip-gram"),
        })  # fmt: skip
        self.dm, self.dbow_words = dm, dbow_words
        self.dv = KeyedVectors(vector_size)
        source = None if documents is None else _Words(documents)
        super().__init__(
            source, corpus_file, vector_size, window=window, epochs=epochs, sg=1, comment=comment, trim_rule=trim_rule, callbacks=callbacks, **settings
        )

    def build_vocab(self, corpus_iterable: Optional[Iterable[Any]] = None, *args: Any, **settings: Any) -> None:
        """Count the words of documents, which `train` trains."""
        documents = corpus_iterable
        super().build_vocab(_Words(documents) if documents is not None and not isinstance(documents, _Words) else documents, *args, **settings)

    def _train(self, sentences: Optional[Iterable[Any]], corpus_file: Optional[Path], epochs: int, callbacks: Iterable[Any]) -> int:
        if sentences is not None and not isinstance(sentences, _Words):
            sentences = _Words(sentences)
        trained = super()._train(sentences, corpus_file, epochs, callbacks)
        assert isinstance(sentences, _Words) or corpus_file is not None
        self.dv = self._vectors_of(sentences.documents if isinstance(sentences, _Words) else TaggedLineDocument(corpus_file))
        return trained

    def _vectors_of(self, documents: Iterable[Any]) -> KeyedVectors:
        counts: "Counter[Tag]" = Counter()
        for document in documents:
            if isinstance(document.tags, str):
                raise TypeError(f"the tags of a document are a list, and not a text: write [{document.tags!r}]")
            counts.update(document.tags)
        numbers = [tag for tag in counts if isinstance(tag, (int, np.integer))]
        if numbers and sorted(numbers) != list(range(len(counts))):
            raise ValueError("tags that are numbers are those of rows: they must be 0, 1, 2 and so on, or strings")
        order: Dict[Tag, int] = {tag: row for row, tag in enumerate(range(len(numbers)) if numbers else counts)}
        vectors = np.zeros((len(order), self.vector_size), np.float32)
        pending: List[Tuple[Tag, Sequence[str]]] = []
        several: Dict[Tag, List[str]] = {}  # the words of tags that several documents have

        def flush() -> None:
            if pending:
                vectors[[order[tag] for tag, _ in pending]] = self._infer([words for _, words in pending])
                pending.clear()

        for document in documents:
            for tag in document.tags:
                if counts[tag] > 1:
                    several.setdefault(tag, []).extend(document.words)
                else:
                    pending.append((tag, document.words))
            if len(pending) >= 1024:
                flush()
        pending.extend(several.items())
        flush()
        names = [str(tag) for tag in order]
        record: Dict[str, Any] = {"tags": "numbers"} if numbers else {}
        return KeyedVectors.of(Model(native_of(names, vectors, [counts[tag] for tag in order], None, **record), None, False))

    def _infer(self, documents: Sequence[Sequence[str]]) -> Vectors:
        model = self._now()
        if model is None or not self._trained:
            raise RuntimeError("nothing is trained yet")
        vectors: Vectors = model.embed([list(words) for words in documents], pooling="dbow")
        return vectors

    def infer_vector(self, doc_words: Sequence[str], alpha: Optional[float] = None, min_alpha: Optional[float] = None, epochs: Optional[int] = None) -> Vectors:
        """Return the vector of a document: the one that predicts its words best. The other arguments say how gensim comes near it, and
        have no effect."""
        if isinstance(doc_words, str):
            raise TypeError("doc_words are a list of words, and not a text")
        vector: Vectors = self._infer([doc_words])[0]
        return vector

    def similarity_unseen_docs(
        self, doc_words1: Sequence[str], doc_words2: Sequence[str], alpha: Optional[float] = None, min_alpha: Optional[float] = None, epochs: Optional[int] = None
    ) -> float:
        """Return the cosine of the vectors of two documents."""
        a, b = self._infer([doc_words1, doc_words2]).astype(np.float64)
        lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
        return float(a @ b) / lengths if lengths else 0.0

    def save(self, fname: Path, *args: Any, **kwargs: Any) -> None:
        """Write words to a file in w2v's own format, and vectors of documents to another, ``fname.dv``."""
        super().save(fname)
        save(self.dv.model, os.fspath(fname) + ".dv")

    @classmethod
    def load(cls, fname: Path, mmap: Optional[str] = None) -> "Doc2Vec":
        """Open what ``save`` has written."""
        self = cls._of(_load(fname, ignore_case=False))
        assert isinstance(self, Doc2Vec)
        self.dv = KeyedVectors.of(_load(os.fspath(fname) + ".dv", ignore_case=False))
        return self

    def _of_record(self, of: Any) -> None:
        super()._of_record(of)
        self.sg = 1
