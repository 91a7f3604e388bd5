// Package vocab counts tokens exactly, gives them ids, and holds what is sampled
// from their counts.
package vocab

import (
	"fmt"
	"math"
)

// A Vocab is the tokens of a corpus with their counts. Ids run from 0 by falling
// count; tokens of equal count are in the order of their bytes. It does not
// change once made and may be used from several goroutines. The zero value has no tokens.
type Vocab struct {
	tokens arena
	table  *table // tells the ids of tokens
	counts []uint64
	total  uint64
}

// newVocab makes a vocabulary of slots of all, which are in its order. It also returns
// the id in the vocabulary of every id of all, -1 for none.
func newVocab(all *table, kept []slot) (*Vocab, []int32, error) {
	v := &Vocab{table: newTable(len(kept), all.secret), counts: make([]uint64, len(kept))}
	to := make([]int32, all.len())
	for id := range to {
		to[id] = -1
	}
	var short [longToken]byte
	for id := range kept {
		s := &kept[id]
		token := all.token(s, &short)
		v.tokens.add(token)
		if _, err := v.table.put(token, s.key, s.count); err != nil {
			return nil, nil, err
		}
		to[s.id] = int32(id)
		v.counts[id] = s.count
		if v.total += s.count; v.total < s.count || v.total > 1<<62 {
			return nil, nil, fmt.Errorf("the counts up to token %.40q add up to more than 2⁶²", token)
		}
	}
	return v, to, nil
}

// Len returns the number of distinct tokens.
func (v *Vocab) Len() int { return len(v.counts) }

// Total returns the sum of all counts.
func (v *Vocab) Total() uint64 { return v.total }

// Count returns how often token id was seen.
func (v *Vocab) Count(id int) uint64 { return v.counts[id] }

// Counts returns the count of every token by id. It must not be changed.
func (v *Vocab) Counts() []uint64 { return v.counts }

// Token returns token id.
func (v *Vocab) Token(id int) string { return string(v.tokens.token(uint32(id))) }

// Tokens returns every token by id.
func (v *Vocab) Tokens() []string {
	all := string(v.tokens.bytes) // shared by all of them
	tokens := make([]string, v.Len())
	var start uint64
	for id, end := range v.tokens.ends {
		tokens[id] = all[start:end]
		start = end
	}
	return tokens
}

// ID returns the id of token, if it has one. It does not allocate.
func (v *Vocab) ID(token []byte) (int32, bool) {
	if v.table == nil { // of no tokens
		return 0, false
	}
	id, ok := v.table.id(token)
	return int32(id), ok
}

// ids returns the id in v of every token of t, by its id in t, -1 for none.
func (v *Vocab) ids(t *table) []int32 {
	ids := make([]int32, t.len())
	var short [longToken]byte
	for i := range t.slots {
		if s := &t.slots[i]; s.count > 0 {
			ids[s.id] = -1
			if id, ok := v.ID(t.token(s, &short)); ok {
				ids[s.id] = id
			}
		}
	}
	return ids
}

// KeepProbabilities returns for every token the probability with which one
// occurrence is kept when frequent tokens are subsampled at threshold sample,
// as word2vec.c computes it: (√(c/sT) + 1) · sT/c, at most 1, for a token of
// count c among T. A threshold of 0 keeps everything.
func (v *Vocab) KeepProbabilities(sample float64) []float64 {
	keep := make([]float64, v.Len())
	for id, c := range v.counts {
		keep[id] = 1
		if sample > 0 {
			x := sample * float64(v.total) / float64(c)
			keep[id] = min(1, math.Sqrt(x)+x)
		}
	}
	return keep
}

// Noise returns the distribution that negative samples are drawn from: count to
// the power exponent, which must be such that the powers are finite and not all zero.
func (v *Vocab) Noise(exponent float64) *Alias {
	weights := make([]float64, v.Len())
	for id, c := range v.counts {
		weights[id] = math.Pow(float64(c), exponent)
	}
	return NewAlias(weights)
}
