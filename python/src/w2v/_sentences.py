"""Sentences → what the program reads on its standard input.

The program reads JSON lines. A block of sentences is one line: a JSON string whose newlines end
sentences and whose spaces separate tokens. That is nearly as fast as plain text. A block with a
token that holds white space becomes arrays of tokens instead, which the program takes as they
are. So no token is ever cut, whatever comes later in the stream.
"""

from __future__ import annotations

import json
from typing import Any, Iterable, Iterator, List, Mapping, Sequence, Tuple, Union

from .errors import Error

#: A sentence: a text, which becomes tokens, or the tokens.
Sentence = Union[str, Iterable[str]]

#: The flags that make the program read what `blocks` returns.
FLAGS = ["--json-field=."]

#: What opens the stream, and what ends it. Between blocks the stream always is within a string
#: of JSON, so the program takes a stream that breaks off for an error, never for the whole text.
OPENING = b'"'
CLOSING = b'"\n'

# Characters below a space, of which those that separate tokens are some, and the space.
_CONTROL = bytes(range(32))
_SPACES = _CONTROL + b" "
# A line of JSON lines may have 64 MB, and a character up to 6 bytes in it.
_LONGEST = 4 << 20
_TOKENS = 32768  # of a block
_TEXT = 1 << 18  # characters of a block of texts

_encode = json.JSONEncoder(ensure_ascii=False).encode


def blocks(sentences: Iterable[Sentence], *, whole: bool) -> Iterator[Tuple[bytes, int]]:
    """Yield blocks of the stream, each with its number of sentences.

    Args:
        sentences: an iterable of texts, or of lists of tokens. It is read once.
        whole: tokens of lists are always sent one by one, because a tokenizer that takes texts
            apart must leave them alone.
    """
    refuse(sentences)
    tokens: List[Sequence[str]] = []
    texts: List[str] = []
    size = done = 0
    for sentence in sentences:
        if isinstance(sentence, str):
            if tokens:
                yield _block_of_tokens(tokens, done, whole), len(tokens)
                done, size, tokens = done + len(tokens), 0, []
            texts.append(sentence)
            size += len(sentence)
            if size >= _TEXT:
                yield from _blocks_of_texts(texts, done)
                done, size, texts = done + len(texts), 0, []
            continue
        if type(sentence) is not list and type(sentence) is not tuple:
            sentence = _listed(sentence, done + len(texts) + len(tokens))
        if texts:
            yield from _blocks_of_texts(texts, done)
            done, size, texts = done + len(texts), 0, []
        tokens.append(sentence)
        size += len(sentence)
        if size >= _TOKENS:
            yield _block_of_tokens(tokens, done, whole), len(tokens)
            done, size, tokens = done + len(tokens), 0, []
    if tokens:
        yield _block_of_tokens(tokens, done, whole), len(tokens)
    if texts:
        yield from _blocks_of_texts(texts, done)


def refuse(sentences: Any) -> None:
    """Refuse what can be iterated over and does not give sentences."""
    if isinstance(sentences, Mapping):
        raise TypeError("sentences is a dictionary: give an iterable of texts or of lists of tokens")
    if isinstance(sentences, (bytes, bytearray)):
        raise TypeError("sentences is bytes: give an iterable of texts or of lists of tokens, or a path as str")
    if hasattr(sentences, "columns") and hasattr(sentences, "iloc"):
        raise TypeError("sentences is a table: give one of its columns, such as table['text']")


def _listed(sentence: Any, number: int) -> List[str]:
    """Return the tokens of a sentence that is no list."""
    if isinstance(sentence, (bytes, bytearray)):
        raise TypeError(f"sentence {number} is bytes: decode it")
    try:
        return list(sentence)
    except TypeError:
        raise TypeError(
            f"sentence {number} is {sentence!r}, of type {type(sentence).__name__}, and must be a text or a list of tokens"
        ) from None


def _block_of_tokens(sentences: List[Sequence[str]], before: int, whole: bool) -> bytes:
    try:
        if not whole:
            text = "\n".join([" ".join(s) for s in sentences if len(s)]).encode()
            apart = sum(map(len, sentences)) - 1
            if len(text) - len(text.translate(None, _SPACES)) == max(apart, 0) and len(text) < _LONGEST * 6:
                return _quoted(text) + b'"\n"'
        return b'"\n' + b"".join([_array(s) for s in sentences]) + b'"'
    except (TypeError, UnicodeEncodeError):
        raise _culprit(sentences, before) from None


def _array(sentence: Sequence[str]) -> bytes:
    # join, for its errors: an array of JSON could also hold what is no text.
    "".join(sentence)
    line = (_encode(list(sentence)) + "\n").encode()
    half = len(sentence) // 2
    if len(line) > _LONGEST * 6 and half:
        return _array(sentence[:half]) + _array(sentence[half:])
    return line


def _blocks_of_texts(texts: List[str], before: int) -> Iterator[Tuple[bytes, int]]:
    if all(len(text) <= _LONGEST for text in texts):
        yield _block_of_texts(texts, before), len(texts)
        return
    for i, text in enumerate(texts):
        for part in _parts(text):
            yield _block_of_texts([part], before + i), 0
        yield _block_of_texts([""], before + i), 1


def _parts(text: str) -> Iterator[str]:
    """Cut a long text, at the ends of lines if it has lines, or else between tokens."""
    begin = 0
    while len(text) - begin > _LONGEST:
        end = begin + _LONGEST
        for separator in "\n", " ":
            at = text.rfind(separator, begin, end)
            if at > begin:
                end = at + 1
                break
        yield text[begin:end]
        begin = end
    yield text[begin:]


def _block_of_texts(texts: List[str], before: int) -> bytes:
    try:
        text = "\n".join(texts)
        data = text.encode()
    except UnicodeEncodeError:
        raise _culprit([[t] for t in texts], before) from None
    if len(data.translate(None, _CONTROL)) + data.count(b"\n") == len(data):
        return _quoted(data) + b'"\n"'
    return _encode(text).encode()[1:] + b'\n"'


def _quoted(text: bytes) -> bytes:
    """Return text without control characters other than newlines as the inside of a JSON string."""
    return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")


def _culprit(sentences: List[Sequence[str]], before: int) -> Exception:
    """Return the error of the token that cannot be sent."""
    for i, sentence in enumerate(sentences):
        for token in sentence:
            where = f"sentence {before + i}"
            if not isinstance(token, str):
                what = "decode it" if isinstance(token, bytes) else "make it str(token)"
                return TypeError(
                    f"{where} has the token {token!r} of type {type(token).__name__}: tokens are texts, so {what}"
                )
            try:
                token.encode()
            except UnicodeEncodeError as e:
                return Error(f"{where} has the text {token[:100]!r}, which is no UTF-8: {e.reason}")
    return Error("the sentences cannot be sent to the program")
