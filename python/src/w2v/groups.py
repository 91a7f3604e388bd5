"""Questions about lists of words."""

from __future__ import annotations

import math
from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from .queries import KeyOrVector, Queries, cosine
from .search import unit
from .storage import Floats32
from .transport import least_cost
from .vocabulary import Found, Key, listed

__all__ = ["Groups"]


class Groups(Queries):
    """Answers questions about lists of words."""

    def n_similarity(self, ws1: Sequence[Key], ws2: Sequence[Key]) -> float:
        """Return the cosine of the means of two lists of words, each word with its own length.

        Words without a vector have no part in a mean, as in gensim.
        """
        ws1, ws2 = listed(ws1, ordered=False), listed(ws2, ordered=False)
        if not (len(ws1) and len(ws2)):
            raise ZeroDivisionError("at least one of the lists is empty")
        means = [self.get_mean_vector(words, pre_normalize=False).astype(np.float64) for words in (ws1, ws2)]
        return cosine(*means)

    def wmdistance(self, document1: Sequence[Key], document2: Sequence[Key], norm: bool = True) -> float:
        """Return the Word Mover's Distance of two texts: how far the words of one must move to become those of the other.

        It is computed exactly. Words without a direction are left out; if a text has no others, the distance is infinite.

        Args:
            document1, document2: lists of words.
            norm: scales the vectors of words to length 1, between which distances are then.

        Source: Kusner et al. 2015, From Word Embeddings To Document Distances.

        >>> model.wmdistance(["king", "bread"], ["bread", "king"])
        0.0
        """
        sides = []
        for document in (document1, document2):
            words = listed(document, ordered=False)
            vectors, _, found = self._look_up(words)
            counts: Dict[Found, int] = {}
            rows: Dict[Found, NDArray[np.float64]] = {}
            for one, vector in zip(found, vectors):
                direction, has = unit(vector)
                if has:
                    counts[one] = counts.get(one, 0) + 1
                    rows[one] = (direction if norm else vector).astype(np.float64)
            if not rows:
                return math.inf
            sides.append((np.array(list(counts.values()), np.int64), np.array(list(rows.values()))))
        (here, mine), (there, others) = sides
        costs = np.sqrt(((mine[:, None] - others) ** 2).sum(axis=2))
        total = int(here.sum()) * int(there.sum())
        return least_cost(here * there.sum(), there * here.sum(), costs) / total

    def soft_cosine(self, document1: Sequence[Key], document2: Sequence[Key], exponent: float = 2.0, threshold: float = 0.0) -> float:
        """Return the soft cosine of two texts: the cosine of their counts of words, where near words count as partly the same.

        Two words are as much the same as the power of their cosine says, if that is above the threshold. A word without
        a direction is like itself alone.

        Args:
            document1, document2: lists of words.
            exponent: the power.
            threshold: the cosine that words exceed that count as partly the same.

        Source: Charlet and Damnati 2017, SimBow at SemEval-2017 Task 3.

        >>> round(model.soft_cosine(["king", "bread"], ["bread", "king"]), 6)
        1.0
        """
        sides = [listed(document, ordered=False) for document in (document1, document2)]
        vectors, _, found = self._look_up(sides[0] + sides[1])
        number: Dict[Found, int] = {}
        places = np.array([number.setdefault(one, len(number)) for one in found], np.int64)
        first = np.array([int(np.argmax(places == i)) for i in range(len(number))], np.int64)
        units = np.array([unit(vectors[i])[0] for i in first], np.float64).reshape(len(number), self.dim)
        cosines = units @ units.T
        like = np.where(cosines > threshold, np.maximum(cosines, 0) ** exponent, 0.0)
        np.fill_diagonal(like, 1)
        counts = [np.bincount(part, minlength=len(number)).astype(np.float64) for part in (places[: len(sides[0])], places[len(sides[0]) :])]
        (a, b), (aa, bb) = counts, [float(side @ like @ side) for side in counts]
        return float(a @ like @ b) / math.sqrt(aa * bb) if aa > 0 and bb > 0 else 0.0

    def get_mean_vector(
        self,
        keys: Sequence[KeyOrVector],
        weights: Optional[Sequence[float]] = None,
        pre_normalize: bool = True,
        post_normalize: bool = False,
        ignore_missing: bool = True,
    ) -> Floats32:
        """Return the mean of words' vectors, divided by the sum of the weights without their signs.

        Args:
            keys: words and vectors. Vectors are taken as they are.
            weights: one for each.
            pre_normalize: scales the vectors of words to length 1 before.
            post_normalize: scales the mean to length 1.
            ignore_missing: leaves out words without a vector; else these are an error.
        """
        keys = listed(keys, ordered=weights is not None)
        if len(keys) == 0:
            raise ValueError("there are no words of which to compute the mean")
        factors = np.ones(len(keys)) if weights is None else np.asarray(weights, np.float64)
        if len(factors) != len(keys):
            raise ValueError(f"{len(factors)} weights for {len(keys)} words")
        total, mean = 0.0, np.zeros(self.dim)
        for key, weight in zip(keys, factors.tolist()):
            vector = self._checked(key) if isinstance(key, np.ndarray) else self.get(key)
            if vector is None:
                if not ignore_missing:
                    raise self._missing(str(key))
                continue
            if pre_normalize and not isinstance(key, np.ndarray):
                vector = unit(vector)[0]
            mean += weight * vector
            total += abs(weight)
        mean = mean / total if total else mean
        return unit(mean)[0] if post_normalize else mean.astype(np.float32)

    def rank_by_centrality(self, words: Sequence[Key], use_norm: bool = True) -> List[Tuple[float, Key]]:
        """Return words with their cosines with the mean of all of them, the largest first.

        Words without a direction are left out. ``use_norm`` scales vectors to length 1 before the mean.
        """
        words = listed(words)
        vectors, _, _ = self._look_up(words)
        units = [unit(vector) for vector in vectors]
        kept = [i for i, (_, has) in enumerate(units) if has]
        if not kept:
            raise ValueError("none of the words has a vector")
        rows = np.array([units[i][0] for i in kept], np.float64)
        mean = (rows if use_norm else vectors[kept].astype(np.float64)).sum(axis=0)
        length = float(np.sqrt(mean @ mean))
        cosines = np.clip(rows @ mean / length if length else rows @ mean, -1, 1)
        order = np.argsort(-cosines.astype(np.float32), kind="stable")
        return [(float(cosines[i]), words[kept[i]]) for i in order]

    def doesnt_match(self, words: Sequence[str]) -> str:
        """Return the word that matches the others least: the last one of ``rank_by_centrality``.

        Words without a vector are left out. Three words must have one.

        >>> model.doesnt_match(["king", "queen", "bread"]) in ("king", "queen", "bread")
        True
        """
        ranked = self.rank_by_centrality(words)
        if len(ranked) < 3:
            raise ValueError(f"{len(ranked)} of the words have vectors, and the question takes three")
        return str(ranked[-1][1])
