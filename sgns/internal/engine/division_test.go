package engine

import (
	"maps"
	"runtime"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
)

// What a worker allocates is what the plan says.
func TestWorkerBytes(t *testing.T) {
	kinds := map[string]func(*config){
		"many negatives": func(c *config) { c.Negatives = 20_000 },
		"large window":   func(c *config) { c.Window = 900 },
		"n-grams":        func(c *config) { c.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 1000} },
		"dim 300, n-grams": func(c *config) {
			c.Dim, c.Subword = 300, subword.FastText{MinN: 3, MaxN: 6, Buckets: 1000}
		},
		"whole lines":          func(c *config) { c.Window = 0 },
		"a group, whole lines": func(c *config) { c.Deterministic, c.superBlocks, c.Window = true, 4, 0 },
		"a group":              func(c *config) { c.Deterministic, c.superBlocks = true, 4 },
		"a group for n-grams": func(c *config) {
			c.Deterministic, c.superBlocks = true, 4
			c.Dim, c.Subword = 300, subword.FastText{MinN: 3, MaxN: 6, Buckets: 1000}
		},
		"a group, a large window":       func(c *config) { c.Deterministic, c.superBlocks, c.Window = true, 4, 900 },
		"CBOW, a large window":          func(c *config) { c.Arch, c.Window = cbow, 900 },
		"CBOW of many word n-grams":     func(c *config) { c.Arch, c.Window, c.WordNgrams, c.WordBuckets = cbow, 300, 8, 100 },
		"position weights, far":         func(c *config) { c.Arch, c.Window, c.PositionWeights = cbow, 900, true },
		"structured, a large window":    func(c *config) { c.Arch, c.Window = structured, 900 },
		"structured, many negatives":    func(c *config) { c.Arch, c.Negatives = structured, 2000 },
		"a tree, a large window":        func(c *config) { c.Loss, c.Window = hierarchicalSoftmax, 900 },
		"directional, a large window":   func(c *config) { c.Loss, c.Window = directional, 900 },
		"nested, many negatives":        func(c *config) { c.Nested, c.Negatives = []int{10, c.Dim}, 2000 },
		"a large rank, many dimensions": func(c *config) { c.Dim, c.Rank = 900, 300 },
	}
	maps.Copy(kinds, variants)
	for name, change := range kinds {
		c := defaults()
		c.Dim, c.Threads = 100, 1
		change(&c)
		if c.Nested != nil {
			c.Dim = c.Nested[len(c.Nested)-1]
		}
		w := toyStep(t, c).Worker
		defer w.Close()
		words, table, r := toyVocab(t), c.table(toyVocab(t)), w.run
		if c.Subword != nil {
			r.Division.Cached = 400 // as in a text whose words share little
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		other := r.NewWorker(0, 0)
		runtime.ReadMemStats(&after)
		other.Close()
		got := float64(after.TotalAlloc - before.TotalAlloc)
		want := Bytes(r.Variant, r.Division, r.Values.List(), words, table)
		least := 0.9
		switch { // what grows when the first text is trained, and of a long way most are on one side at most
		case c.Loss == hierarchicalSoftmax:
			least = 0.5
		case c.PositionWeights || subword.CompositionOf(c.Subword) == subword.Weighted:
			least = 0.7
		}
		if got < least*want || got > 1.1*want+4096 {
			t.Errorf("%s: a worker takes %.0f bytes, planned %.0f", name, got, want)
		}
	}
}

func TestCachedFor(t *testing.T) {
	for _, test := range []struct {
		overlap       float64
		centres, want int
	}{
		{0.005, 16, 400}, // English
		{0.03, 16, 64},
		{0.1, 11, 11},
		{1, 2, 2},
		{0, 16, step.MaxText},
		{0, 15, step.MaxText / 15 * 15},
	} {
		if got := cachedFor(test.overlap, test.centres); got != test.want {
			t.Errorf("overlap %v, blocks of %d: %d tokens, want %d", test.overlap, test.centres, got, test.want)
		}
	}
}

var (
	floret   = subword.Floret{MinN: 2, MaxN: 4, Buckets: 200, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
	hashes   = subword.Hash{MinN: 2, MaxN: 4, Buckets: 150, Hashes: 2, Importances: 400}
	appended = subword.Hash{MinN: 2, MaxN: 4, Buckets: 150, Hashes: 3, Importances: 400, AppendWeights: true}
)

// variants are one configuration of each kind.
var variants = map[string]func(*config){
	"words":         func(c *config) {},
	"CBOW":          func(c *config) { c.Arch = cbow },
	"cbow, n-grams": func(c *config) { c.Arch, c.Subword = cbow, fastText },
	"CBOW with position weights": func(c *config) {
		c.Arch, c.PositionWeights = cbow, true
	},
	"CBOW with position weights, n-grams": func(c *config) {
		c.Arch, c.PositionWeights, c.Subword = cbow, true, fastText
	},
	"CBOW with word n-grams": func(c *config) {
		c.Arch, c.WordNgrams, c.WordBuckets = cbow, 3, 500
	},
	"structured":                 func(c *config) { c.Arch = structured },
	"structured, n-grams":        func(c *config) { c.Arch, c.Subword = structured, fastText },
	"a tree":                     func(c *config) { c.Loss = hierarchicalSoftmax },
	"full softmax":               func(c *config) { c.Loss, c.Nested = fullSoftmax, []int{10, 20} },
	"directional":                func(c *config) { c.Loss = directional },
	"directional, n-grams":       func(c *config) { c.Loss, c.Subword, c.Nested = directional, fastText, []int{10, 20} },
	"a tree, CBOW":               func(c *config) { c.Loss, c.Arch = hierarchicalSoftmax, cbow },
	"tied":                       func(c *config) { c.Tied = true },
	"tied, CBOW":                 func(c *config) { c.Tied, c.Arch = true, cbow },
	"nested":                     func(c *config) { c.Nested = []int{5, c.Dim} },
	"n-grams":                    func(c *config) { c.Subword = fastText },
	"floret":                     func(c *config) { c.Subword = floret },
	"hash":                       func(c *config) { c.Subword = hashes },
	"hash with appended weights": func(c *config) { c.Subword = appended },
	"a rank":                     func(c *config) { c.Rank = 7 },
	"a rank, n-grams":            func(c *config) { c.Rank, c.Subword = 7, fastText },
	"a rank, floret":             func(c *config) { c.Rank, c.Subword = 7, floret },
	"a rank, hash, a tree":       func(c *config) { c.Rank, c.Subword, c.Loss = 7, hashes, hierarchicalSoftmax },
	"all of CBOW": func(c *config) {
		c.Arch, c.PositionWeights, c.WordNgrams, c.WordBuckets, c.Rank, c.Subword, c.Nested = cbow, true, 2, 300, 7, fastText, []int{10, 20}
	},
	"hash, nested, structured": func(c *config) {
		c.Subword, c.Nested, c.Arch = hashes, []int{10, 20}, structured
	},
}
