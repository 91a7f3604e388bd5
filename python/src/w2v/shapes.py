"""Answers in the shapes that gensim and fastText give them, and models of other words."""

from __future__ import annotations

import bz2
import gzip
import io
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._checked import path_of
from .correlation import Correlation, pearson, spearman
from .embedding import Embedding
from .errors import Error
from .filed import Path
from .indexers import FastText
from .native import Native
from .ngrams import BLANKS, subwords
from .storage import Floats32
from .vocabulary import listed, not_a_word
from .words import encoded, has_capitals

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Shapes"]

Question = Tuple[str, str, str, str]

_ANSWERS = 5  # that are looked at for one that is no word of the question, in any case


class Shapes(Embedding):
    """Gives answers as gensim and fastText do. ``Model`` has the documentation of its attributes."""

    def evaluate_word_pairs(
        self,
        pairs: Path,
        delimiter: str = "\t",
        encoding: str = "utf8",
        restrict_vocab: int = 300000,
        case_insensitive: bool = True,
        dummy4unknown: bool = False,
    ) -> Tuple[Correlation, Correlation, float]:
        """Return correlations of cosines with people's judgements, as gensim's method does. ``evaluate`` tells more.

        Args:
            pairs: a file with two words and a number a line, which may end in .gz or .bz2. Lines of another form are left out.
            delimiter: what stands between them.
            encoding: of the file.
            restrict_vocab: only the first words of the vocabulary are known.
            case_insensitive: compares words in upper case. Of several words, the first one counts.
            dummy4unknown: gives pairs with an unknown word the cosine 0; else they are left out.

        Returns:
            Pearson's and Spearman's correlation, each with its p-value, and the percentage of pairs with an unknown word.
        """
        places = self._places_of(restrict_vocab, case_insensitive)
        gold: List[float] = []
        known: List[Tuple[int, int]] = []
        cosines: List[Optional[float]] = []
        unknown = 0
        with _lines(pairs, encoding) as lines:
            for line in lines:
                try:
                    a, b, text = (line.upper() if case_insensitive else line).split(delimiter)
                    number = float(text)
                except ValueError:
                    continue
                if line.startswith("#"):
                    continue
                if a in places and b in places:
                    known.append((places[a], places[b]))
                    cosines.append(None)
                else:
                    unknown += 1
                    if not dummy4unknown:
                        continue
                    cosines.append(0.0)
                gold.append(number)
        if not gold:
            raise ValueError(f"{pairs!s} has no pair with a number, or none of which the model knows both words")
        answers = iter([self.similarity(a, b) for a, b in known])
        found = [next(answers) if cosine is None else cosine for cosine in cosines]
        share = 100 * unknown / (len(gold) if dummy4unknown else len(gold) + unknown)
        return pearson(gold, found), spearman(gold, found), share

    def evaluate_word_analogies(
        self,
        analogies: Path,
        restrict_vocab: int = 300000,
        case_insensitive: bool = True,
        dummy4unknown: bool = False,
        similarity_function: str = "most_similar",
    ) -> Tuple[float, List[Dict[str, Any]]]:
        """Return the share of analogies that are right (3CosAdd), as gensim's method does. ``evaluate`` tells more.

        Args:
            analogies: a file with four words a line, and with ``: name`` before each section. It may end in .gz or .bz2.
            restrict_vocab: only the first words of the vocabulary are known, and are answers.
            case_insensitive: compares words in upper case. Of several words, the first one counts.
            dummy4unknown: counts questions with an unknown word as wrong; else they are left out.
            similarity_function: what answers, ``most_similar`` or ``most_similar_cosmul``.

        Returns:
            the share, and for each section, and for all of them at the end, a dict with its name in ``section``, and the
            questions that were right and wrong in ``correct`` and ``incorrect``.

        Raises:
            ValueError: the file has no questions.
        """
        if similarity_function not in ("most_similar", "most_similar_cosmul"):
            raise ValueError(f"similarity_function is {similarity_function!r}, and must be most_similar or most_similar_cosmul")
        places = self._places_of(restrict_vocab, case_insensitive)
        sections: List[Tuple[str, List[Tuple[Question, bool]]]] = []  # with whether all words are known
        given = 0
        with _lines(analogies, "utf8") as lines:
            for number, line in enumerate(lines, 1):
                if line.startswith(": "):
                    sections.append((line.lstrip(": ").strip(), []))
                    continue
                if not sections:
                    raise ValueError(f"{analogies!s}, line {number}: a section must begin before it, with a line such as ': capitals'")
                words = (line.upper() if case_insensitive else line).split()
                given += len(words) == 4
                known = all(word in places for word in words)
                if len(words) == 4 and (known or dummy4unknown):
                    sections[-1][1].append((cast(Question, tuple(words)), known))
        if not given:
            raise ValueError(f"{analogies!s} has no questions: each is a line of four words")
        asked = [question for _, questions in sections for question, known in questions if known]
        found = self._answered([[places[word] for word in question[:3]] for question in asked], restrict_vocab, similarity_function)
        right = (_is_right(question, words, places, case_insensitive) for question, words in zip(asked, found))
        results: List[Dict[str, Any]] = []
        whole: Dict[str, Any] = {"section": "Total accuracy", "correct": [], "incorrect": []}
        for name, questions in sections:
            results.append({"section": name, "correct": [], "incorrect": []})
            for question, known in questions:
                kind = "correct" if known and next(right) else "incorrect"
                results[-1][kind].append(question)
                whole[kind].append(question)
        n = len(whole["correct"]) + len(whole["incorrect"])
        return len(whole["correct"]) / n if n else 0.0, [*results, whole]

    def _places_of(self, restrict_vocab: Optional[int], upper: bool) -> Dict[str, int]:
        """Return the places of the first words, of which the first one counts if they are equal."""
        words = self.words[:restrict_vocab]
        return {word.upper() if upper else word: place for place, word in zip(range(len(words) - 1, -1, -1), reversed(words))}

    def _answered(self, questions: List[List[int]], restrict_vocab: int, by: str) -> Iterator[List[str]]:
        """Yield the words nearest to b - a + c, for the places of a, b and c, best first."""
        if by == "most_similar_cosmul":
            for a, b, c in questions:
                answers = self.most_similar_cosmul(positive=[b, c], negative=[a], topn=_ANSWERS, restrict_vocab=restrict_vocab)
                yield [word for word, _ in answers]
            return
        first, last = self._clipped(0, None, restrict_vocab)
        for begin in range(0, len(questions), _TOGETHER):
            some = questions[begin : begin + _TOGETHER]
            targets = np.array([self._target([b, c], [a])[0] for a, b, c in some], np.float32)
            for nearest in self._nearest(targets, _ANSWERS, some, first, last):
                yield [word for word, _ in self._named(nearest)]

    def get_word_vector(self, word: str) -> Floats32:
        """Return the vector of a word, and zeros for one without a vector, as fastText does.

        >>> plain.get_word_vector("zzz").any()
        False
        """
        vector: Floats32 = self.get(word, np.zeros(self.dim, np.float32))
        return vector

    def get_sentence_vector(self, sentence: Union[str, Iterable[str]]) -> Floats32:
        """Return the mean of the directions of a text's words, as fastText does. ``embed`` gives better vectors.

        Args:
            sentence: words, or a text, which is cut at blanks.

        >>> model.get_sentence_vector("the king").shape
        (20,)
        """
        words = [word for word in BLANKS.split(sentence) if word] if isinstance(sentence, str) else listed(sentence, ordered=False)
        total, count = np.zeros(self.dim, np.float32), 0
        for word in words:
            vector = self.get_word_vector(word)
            length = np.linalg.norm(vector)
            if length > 0:
                total += vector / length
                count += 1
        return total / np.float32(max(count, 1))

    def get_subwords(self, word: str) -> Tuple[List[str], NDArray[np.int64]]:
        """Return a word, if it is in the vocabulary, and its n-grams, and the rows that these have in a file of fastText.

        >>> model.get_subwords("cat")[0]
        ['cat', '<ca', '<cat', '<cat>', 'cat', 'cat>', 'at>']
        """
        indexer = self._composition.indexer
        if indexer is not None and not isinstance(indexer, FastText):
            raise Error("the n-grams of this model are not those of fastText: w2v ngrams MODEL WORD tells of them")
        if not isinstance(word, str):
            raise not_a_word(word)
        place = self._words.find(word)
        names, rows = ([word], [place]) if place >= 0 else ([], [])
        if indexer is not None:
            of, buckets = subwords(encoded(word), indexer.minn, indexer.maxn, indexer.hashed)
            names = names + of
            rows = rows + [len(self) + row for row in (indexer.row(bucket) for bucket in buckets) if row is not None]
        return names, np.array(rows, np.int64)

    def vectors_for_all(self, keys: Iterable[str], allow_inference: bool = True, copy_vecattrs: bool = False) -> "Model":
        """Return a model of some words alone, each once, in their order. It has no n-grams.

        Args:
            keys: words. Those without a vector are left out.
            allow_inference: words outside of the vocabulary are composed of n-grams, if the model has them.
            copy_vecattrs: keeps the counts of words, 0 for words outside of the vocabulary.

        >>> model.vectors_for_all(["queen", "king", "queen"]).words
        ['queen', 'king']
        """
        words = list(dict.fromkeys(listed(keys)))
        vectors, there, found = self._look_up(words)
        kept = [i for i, f in enumerate(found) if there[i] and (allow_inference or f.place >= 0)]
        counts = self._native.counts if copy_vecattrs else None
        counted = None if counts is None else [int(counts[found[i].place]) if found[i].place >= 0 else 0 for i in kept]
        return _made([words[i] for i in kept], vectors[kept], counted, self._native)

    def with_vectors(self, keys: Union[str, Sequence[str]], weights: ArrayLike, replace: bool = False) -> "Model":
        """Return a model with further words behind those of this one, which does not change.

        Args:
            keys: a word, or several.
            weights: its vector, or a row for each of them.
            replace: gives words that are there already the new vectors; else they keep their own.

        Raises:
            ValueError: a vector has a number that float32 cannot hold, or a word has capitals and the model has none: it looks
                words up in lower case, see ``ignores_case``.

        >>> more = plain.with_vectors(["kingqueen"], [plain["king"] + plain["queen"]])
        >>> len(more) - len(plain), more.most_similar("kingqueen", topn=1)[0][0] in ("king", "queen")
        (1, True)
        """
        if self._composition.indexer is not None:
            raise Error("the model composes words of n-grams, and one with further words could not: model.vectors_for_all(model.words) has its words alone")
        words = [keys] if isinstance(keys, str) else listed(keys)
        odd = next((word for word in words if not isinstance(word, str)), None)
        if odd is not None:
            raise TypeError(f"with_vectors takes words, each a str, and not {odd!r} of type {type(odd).__name__}")
        given = np.atleast_2d(np.asarray(weights))
        if given.shape != (len(words), self.dim):
            raise ValueError(f"weights of shape {given.shape} for {len(words)} words of {self.dim} dimensions")
        if len(set(words)) != len(words):
            raise ValueError("a word is given twice")
        rows = _finite(given, words)
        old, new = self.key_to_index, [i for i, word in enumerate(words) if word not in self.key_to_index]
        capital = next((words[i] for i in new if has_capitals(words[i])), None)
        if capital is not None and self._asked_case is None and self.ignores_case:
            raise ValueError(f"the model looks words up in lower case, and could not with {capital!r}: lower-case it, or open the model with ignore_case=")
        vectors = np.concatenate([self.vectors, rows[new]])
        if replace:
            for i, word in enumerate(words):
                if word in old:
                    vectors[old[word]] = rows[i]
        counts = None if self._native.counts is None else [*self._native.counts.tolist(), *[0] * len(new)]
        return _made([*self.words, *(words[i] for i in new)], vectors, counts, self._native, self._asked_case)


_TOGETHER = 1 << 10  # questions that one product of matrices answers


def _is_right(question: Question, answers: Sequence[str], places: Mapping[str, int], upper: bool) -> bool:
    """Tell whether the first answer that is known and is no word of the question is the expected one."""
    word = ""
    for answer in answers:
        word = answer.upper() if upper else answer
        if word in places and word not in question[:3]:
            break
    return word == question[3]


@contextmanager
def _lines(path: Path, encoding: str) -> Iterator[IO[str]]:
    """Give the lines of a file, which may be compressed."""
    name = path_of(path)
    opened: Any = gzip.open if name.endswith(".gz") else bz2.open if name.endswith(".bz2") else open
    with opened(name, "rb") as raw, io.TextIOWrapper(raw, encoding) as lines:
        yield lines


def _finite(given: NDArray[Any], words: Sequence[str]) -> Floats32:
    """Return the vectors of words in float32, which all numbers must have room in."""
    if np.iscomplexobj(given):
        i = int(np.argmax((given.imag != 0).any(axis=1)))
        raise ValueError(f"the vector of {words[i]!r}, row {i}, has complex numbers: float32 holds real ones")
    with np.errstate(over="ignore"):
        rows: Floats32 = given.astype(np.float32)
    wrong = ~np.isfinite(rows)
    if wrong.any():
        i, j = np.argwhere(wrong)[0].tolist()
        raise ValueError(f"the vector of {words[i]!r}, row {i}, has {given[i, j]}, which is no finite number of float32")
    return rows


def _made(words: List[str], rows: Floats32, counts: Optional[Sequence[int]], like: Native, ignore_case: Optional[bool] = None) -> "Model":
    """Return a model of words with these vectors, whose text was cut as that of another model."""
    from .interchange import native_of
    from .model import Model

    return Model(native_of(words, rows, counts, like), None, ignore_case)
