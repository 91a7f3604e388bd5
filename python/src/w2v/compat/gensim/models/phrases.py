"""Phrases: those of ``w2v.phrases``, with gensim's defaults."""

from __future__ import annotations

from typing import Any, Iterable, Optional

from ....phrases import FrozenPhrases, npmi_scorer, original_scorer
from ....phrases import Phrases as _Phrases

__all__ = ["ENGLISH_CONNECTOR_WORDS", "FrozenPhrases", "Phraser", "Phrases", "npmi_scorer", "original_scorer"]

#: English articles, conjunctions and short prepositions, which phrases may have in their middle.
ENGLISH_CONNECTOR_WORDS = frozenset("a an and at by for from in of on or the to with without".split())

Phraser = FrozenPhrases


class Phrases(_Phrases):
    """Learns phrases of sentences, and joins them. ``progress_per`` is taken, and shows nothing: logging is not done."""

    _spaced = True  # as in gensim: sentences are joined before training

    def __init__(
        self,
        sentences: Optional[Iterable[Iterable[str]]] = None,
        min_count: int = 5,
        threshold: float = 10.0,
        max_vocab_size: int = 40000000,
        delimiter: str = "_",
        progress_per: int = 10000,
        scoring: Any = "default",
        connector_words: Iterable[str] = frozenset(),
    ) -> None:
        super().__init__(sentences, min_count, threshold, max_vocab_size, delimiter, scoring, connector_words)
