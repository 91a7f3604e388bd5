package sgns

import (
	"fmt"
	"maps"
	"runtime"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// What a worker allocates is what the plan says.
func TestWorkerBytes(t *testing.T) {
	kinds := map[string]func(*Config){
		"many negatives": func(c *Config) { c.Negatives = 20_000 },
		"large window":   func(c *Config) { c.Window = 900 },
		"n-grams":        func(c *Config) { c.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 1000} },
		"dim 300, n-grams": func(c *Config) {
			c.Dim, c.Subword = 300, subword.FastText{MinN: 3, MaxN: 6, Buckets: 1000}
		},
		"a team": func(c *Config) { c.Deterministic, c.roundBlocks = true, 4 },
		"a team for n-grams": func(c *Config) {
			c.Deterministic, c.roundBlocks = true, 4
			c.Dim, c.Subword = 300, subword.FastText{MinN: 3, MaxN: 6, Buckets: 1000}
		},
		"a team, a large window":        func(c *Config) { c.Deterministic, c.roundBlocks, c.Window = true, 4, 900 },
		"CBOW, a large window":          func(c *Config) { c.Arch, c.Window = CBOW, 900 },
		"CBOW of many word n-grams":     func(c *Config) { c.Arch, c.Window, c.WordNgrams, c.WordBuckets = CBOW, 300, 8, 100 },
		"position weights, far":         func(c *Config) { c.Arch, c.Window, c.PositionWeights = CBOW, 900, true },
		"structured, a large window":    func(c *Config) { c.Arch, c.Window = Structured, 900 },
		"structured, many negatives":    func(c *Config) { c.Arch, c.Negatives = Structured, 2000 },
		"a tree, a large window":        func(c *Config) { c.Loss, c.Window = HierarchicalSoftmax, 900 },
		"nested, many negatives":        func(c *Config) { c.Nested, c.Negatives = []int{10, c.Dim}, 2000 },
		"a large rank, many dimensions": func(c *Config) { c.Dim, c.Rank = 900, 300 },
	}
	maps.Copy(kinds, variants)
	for name, change := range kinds {
		c := Defaults()
		c.Dim, c.Threads = 100, 1
		change(&c)
		if c.Nested != nil {
			c.Dim = c.Nested[len(c.Nested)-1]
		}
		w := toyStep(t, c).worker
		r := &run{parameters: w.parameters, shape: w.shape, config: c, counters: w.run.counters}
		if c.Subword != nil {
			r.stretch = 400 // as in a text whose words share little
		}
		v := toyVocab(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		runtime.KeepAlive(r.newWorker(0))
		runtime.ReadMemStats(&after)
		got, want := float64(after.TotalAlloc-before.TotalAlloc), r.workerBytes(c, v, r.table)
		least := 0.9
		switch { // what grows when the first text is trained, and of a long way most are on one side at most
		case c.loss() == HierarchicalSoftmax:
			least = 0.5
		case c.PositionWeights || c.composition() == vectors.ComposeWeighted:
			least = 0.7
		}
		if got < least*want || got > 1.1*want+4096 {
			t.Errorf("%s: a worker takes %.0f bytes, planned %.0f", name, got, want)
		}
	}
}

func TestStretchFor(t *testing.T) {
	for _, test := range []struct {
		overlap       float64
		centres, want int
	}{
		{0.005, 16, 400}, // English
		{0.03, 16, 64},
		{0.1, 11, 11},
		{1, 2, 2},
		{0, 16, maxText},
		{0, 15, maxText / 15 * 15},
	} {
		if got := stretchFor(test.overlap, test.centres); got != test.want {
			t.Errorf("overlap %v, blocks of %d: %d tokens, want %d", test.overlap, test.centres, got, test.want)
		}
	}
}

// Rows of many buckets take more to be numbered than a small model takes to be trained.
func TestPlanOfManyBuckets(t *testing.T) {
	v, _ := indexed(t, sentences(100))
	c := small(func(c *Config) { c.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 1_000_000} })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, p, err := c.plan(v, v.KeepProbabilities(c.Sample), 1, 0, nil, nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; float64(p.Added) < 0.9*float64(took) || p.Added > 2*took {
		t.Errorf("planned %d bytes, numbering took %d", p.Added, took)
	}
}

// What a run keeps while it trains is what the plan says, whatever its variant.
func TestPlanOfVariants(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "word%dword another%d\n", i, i%700)
	}
	v, ids := indexed(t, text.String())
	for name, change := range variants {
		c := small(func(c *Config) { c.Window = 3; change(c) })
		if hash, ok := c.Subword.(subword.Hash); ok { // as many as an example of the paper has
			hash.Buckets, hash.Importances = 5000, 100_000
			c.Subword = hash
		}
		var before, after runtime.MemStats
		var plan Plan
		runtime.GC()
		runtime.ReadMemStats(&before)
		r, err := prepare(Data{IDs: ids, Vocab: v}, c, nil, Hooks{Start: func(p Plan) error { plan = p; return nil }})
		if err == nil {
			err = r.start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.workers[0].advance(); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		r.close()
		kept := float64(after.HeapAlloc - before.HeapAlloc)
		if got := float64(plan.Added); got < kept || got > 1.5*kept+600_000 { // names of words come and go
			t.Errorf("%s: planned %d bytes, and %.0f are kept", name, plan.Added, kept)
		}
		if plan.Words != v.Len() || plan.Rows != r.input.Rows {
			t.Errorf("%s: %+v for %d words and %d rows", name, plan, v.Len(), r.input.Rows)
		}
	}
}

// Output rows have numbers of 32 bits.
func TestOutputRowsOfManyPositions(t *testing.T) {
	c := small(func(c *Config) { c.Arch, c.Window = Structured, 1000 })
	if err := c.numbered(2_147_483); err != nil {
		t.Error(err)
	}
	want := "sgns: 2147484 words for each of 2000 positions have more output rows than the 4294967295 that there can be: take a smaller window, or fewer words"
	if err := c.numbered(2_147_484); err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}
