// Package trial has helpers for tests of training: texts, configurations, numbers of matrices.
package trial

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Sentences returns a text of n sentences. Each sentence uses the words of one of ten topics.
func Sentences(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	stems := []string{"row", "lamp", "stone", "river", "cloud", "bird", "chair", "glass"}
	var b strings.Builder
	for range n {
		topic := string(rune('a' + r.IntN(10)))
		for range 3 + r.IntN(20) {
			b.WriteString(topic + stems[r.IntN(len(stems))] + " ")
			if r.IntN(3) == 0 {
				b.WriteString("the ")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Indexed returns the vocabulary and the ids of a text.
func Indexed(t testing.TB, text string) (*vocab.Vocab, *vocab.IDs) {
	t.Helper()
	src := corpus.Stream("text", strings.NewReader(text), corpus.Options{})
	v, ids, err := vocab.Index(t.Context(), src, vocab.Options{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ids.Close() })
	return v, ids
}

// Small returns a small configuration of one thread, modified by change.
func Small(change func(*config.Config)) config.Config {
	c := config.Defaults()
	c.Dim, c.Threads, c.Epochs = 20, 1, config.UsualEpochs
	change(&c)
	return c
}

// Kinds of n-grams.
var (
	FastText = subword.FastText{MinN: 2, MaxN: 4, Buckets: 300}
	Floret   = subword.Floret{MinN: 2, MaxN: 4, Buckets: 200, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
	Hashes   = subword.Hash{MinN: 2, MaxN: 4, Buckets: 150, Hashes: 2, Importances: 400}
	Appended = subword.Hash{MinN: 2, MaxN: 4, Buckets: 150, Hashes: 3, Importances: 400, AppendWeights: true}
)

// Numbers returns the bits of the numbers of a matrix.
func Numbers(m vectors.Matrix) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, m.Data)
	return b
}

// Variants has one variant of each kind of training, and some combinations.
var Variants = map[string]func(*config.Config){
	"words":                               func(c *config.Config) {},
	"CBOW":                                func(c *config.Config) { c.Arch = config.CBOW },
	"CBOW, n-grams":                       func(c *config.Config) { c.Arch, c.Subword = config.CBOW, FastText },
	"CBOW with position weights":          func(c *config.Config) { c.Arch, c.PositionWeights = config.CBOW, true },
	"CBOW with position weights, n-grams": func(c *config.Config) { c.Arch, c.PositionWeights, c.Subword = config.CBOW, true, FastText },
	"CBOW with word n-grams":              func(c *config.Config) { c.Arch, c.WordNgrams, c.WordBuckets = config.CBOW, 3, 500 },
	"structured":                          func(c *config.Config) { c.Arch = config.Structured },
	"structured, n-grams":                 func(c *config.Config) { c.Arch, c.Subword = config.Structured, FastText },
	"a tree":                              func(c *config.Config) { c.Loss = config.HierarchicalSoftmax },
	"full softmax":                        func(c *config.Config) { c.Loss = config.Softmax },
	"directional":                         func(c *config.Config) { c.Loss = config.Directional },
	"directional, n-grams, nested":        func(c *config.Config) { c.Loss, c.Subword, c.Nested = config.Directional, FastText, []int{10, 20} },
	"a tree, CBOW":                        func(c *config.Config) { c.Loss, c.Arch = config.HierarchicalSoftmax, config.CBOW },
	"tied":                                func(c *config.Config) { c.Tied = true },
	"tied, CBOW":                          func(c *config.Config) { c.Tied, c.Arch = true, config.CBOW },
	"nested":                              func(c *config.Config) { c.Nested = []int{5, c.Dim} },
	"n-grams":                             func(c *config.Config) { c.Subword = FastText },
	"n-grams of 16 bits":                  func(c *config.Config) { c.Subword, c.Precision = FastText, settings.F16 },
	"floret":                              func(c *config.Config) { c.Subword = Floret },
	"hash":                                func(c *config.Config) { c.Subword = Hashes },
	"hash with appended weights":          func(c *config.Config) { c.Subword = Appended },
	"a rank":                              func(c *config.Config) { c.Rank = 7 },
	"a rank, n-grams":                     func(c *config.Config) { c.Rank, c.Subword = 7, FastText },
	"a rank, n-grams of 16 bits":          func(c *config.Config) { c.Rank, c.Subword, c.Precision = 7, FastText, settings.F16 },
	"a rank, floret":                      func(c *config.Config) { c.Rank, c.Subword = 7, Floret },
	"a rank, hash, a tree":                func(c *config.Config) { c.Rank, c.Subword, c.Loss = 7, Hashes, config.HierarchicalSoftmax },
	"all of CBOW": func(c *config.Config) {
		c.Arch, c.PositionWeights, c.WordNgrams, c.WordBuckets, c.Rank, c.Subword, c.Nested = config.CBOW, true, 2, 300, 7, FastText, []int{10, 20}
	},
	"hash, nested, structured": func(c *config.Config) { c.Subword, c.Nested, c.Arch = Hashes, []int{10, 20}, config.Structured },
}

func Split(t testing.TB, ids *vocab.IDs, fraction float64) (train, heldOut *vocab.IDs) {
	t.Helper()
	train, heldOut, err := ids.Split(fraction)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(train.Close(), heldOut.Close()) })
	return train, heldOut
}
