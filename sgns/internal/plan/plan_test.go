package plan

import (
	"runtime"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/trial"
	"github.com/w2v-go/w2v/subword"
)

// Rows of many buckets take more to be numbered than a small model takes to be trained.
func TestPlanOfManyBuckets(t *testing.T) {
	v, _ := trial.Indexed(t, trial.Sentences(100))
	c := trial.Small(func(c *config.Config) { c.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 1_000_000} })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	of, err := config.VariantOf(c)
	if err != nil {
		t.Fatal(err)
	}
	plan := Planner{Config: c, Variant: of, Vocab: v, Outputs: v, Keep: v.KeepProbabilities(c.Sample), Workers: 1}
	p, err := plan.Plan()
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; float64(p.Added) < 0.9*float64(took) || p.Added > 2*took {
		t.Errorf("planned %d bytes, numbering took %d", p.Added, took)
	}
}

// Output rows have numbers of 32 bits.
func TestOutputRowsOfManyPositions(t *testing.T) {
	of, err := config.VariantOf(trial.Small(func(c *config.Config) { c.Arch, c.Window = config.Structured, 1000 }))
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
