#!/bin/sh
# Makes the checkpoints of a revision, each by the flags in a line of the folder's commands.txt.
# A checkpoint is copied while its run goes on, so it is neither at the beginning nor at the end.
#
#   ./generate.sh revision3 W2V
#
# W2V is w2v of that revision: testdata/README.md has the commits.
set -eu
w2v=$(realpath "$2")
cd "$(dirname "$0")/$1"
export W2V_SIMD=portable
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
while read -r name flags; do
	rm -f "$name.w2v"
	while [ ! -e "$name.w2v" ]; do # again, if the run ends too soon
		rm -f "$folder"/*
		"$w2v" train ../../toy.txt -o "$folder/$name.w2v" --checkpoint "$folder/$name.checkpoint" --checkpoint-every 1ms \
			--dim 4 --min-count 2 --epochs 300 --sample 0.01 --threads 1 --seed 7 --lr 0.02 --progress never $flags >/dev/null 2>&1 &
		run=$!
		while [ ! -s "$folder/$name.checkpoint" ] && kill -0 $run 2>/dev/null; do
			sleep 0.001
		done
		if cp "$folder/$name.checkpoint" "$folder/copy" && [ ! -e "$folder/$name.w2v" ]; then
			cp "$folder/copy" "$name.w2v"
		fi
		wait $run || { echo "$name: the run has failed" >&2; exit 1; }
	done
done <commands.txt
