package subword

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/hashing"
)

// WordNgrams hashes runs of words into buckets as fastText does, bucket for bucket.
// Source: Dictionary::addWordNgrams in fastText's dictionary.cc.
//
// The hash of a run of one word is FNV-1a of the word's bytes, 32 bits whose sign is
// extended to 64. Each further word multiplies it by 116049371 and adds that word's own.
// The bucket is the rest of a division by how many there are.
type WordNgrams struct {
	MaxN    int // longest run, in words; the shortest is 2
	Buckets int // that runs share
}

// Validate reports the first setting that means nothing.
func (w WordNgrams) Validate() error {
	switch {
	case w.MaxN < 2 || w.MaxN > MaxLength:
		return fmt.Errorf("subword: runs of words are up to %d words long, must be from 2 to %d", w.MaxN, MaxLength)
	case w.Buckets < 1 || w.Buckets > math.MaxInt32:
		return fmt.Errorf("subword: buckets of runs of words is %d, must be from 1 to %d", w.Buckets, math.MaxInt32)
	}
	return nil
}

// Hash returns the hash of a word, which is that of the run of it alone.
func (w WordNgrams) Hash(word string) uint64 {
	var buf [128]byte
	return uint64(int64(int32(hashing.FastText(append(buf[:0], word...)))))
}

// Next returns the hash of a run with one more word behind it, which has that hash.
func (w WordNgrams) Next(run, word uint64) uint64 { return run*116049371 + word }

// Bucket returns the bucket of a run of that hash.
func (w WordNgrams) Bucket(run uint64) uint32 { return uint32(run % uint64(w.Buckets)) }

// Append appends the bucket of every run of consecutive words, which have these hashes,
// to dst: those that begin with the first word, short before long, then those that begin
// with the next.
func (w WordNgrams) Append(dst []uint32, words []uint64) []uint32 {
	must(w.Validate())
	for first, run := range words {
		for _, word := range words[first+1 : min(first+w.MaxN, len(words))] {
			run = w.Next(run, word)
			dst = append(dst, w.Bucket(run))
		}
	}
	return dst
}
