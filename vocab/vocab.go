// Package vocab counts the tokens of a corpus and gives them ids, and makes the distributions
// and trees that training derives from counts.
//
// [Index] reads a corpus once and returns its vocabulary and the corpus as ids, which is what
// training needs. [Count] returns only the vocabulary. [Read] and Vocab.WriteTo read and write
// vocabularies as text; [New] and [FromCounts] make them of lists.
//
// Three things are made from counts: Vocab.Noise is the distribution of negative samples,
// Vocab.KeepProbabilities the subsampling of frequent words, and [Huffman] the tree of
// hierarchical softmax.
package vocab

import (
	"fmt"
	"math"
)

// A Vocab holds the tokens of a corpus with their counts and ids. Ids begin at 0 with the most
// frequent token; tokens of equal count are ordered by their bytes. A Vocab is immutable and may
// be used from several goroutines. The zero value has no tokens.
type Vocab struct {
	tokens arena
	table  *table // finds the ids of tokens
	counts []uint64
	total  uint64
}

// newVocab makes a vocabulary of the slots kept, which are slots of the table all in the order of
// a vocabulary. For every id of the table it also returns the id in the vocabulary, or -1.
func newVocab(all *table, kept []slot) (*Vocab, []int32, error) {
	const count, end, id = 8, 8, 4
	text := 0
	for i := range kept {
		text += kept[i].length(all)
	}
	size := tableSize(len(kept))*slotBytes + text + len(kept)*(count+end) + all.len()*id
	if err := all.budget.take(size); err != nil {
		return nil, nil, err
	}
	v := &Vocab{table: newTable(len(kept), all.secret), counts: make([]uint64, len(kept))}
	v.tokens.bytes, v.tokens.ends = make([]byte, 0, text), make([]uint64, 0, len(kept))
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

// Counts returns the count of every token by id. The caller must not change it.
func (v *Vocab) Counts() []uint64 { return v.counts }

// Token returns token id.
func (v *Vocab) Token(id int) string { return string(v.tokens.token(uint32(id))) }

// Tokens returns all tokens in the order of their ids.
func (v *Vocab) Tokens() []string {
	all := string(v.tokens.bytes) // all tokens are parts of this string
	tokens := make([]string, v.Len())
	var start uint64
	for id, end := range v.tokens.ends {
		tokens[id] = all[start:end]
		start = end
	}
	return tokens
}

// ID returns the id of a token, and whether the token is in the vocabulary. It does not allocate.
func (v *Vocab) ID(token []byte) (int32, bool) {
	if v.table == nil { // the zero value
		return 0, false
	}
	id, ok := v.table.id(token)
	return int32(id), ok
}

// ids returns the id in v, or -1, of every token of t, in the order of the ids in t.
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

// KeepProbabilities returns, for every token, the probability of keeping an occurrence when
// frequent tokens are subsampled with the threshold sample. As in word2vec.c it is
// (√(c/sT) + 1) · sT/c, at most 1, where c is the token's count, T the sum of all counts and s
// the threshold. A threshold of 0 keeps everything.
func (v *Vocab) KeepProbabilities(sample float64) []float64 {
	keep := make([]float64, v.Len())
	for id, c := range v.counts {
		keep[id] = keepProbability(c, sample, v.total)
	}
	return keep
}

// keepProbability is KeepProbabilities of a token that is count of all tokens.
func keepProbability(count uint64, sample float64, all uint64) float64 {
	if sample > 0 {
		x := sample * float64(all) / float64(count)
		return min(1, math.Sqrt(x)+x)
	}
	return 1
}

// Noise returns the distribution from which negative samples are drawn: each token's count to the
// power exponent. It panics if the powers are not finite or all zero.
func (v *Vocab) Noise(exponent float64) *Alias {
	weights := make([]float64, v.Len())
	for id, c := range v.counts {
		if id > 0 && c == v.counts[id-1] { // as most are, and powers take long
			weights[id] = weights[id-1]
			continue
		}
		weights[id] = math.Pow(float64(c), exponent)
	}
	return NewAlias(weights)
}
