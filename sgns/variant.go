package sgns

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/subword"
)

// An Arch is an architecture: what predicts what. Its value is the name that the
// command line knows it by.
type Arch string

const (
	// SkipGram predicts every context from the centre (Mikolov et al. 2013).
	SkipGram Arch = "skipgram"
	// CBOW predicts the centre from the mean of its contexts. Each context gets its share
	// of the gradient, where word2vec.c gives it all (İrsoy et al. 2021, koan). Shares are
	// multiplied by how many contexts a centre has on the average, so that rates are those
	// of word2vec.c.
	CBOW Arch = "cbow"
	// Structured is skip-gram with an output matrix for each relative position (Ling et
	// al. 2015).
	Structured Arch = "structured"
)

// Archs returns every architecture.
func Archs() []Arch { return []Arch{SkipGram, CBOW, Structured} }

// A Loss says how an output is told from others. Its value is the name that the command
// line knows it by.
type Loss string

const (
	// NegativeSampling tells it from random words (Mikolov et al. 2013).
	NegativeSampling Loss = "ns"
	// HierarchicalSoftmax tells it by the inner nodes on its path in a Huffman tree over
	// the vocabulary (Morin and Bengio 2005).
	HierarchicalSoftmax Loss = "hs"
)

// Losses returns every loss.
func Losses() []Loss { return []Loss{NegativeSampling, HierarchicalSoftmax} }

// arch is the architecture, SkipGram if none is named.
func (c Config) arch() Arch {
	if c.Arch == "" {
		return SkipGram
	}
	return c.Arch
}

// loss is the loss, NegativeSampling if none is named.
func (c Config) loss() Loss {
	if c.Loss == "" {
		return NegativeSampling
	}
	return c.Loss
}

// maxHeadWindow is the largest window with output matrices, or weights, for each position.
const maxHeadWindow = 1000

// maxWordNgrams is the most tokens in a run with a row.
const maxWordNgrams = 8

// validateVariant reports a setting that says nothing, and settings that make no sense
// together.
func (c Config) validateVariant() error {
	hash, hashed := c.Subword.(subword.Hash)
	_, floret := c.Subword.(subword.Floret)
	refuse := func(format string, args ...any) error { return fmt.Errorf("sgns: "+format, args...) }
	switch {
	case !slices.Contains(Archs(), c.arch()):
		return refuse("architecture %q is not known: %s, %s and %s are", string(c.Arch), SkipGram, CBOW, Structured)
	case !slices.Contains(Losses(), c.loss()):
		return refuse("loss %q is not known: %s and %s are", string(c.Loss), NegativeSampling, HierarchicalSoftmax)
	case c.PositionWeights && c.arch() != CBOW:
		return refuse("position weights belong to the contexts that CBOW averages, and in %s a context is not averaged with others", c.arch())
	case c.WordNgrams < 0 || c.WordNgrams > maxWordNgrams:
		return refuse("word n-grams of %d tokens are not from 0 to %d", c.WordNgrams, maxWordNgrams)
	case c.WordNgrams > 1 && c.arch() != CBOW:
		return refuse("word n-grams are contexts beside words, which CBOW averages; in %s one word predicts, and has no n-grams of words", c.arch())
	case c.WordNgrams > 1 && (c.WordBuckets < 1 || c.WordBuckets > 1<<30):
		return refuse("word n-grams: %d buckets are not from 1 to %d", c.WordBuckets, 1<<30)
	case c.Rank < 0 || c.Rank > 0 && c.Rank >= c.Dim:
		return refuse("rank %d is not from 1 to less than the %d dimensions: as many, or more, would need more numbers than rows of their own", c.Rank, c.Dim)
	case c.Tied && c.loss() == HierarchicalSoftmax:
		return refuse("hierarchical softmax has output vectors of the nodes of a tree, not of words, and there is nothing to tie")
	case c.loss() == HierarchicalSoftmax && c.arch() == Structured:
		return refuse("structured skip-gram has an output vector of each word for each relative position, and hierarchical softmax has none for words: use %s with it", NegativeSampling)
	case c.Tied && c.arch() == Structured:
		return refuse("structured skip-gram has several output vectors a word, and an input vector cannot be tied to all of them")
	case c.Tied && c.Subword != nil:
		return refuse("tied vectors are one row a word, and with n-grams every negative would have to be composed of many rows too")
	case c.Tied && c.Rank > 0:
		return refuse("tied vectors are one row a word, and with a projection every negative would have to be multiplied by it")
	case hashed && hash.AppendWeights && c.Rank > 0:
		return refuse("appended weights are dimensions of the vectors themselves, and a projection would mix them with others")
	case hashed && hash.AppendWeights && hash.Hashes >= c.Dim:
		return refuse("%d appended weights leave nothing of %d dimensions", hash.Hashes, c.Dim)
	case hashed && hash.AppendWeights && len(c.Nested) > 1:
		return refuse("appended weights are the last dimensions, and the first of nested ones would lack them")
	case (hashed || floret) && c.Freeze != FreezeNone:
		return refuse("rows of hash embeddings and of floret's table belong to all words, so none can be frozen for some")
	case c.Freeze != FreezeNone && (c.Rank > 0 || c.Tied || c.loss() != NegativeSampling || c.arch() == Structured || c.PositionWeights || c.WordNgrams > 1):
		return refuse("vectors can be frozen in skip-gram and CBOW with negative sampling, with words or n-grams; other variants change what all vectors share")
	}
	switch {
	case c.Window <= maxHeadWindow:
	case c.arch() == Structured:
		return refuse("structured skip-gram has two output matrices for each step of the window, which is at most %d", maxHeadWindow)
	case c.PositionWeights:
		return refuse("position weights are two vectors for each step of the window, which is at most %d", maxHeadWindow)
	}
	if len(c.Nested) == 1 {
		return refuse("nested dimensions %v are one vector, which all are: name the shorter ones too", c.Nested)
	}
	for i, n := range c.Nested {
		if n < 1 || i > 0 && n <= c.Nested[i-1] {
			return refuse("nested dimensions %v do not rise from 1 on", c.Nested)
		}
	}
	if n := len(c.Nested); n > 0 && c.Nested[n-1] != c.Dim {
		return refuse("nested dimensions %v end at %d, and there are %d dimensions: the last must be all of them", c.Nested, c.Nested[n-1], c.Dim)
	}
	return nil
}
