"""Joins the phrases of a table, such as "new york", to tokens: new_york."""

from __future__ import annotations

from typing import Dict, FrozenSet, List, NamedTuple, Sequence, Set, Tuple

from .errors import Error

__all__ = ["Table"]

_FORMAT = "w2v-phrases-1"


class _Pass(NamedTuple):
    delimiter: str
    connectors: FrozenSet[str]
    ends: Dict[str, Set[Tuple[str, str]]]  # a phrase, and its first and its last word
    firsts: Set[str]


class Table:
    """Phrases, found in several passes over a text. ``w2v phrases --write-table`` describes the format."""

    def __init__(self, text: str) -> None:
        """Read a table. A line that is not as it should be is an error."""
        self._passes: List[_Pass] = []
        left = 0
        for number, line in enumerate(text.split("\n")[: -1 if text.endswith("\n") else None], 1):
            fields = line.split("\t")
            if left == 0:
                if len(fields) < 4 or fields[0] != _FORMAT or not fields[2].isdigit() or not fields[3]:
                    raise Error(f"line {number}: expected a pass of a table of phrases, found {line[:40]!r}")
                left = int(fields[2])
                self._passes.append(_Pass(fields[3], frozenset(fields[4:]), {}, set()))
            elif len(fields) == 5:
                left -= 1
                phrase, first, last = fields[:3]
                self._passes[-1].ends.setdefault(phrase, set()).add((first, last))
                self._passes[-1].firsts.add(first)
            else:
                raise Error(f"line {number}: expected a phrase with its ends, count and score, found {line[:40]!r}")
        if left or not self._passes:
            raise Error(f"{left} more phrases should follow: the table was cut short")

    def joined(self, tokens: List[str]) -> List[str]:
        """Return the tokens of a sentence with its phrases joined, pass by pass."""
        for one in self._passes:
            tokens = _joined(tokens, one)
        return tokens


def _joined(tokens: Sequence[str], one: _Pass) -> List[str]:
    """Join from left to right a token that begins a phrase with the next one that is no connector."""
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
            if (first, tokens[end]) in one.ends.get(phrase, ()):
                out.append(phrase)
                i = end + 1
                continue
        out += tokens[i:end]
        i = end
    return out
