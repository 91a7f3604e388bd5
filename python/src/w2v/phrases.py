"""Phrases, such as "new york": they are found in sentences, and joined to tokens, new_york.

Counts and scores are those of ``w2v phrases``, and of gensim's Phrases.
"""

from __future__ import annotations

import inspect
import json
import math
import numbers
import os
from typing import Any, Callable, Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._checked import path_of, shown, whole
from ._sentences import not_a_token, refuse, tokens_of
from .errors import Error

__all__ = ["FrozenPhrases", "Phrases", "Table", "npmi_scorer", "original_scorer", "table_of"]

_FORMAT = "w2v-phrases-1"
_COUNTS = "w2v-phrase-counts-1"

Path = Union[str, "os.PathLike[str]"]
Ends = Tuple[str, str]
Score = Callable[..., float]
Sentence = Iterable[str]


class _Pass(NamedTuple):
    delimiter: str
    connectors: FrozenSet[str]
    ends: Dict[str, Dict[Ends, Tuple[int, float]]]  # a phrase, and the count and score of its first and its last word
    firsts: "set[str]"

    def add(self, phrase: str, ends: Ends, count: int, score: float) -> None:
        self.ends.setdefault(phrase, {})[ends] = count, score
        self.firsts.add(ends[0])

    def lines(self, number: int) -> Iterator[str]:
        """Yield the lines of a table of phrases."""
        found = [(phrase, *ends, count, score) for phrase, of in self.ends.items() for ends, (count, score) in of.items()]
        found.sort(key=lambda of: (-of[4], -of[3], of[0], of[1]))
        yield "\t".join([_FORMAT, str(number), str(len(found)), self.delimiter, *sorted(self.connectors)])
        for phrase, first, last, count, score in found:
            yield "\t".join([phrase, first, last, str(count), repr(score)])


class Table:
    """Phrases, found in several passes over a text. ``w2v phrases --write-table`` describes the format."""

    def __init__(self, text: str) -> None:
        """Read a table. A line that is not as it should be is an error."""
        self.passes: List[_Pass] = []
        left = 0
        for number, line in enumerate(text.split("\n")[: -1 if text.endswith("\n") else None], 1):
            fields = line.split("\t")
            if left == 0:
                if len(fields) < 4 or fields[0] != _FORMAT or not fields[2].isdigit() or not fields[3]:
                    raise Error(f"line {number}: expected a pass of a table of phrases, found {line[:40]!r}")
                left = int(fields[2])
                self.passes.append(_Pass(fields[3], frozenset(fields[4:]), {}, set()))
            elif len(fields) == 5:
                left -= 1
                self.passes[-1].add(fields[0], (fields[1], fields[2]), *_numbers(number, fields))
            else:
                raise Error(f"line {number}: expected a phrase with its ends, count and score, found {line[:40]!r}")
        if left or not self.passes:
            raise Error(f"{left} more phrases should follow: the table was cut short")

    def joined(self, tokens: List[str]) -> List[str]:
        """Return the tokens of a sentence with its phrases joined, pass by pass."""
        for one in self.passes:
            tokens = _joined(tokens, one)
        return tokens


def _numbers(number: int, fields: Sequence[str]) -> Tuple[int, float]:
    try:
        return int(fields[3]), float(fields[4])
    except ValueError:
        raise Error(f"line {number}: expected the count and the score of a phrase, found {fields[3]!r} and {fields[4]!r}") from None


def _joined(tokens: Sequence[str], one: _Pass, scores: Optional[Dict[int, float]] = None) -> List[str]:
    """Join from left to right a token that begins a phrase with the next one that is no connector.

    The scores of the phrases go to ``scores``, by their places in the result.
    """
    out: List[str] = []
    i = 0
    while i < len(tokens):
        first = tokens[i]
        if first not in one.firsts or first in one.connectors:
            out.append(first)
            i += 1
            continue
        end = i + 1
        while end < len(tokens) and tokens[end] in one.connectors:
            end += 1
        if end < len(tokens):
            phrase = one.delimiter.join(tokens[i : end + 1])
            ends = (first, tokens[end])
            if ends in one.ends.get(phrase, ()):
                if scores is not None:
                    scores[len(out)] = one.ends[phrase][ends][1]
                out.append(phrase)
                i = end + 1
                continue
        out += tokens[i:end]
        i = end
    return out


def original_scorer(
    worda_count: int, wordb_count: int, bigram_count: int, len_vocab: int, min_count: int, corpus_word_count: int
) -> float:
    """Return (n(ab) − m) · V / (n(a) · n(b)), with counts n, the smallest count m, and V different words and pairs.

    Source: Mikolov et al. 2013, Distributed Representations of Words and Phrases and their Compositionality.
    """
    divisor = worda_count * wordb_count
    return (bigram_count - min_count) / float(divisor) * len_vocab if divisor else -math.inf


def npmi_scorer(
    worda_count: int, wordb_count: int, bigram_count: int, len_vocab: int, min_count: int, corpus_word_count: int
) -> float:
    """Return normalised pointwise mutual information, from −1 to 1; −∞ for pairs that are rarer than ``min_count``.

    Source: Bouma 2009, Normalized (Pointwise) Mutual Information in Collocation Extraction.
    """
    if bigram_count < min_count or not (worda_count and wordb_count and bigram_count):
        return -math.inf
    words = float(corpus_word_count)
    pair = bigram_count / words
    return math.log(pair / ((worda_count / words) * (wordb_count / words))) / -math.log(pair)


_SCORINGS: Dict[str, Score] = {"default": original_scorer, "npmi": npmi_scorer}
_OF_A_SCORE = ("worda_count", "wordb_count", "bigram_count", "len_vocab", "min_count", "corpus_word_count")


class _Phrases:
    """What joins the phrases of sentences."""

    threshold: float
    min_count: int
    delimiter: str
    connector_words: FrozenSet[str]
    scoring: Score

    def _pass(self) -> _Pass:
        raise NotImplementedError

    def __getitem__(self, sentence: Any) -> Any:
        """Return a sentence, a list of tokens, with its phrases joined; of an iterable of sentences, an iterable of those."""
        if isinstance(sentence, str):
            raise TypeError("a sentence is a list of tokens, and this is a text: cut it into tokens first, as with split()")
        refuse(sentence, "a sentence")
        if iter(sentence) is not sentence:  # it can be looked at again
            head = next(iter(sentence), "")
            if isinstance(head, str):
                return _joined(list(sentence), self._pass())
        return _Applied(self, sentence)

    def analyze_sentence(self, sentence: Sentence) -> Iterator[Tuple[str, Optional[float]]]:
        """Yield the tokens of a sentence with its phrases joined, each phrase with its score, and others with None."""
        scores: Dict[int, float] = {}
        for i, token in enumerate(_joined(list(sentence), self._pass(), scores)):
            yield token, scores.get(i)

    def find_phrases(self, sentences: Iterable[Sentence]) -> Dict[str, float]:
        """Return the phrases that sentences have, with their scores."""
        analyzed = (self.analyze_sentence(sentence) for sentence in sentences)
        return {token: score for of in analyzed for token, score in of if score is not None}

    def score_candidate(self, word_a: str, word_b: str, in_between: Sequence[str]) -> Union[Tuple[str, float], Tuple[None, None]]:
        """Return the phrase of two words, with the connector words between them, and its score; None and None if it is no phrase.

        >>> import w2v
        >>> phrases = w2v.Phrases([["new", "york"], ["york", "is", "new"]] * 5, min_count=1, threshold=0.1)
        >>> phrases.score_candidate("new", "york", [])[0], phrases.score_candidate("new", "is", [])
        ('new_york', (None, None))
        """
        one = self._pass()
        phrase = one.delimiter.join([word_a, *in_between, word_b])
        found = one.ends.get(phrase, {}).get((word_a, word_b))
        return (None, None) if found is None else (phrase, found[1])

    def export_phrases(self) -> Dict[str, float]:
        """Return all phrases with their scores."""
        return {phrase: max(score for _, score in of.values()) for phrase, of in self._pass().ends.items()}


class _Applied:
    """Sentences with their phrases joined, which can be read as often as the sentences."""

    def __init__(self, phrases: _Phrases, sentences: Iterable[Sentence]) -> None:
        self._phrases, self._sentences = phrases, sentences

    def __iter__(self) -> Iterator[List[str]]:
        one = self._phrases._pass()
        for i, sentence in enumerate(self._sentences):
            yield _joined(_listed(sentence, i), one)


def _listed(sentence: Any, i: int) -> List[str]:
    if isinstance(sentence, str):
        raise TypeError(f"sentence {i} is a text, and must be a list of tokens: cut it first, as with split()")
    return sentence if type(sentence) is list else tokens_of(sentence, f"sentence {i}")


class Phrases(_Phrases):
    """Learns phrases of sentences, and joins them, with the arguments, methods and scores of gensim's Phrases.

    ``train(sentences, phrases=phrases)`` trains the phrases of sentences as words, and the model joins them in texts that
    it is asked for. So does ``train(…, phrases=True)``, with settings such as ``phrase_threshold``. A list of several, each
    learned of the sentences that the one before has joined, gives longer phrases.

    Args:
        sentences: an iterable of lists of tokens, which is read once.
        min_count: rarer pairs are no phrases.
        threshold: the score that a phrase exceeds.
        max_vocab_size: the most words and pairs that are counted: beyond it, rare ones are forgotten. None counts all.
        delimiter: what stands between the words of a phrase.
        scoring: "default", "npmi", or a function with the arguments of ``w2v.phrases.npmi_scorer``.
        connector_words: words that may be within a phrase, and neither begin nor end one.

    Attributes:
        vocab: how often words and pairs were seen, pairs joined by the delimiter.
        corpus_word_count: how many tokens were counted.

    >>> import w2v
    >>> phrases = w2v.Phrases([["in", "new", "york"], ["new", "york", "is", "new"]] * 5, min_count=1, threshold=0.1)
    >>> phrases[["to", "new", "york"]], phrases.vocab["new_york"]
    (['to', 'new_york'], 10)
    >>> sorted(phrases.export_phrases())
    ['in_new', 'is_new', 'new_york', 'york_is']
    """

    _spaced = False  # whether delimiters may have white space in them

    def __init__(
        self,
        sentences: Optional[Iterable[Sentence]] = None,
        min_count: int = 5,
        threshold: float = 10.0,
        max_vocab_size: Optional[int] = None,
        delimiter: str = "_",
        scoring: Union[str, Score] = "default",
        connector_words: Iterable[str] = frozenset(),
    ) -> None:
        min_count = _number(min_count, "min_count")
        threshold = _number(threshold, "threshold")
        if min_count <= 0:
            raise ValueError(f"min_count is {min_count}, and must be at least 1")
        if max_vocab_size is not None and whole(max_vocab_size, "max_vocab_size") < 1:
            raise ValueError(f"max_vocab_size is {max_vocab_size}, and must be at least 1, or None")
        if scoring == "default" and threshold <= 0:
            raise ValueError(f"threshold is {threshold}, and must be above 0 with the default scoring")
        if scoring == "npmi" and not -1 <= threshold <= 1:
            raise ValueError(f"threshold is {threshold}, and must be from -1 to 1 with the scoring npmi")
        if isinstance(connector_words, str) or not isinstance(connector_words, Iterable):
            what = "a text" if isinstance(connector_words, str) else f"of type {type(connector_words).__name__}"
            raise TypeError(f"connector_words is {what}, and must be a list of words")
        connector_words = frozenset(connector_words)
        odd = next((word for word in connector_words if not isinstance(word, str)), None)
        if odd is not None:
            raise TypeError(f"connector_words has {shown(odd)}, of type {type(odd).__name__}, and words are texts")
        if not isinstance(delimiter, str):
            raise TypeError(f"delimiter is {shown(delimiter)}, of type {type(delimiter).__name__}, and must be a text, such as '_'")
        if not delimiter or not self._spaced and delimiter.split() != [delimiter]:
            why = "has white space in it, which words of a model's text cannot have" if delimiter else "is empty"
            raise ValueError(f"delimiter is {delimiter!r}: it {why}. It stands between the words of a phrase, such as '_'")
        if isinstance(scoring, str):
            if scoring not in _SCORINGS:
                raise ValueError(f"scoring is {scoring!r}, and must be {' or '.join(_SCORINGS)}, or a function")
            scoring = _SCORINGS[scoring]
        elif not callable(scoring):
            raise TypeError(f"scoring is {shown(scoring)}, of type {type(scoring).__name__}, and must be {' or '.join(map(repr, _SCORINGS))}, or a function")
        else:
            missing = [name for name in _OF_A_SCORE if name not in inspect.signature(scoring).parameters]
            if missing:
                raise ValueError(f"the function of scoring has no arguments {', '.join(missing)}")
        self.min_count, self.threshold, self.max_vocab_size = min_count, threshold, max_vocab_size
        self.delimiter, self.scoring, self.connector_words = delimiter, scoring, connector_words
        self.vocab: Dict[str, int] = {}
        self.corpus_word_count = 0
        self._least = 1  # count below which words are forgotten next
        self._made: Optional[Tuple[Any, _Pass]] = None
        if sentences is not None:
            self.add_vocab(sentences)

    def __repr__(self) -> str:
        return f"<w2v.Phrases of {len(self.vocab)} words and pairs, min_count={self.min_count}, threshold={self.threshold}>"

    def add_vocab(self, sentences: Iterable[Sentence]) -> None:
        """Count the words and pairs of further sentences.

        >>> import w2v
        >>> phrases = w2v.Phrases()
        >>> phrases.add_vocab([["new", "york"]])
        >>> phrases.vocab
        {'new': 1, 'york': 1, 'new_york': 1}
        """
        refuse(sentences)
        vocab: Dict[str, int] = {}
        most, least = self.max_vocab_size or math.inf, 1
        connectors, delimiter = self.connector_words, self.delimiter
        for i, sentence in enumerate(sentences):
            before = ""  # the word that may begin a phrase, with the connectors behind it
            tokens, word = _listed(sentence, i), ""
            try:
                for word in tokens:
                    self.corpus_word_count += 1
                    if word in connectors:
                        before = before and before + word + delimiter
                        continue
                    vocab[word] = vocab.get(word, 0) + 1
                    if before:
                        pair = before + word
                        vocab[pair] = vocab.get(pair, 0) + 1
                    before = word + delimiter
            except TypeError:  # a word is no text
                raise not_a_token(word, f"sentence {i}") from None
            if len(vocab) > most:
                _prune(vocab, least)
                least += 1
        if not self.vocab:
            self.vocab = vocab
        else:
            self._least = max(self._least, least)
            for word, count in vocab.items():
                self.vocab[word] = self.vocab.get(word, 0) + count
            if len(self.vocab) > most:
                _prune(self.vocab, self._least)
                self._least += 1
        self._made = None

    def _pass(self) -> _Pass:
        of = (self.threshold, self.min_count, self.scoring, self.corpus_word_count, len(self.vocab))
        if self._made is None or self._made[0] != of:
            one = _Pass(self.delimiter, self.connector_words, {}, set())
            for phrase, count in self.vocab.items():
                for first, last in self._splits(phrase):
                    score = self.scoring(
                        worda_count=self.vocab[first], wordb_count=self.vocab[last], bigram_count=count,
                        len_vocab=len(self.vocab), min_count=self.min_count, corpus_word_count=self.corpus_word_count,
                    )  # fmt: skip
                    if score > self.threshold:
                        one.add(phrase, (first, last), count, score)
            self._made = of, one
        return self._made[1]

    def _splits(self, phrase: str) -> Iterator[Ends]:
        """Yield the words that a phrase may be made of, with nothing but connectors between them."""
        d, n = self.delimiter, len(self.delimiter)
        at = [i for i in range(1, len(phrase) - n) if phrase.startswith(d, i)]
        for i, end in enumerate(at):
            first = phrase[:end]
            if first not in self.vocab:
                continue
            for begin in at[i:]:
                between = phrase[end + n : begin].split(d) if begin > end else []
                last = phrase[begin + n :]
                if last in self.vocab and all(word in self.connector_words for word in between):
                    yield first, last

    def freeze(self) -> "FrozenPhrases":
        """Return the phrases without the counts: smaller, and no more sentences can be counted."""
        return FrozenPhrases(self)

    def save(self, path: Path) -> None:
        """Write the counts to a file, as JSON. ``freeze().save(path)`` writes the phrases alone."""
        names = [name for name, function in _SCORINGS.items() if function is self.scoring]
        if not names:
            raise Error("a function of your own for the scoring is not written to a file: freeze() the phrases first, or pickle them")
        settings = {name: getattr(self, name) for name in ("min_count", "threshold", "max_vocab_size", "delimiter")}
        with open(path_of(path), "w", encoding="utf-8", errors="surrogatepass") as file:
            json.dump({"format": _COUNTS, **settings, "scoring": names[0], "connector_words": sorted(self.connector_words),
                       "corpus_word_count": self.corpus_word_count, "vocab": self.vocab}, file, ensure_ascii=False)  # fmt: skip

    @classmethod
    def load(cls, path: Path) -> "Union[Phrases, FrozenPhrases]":
        """Open phrases that ``save`` of either class has written, or a table of ``w2v phrases --write-table``."""
        with open(path_of(path), encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            text = file.read()
        try:
            if text.startswith(_FORMAT):
                return FrozenPhrases(Table(text))
            of = json.loads(text)
            if of.pop("format") != _COUNTS:
                raise ValueError
            vocab, words, delimiter = of.pop("vocab"), of.pop("corpus_word_count"), of.pop("delimiter")
            phrases = cls(**of)
            phrases.delimiter = delimiter + ""
        except (Error, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            why = f": {error}" if isinstance(error, Error) else ", and neither counts of phrases nor a table of them"
            raise Error(f"{os.fspath(path)} is damaged or of another kind{why}") from None
        phrases.vocab, phrases.corpus_word_count = vocab, words
        return phrases


def _number(value: Any, name: str) -> Any:
    if isinstance(value, numbers.Real) and value == value:
        return value
    raise TypeError(f"{name} is {shown(value)}, of type {type(value).__name__}, and must be a number")


def _prune(vocab: Dict[str, int], least: int) -> None:
    for word in [word for word, count in vocab.items() if count < least]:
        del vocab[word]


class FrozenPhrases(_Phrases):
    """Phrases that are found, without the counts of other pairs. ``Phrases.freeze`` returns them.

    Attributes:
        phrasegrams: the phrases with their scores.
    """

    def __init__(self, phrases: "Union[Phrases, Table]") -> None:
        if isinstance(phrases, Table):
            if len(phrases.passes) != 1:
                raise Error(f"the table has {len(phrases.passes)} passes, and Phrases have one: phrase_table= of train takes all")
            self._one = phrases.passes[0]
            least = (score for of in self._one.ends.values() for _, score in of.values())
            self.threshold, self.min_count, self.scoring = math.nextafter(min(least, default=10.0), -math.inf), 1, original_scorer
        else:
            self._one = phrases._pass()
            self.threshold, self.min_count, self.scoring = phrases.threshold, phrases.min_count, phrases.scoring
        self.delimiter, self.connector_words = self._one.delimiter, self._one.connectors
        self.phrasegrams = self.export_phrases()

    def __repr__(self) -> str:
        return f"<w2v.phrases.FrozenPhrases of {len(self.phrasegrams)} phrases>"

    def _pass(self) -> _Pass:
        return self._one

    @staticmethod
    def load(path: Path) -> "FrozenPhrases":
        """Open phrases as ``Phrases.load`` does, and freeze them if they have counts."""
        phrases = Phrases.load(path)
        return phrases if isinstance(phrases, FrozenPhrases) else phrases.freeze()

    def save(self, path: Path) -> None:
        """Write the phrases to a file, which ``w2v phrases --table`` reads, too."""
        with open(path_of(path), "w", encoding="utf-8", newline="\n") as file:
            file.write(table_of(self))


def table_of(phrases: Any) -> str:
    """Return the table of phrases, or of a list of them, which are joined one after the other."""
    several = list(phrases) if isinstance(phrases, (list, tuple)) else [phrases]
    lines: List[str] = []
    for number, one in enumerate(several, 1):
        if not isinstance(one, _Phrases):
            raise TypeError(f"phrases is of type {type(one).__name__}, and must be True, w2v.Phrases, or a list of these")
        found = list(one._pass().lines(number))
        broken = next((line for line in found[1:] if line.count("\t") != 4 or "\n" in line or "\r" in line), None)
        if broken is not None:
            raise Error(f"a phrase has a tab or the end of a line in it, which a table cannot hold: {broken[:60]!r}")
        lines += found
    return "\n".join([*lines, ""])
