#!/bin/sh
# Makes glove.txt of text.txt: generate.sh FOLDER, which has the programs of https://github.com/stanfordnlp/GloVe.
# A small product leaves pairs for the second file: without any, cooccur counts the first pair twice.
set -e
cd "$(dirname "$0")"
out=$(mktemp -d)
"$1"/vocab_count -min-count 2 < text.txt > "$out"/vocab
"$1"/cooccur -max-product 20 -overflow-length 1000 -vocab-file "$out"/vocab -window-size 4 -overflow-file "$out"/overflow < text.txt > "$out"/counts
"$1"/shuffle -memory 0.1 -seed 1 -temp-file "$out"/temp < "$out"/counts > "$out"/shuffled
"$1"/glove -save-file "$out"/v -threads 1 -input-file "$out"/shuffled -x-max 100 -alpha 0.75 -eta 0.05 -iter 3 \
	-vector-size 6 -binary 1 -vocab-file "$out"/vocab -seed 1 -save-init-param 1
python3 - "$out" > glove.txt <<'END'
import struct, sys
read = lambda name, form: list(struct.iter_unpack(form, open(sys.argv[1] + "/" + name, "rb").read()))
words = [line.split()[0] for line in open(sys.argv[1] + "/vocab")]
print("# Made by generate.sh with GloVe 52f7dbc5. A pair has its count; words and contexts have 6 numbers and a bias, before and after training.")
for i, j, x in read("shuffled", "<iid"):
    print("pair", words[i - 1], words[j - 1], "%.17g" % x)
rows = list(zip(read("v.000.bin", "<7d"), read("v.bin", "<7d")))
for n, (before, after) in enumerate(rows):
    print("word" if n < len(words) else "context", words[n % len(words)], *("%.9g" % x for x in before + after))
END
rm -r "$out"
