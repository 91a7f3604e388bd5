#!/bin/sh
# Makes the golden files of floret and finalfusion again, which are not in Debian
# and have to be built first:
#
#   floret: github.com/explosion/floret, `make`; the program must be in PATH
#   finalfusion: github.com/finalfusion/finalfusion-python, with Debian's
#     cython3, python3-dev, python3-numpy and python3-toml:
#     `/usr/bin/python3 setup.py build_ext --inplace`, then PYTHONPATH=…/src
#
# floret does not repeat itself, as fastText does not: see generate.sh, which has
# to be run first, because the queries and skipgram.bin are its.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Tables of several numbers of hashes: floret's default lengths of n-grams among
# them, one with n-grams of one code point, and one without any.
train="-input toy.txt -mode floret -dim 5 -minCount 2 -thread 12 -seed 1 -verbose 0 -epoch 20"
floret skipgram $train -output "$tmp/two" -hashCount 2 -bucket 50 -minn 2 -maxn 3
floret cbow $train -output "$tmp/four" -hashCount 4 -bucket 70 -minn 1 -maxn 6
floret skipgram $train -output "$tmp/words" -hashCount 1 -bucket 30 -minn 0 -maxn 0
for m in two four words; do
	cp "$tmp/$m.floret" floret/
	floret print-word-vectors "$tmp/$m.bin" < fasttext/queries.txt > floret/$m.vectors.txt
	# Only the pieces are of use: of their vectors floret prints wrong sums.
	while IFS= read -r w; do
		printf '# %s\n' "$w"
		floret print-ngrams "$tmp/$m.bin" "$w" | cut -d ' ' -f 1
	done < fasttext/queries.txt > floret/$m.pieces.txt
done

/usr/bin/python3 - <<'PY'
import numpy as np
from finalfusion import Embeddings
from finalfusion.compat.fasttext import load_fasttext
from finalfusion.compat.text import load_text_dims
from finalfusion.metadata import Metadata
from finalfusion.norms import Norms
from finalfusion.storage import NdArray, QuantizedArray
from finalfusion.storage.quantized import PQ
from finalfusion.subword import FinalfusionHashIndexer
from finalfusion.vocab import FinalfusionBucketVocab, SimpleVocab

# finalfusion takes no other words than UTF-8.
queries = [q.decode() for q in open("fasttext/queries.txt", "rb").read().split(b"\n")[:-1] if q != b"caf\xe9"]

def keep(name, e):
    """Writes the embeddings, and what they say of the queries: of a known word
    the vector with its norm, of any other the direction."""
    e.write(f"finalfusion/{name}.fifu")
    with open(f"finalfusion/{name}.vectors.txt", "w") as out:
        for q in queries:
            v = e.embedding(q)
            if v is None:
                continue
            if e.norms is not None and q in e.vocab.word_index:
                v = v * e.norms[e.vocab.word_index[q]]
            print(q, *(repr(float(x)) for x in v), file=out)

rng = np.random.default_rng(1)
text = load_text_dims("gensim/word2vec.txt")
keep("simple", text)

ft = load_fasttext("fasttext/skipgram.bin", lossy=True)
keep("fasttext", ft)
keep("fasttext-explicit", ft.bucket_to_explicit())

def numbers(*shape):
    return rng.standard_normal(shape).astype(np.float32)

# A model as finalfrontier trains it, with random numbers.
words = text.vocab.words
vocab = FinalfusionBucketVocab(words, FinalfusionHashIndexer(6, 2, 4))
rows = numbers(vocab.upper_bound, 6)
norms = np.linalg.norm(rows[:len(words)], axis=1)
rows[:len(words)] /= norms[:, None]
buckets = Embeddings(NdArray(rows), vocab, Norms(norms), Metadata({"trained": "not at all", "dims": 6, "nested": {"seed": 1}}))
keep("buckets", buckets)
keep("explicit", buckets.bucket_to_explicit())

# Codes and centroids are random too: the layout is what matters.
def quantised(vocab, parts, width, projection, norms):
    n = vocab.upper_bound
    turn = np.linalg.qr(numbers(parts * width, parts * width))[0].astype(np.float32) if projection else None
    pq = PQ(numbers(parts, 16, width), turn)
    codes = rng.integers(0, 16, (n, parts), dtype=np.uint8)
    return QuantizedArray(pq, codes, np.abs(numbers(n)) if norms else None)

keep("quantised", Embeddings(quantised(vocab, 3, 2, False, False), vocab))
keep("quantised-opq", Embeddings(quantised(vocab, 3, 2, True, True), vocab, Norms(np.abs(numbers(len(words))))))
keep("quantised-simple", Embeddings(quantised(SimpleVocab(words), 2, 3, False, True), SimpleVocab(words)))

# N-grams and their buckets, of two ranges of lengths.
with open("finalfusion/ngrams.txt", "w") as out:
    for minn, maxn, exponent in (3, 6, 21), (1, 2, 30):
        indexer = FinalfusionHashIndexer(exponent, minn, maxn)
        for q in queries + ["</s>", ""]:
            print("#", minn, maxn, exponent, q, file=out)
            for ngram, bucket in indexer.subword_indices(q, with_ngrams=True):
                print(ngram, bucket, file=out)
PY
