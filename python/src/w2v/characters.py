"""Properties of characters, as of the versions of Unicode that the w2v program has, whatever Python's version is."""

from __future__ import annotations

import os
import re
import unicodedata
import zlib
from functools import lru_cache
from typing import Any, Callable, Dict, Iterable, List, Optional, Pattern, Set, Tuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bytes", "category", "charset", "clusters_of", "codes", "in_form", "lower", "sentences_of", "text_of", "words_of"]

Bytes = NDArray[np.uint8]
Codes = NDArray[np.uint32]

_FILE = os.path.join(os.path.dirname(__file__), "characters.bin")  # made by a test of the Go package internal/wordbreak
_TABLES = ("category", "words", "graphemes", "sentences", "sigma", "forms", "lower")
_LAST = 0x10FFFF

CATEGORIES = (
    "Cn Cc Cf Co Cs Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs".split()
)
"""General categories. Halves of pairs of UTF-16 are bytes that are not UTF-8, and are read as U+FFFD (So)."""

_MARKS_IN_A_ROW = 10
"""From so many marks on, the program may put a joiner between them, as streams of text need it."""


@lru_cache(maxsize=None)
def _runs() -> Dict[str, Tuple[NDArray[np.int32], NDArray[np.int32]]]:
    with open(_FILE, "rb") as file:
        numbers = np.frombuffer(zlib.decompress(file.read()), "<i4")
    tables, at = {}, 0
    for name in _TABLES:
        n = int(numbers[at])
        tables[name] = numbers[at + 1 : at + 1 + n], numbers[at + 1 + n : at + 1 + 2 * n]
        at += 1 + 2 * n
    return tables


@lru_cache(maxsize=None)
def _property(name: str) -> Bytes:
    """Return a property of all characters, by code point."""
    lengths, values = _runs()[name]
    return np.repeat(values.astype(np.uint8), lengths)


def codes(text: str) -> Codes:
    """Return the code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def text_of(points: Codes) -> str:
    """Return the text of code points."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


class _Lazy(Dict[int, str]):
    """A table for ``str.translate``, which is faster than numpy for a few characters."""

    def __init__(self, of: Callable[[], NDArray[Any]]) -> None:
        self._of = of

    def __missing__(self, point: int) -> str:
        self[point] = found = chr(self._of()[point])
        return found


_FEW = 100  # characters, up to which str.translate is faster


def _classes(text: str, table: "_Lazy") -> bytes:
    """Return the class of each character, a byte each."""
    if len(text) <= _FEW:
        return text.translate(table).encode("latin-1")
    return table._of()[codes(text)].tobytes()


def of_categories(*prefixes: str) -> Bytes:
    """Return for all characters whether a general category is one of these, or begins with one of these letters."""
    those = np.array([name.startswith(prefixes) for name in CATEGORIES])
    flags: Bytes = those[_property("category")]
    return flags


def category(c: str) -> str:
    """Return the general category of a character."""
    return CATEGORIES[int(_property("category")[ord(c)])]


# Lower case.


@lru_cache(maxsize=None)
def _lower() -> Codes:
    lengths, values = _runs()["lower"]
    return (np.arange(_LAST + 1, dtype=np.int64) + np.repeat(values, lengths)).astype(np.uint32)


def lower(text: str, language: str) -> str:
    """Return a text in lower case by the rules of a language, or letter by letter if that is empty."""
    if language in ("az", "tr"):
        text = _turkish(text)
    elif language == "lt":
        text = _lithuanian(text)
    if text.isascii():
        return text.lower()
    if language:
        text = _final_sigmas(text).replace("\u0130", "i\u0307")
    return text.translate(_TO_LOWER) if len(text) <= _FEW else text_of(_lower()[codes(text)])


_TO_LOWER = _Lazy(_lower)


def _final_sigmas(text: str) -> str:
    """Return a text in which each capital sigma that ends a word is small."""
    if "\u03a3" not in text:
        return text
    letters = list(text)
    classes = _classes(text, _SIGMA)
    for word in _CASED_WORD.finditer(classes):
        for at in range(word.start() + 1, word.end()):  # the first one has case, and begins the word
            if letters[at] == "\u03a3" and not _BEFORE_CASED.match(classes, at + 1):
                letters[at] = "\u03c2"
    return "".join(letters)


_SIGMA = _Lazy(lambda: _property("sigma"))
_CASED_WORD = re.compile(rb"[\x01\x03][\x01-\x03]*")
_BEFORE_CASED = re.compile(rb"[\x02\x03]{0,30}\x01")


def _turkish(text: str) -> str:
    """Return a text with the lower case of I and İ. The dot above of a decomposed İ is part of the i."""
    text = text.replace("\u0130", "i")
    if "\u0307" in text:
        text = _DOTTED.sub(lambda m: m.group() if _apart(m.group(1)) else "i" + m.group(1), text)
    return text.replace("I", "\u0131")


_DOTTED = re.compile("I([^I\u0307]{0,29})\u0307")


def _apart(text: str) -> bool:
    """Tell whether there is anything in a text but marks that are not above a letter."""
    forms = _property("forms")
    return any(not forms[ord(c)] & _MARK for c in text)


def _lithuanian(text: str) -> str:
    """Return a text with the lower case of I and J, which keep their dots below accents."""
    if text.isascii():
        return text
    out: List[str] = []
    i = 0
    while i < len(text):
        c, i = text[i], i + 1
        parts = unicodedata.normalize("NFD", c)
        if parts[0] not in "IJ":
            out.append(c)
        elif "\u0300" <= parts[1:2] <= "\u0311":
            out += [parts[0].lower(), "\u0307", parts[1:]]
        else:
            end = i
            while end < len(text) and not _apart(text[end]):
                end += 1
            above = end < len(text) and _property("forms")[ord(text[end])] & _ABOVE
            out += [c.lower(), text[i:end], "\u0307" if above else ""]
            i = end
    return "".join(out)


# Normal forms.

_CHANGES, _JOINS, _MARK, _ABOVE = 1, 2, 4, 8  # bits of the table: docs of forms in internal/wordbreak

def in_form(text: str, form: str, accents: bool) -> Optional[str]:
    """Return a text in a normal form, or as it is for an empty name, and then without the accents of letters.

    Python's tables do it, which have the same answers for all characters that both versions of Unicode have.
    None is the answer for other characters, and for what the program does not do by the book.
    """
    if text.isascii():
        return text
    if not _python_knows(text):
        return None
    text = _FORMAT.sub("", text) if form else text
    if accents:
        apart = codes(unicodedata.normalize("NFKD" if form == "nfkc" else "NFD", text))
        text, form = text_of(apart[~of_marks()[apart]]), "nfc"
    if not form:
        return text
    forms = _property("forms")
    for match in _ASTRAL.finditer(text):
        letter, mark = ord(match.group()), ord(match.group(1))
        if forms[mark] & _JOINS and forms[letter & 0xFFFF] & _CHANGES:
            return None  # the program takes the last 16 bits for the letter that a mark joins
    return unicodedata.normalize(form.upper(), text)


_ASTRAL = re.compile("[\U00010000-\U0010ffff](?=(.))", re.DOTALL)


_FORMAT = re.compile("[\u00ad\u061c\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]+")


@lru_cache(maxsize=None)
def of_marks() -> Bytes:
    """Return for all characters whether they are nonspacing marks."""
    return of_categories("Mn")


_known: Set[str] = set()


def _python_knows(text: str) -> bool:
    """Tell whether Python puts a text into normal forms as w2v does."""
    new = set(text) - _known
    if not all(_same_forms(c) for c in new):
        return False
    _known.update(new)
    if len(text) < _MARKS_IN_A_ROW:
        return True
    forms = _property("forms")[codes(text)]
    joining = forms & _JOINS
    return np.count_nonzero(joining) < _MARKS_IN_A_ROW or bytes([_JOINS]) * _MARKS_IN_A_ROW not in joining.tobytes()


def _same_forms(c: str) -> bool:
    """Tell whether both versions of Unicode have a character, or no normal form changes it.

    Forms of a character never change once it has been assigned. A character that only w2v has is never changed
    by Python, and one that only Python has is none by w2v.
    """
    ours, theirs = category(c), unicodedata.category(c)
    if theirs == "Cs":
        return False  # a byte that is not UTF-8
    if (ours == "Cn") == (theirs == "Cn"):
        return True
    return not _property("forms")[ord(c)] & _CHANGES if theirs == "Cn" else theirs[0] not in "LM"


# Boundaries of words, characters and sentences, by UAX #29. A regular expression finds segments in the classes of
# characters, of which each is a byte.


def charset(values: Iterable[int], mask: int = 0xFF) -> bytes:
    """Return an expression for the bytes whose bits in a mask are one of these values."""
    some = frozenset(values)
    return b"[" + b"".join(b"\\x%02x" % b for b in range(256) if b & mask in some) + b"]"


_OTHER, _CR, _LF, _NEWLINE, _EXTEND, _ZWJ, _BLANK, _LETTER, _HEBREW, _NUMBER = range(10)
_CONNECTOR, _KATAKANA, _MID_LETTER, _MID_NUMBER, _MID_BOTH, _QUOTE, _DOUBLE, _FLAG, _PICTURE, _LETTER_PICTURE, _CLOSING = range(10, 21)
_GOOD, _VISIBLE, _TRIMMED = 32, 64, 128


@lru_cache(maxsize=None)
def _word_classes() -> Bytes:
    """Return Word_Break and what makes a segment a word: letters, numbers and pictographs, or anything visible."""
    classes = _property("words").copy()
    classes[of_categories("L", "N", "So")] |= _GOOD
    classes[~of_categories("Z", "Cc", "Cf", "M")] |= _VISIBLE
    blanks = [0, 9, 32, 0x1680, 0x205F, 0x3000, *range(0x2000, 0x2007), *range(0x2008, 0x200B)]
    classes[blanks] |= _TRIMMED
    return classes


_WORD = _Lazy(_word_classes)


@lru_cache(maxsize=None)
def _word_finder(kept: int, hebrew: bool) -> Pattern[bytes]:
    """Return an expression whose first group is a segment that may be a word, in a text with Hebrew or without."""

    def of(*classes: int) -> bytes:
        return charset(classes, 31)

    marks = of(_EXTEND, _ZWJ) + b"*"

    def within(middle: bytes, *letters: int) -> bytes:  # what joins letters if it is between them
        return b"%s%s(?=%s)" % (middle, marks, of(*letters))

    letters, middle = (_LETTER, _HEBREW, _LETTER_PICTURE), of(_MID_LETTER, _MID_BOTH, _QUOTE)
    word = of(*letters) + b"+" + marks + b"(?:%s)?" % within(middle, *letters)
    if hebrew:
        quoted = of(_HEBREW) + marks + b"(?:%s|%s)?" % (within(of(_DOUBLE), _HEBREW), within(middle, *letters))
        word = b"%s|%s" % (quoted, word.replace(b"+", b"", 1))
    number = of(_NUMBER) + b"+" + marks + b"(?:%s)?" % within(of(_MID_NUMBER, _MID_BOTH, _QUOTE), _NUMBER)
    run = b"(?:(?:%s|%s)+|(?:%s+%s)+)" % (word, number, of(_KATAKANA), marks)
    connector = of(_CONNECTOR) + marks
    word = b"(?:(?:%s)*%s(?:(?:%s)+%s)*(?:%s)*|(?:%s)+)" % (connector, run, connector, run, connector, connector)
    word += b"(?:%s%s)?" % (of(_CLOSING), marks)
    flags = b"%s%s(?:%s%s)?" % (of(_FLAG), marks, of(_FLAG), marks)
    apart = b"(?:%s|%s+|%s+|%s)%s" % (flags, of(_BLANK), of(_EXTEND, _ZWJ), b"[^%s" % of(_CR, _LF, _NEWLINE)[1:], marks)
    joined = b"(?:(?<=%s)(?:(?=%s)%s|%s%s))*" % (of(_ZWJ), of(_LETTER_PICTURE), word, of(_PICTURE, _LETTER_PICTURE), marks)
    skipped = b"[" + b"".join(
        b"\\x%02x" % b
        for b in range(256)
        if b & 31 in (_OTHER, _BLANK, _MID_LETTER, _MID_NUMBER, _MID_BOTH, _QUOTE, _DOUBLE) and not b & kept
    ) + b"]"
    skip = b"(?:%s|%s(?!%s))*" % (of(_CR, _LF, _NEWLINE), skipped, of(_EXTEND, _ZWJ))
    return re.compile(b"%s((?:%s|%s)%s)" % (skip, word, apart, joined), re.DOTALL)


@lru_cache(maxsize=None)
def _any(kept: int) -> Pattern[bytes]:
    return re.compile(b"[" + b"".join(b"\\x%02x" % b for b in range(256) if b & kept) + b"]")


_HEBREWS = charset([_HEBREW], 31)
_HEBREW_QUOTE = re.compile(
    b"(?P<letter>%s%s*)%s(?!%s*%s)"
    % (_HEBREWS, charset([_EXTEND, _ZWJ], 31), charset([_QUOTE], 31), charset([_EXTEND, _ZWJ], 31),
       charset([_LETTER, _HEBREW, _LETTER_PICTURE], 31))
)  # fmt: skip
_HAS_HEBREW = re.compile(_HEBREWS)

_ASCII_WORD = re.compile(r"\w+(?:(?:(?<=[A-Za-z])[:.'](?=[A-Za-z])|(?<=[0-9])[.,;'](?=[0-9]))\w+)*", re.ASCII)
_ASCII_VISIBLE = re.compile(_ASCII_WORD.pattern + r"|[!-~]", re.ASCII)


def words_of(text: str, punctuation: bool) -> List[str]:
    """Return the words of a text by Unicode's boundaries, and with ``punctuation`` all else that is visible."""
    if text.isascii():
        if punctuation:
            return _ASCII_VISIBLE.findall(text)
        words = _ASCII_WORD.findall(text)
        return [w for w in words if w.strip("_")] if "_" in text else words
    kept = _VISIBLE if punctuation else _GOOD
    classes = _classes(text, _WORD)
    hebrew = _HAS_HEBREW.search(classes) is not None
    if hebrew:  # its letters join a quote that follows them
        classes = _HEBREW_QUOTE.sub(lambda m: m.group(1) + bytes([m.group()[-1] & ~31 | _CLOSING]), classes)
    some = _any(kept).search
    words = []
    for match in _word_finder(kept, hebrew).finditer(classes):
        begin, end = match.span(1)
        if not classes[begin] & kept:
            if not some(classes, begin, end):
                continue
            while classes[begin] & _TRIMMED:
                begin += 1
        words.append(text[begin:end])
    return words


@lru_cache(maxsize=None)
def _cluster_finder() -> Pattern[bytes]:
    none, cr, lf, control, extend, joiner, prepend, spacing, flag, l, v, t, lv, lvt, picture = range(15)  # noqa: E741

    def of(*classes: int) -> bytes:
        return charset(classes, 31)

    def conjunct(*classes: int) -> bytes:
        return charset([32 * c for c in classes], 96)

    after = of(extend, joiner, spacing) + b"*"
    linked = b"%s*%s%s*" % (conjunct(1), conjunct(2), conjunct(1, 2))
    consonants = b"%s(?:%s%s)*" % (conjunct(3), linked, conjunct(3))
    vowels = of(v, lv) + of(v) + b"*" + of(t) + b"*"
    ends = of(lvt) + of(t) + b"*"
    hangul = b"(?:%s+(?:%s|%s)?|%s|%s|%s+)" % (of(l), vowels, ends, vowels, ends, of(t))
    pictures = b"%s(?:%s*%s%s)*" % (of(picture), of(extend), of(joiner), of(picture))
    any = b"[^" + of(cr, lf, control)[1:]
    core = b"(?:%s|%s|%s|%s{1,2}|%s)" % (consonants, hangul, pictures, of(flag), any)
    return re.compile(b"%s%s|%s|%s*%s%s" % (of(cr), of(lf), of(cr, lf, control), of(prepend), core, after), re.DOTALL)


@lru_cache(maxsize=None)
def _dropped() -> Bytes:
    """Return for all characters whether they are white space or control characters."""
    flags: Bytes = of_categories("Z", "Cc")
    return flags


def clusters_of(text: str) -> List[str]:
    """Return the characters of a text but for white space and control characters: grapheme clusters of UAX #29."""
    if text.isascii():
        return _ASCII_CHARACTER.findall(text)
    points = codes(text)
    properties, dropped = _property("graphemes")[points], _dropped()[points]
    if not properties.any():  # nothing joins anything
        return list(text if not dropped.any() else text_of(points[~dropped]))
    classes, drop = properties.tobytes(), dropped.tobytes()
    characters = []
    for match in _cluster_finder().finditer(classes):
        begin, end = match.span()
        if not drop[begin]:
            characters.append(text[begin:end])
    if _PREPENDED in classes:  # and perhaps a space, which no token has
        return [part for character in characters for part in character.split(" ") if part]
    return characters


_PREPENDED = b"\x06"
_ASCII_CHARACTER = re.compile("[!-~]")


_SENTENCE = _Lazy(lambda: _property("sentences"))
_A_TERM, _S_TERM, _S_CR, _S_LF, _SEP, _CLOSE, _IGNORED, _LOWER, _NUMERIC, _O_LETTER, _CONTINUE, _SP, _UPPER = range(1, 14)
_TERMS = frozenset((_A_TERM, _S_TERM))
_SEPARATORS = frozenset((_S_CR, _S_LF, _SEP))
_ENDS = re.compile(charset(_TERMS | _SEPARATORS))
_DECIDES = re.compile(charset(_TERMS | _SEPARATORS | {_O_LETTER, _UPPER, _LOWER}))


def sentences_of(text: str) -> List[str]:
    """Return the sentences of a text by UAX #29."""
    classes = _classes(text, _SENTENCE)
    sentences, begin = [], 0
    while begin < len(text):
        end = _end_of_sentence(classes, begin)
        sentences.append(text[begin:end])
        begin = end
    return sentences


def _end_of_sentence(classes: bytes, begin: int) -> int:
    """Return where the sentence ends that begins there. Comments name the rules of UAX #29."""
    last = before = 0  # the last two classes but for marks
    close = sp = both = all_ = 0  # the last class but for closing marks, blanks, both, and both and separators
    current, at = classes[begin], begin + 1
    while at < len(classes):
        previous = current
        if previous != _IGNORED:
            before, last = last, previous
        sp = last if last != _SP else sp
        close = last if last != _CLOSE else close
        both = sp if sp != _CLOSE else both
        all_ = both if both not in _SEPARATORS else all_
        if previous not in _SEPARATORS and not _TERMS & {last, close, both, all_}:
            end = _ENDS.search(classes, at)  # before it, no rule ends the sentence
            if end is None:
                break
            of_marks = classes[at : end.start()].rstrip(bytes([_IGNORED]))
            last = of_marks[-1] if of_marks else last
            current, at = classes[end.start()], end.end()
            continue
        current = classes[at]
        if previous == _S_CR and current == _S_LF:  # SB3
            at += 1
            continue
        if previous in _SEPARATORS:  # SB4
            return at
        if (
            current == _IGNORED  # SB5
            or current == _NUMERIC and last == _A_TERM  # SB6
            or current == _UPPER and last == _A_TERM and before in (_UPPER, _LOWER)  # SB7
        ):
            at += 1
            continue
        if both == _A_TERM:  # SB8
            decides = _DECIDES.search(classes, at)
            if decides is not None and classes[decides.start()] == _LOWER:
                at = decides.start()
                continue
        if (
            (current == _CONTINUE or current in _TERMS) and both in _TERMS  # SB8a
            or (current in (_CLOSE, _SP) or current in _SEPARATORS) and close in _TERMS  # SB9
            or (current == _SP or current in _SEPARATORS) and both in _TERMS  # SB10
        ):
            at += 1
            continue
        if (
            last in _TERMS
            or last == _CLOSE and close in _TERMS
            or last == _SP and both in _TERMS
            or last in _SEPARATORS and all_ in _TERMS
        ):  # SB11
            return at
        at += 1
    return len(classes)
