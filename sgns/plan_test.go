package sgns

import (
	"runtime"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// What a worker allocates is what the plan says.
func TestWorkerBytes(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"words":          func(c *Config) {},
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
	} {
		c := Defaults()
		c.Threads = 1
		change(&c)
		w := toyStep(t, c).worker
		r := &run{parameters: w.parameters, shape: w.shape, config: c, counters: w.run.counters}
		if c.Subword != nil {
			r.stretch = 400 // as in a text whose words share little
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		runtime.KeepAlive(r.newWorker(0))
		runtime.ReadMemStats(&after)
		got, want := float64(after.TotalAlloc-before.TotalAlloc), r.workerBytes(c, len(toyWords))
		if got < 0.9*want || got > 1.1*want+4096 {
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
	if took := after.TotalAlloc - before.TotalAlloc; float64(p.Bytes) < 0.9*float64(took) || p.Bytes > 2*took {
		t.Errorf("planned %d bytes, numbering took %d", p.Bytes, took)
	}
}
