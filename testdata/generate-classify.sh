#!/bin/sh
# Makes the golden classifiers of each loss, and what fastText predicts with them and with the classifiers of
# generate.sh. With one thread fastText repeats itself, but leaves part of the input rows zero.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# What lines have to do with bread and with the sea, several labels a line, and every third line none of its own.
awk '{
	l = ""
	if (/bread/) l = l "__label__bread "
	if (/sea|boat|fish/) l = l "__label__sea "
	if (NR % 3 == 0 || l == "") l = l "__label__other "
	if (NR % 7 == 0) l = l "__label__seventh "
	print l $0
}' toy.txt > fasttext/labelled.txt
class="-input fasttext/labelled.txt -thread 1 -seed 1 -verbose 0 -epoch 20 -lr 0.5 -minCount 2"
fasttext supervised $class -output "$tmp/hs" -dim 5 -loss hs -wordNgrams 2 -bucket 30
fasttext supervised $class -output "$tmp/ova" -dim 6 -loss ova -minn 2 -maxn 3 -wordNgrams 3 -bucket 60
fasttext supervised $class -output "$tmp/ns" -dim 4 -loss ns -neg 2
fasttext supervised $class -output "$tmp/runs" -dim 5 -wordNgrams 3 -bucket 400
fasttext quantize -output "$tmp/runs" -input - -verbose 0 -qnorm -cutoff 280
for m in hs.bin ova.bin ns.bin runs.ftz; do
	cp "$tmp/$m" "fasttext/class-$m"
done

# Lines that are odd: empty, blank, of unknown words and labels, of bytes, with the end of a line in the middle.
{
	cat fasttext/labelled.txt fasttext/queries.txt
	printf '\n   \n\t\v\f\r\nbread </s> the sea\n</s>\n</s></s> x\n__label__never the bread\n__label__\n'
	printf '\377\376 bytes \200\nzero\000byte the of\nbread the\r\n< > << >>\nthe last line has bread and no end'
} > fasttext/lines.txt
for m in supervised.bin wordngrams.bin quantised.ftz pruned.ftz labels.ftz class-hs.bin class-ova.bin class-ns.bin class-runs.ftz; do
	name=fasttext/${m%.*}
	{
		fasttext predict fasttext/$m fasttext/lines.txt
		fasttext predict-prob fasttext/$m fasttext/lines.txt 3
		fasttext predict-prob fasttext/$m fasttext/lines.txt -1 0.3
	} > $name.predicted.txt
	{
		fasttext test fasttext/$m fasttext/lines.txt
		fasttext test fasttext/$m fasttext/lines.txt 2 0.25
		fasttext test-label fasttext/$m fasttext/lines.txt
		fasttext test-label fasttext/$m fasttext/lines.txt -1 0.4
	} > $name.tested.txt
	fasttext print-sentence-vectors fasttext/$m < fasttext/lines.txt > $name.texts.txt
done
