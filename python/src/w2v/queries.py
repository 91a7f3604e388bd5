"""Questions about words, with the names and arguments that gensim's KeyedVectors has."""

from __future__ import annotations

import math
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from ._checked import whole
from .index import Index
from .search import Directions, best, unit
from .storage import Floats32
from .vocabulary import Key, Vocabulary, listed, not_a_word

__all__ = ["KeyOrVector", "Queries", "cosine"]

Vector = NDArray[Any]
KeyOrVector = Union[Key, Vector]
Weighted = Union[KeyOrVector, Tuple[KeyOrVector, float]]
Several = Union[None, KeyOrVector, Iterable[Weighted]]
Answers = List[Tuple[str, float]]
Among = Union[None, Callable[[str], bool], Iterable[Key]]

_COSMUL_EPSILON = 0.001
"""What keeps 3CosMul from dividing by zero, as in w2v analogy."""


class Queries(Vocabulary):
    """Answers questions about words. A word that is not in the vocabulary is composed of n-grams."""

    _directed: Optional[Directions] = None

    @property
    def _directions(self) -> Directions:
        if self._directed is None:
            self._directed = Directions(self.vectors)
        return self._directed

    @overload
    def __getitem__(self, key_or_keys: Key) -> Floats32: ...
    @overload
    def __getitem__(self, key_or_keys: Iterable[Key]) -> Floats32: ...
    def __getitem__(self, key_or_keys: Union[Key, Iterable[Key]]) -> Floats32:
        if isinstance(key_or_keys, str):
            vector = self._vector_of(key_or_keys)
            if vector is not None:
                return vector.copy()
        if isinstance(key_or_keys, (str, int, np.integer)):
            return self.get_vector(key_or_keys)
        if isinstance(key_or_keys, bytes):
            raise not_a_word(key_or_keys)
        return self._needed(listed(key_or_keys))

    def get(self, key: Key, default: Any = None) -> Any:
        """Return the vector of a word, or the default if it has none.

        >>> plain.get("zzz") is None
        True
        """
        vector = self._vector_of(key)
        return default if vector is None else vector.copy()

    def get_vector(self, key: Key, norm: bool = False) -> Floats32:
        """Return the vector of a word, with ``norm`` scaled to length 1.

        >>> model.get_vector("king").shape
        (20,)
        """
        vector = self._own(key)
        return unit(vector)[0] if norm else vector.copy()

    @overload
    def most_similar(
        self,
        positive: Several = ...,
        negative: Several = ...,
        topn: int = ...,
        clip_start: int = ...,
        clip_end: Optional[int] = ...,
        restrict_vocab: Optional[int] = ...,
        indexer: Any = ...,
        *,
        among: Among = ...,
        exclude: Iterable[Key] = ...,
    ) -> Answers: ...
    @overload
    def most_similar(
        self,
        positive: Several = ...,
        negative: Several = ...,
        *,
        topn: None,
        clip_start: int = ...,
        clip_end: Optional[int] = ...,
        restrict_vocab: Optional[int] = ...,
        indexer: Any = ...,
        among: Among = ...,
        exclude: Iterable[Key] = ...,
    ) -> Floats32: ...
    def most_similar(
        self,
        positive: Several = None,
        negative: Several = None,
        topn: Optional[int] = 10,
        clip_start: int = 0,
        clip_end: Optional[int] = None,
        restrict_vocab: Optional[int] = None,
        indexer: Any = None,
        *,
        among: Among = None,
        exclude: Iterable[Key] = (),
    ) -> Union[Answers, Floats32]:
        """Return the words nearest to a sum of words' directions, with their cosines.

        Every word has length 1 in the sum, and a weight: 1 in ``positive``, -1 in ``negative``, or the
        second item of a tuple. A vector in place of a word is taken as it is. Words of the question are no
        answers. Words outside of the vocabulary are composed of n-grams, if the model has them, and are no
        answers either. Words whose vectors are zero or not finite are not answers.

        Args:
            positive: a word, a vector, or a list of words, vectors and tuples of these with a weight.
            negative: the same.
            topn: the number of answers. None returns the cosines of all words as an array, with NaN for
                words without a direction.
            clip_start: the place of the first word that may answer.
            clip_end: the place behind the last one.
            restrict_vocab: allows the first words of the vocabulary, in place of the two.
            indexer: what finds the nearest words in place of a comparison with all: a ``w2v.Index`` of the model, or an
                object with gensim's method ``most_similar(vector, topn)``. It says which words there are.
            among: allows these words of the vocabulary alone. With ``topn=None``, the cosines are theirs, in their order.
                A function of a word allows those for which it is true, in the order of the vocabulary.
            exclude: these words may not answer. Words that the vocabulary does not have are ignored.

        Raises:
            ValueError: the sum is zero or not finite, and so has no direction.

        >>> len(model.most_similar(positive=["king", "woman"], negative=["man"], topn=5))
        5
        """
        if topn is not None and whole(topn, "topn") < 1:
            return []
        without = listed(exclude, ordered=False)
        if without and topn is None:
            raise TypeError("topn=None returns the cosines of all words that may answer, and exclude= leaves out answers: give one")
        target, asked = self._target(positive, negative)
        asked += self._places(without)
        if indexer is not None:
            if topn is None or among is not None or clip_start or clip_end or restrict_vocab or without:
                raise TypeError("indexer= answers with topn words of its own: topn=None, among=, exclude=, clip_start=, clip_end= and restrict_vocab= do not go with it")
            return self._by_index(indexer, target, topn, asked)
        if among is not None:
            if clip_start or clip_end or restrict_vocab:
                raise TypeError("among= says which words may answer, and so do clip_start=, clip_end= and restrict_vocab=: give one")
            return self._among(target, topn, asked, self._allowed(among, ordered=topn is None))
        first, last = self._clipped(clip_start, clip_end, restrict_vocab)
        if topn is None:
            cosines: Floats32 = self._directions.cosines(target[None], first, last)[0]
            return cosines
        return self._named(self._nearest(target[None], topn, [asked], first, last)[0])

    def most_similar_batch(
        self, keys: Sequence[KeyOrVector], topn: int = 10, restrict_vocab: Optional[int] = None
    ) -> List[Answers]:
        """Return the nearest words of each word or vector, as ``most_similar`` does it for one.

        All share one product of matrices, so many words at once are much faster than one by one.

        Raises:
            ValueError: a vector is zero or not finite, and so has no direction.
            MissingWordError: a word has no vector, or one without a direction.

        >>> [len(answers) for answers in model.most_similar_batch(["king", "queen"], topn=4)]
        [4, 4]
        """
        keys, topn = listed(keys), whole(topn, "topn")
        words = [key for key in keys if not isinstance(key, np.ndarray)]
        vectors = iter(self._needed(words)) if words else iter(())
        units = []
        for key in keys:
            direction, has = unit(self._checked(key) if isinstance(key, np.ndarray) else next(vectors))
            if not has:
                raise _without_sum(key) if isinstance(key, np.ndarray) else self._without_direction(key)
            units.append(direction)
        asked = [[] if isinstance(key, np.ndarray) else self._places([key]) for key in keys]
        first, last = self._clipped(0, None, restrict_vocab)
        matrix = np.array(units, np.float32).reshape(len(units), self.dim)
        return [self._named(answers) for answers in self._nearest(matrix, topn, asked, first, last)]

    def similar_by_word(self, word: str, topn: int = 10, restrict_vocab: Optional[int] = None) -> Answers:
        """Return the words nearest to a word: ``most_similar`` of one word."""
        return self.most_similar(positive=[word], topn=topn, restrict_vocab=restrict_vocab)

    def similar_by_key(self, key: Key, topn: int = 10, restrict_vocab: Optional[int] = None) -> Answers:
        """Return the words nearest to a word: ``most_similar`` of one word."""
        return self.most_similar(positive=[key], topn=topn, restrict_vocab=restrict_vocab)

    def similar_by_vector(self, vector: Vector, topn: int = 10, restrict_vocab: Optional[int] = None) -> Answers:
        """Return the words nearest to a vector: ``most_similar`` of one vector."""
        return self.most_similar(positive=[vector], topn=topn, restrict_vocab=restrict_vocab)

    def most_similar_cosmul(
        self, positive: Several = None, negative: Several = None, topn: int = 10, restrict_vocab: Optional[int] = None
    ) -> Answers:
        """Return the words that score best by 3CosMul (Levy and Goldberg 2014), with their scores.

        The score is the product of (cosine + 1) / 2 over ``positive``, divided by that over ``negative``,
        each of which is raised by 0.001, as in ``w2v analogy --method 3cosmul``. gensim raises the whole
        divisor by 0.000001.
        """
        if whole(topn, "topn") < 1:
            return []
        if not _weighted(positive, 1.0) + _weighted(negative, 1.0):
            raise ValueError("there are no words to which others could be similar")
        first, last = self._clipped(0, None, restrict_vocab)
        scores = np.ones(last - first, np.float32)
        asked: List[int] = []
        for keys, divides in ((positive, False), (negative, True)):
            for key, _ in _weighted(keys, 1.0):
                units, of = self._unit_of(key)
                asked += of
                score = (self._directions.cosines(units[None], first, last)[0] + np.float32(1)) / np.float32(2)
                scores = scores / (score + np.float32(_COSMUL_EPSILON)) if divides else scores * score
        return self._named(best(scores, topn, asked, first))

    def analogy(
        self,
        a: str,
        b: str,
        c: str,
        topn: int = 10,
        restrict_vocab: Optional[int] = None,
        *,
        among: Among = None,
        exclude: Iterable[Key] = (),
    ) -> Answers:
        """Return the words that are to c as b is to a: those nearest to b - a + c (3CosAdd).

        ``among`` and ``exclude`` say which words may answer, as in ``most_similar``.

        >>> model.analogy("man", "king", "woman", topn=1) == model.most_similar(["king", "woman"], ["man"], topn=1)
        True
        """
        return self.most_similar(positive=[b, c], negative=[a], topn=topn, restrict_vocab=restrict_vocab, among=among, exclude=exclude)

    def similarity(self, w1: Key, w2: Key) -> float:
        """Return the cosine of two words.

        >>> round(model.similarity("king", "king"), 6)
        1.0
        """
        return cosine(self._own(w1).astype(np.float64), self._own(w2).astype(np.float64))

    def distance(self, w1: Key, w2: Key) -> float:
        """Return 1 less the cosine of two words."""
        return 1 - self.similarity(w1, w2)

    def distances(self, word_or_vector: KeyOrVector, other_words: Sequence[Key] = ()) -> Floats32:
        """Return 1 less the cosines of a word or vector with other words, by default with all of the vocabulary."""
        units, _ = self._unit_of(word_or_vector)
        other_words = listed(other_words)
        if len(other_words) == 0:
            others, last = self._directions, len(self)
        else:
            others, last = Directions(self._needed(other_words)), len(other_words)
        cosines: Floats32 = others.cosines(units[None], 0, last)[0]
        return 1 - cosines

    def relative_cosine_similarity(self, wa: Key, wb: Key, topn: int = 10) -> float:
        """Return the cosine of two words, divided by the sum of those of the words nearest to the first one.

        Source: Leeuwenberg et al. 2016, A Minimally Supervised Approach for Synonym Extraction with Word Embeddings.

        >>> model.relative_cosine_similarity("king", "queen") < 1
        True
        """
        nearest = self.most_similar(positive=[wa], topn=whole(topn, "topn"))
        if not nearest:
            raise ValueError(f"no words are near to {wa!r}")
        return self.similarity(wa, wb) / sum(cosine for _, cosine in nearest)

    def closer_than(self, key1: Key, key2: Key) -> List[str]:
        """Return the words that are nearer to the first word than the second word is."""
        cosines = self.most_similar(positive=[key1], topn=None)
        of = cosines[self.get_index(key2)]
        nearer = np.flatnonzero(cosines > of)
        return [self._words.at(int(i)) for i in nearer if int(i) != self._find(key1).place]

    def rank(self, key1: Key, key2: Key) -> int:
        """Return the rank of the second word among the neighbours of the first one, from 1."""
        return len(self.closer_than(key1, key2)) + 1

    def most_similar_to_given(self, key1: Key, keys_list: Sequence[str]) -> str:
        """Return the word of a list that is nearest to a word. Words without a direction are farthest."""
        keys_list = listed(keys_list)
        if len(keys_list) == 0:
            raise ValueError("there are no words of which one could be the nearest")
        distances = self.distances(key1, keys_list)
        return str(keys_list[int(np.argmin(np.where(np.isnan(distances), np.inf, distances)))])

    def get_normed_vectors(self) -> Floats32:
        """Return a copy of the vectors of all words, each scaled to length 1."""
        return self._directions.units()

    def _by_index(self, indexer: Any, target: Floats32, topn: int, asked: List[int]) -> Answers:
        """Return the words that an index finds, without those of the question."""
        without = {self._words.at(place) for place in asked}
        n = topn + len(without)
        found = indexer.search(target[None], n)[0] if isinstance(indexer, Index) else indexer.most_similar(target, n)
        return [(word, float(score)) for word, score in found if word not in without][:topn]

    def _allowed(self, among: Union[Callable[[str], bool], Iterable[Key]], *, ordered: bool) -> List[int]:
        """Return the places of the words that may answer."""
        if callable(among):
            return [place for place in range(len(self)) if among(self._words.at(place))]
        return [self.get_index(key) for key in listed(among, ordered=ordered)]

    def _among(self, target: Floats32, topn: Optional[int], asked: List[int], places: List[int]) -> Union[Answers, Floats32]:
        """Return what ``most_similar`` does, of words in some places alone."""
        if not places:
            return [] if topn is not None else np.full(len(places), np.nan, np.float32)
        at = np.array(places, np.int64)
        if topn is None:
            cosines: Floats32 = Directions(self.vectors[at]).cosines(target[None], 0, len(at))[0]
            return cosines
        at = np.unique(at)
        cosines = Directions(self.vectors[at]).cosines(target[None], 0, len(at))[0]
        skip = [i for i, place in enumerate(at.tolist()) if place in asked]
        return self._named([(int(at[i]), score) for i, score in best(cosines, topn, skip)])

    def _clipped(self, start: int, end: Optional[int], restrict: Optional[int]) -> Tuple[int, int]:
        start = whole(start, "clip_start")
        end = None if end is None else whole(end, "clip_end")
        if restrict is not None and not isinstance(restrict, (int, np.integer)):
            raise TypeError(f"restrict_vocab is of type {type(restrict).__name__}, and must be a number of words; among= takes the words")
        if restrict:
            start, end = 0, restrict
        last = len(self) if not end else min(end, len(self))
        return min(max(start, 0), last), last

    def _places(self, keys: Iterable[KeyOrVector]) -> List[int]:
        """Return the places in the vocabulary of those words that are there."""
        found = [self._find(key).place for key in keys if not isinstance(key, np.ndarray)]
        return [place for place in found if place >= 0]

    def _unit_of(self, key: KeyOrVector) -> Tuple[Floats32, List[int]]:
        """Return the direction of a word or vector, and its place if it has one. No direction is an error."""
        if isinstance(key, np.ndarray):
            direction, has = unit(self._checked(key))
        else:
            direction, has = unit(self._needed([key])[0])
            if not has:
                raise self._without_direction(key)
        return direction, self._places([key])

    def _without_direction(self, key: Key) -> Exception:
        missing = self._missing(str(key))
        return type(missing)(str(key), "its vector is zero or not finite, and so has no direction")

    def _checked(self, vector: Vector) -> Vector:
        if vector.shape != (self.dim,):
            raise ValueError(f"a vector of shape {vector.shape} for a model of {self.dim} dimensions")
        return vector

    def _target(self, positive: Several, negative: Several) -> Tuple[Floats32, List[int]]:
        """Return the direction of a sum of words, and the places of these words."""
        terms = _weighted(positive, 1.0) + _weighted(negative, -1.0)
        if not terms:
            raise ValueError("there are no words to which others could be similar")
        total = np.zeros(self.dim)
        for key, weight in terms:
            total += weight * (self._checked(key) if isinstance(key, np.ndarray) else self._unit_of(key)[0])
        target, has = unit(total)
        if not has:
            raise _without_sum(total)
        return target, self._places(key for key, _ in terms)

    def _nearest(
        self, units: Floats32, topn: int, asked: List[List[int]], first: int, last: int
    ) -> List[List[Tuple[int, float]]]:
        found = self._directions.nearest(units, topn, [self._words.repeated.union(places) for places in asked], first, last)
        return [answers if u.any() else [] for u, answers in zip(units, found)]

    def _named(self, answers: List[Tuple[int, float]]) -> Answers:
        return [(self._words.at(place), score) for place, score in answers]


def _without_sum(total: NDArray[Any]) -> ValueError:
    why = "zero, as after words that cancel each other out" if np.isfinite(total).all() else "not finite: a vector has NaN or infinity"
    return ValueError(f"nothing is similar to a vector without a direction, and the sum of the question is {why}")


def _weighted(several: Several, weight: float) -> List[Tuple[KeyOrVector, float]]:
    """Return words and vectors with their weights."""
    if several is None:
        return []
    if isinstance(several, (str, int, np.integer)) or isinstance(several, np.ndarray) and several.ndim == 1:
        several = [several]
    if isinstance(several, (bytes, bytearray)):  # whose items are ints, and so places of words
        raise not_a_word(several)
    terms: List[Tuple[KeyOrVector, float]] = []
    for term in listed(several, ordered=False):
        if isinstance(term, tuple):
            if len(term) != 2 or isinstance(term[1], str):
                raise TypeError(f"a tuple in a question is a word and its weight, such as ('king', 1.0); found {term!r}")
            terms.append((term[0], float(term[1])))
        else:
            terms.append((term, weight))
    return terms


def cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return the cosine of two vectors, NaN if one of them has no direction."""
    lengths = math.sqrt(np.dot(a, a)) * math.sqrt(np.dot(b, b))
    if not 0 < lengths < math.inf:
        return math.nan
    of = float(np.dot(a, b)) / lengths
    return of if -1 <= of <= 1 else math.copysign(1, of)
