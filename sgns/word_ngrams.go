package sgns

import (
	"math/bits"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/subword"
)

// Word n-grams (sent2vec, Pagliardini, Gupta and Jaggi 2018): runs of tokens next to each
// other are contexts of CBOW beside words, with hashed rows of their own. A run that the
// centre is in, or that leaves the window, is no context of it.

// A runHasher gives runs of tokens their rows.
type runHasher struct {
	subword.WordNgrams
	words []uint64 // the hash of each word
}

// newRunHasher returns the hashes of word n-grams over a vocabulary, nil for none.
func (c Config) newRunHasher(words []string) *runHasher {
	if c.WordNgrams < 2 {
		return nil
	}
	h := &runHasher{WordNgrams: subword.WordNgrams{MaxN: c.WordNgrams, Buckets: c.WordBuckets}}
	for _, word := range words {
		h.words = append(h.words, h.Hash(word))
	}
	return h
}

// aimRuns finds the runs between positions from and to-1 that are contexts of the centres
// first to last-1, and makes of their shares, which are those of words alone, what they
// are if runs are contexts too.
func (b *pairing) aimRuns(t text, first, last, from, to, window int, shares *[simd.Lanes]float32) {
	s := &b.runs
	s.rows, s.with = s.rows[:0], s.with[:0]
	var number [simd.Lanes]float32
	for p := from; p < to; p++ {
		run := b.hasher.words[t.ids[p]]
		for end := p + 1; end < min(p+b.hasher.MaxN, to, int(t.to[p])); end++ {
			run = b.hasher.Next(run, b.hasher.words[t.ids[end]])
			var with uint16
			for c := max(end-window, int(t.from[p]), first); c < min(p+window+1, int(t.to[p]), last); c++ {
				if c < p || c > end {
					with |= 1 << (c - first)
					number[c-first]++
				}
			}
			if with != 0 {
				s.rows = append(s.rows, b.hasher.Bucket(run))
				s.with = append(s.with, with)
			}
		}
	}
	for i, share := range shares {
		shares[i] = share / (1 + share*number[i])
	}
	in, back := s.errors[0], s.errors[1]
	clear(in[:len(s.rows)*simd.Lanes])
	clear(back[:len(s.rows)*simd.Lanes])
	for j, with := range s.with {
		for ; with != 0; with &= with - 1 {
			i := bits.TrailingZeros16(with)
			in[j*simd.Lanes+i], back[j*simd.Lanes+i] = shares[i], b.boost*shares[i]
		}
	}
	s.group(inOrder[:last-first], nil, nil)
}
