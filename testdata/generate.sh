#!/bin/sh
# Makes the golden files of this folder again, with the real fastText and
# gensim. fastText does not repeat itself with more than one thread, and with
# fewer than 11 it leaves input rows unfilled, so every run makes new bytes:
# after a run, take the sums of README.md again.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
f=fasttext/

# Words in and out of the vocabulary, one a line.
printf '%s\n' the baker '</s>' café naïve 日本語 Ελλάδα 🙂 x aaaa 'caf?' bakers naïveté 日本 Ελλάς 🙃 a q é 'žlu' breadbread 'the-mill' |
	sed "s/caf?/caf$(printf '\351')/" > fasttext/queries.txt

train="-dim 5 -minCount 2 -bucket 50 -thread 12 -seed 1 -verbose 0"
fasttext skipgram -input toy.txt -output "$tmp/skipgram" $train -epoch 20
fasttext cbow -input toy.txt -output "$tmp/cbow" $train -epoch 20 -minn 1 -maxn 4 -ws 3 -neg 7 -t 0.01
fasttext skipgram -input toy.txt -output "$tmp/words" $train -epoch 20 -minn 0 -maxn 0
fasttext cbow -input toy.txt -output "$tmp/tree" $train -epoch 20 -loss hs -minn 2 -maxn 3
cp "$tmp/tree.bin" "$tmp/skipgram.bin" "$tmp/skipgram.vec" "$tmp/cbow.bin" "$tmp/words.bin" "$tmp/words.vec" fasttext/

# A classifier: what the line has to do with bread.
sed -e '/bread/s/^/__label__bread /' -e '/bread/!s/^/__label__other /' toy.txt > "$tmp/labelled.txt"
class="-input $tmp/labelled.txt -dim 5 -thread 12 -seed 1 -verbose 0 -epoch 5"
fasttext supervised $class -output "$tmp/supervised" -minCount 2 -minn 2 -maxn 3 -bucket 50
fasttext supervised $class -output "$tmp/wordngrams" -minCount 2 -wordNgrams 2 -bucket 20
fasttext supervised $class -output "$tmp/quantised" -minCount 1 -minn 2 -maxn 3 -bucket 300
fasttext quantize -input "$tmp/labelled.txt" -output "$tmp/quantised" -verbose 0
# Norms apart, parts of 3 numbers, and only 300 of the rows left.
fasttext supervised $class -output "$tmp/pruned" -minCount 1 -minn 2 -maxn 3 -bucket 300
fasttext quantize -input "$tmp/labelled.txt" -output "$tmp/pruned" -verbose 0 -qnorm -dsub 3 -cutoff 300 -retrain -epoch 1 -thread 12
# Each line has five labels of its own, because -qout takes at least 256.
awk '{ for (i = 0; i < 5; i++) printf "__label__%d ", 5*NR+i; print }' toy.txt > "$tmp/many.txt"
class="-input $tmp/many.txt -dim 5 -thread 12 -seed 1 -verbose 0 -epoch 5"
fasttext supervised $class -output "$tmp/labels" -minCount 1 -minn 2 -maxn 3 -bucket 300
fasttext quantize -input "$tmp/many.txt" -output "$tmp/labels" -verbose 0 -qout -cutoff 260
cp "$tmp/supervised.bin" "$tmp/wordngrams.bin" "$tmp/quantised.ftz" "$tmp/pruned.ftz" "$tmp/labels.ftz" fasttext/

for m in skipgram.bin cbow.bin tree.bin supervised.bin wordngrams.bin quantised.ftz pruned.ftz labels.ftz; do
	fasttext print-word-vectors fasttext/$m < fasttext/queries.txt > "fasttext/${m%.*}.vectors.txt"
done
# Means of words, "</s>" at the end of each line, and runs of two of them.
sed -n 1,12p toy.txt | fasttext print-sentence-vectors fasttext/wordngrams.bin > fasttext/wordngrams.sentences.txt
# print-ngrams takes its word as an argument: a word a block, after a line "# word".
for m in skipgram cbow; do
	while IFS= read -r w; do
		printf '# %s\n' "$w"
		fasttext print-ngrams fasttext/$m.bin "$w"
	done < fasttext/queries.txt > fasttext/$m.ngrams.txt
done

/usr/bin/python3 - <<'PY'
from gensim.models import KeyedVectors
from gensim.models.fasttext import load_facebook_model
kv = load_facebook_model("fasttext/skipgram.bin").wv
kv.save_word2vec_format("gensim/word2vec.bin", binary=True)
kv.save_word2vec_format("gensim/word2vec.txt", binary=False)
kv.save_word2vec_format("gensim/glove.txt", binary=False, write_header=False)
PY
