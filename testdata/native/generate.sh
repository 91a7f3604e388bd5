#!/bin/sh
# Makes the native models of this folder, each by a line of commands.txt, and the vectors
# that `w2v vector` prints of some words.
#
#   ./generate.sh W2V
#
# W2V is w2v built from commit fc640bb.
set -eu
w2v=$(realpath "$1")
cd "$(dirname "$0")"
export W2V_SIMD=portable
while read -r name command; do
	case $command in
	train*) set -- train ../toy.txt -o "$name.w2v" --dim 6 --min-count 2 --epochs 2 --sample 0.01 --threads 1 --seed 7 --progress never ${command#train} ;;
	*) set -- $command "$name.w2v" ;;
	esac
	"$w2v" "$@" >/dev/null 2>&1
	"$w2v" vector "$name.w2v" the baker café bakers mills naïvely >"$name.vectors.txt" 2>/dev/null || true # where there are no n-grams some words have no vector
done <commands.txt
