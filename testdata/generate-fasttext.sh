#!/bin/sh
# Makes the golden files of what fastText prints again, with the real program, from the models of
# generate.sh. It gives the same bytes as long as the models are the same.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C

# Three words a line, in and out of the vocabulary.
paste -d ' ' fasttext/queries.txt fasttext/queries.txt fasttext/queries.txt |
	awk '{ print $1, last, before; before = last; last = $1 }' | sed 1,2d > fasttext/triples.txt

for m in skipgram.bin words.bin tree.bin pruned.ftz; do
	name=fasttext/${m%.*}
	fasttext nn fasttext/$m 3 < fasttext/queries.txt > $name.nn.txt
	# At the end of its input fastText prints the last answers for ever.
	lines=$((1 + 3 * $(wc -l < fasttext/triples.txt)))
	fasttext analogies fasttext/$m 3 < fasttext/triples.txt | head -n $lines > $name.analogies.txt
	printf 'Query triplet (A - B + C)? ' >> $name.analogies.txt
done
for m in skipgram words tree; do
	sed -n 1,12p toy.txt | cat - fasttext/queries.txt | fasttext print-sentence-vectors fasttext/$m.bin > fasttext/$m.sentences.txt
done
for m in skipgram tree supervised wordngrams; do
	for part in args dict input output; do
		fasttext dump fasttext/$m.bin $part
	done > fasttext/$m.dump.txt
done
