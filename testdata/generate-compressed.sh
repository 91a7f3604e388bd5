#!/bin/sh
# Makes the compressed files of this folder again, with the real programs. It gives the same bytes
# every time.
set -eu
cd "$(dirname "$0")"
mkdir -p compressed
gzip -9 -n -c toy.txt > compressed/toy.txt.gz
bzip2 -9 -c toy.txt > compressed/toy.txt.bz2
xz -6 -c toy.txt > compressed/toy.txt.xz
zstd -19 -q -c toy.txt > compressed/toy.txt.zst
