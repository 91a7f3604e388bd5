#!/bin/sh
# Makes gensim/phrases-*.tsv and gensim/phrases-joined.txt again: gensim's phrases of toy.txt and
# their scores, and the text joined by two passes. It gives the same bytes every time.
set -eu
cd "$(dirname "$0")"
/usr/bin/python3 - <<'PY'
import re
from gensim.models.phrases import Phrases
# Each byte is a character, so that words that are not valid UTF-8 stay as they are.
lines = open("toy.txt", encoding="latin-1", newline="\n").read().split("\n")[:-1]
sentences = [re.findall(r"[^ \n\r\t\v\f\0]+", line) for line in lines]
connectors = frozenset("the of a and in".split())
for name, options in {
    "default": dict(min_count=1, threshold=2.0),
    "npmi": dict(min_count=2, threshold=-0.5, scoring="npmi"),
    "connectors": dict(min_count=1, threshold=2.0, connector_words=connectors),
}.items():
    phrases = Phrases(sentences, **options).export_phrases()
    with open(f"gensim/phrases-{name}.tsv", "w", encoding="latin-1", newline="\n") as out:
        for phrase in sorted(phrases):
            out.write(f"{phrase}\t{phrases[phrase]!r}\n")
for _ in range(2):
    model = Phrases(sentences, min_count=1, threshold=2.0, connector_words=connectors)
    sentences = [model[s] for s in sentences]
with open("gensim/phrases-joined.txt", "w", encoding="latin-1", newline="\n") as out:
    for s in sentences:
        out.write(" ".join(s) + "\n")
PY
