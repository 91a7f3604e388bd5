package sgns

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// Rows of many buckets take more to be numbered than a small model takes to be trained.
func TestPlanOfManyBuckets(t *testing.T) {
	v, _ := indexed(t, sentences(100))
	c := small(func(c *Config) { c.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 1_000_000} })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	of, err := c.variant()
	if err != nil {
		t.Fatal(err)
	}
	plan := planner{config: c, variant: of, vocab: v, keep: v.KeepProbabilities(c.Sample), workers: 1}
	p, err := plan.plan()
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
		r, err := prepare(t.Context(), nil, Data{IDs: ids, Vocab: v}, c, nil, Hooks{Start: func(p Plan) error { plan = p; return nil }})
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
		if plan.Words != v.Len() || plan.Rows != r.model.values.Matrix("input").Rows {
			t.Errorf("%s: %+v for %d words and %d rows", name, plan, v.Len(), plan.Matrices[0].Rows)
		}
	}
}

// Output rows have numbers of 32 bits.
func TestOutputRowsOfManyPositions(t *testing.T) {
	of, err := small(func(c *Config) { c.Arch, c.Window = Structured, 1000 }).variant()
	if err != nil {
		t.Fatal(err)
	}
	if err := numbered(2_147_483, of.Heads()); err != nil {
		t.Error(err)
	}
	want := "sgns: 2147484 words for each of 2000 positions have more output rows than the 4294967295 that there can be: take a smaller window, or fewer words"
	if err := numbered(2_147_484, of.Heads()); err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}
