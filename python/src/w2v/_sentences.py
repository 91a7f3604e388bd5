"""Sentences → what the program reads on its standard input.

The program reads JSON lines. A block of sentences is one line: a JSON string whose newlines end
sentences and whose spaces separate tokens. That is nearly as fast as plain text. A block with a
token that holds white space becomes arrays of tokens instead, which the program takes as they
are. So no token is ever cut, whatever comes later in the stream.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, MappingView, Set, ValuesView
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from ._checked import ONE_COLUMN, is_missing, is_row_of_pandas, not_a_text, shown
from .columns import names_of, plain
from .errors import DataError, Error

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

_FIELD = "say which field has the text, such as text='text', or give a list of tokens"

_encode = json.JSONEncoder(ensure_ascii=False).encode


def blocks(sentences: Iterable[Sentence], *, whole: bool, what: str = "sentences") -> Iterator[Tuple[bytes, int]]:
    """Yield blocks of the stream, each with its number of sentences.

    Args:
        sentences: an iterable of texts, or of lists of tokens. It is read once.
        whole: tokens of lists are always sent one by one, because a tokenizer that takes texts
            apart must leave them alone.
        what: the name of the argument, for errors.
    """
    refuse(sentences, what)
    tokens: List[Sequence[str]] = []
    texts: List[str] = []
    size = done = 0
    for sentence in plain(sentences):
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
            sentence = tokens_of(sentence, f"sentence {done + len(texts) + len(tokens)}", _FIELD)
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


def refuse(sentences: Any, what: str = "sentences", by_column: bool = False) -> None:
    """Refuse what does not give sentences in an order, each a text or a list of tokens.

    Args:
        sentences: what was given.
        what: the name of the argument, for errors.
        by_column: there is an argument `text` for the column of a table.
    """
    if isinstance(sentences, (bytes, bytearray, memoryview)):
        raise TypeError(f"{what} is bytes: give an iterable of texts or of lists of tokens, or a path as str")
    columns = names_of(sentences)
    if columns is not None:
        example = "text" if not columns or "text" in columns else columns[0]
        how = f"text={example!r}" if by_column else f"{what}[{example!r}]"
        raise TypeError(f"{what} is a table: give one of its columns, such as {how}")
    unordered = _unordered(sentences)
    if isinstance(sentences, Mapping) and sentences and all(names_of(value) is not None for value in sentences.values()):
        raise TypeError(f"{what} is a dictionary of tables: give one of them, such as {what}[{next(iter(sentences))!r}]")
    if unordered is not None and not isinstance(sentences, ValuesView):
        raise TypeError(f"{what} is {unordered}: give an iterable of texts or of lists of tokens")
    shape = getattr(sentences, "shape", None)
    if isinstance(shape, tuple) and (len(shape) not in (1, 2) or len(shape) == 2 and shape[1] == 1):
        raise TypeError(f"{what} is an array of shape {shape}: give a list of texts, array[:, 0], or a row of tokens for each sentence")
    if not hasattr(sentences, "__iter__") and not hasattr(sentences, "__getitem__"):
        raise TypeError(f"{what} is of type {type(sentences).__name__}, and must be an iterable or a path")


def none_in(sentences: Any, what: str) -> DataError:
    """Return the error of an iterable that gave nothing."""
    once = hasattr(sentences, "__next__")
    return DataError(f"{what} is empty" + (": it is an iterator, which gives what it has once, and may be used up" if once else ""))


def _unordered(value: Any) -> Optional[str]:
    """Return what has no order, or has keys beside its values, in words; None for all else."""
    if isinstance(value, Mapping):
        return "a dictionary"
    if isinstance(value, (Set, MappingView)):
        return f"of type {type(value).__name__}, which has no order of its own"
    return None


def tokens_of(sentence: Any, where: str, of_rows: str = "give the text of one field, such as row['text'], or a list of tokens") -> List[Any]:
    """Return the tokens of a sentence that is not text. Whether they are texts is not looked at."""
    if isinstance(sentence, (bytes, bytearray, memoryview)):
        raise TypeError(f"{where} is bytes: decode it")
    if _unordered(sentence) is not None or hasattr(sentence, "keys") or hasattr(sentence, "_fields"):
        raise TypeError(_row(where, sentence, of_rows))
    if is_row_of_pandas(sentence):
        raise TypeError(f"{where} is {ONE_COLUMN}")
    if hasattr(sentence, "iloc"):
        raise TypeError(_row(where, sentence, "give a list of tokens"))
    if isinstance(sentence, io.IOBase):
        raise TypeError(_row(where, sentence, "give its text, or its path in paths="))
    try:
        return list(sentence)
    except TypeError:
        raise not_a_text(sentence, where, "must be a text or a list of tokens") from None


def _row(where: str, sentence: Any, instead: str) -> str:
    return f"{where} is of type {type(sentence).__name__}: {instead}"


def not_a_token(token: Any, where: str) -> TypeError:
    """Return the error of a token that is not text."""
    if isinstance(token, (bytes, bytearray)):
        what = "tokens are texts, so decode it"
    elif is_missing(token):
        what = "leave out what is missing"
    elif hasattr(token, "__iter__"):
        what = "a sentence is one list of texts, so give one for each"
    else:
        what = "tokens are texts, so make it str(token)"
    return TypeError(f"{where} has the token {shown(token)} of type {type(token).__name__}: {what}")


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
    # join, for its errors: an array of JSON could also hold what is not text.
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
        where = f"sentence {before + i}"
        if is_row_of_pandas(sentence):
            return TypeError(f"{where} is {ONE_COLUMN}")
        for token in sentence:
            if not isinstance(token, str):
                return not_a_token(token, where)
            try:
                token.encode()
            except UnicodeEncodeError as e:
                return DataError(f"{where} has the text {token[:100]!r}, which is no UTF-8: {e.reason}")
    return Error("the sentences cannot be sent to the program")
