"""Cuts biological sequences into k-mers, as ``w2v kmers`` does."""

from __future__ import annotations

import re
from typing import Iterator, List, NamedTuple, Tuple

from .errors import Error

__all__ = ["Kmers"]

_LARGEST = 1024
_BLANKS = " \t\r\v\f"
_ALPHABETS = {"dna": ("ACGT", "RYSWKMBDHVN"), "protein": ("ACDEFGHIKLMNPQRSTVWYUO", "BJXZ")}
_COMPLEMENT = str.maketrans("ACGT", "TGCA")
_NO_LETTER = "-"  # what a letter becomes that stands for several


class Kmers(NamedTuple):
    """What the k-mers of sequences are. ``w2v kmers --help`` describes the settings."""

    k: int
    stride: int
    alphabet: str
    canonical: bool
    join: bool

    def check(self) -> None:
        """Raise an error if a setting makes no sense."""
        known = self.alphabet in _ALPHABETS and not (self.canonical and self.alphabet == "protein")
        if not 1 <= self.k <= _LARGEST or self.stride < 1 or not known:
            raise Error(f"the model records k-mers that this version does not know: {self}")

    def text(self, text: str) -> str:
        """Return the k-mers of a sequence, or of records of FASTA or FASTQ, with blanks between them.

        Each record is a line, or each part of one between letters that are ambiguous. A text that is not a
        sequence is an error.
        """
        if not text.strip():
            return ""
        if text.lstrip("\r\n")[:1] not in (">", "@", ";"):
            text = ">\n" + text
        return "".join(" ".join(kmers) + "\n" for record in _records(text) for kmers in self._lines(record) if kmers)

    def _lines(self, record: List[Tuple[int, str]]) -> Iterator[List[str]]:
        letters = "".join(self._letters(number, line) for number, line in record)
        lines = [self._kmers(part) for part in letters.split(_NO_LETTER)]
        if self.join:
            return iter([[kmer for line in lines for kmer in line]])
        return iter(lines)

    def _letters(self, number: int, line: str) -> str:
        """Return the letters of a line in upper case."""
        whole, unclear = _ALPHABETS[self.alphabet]
        whole += "U" if self.alphabet == "dna" else ""
        letters = re.sub(f"[{_BLANKS}]", "", line)
        wrong = re.search(f"[^{whole}{whole.lower()}{unclear}{unclear.lower()}.*-]", letters)
        if wrong:
            raise Error(f"line {number}: {wrong.group()!r} is not a letter of a sequence of {self.alphabet}")
        letters = re.sub(f"[{unclear}.*]", _NO_LETTER, letters.upper())
        return letters.replace("U", "T") if self.alphabet == "dna" else letters

    def _kmers(self, part: str) -> List[str]:
        k, begins = self.k, range(0, len(part) - self.k + 1, self.stride)
        if not self.canonical:
            return [part[i : i + k] for i in begins]
        other = part.translate(_COMPLEMENT)[::-1]
        return [min(part[i : i + k], other[len(part) - i - k : len(part) - i]) for i in begins]


def _records(text: str) -> Iterator[List[Tuple[int, str]]]:
    """Yield the lines of sequences of each record, with their numbers from 1."""
    record: List[Tuple[int, str]] = []
    fastq = in_quality = begun = False
    letters = qualities = 0
    for number, line in enumerate(text.split("\n"), 1):
        first = line.rstrip("\r")[:1]
        if in_quality and (qualities < letters or not first):
            qualities += len(line.rstrip("\r"))
            if qualities > letters:
                raise Error(f"line {number}: there are more qualities than the {letters} letters of the record")
        elif not first or first == ";" and not fastq:
            continue
        elif fastq and first == "+" and not in_quality:
            letters, qualities, in_quality = sum(len(re.sub(f"[{_BLANKS}]", "", line)) for _, line in record), 0, True
        elif first == ">" and not fastq or first == "@" and (fastq and in_quality or not begun):
            if begun:
                yield record
            record, begun, fastq, in_quality = [], True, first == "@", False
        elif begun and not in_quality:
            record.append((number, line))
        else:
            begins = "a record of FASTQ begins with @" if begun else "a record of FASTA begins with >, one of FASTQ with @"
            raise Error(f"line {number}: {begins}, and this line with {first!r}")
    if fastq and (not in_quality or qualities < letters):
        raise Error("the last record of FASTQ has fewer qualities than letters: the text is cut short")
    if not begun:
        raise Error("there is no sequence in the text: a record of FASTA begins with >, one of FASTQ with @")
    yield record
