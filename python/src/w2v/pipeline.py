"""Cuts texts into tokens as the text was cut that a model was trained on, with the tokens of the w2v program."""

from __future__ import annotations

import hashlib
import re
import string
from typing import Any, Callable, Dict, List, Mapping, Optional

from .characters import category, clusters_of, in_form, lower, sentences_of, words_of
from .errors import Error
from .kmers import Kmers
from .phrases import Table
from .words import decoded, encoded

__all__ = ["Pipeline"]

_LONGEST_TOKEN = 16384  # bytes
_LONGEST_SENTENCE = 1 << 18  # characters; the program may cut longer ones
_LONGEST_KEPT = 64  # characters between two spaces, whose tokens are kept
_MOST_KEPT = 1 << 16
_BLANKS = " \n\r\t\v\f\0"
_TOKEN = re.compile(f"[^{_BLANKS}]+")
_NOT_UTF_8 = re.compile("[\ud800-\udfff]")
_BYTE_ORDER_MARK = "\ufeff"
_TOKENIZER_FILE = "tokenizer.json sha256:"
_CHOICES = {
    "normalize": ("none", "nfc", "nfkc"),
    "digits": ("keep", "zero", "drop"),
    "punctuation": ("auto", "keep", "drop"),
    "sentences": ("line", "unicode"),
    "tokenizer": ("whitespace", "unicode", "characters"),
}
_LANGUAGES = ("", "af", "az", "el", "lt", "nl", "tr")


class Pipeline:
    """How text becomes tokens. ``w2v train --help`` describes the settings that a model records."""

    def __init__(
        self, recorded: Mapping[str, Any], phrases: Optional[bytes] = None, known: Callable[[str], bool] = lambda _: True
    ) -> None:
        """Take what a model records, its table of phrases, and a function that says which tokens the model has."""
        choice = {name: str(recorded.get(name) or usual[0]) for name, usual in _CHOICES.items()}
        self._by_program = choice["tokenizer"].startswith(_TOKENIZER_FILE)
        if self._by_program:
            choice["tokenizer"] = "whitespace"
        for name, value in choice.items():
            if value not in _CHOICES[name]:
                raise Error(f"the model's text was cut with {name} {value!r}, which this version does not know")
        self._language = str(recorded.get("lowercase_language") or "")
        if self._language not in _LANGUAGES:
            raise Error(f"the model's text is in lower case by rules that this version does not know: {self._language!r}")
        self._lowercase = recorded.get("lowercase") is True
        self._form = "" if choice["normalize"] == "none" else choice["normalize"]
        self._accents = recorded.get("strip_accents") is True
        self._tokenizer, self._sentences = choice["tokenizer"], choice["sentences"]
        self._digits, self._punctuation = choice["digits"], choice["punctuation"]
        self._split = str(recorded.get("split") or ("\n" if recorded.get("group_by") else "")).replace("\\t", "\t")
        self._kmers = _kmers(recorded)
        self._characters = _whole(recorded, "text_characters") or None  # of a text, which are read
        self._most = _whole(recorded, "text_tokens") or None  # tokens of a text
        self._phrases = _table(phrases, str(recorded.get("phrase_table", ""))) if phrases is not None else None
        self._edits = self._digits != "keep" or self._punctuation == "drop"
        plain = self._tokenizer == "whitespace" and self._sentences == "line"
        self._any_bytes = plain and not (self._form or self._accents or self._language)

        # White space leaves punctuation at words, without which the model may know them.
        self._apart = self._tokenizer == "whitespace" and not (self._by_program or self._split or self._kmers)
        self._unchanged = self._apart and plain and not (
            self._lowercase or self._form or self._accents or self._edits or self._phrases or self._characters or self._most
        )
        self._has = known
        self._cut_before: Dict[str, List[str]] = {}

    def cut(self, text: str) -> Optional[List[str]]:
        """Return the tokens of a text; None if only the program can cut it.

        That is so for a ``tokenizer.json``, for bytes that are not UTF-8, and for characters that Python's Unicode has
        other normal forms for. If the text was cut at white space, the words in a token replace one that the model
        does not have: "end" replaces "end.". With k-mers, a text that is not a sequence is an error.
        """
        return self._cut(text, self._apart)

    def tokens(self, text: str) -> Optional[List[str]]:
        """Return the tokens of a text as training would have them, whether the model knows them or not: see ``cut``."""
        return self._cut(text, False)

    def _cut(self, text: str, apart: bool) -> Optional[List[str]]:
        if self._by_program:
            return None
        text = text[: self._characters]
        if not text.isascii() and _NOT_UTF_8.search(text):
            text = decoded(encoded(text))
            if not self._any_bytes and self._kmers is None and _NOT_UTF_8.search(text):
                return None
        if self._kmers is not None:
            text = self._kmers.text(text)
        limited = apart and self._most is not None  # the limit is that of tokens before words take their place
        sentences = self._listed(text) if self._split else self._lines(text, apart and not limited)
        if sentences is None:
            return None
        if self._phrases is not None:
            sentences = [self._phrases.joined(tokens) for tokens in sentences]
        tokens = [token for tokens in sentences for token in tokens][: self._most]
        return self._words_in(tokens) if limited else tokens

    @property
    def by_program(self) -> bool:
        """Whether only the program cuts texts: by a ``tokenizer.json``."""
        return self._by_program

    def word(self, word: str) -> str:
        """Return the token that a word becomes, or the word as it is if that is not one token."""
        if self._unchanged and word.isascii() and _TOKEN.fullmatch(word):
            return word
        if self._kmers is not None and len(word) != self._kmers.k:
            return word
        try:
            tokens = self._cut(word, False)
        except Error:
            return word
        return tokens[0] if tokens is not None and len(tokens) == 1 else word

    def _changed(self, text: str) -> Optional[str]:
        """Return a text in its normal form and case; None if only the program knows the form."""
        if self._form or self._accents:
            formed = in_form(text, self._form, self._accents)
            if formed is None:
                return None
            text = formed
        return lower(text, self._language) if self._lowercase else text

    def _listed(self, text: str) -> Optional[List[List[str]]]:
        """Return the items of a list, which no tokenizer cuts."""
        tokens = []
        for item in text.split(self._split):
            token = self._changed(item.strip(_BLANKS))
            if token is None:
                return None
            tokens.append(self._edited(token))
        return [_possible(tokens, len(text))]

    def _lines(self, text: str, apart: bool) -> Optional[List[List[str]]]:
        """Return the tokens of each line of a text, where sentences end."""
        if self._sentences == "unicode":
            sentences = sentences_of(text)
            if max(map(len, sentences), default=0) > _LONGEST_SENTENCE:
                return None
            text = "".join(s if s.endswith("\n") else s + "\n" for s in sentences)
        lines = []
        for line in text.split("\n"):
            tokens = self._line(line, apart)
            if tokens is None:
                return None
            lines.append(tokens)
        return lines

    def _line(self, line: str, apart: bool) -> Optional[List[str]]:
        """Return the tokens of a line. No rule of words reaches over a space, so what is between spaces is cut once."""
        if self._tokenizer == "characters" or apart != self._apart or _BYTE_ORDER_MARK in line:
            return self._tokens(line, apart, whole=True)
        before, tokens = self._cut_before, []
        for part in line.split(" "):
            some = before.get(part)
            if some is None:
                some = self._tokens(part, apart)
                if some is None:
                    return None
                if len(part) <= _LONGEST_KEPT:
                    if len(before) >= _MOST_KEPT:
                        before.clear()
                    before[part] = some
            tokens += some
        return tokens

    def _tokens(self, text: str, apart: bool, whole: bool = False) -> Optional[List[str]]:
        """Return the tokens of a line or a part of it."""
        changed = self._changed(text)
        if changed is None:
            return None
        if self._tokenizer == "unicode":
            tokens = words_of(changed, self._punctuation == "keep")
        elif self._tokenizer == "characters":
            tokens = clusters_of(changed)
        else:
            tokens = _TOKEN.findall(changed)
        if self._edits:
            tokens = [self._edited(token) for token in tokens]
        if whole and tokens and (self._tokenizer != "whitespace" or changed[0] not in _BLANKS):
            tokens[0] = tokens[0].lstrip(_BYTE_ORDER_MARK)  # a line may begin with it
        tokens = _possible(tokens, len(changed))
        return self._words_in(tokens) if apart else tokens

    def _words_in(self, tokens: List[str]) -> Optional[List[str]]:
        """Return tokens, with the words in a token in place of one that the model does not have."""
        unknown = [token for token in tokens if not self._has(token)]
        if any(map(_NOT_UTF_8.search, unknown)):
            return None
        if not unknown:
            return tokens
        return [word for token in tokens for word in ([token] if self._has(token) else words_of(token, False))]

    def _edited(self, token: str) -> str:
        """Return a token without punctuation and digits, as the settings have it. An empty token is dropped."""
        if self._punctuation == "drop":
            begin, end = 0, len(token)
            while begin < end and _is_punctuation(token[begin]):
                begin += 1
            while end > begin and _is_punctuation(token[end - 1]):
                end -= 1
            token = token[begin:end]
        if self._digits == "zero":
            return "".join("0" if category(c) == "Nd" else c for c in token)
        if self._digits == "drop":
            kinds = {category(c)[0] for c in token}
            return "" if "N" in kinds and "L" not in kinds else token
        return token


def _is_punctuation(c: str) -> bool:
    """Tell whether a character is punctuation, or a symbol that is no pictograph."""
    if c.isascii():
        return c in string.punctuation
    kind = category(c)
    return kind[0] == "P" or kind in ("Sm", "Sc", "Sk")


def _possible(tokens: List[str], length: int) -> List[str]:
    """Return the tokens that are neither empty nor too long, of a text of so many characters."""
    if 4 * length > _LONGEST_TOKEN:
        tokens = [token for token in tokens if len(encoded(token)) <= _LONGEST_TOKEN]
    return [token for token in tokens if token] if "" in tokens else tokens


def _whole(recorded: Mapping[str, Any], name: str) -> int:
    number = recorded.get(name) or 0
    if type(number) is not int or number < 0:
        raise Error(f"metadata 'training': {name}: expected a whole number, found {number!r}")
    return number


def _kmers(recorded: Mapping[str, Any]) -> Optional[Kmers]:
    k = _whole(recorded, "kmers")
    if k == 0:
        return None
    kmers = Kmers(
        k,
        _whole(recorded, "kmer_stride") or 1,
        str(recorded.get("kmer_alphabet") or "dna"),
        recorded.get("kmer_canonical") is True,
        recorded.get("kmer_join") is True,
    )
    kmers.check()
    return kmers


def _table(text: bytes, checksum: str) -> Table:
    found = "sha256:" + hashlib.sha256(text).hexdigest()
    if found != checksum:
        raise Error(f"the model's table of phrases is damaged: its checksum is {found}, expected {checksum}")
    try:
        return Table(decoded(text))
    except Error as error:
        raise Error(f"the model's table of phrases: {error}") from None
