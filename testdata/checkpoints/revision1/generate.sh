#!/bin/sh
# Makes the checkpoints of this folder. Each run is stopped in its middle, where all that a
# checkpoint holds matters.
#
#   ./generate.sh W2V OLDER
#
# W2V is w2v built from commit 90e8f3f, the last one whose checkpoints name no algorithm
# revision and no sizes; OLDER is w2v built from commit 28b167d, whose CBOW draws 12 negatives
# a block and not 10.
set -eu
cd "$(dirname "$0")"

# stopped FILE PROGRAM FLAGS: a checkpoint of a run that is neither at its begin nor at its end.
stopped() {
	file=$1 program=$2
	shift 2
	for delay in 0.15 0.14 0.16 0.13 0.18 0.12 0.20 0.11 0.25 0.10 0.30 0.09 0.08; do
		rm -f "$file" "$file.before" /tmp/w2v-golden.w2v
		timeout -s INT "$delay" "$program" train ../../toy.txt -o /tmp/w2v-golden.w2v --checkpoint "$file" \
			--dim 4 --min-count 2 --epochs "$epochs" --sample 0.01 --threads 1 --seed 7 --lr 0.02 --progress never "$@" || true
		if [ -s "$file" ] && [ ! -e /tmp/w2v-golden.w2v ]; then
			return
		fi
	done
	echo "$file: no run was stopped in its middle" >&2
	exit 1
}

for kind in portable avx2 avx512; do
	export W2V_SIMD=$kind
	epochs=3000
	[ $kind != portable ] || epochs=400 # portable kernels are ten times as slow
	stopped "words-$kind.w2v" "$1"
	stopped "cbow-$kind.w2v" "$1" --arch cbow
	stopped "cbow12-$kind.w2v" "$2" --arch cbow
	[ $kind = portable ] || epochs=1000
	stopped "team-$kind.w2v" "$1" --subwords fasttext --buckets 50 --deterministic --dim 34
done
