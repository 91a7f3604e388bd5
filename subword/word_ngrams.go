package subword

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/hashing"
)

// WordNgrams hashes word n-grams into buckets exactly as fastText does. Source: Dictionary::addWordNgrams in
// fastText's dictionary.cc.
//
// The hash of a single word is 32-bit FNV-1a of its bytes, sign-extended to 64 bits. Each further word
// multiplies the hash by 116049371 and adds its own hash. The bucket is the hash modulo the number of buckets.
type WordNgrams struct {
	MaxN    int // longest n-gram, in words; the shortest has 2
	Buckets int // number of buckets
}

// Validate reports the first invalid setting.
func (w WordNgrams) Validate() error {
	if w.MaxN < 2 || w.MaxN > MaxLength {
		return fmt.Errorf("subword: runs of words are up to %d words long, must be from 2 to %d", w.MaxN, MaxLength)
	}
	return checkRange("buckets of runs of words", w.Buckets, 1, math.MaxInt32)
}

// Hash returns the hash of a single word.
func (w WordNgrams) Hash(word string) uint64 {
	var buf [128]byte
	return uint64(int64(int32(hashing.FastText(append(buf[:0], word...)))))
}

// Next returns the hash of a run extended by a word. Both arguments are hashes.
func (w WordNgrams) Next(run, word uint64) uint64 { return run*116049371 + word }

// Bucket returns the bucket of a hash.
func (w WordNgrams) Bucket(run uint64) uint32 { return uint32(run % uint64(w.Buckets)) }

// Append appends the bucket of every run of consecutive words to dst: the runs that begin with the first
// word, short before long, then those that begin with the next word. words are hashes.
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
