// Package vocab counts tokens exactly, gives them ids, and holds what is sampled
// from their counts.
package vocab

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Vocab is the tokens of a corpus with their counts. Ids run from 0 by falling
// count; tokens of equal count are in the order of their bytes. It does not
// change once made and may be used from several goroutines.
type Vocab struct {
	table  *table
	counts []uint64
	total  uint64
}

// entry is a token and its count on their way into a vocabulary.
type entry struct {
	token []byte
	count uint64
}

// newVocab makes a vocabulary of entries, which it sorts. Tokens must be distinct.
func newVocab(entries []entry, minCount, maxVocab int) (*Vocab, error) {
	entries = slices.DeleteFunc(entries, func(e entry) bool { return e.count < uint64(max(minCount, 0)) })
	slices.SortFunc(entries, func(a, b entry) int {
		if c := cmp.Compare(b.count, a.count); c != 0 {
			return c
		}
		return bytes.Compare(a.token, b.token)
	})
	if maxVocab > 0 && len(entries) > maxVocab {
		entries = entries[:maxVocab]
	}
	v := &Vocab{table: newTable(len(entries)), counts: make([]uint64, len(entries))}
	for i, e := range entries {
		if _, err := v.table.add(e.token); err != nil {
			return nil, err
		}
		v.counts[i] = e.count
		if v.total += e.count; v.total < e.count || v.total > 1<<62 {
			return nil, fmt.Errorf("the counts up to token %.40q add up to more than 2⁶²", e.token)
		}
	}
	return v, nil
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
func (v *Vocab) Token(id int) string { return string(v.table.token(uint32(id))) }

// Tokens returns every token by id.
func (v *Vocab) Tokens() []string {
	arena := string(v.table.arena) // shared by all of them
	tokens := make([]string, v.Len())
	var start uint64
	for id, end := range v.table.ends {
		tokens[id] = arena[start:end]
		start = end
	}
	return tokens
}

// ID returns the id of token, if it has one. It does not allocate.
func (v *Vocab) ID(token []byte) (int32, bool) {
	id, ok := v.table.id(token)
	return int32(id), ok
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
// the power exponent.
func (v *Vocab) Noise(exponent float64) *Alias {
	weights := make([]float64, v.Len())
	for id, c := range v.counts {
		weights[id] = math.Pow(float64(c), exponent)
	}
	return NewAlias(weights)
}
