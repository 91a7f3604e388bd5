package sgns

import (
	"math"
	"testing"
)

// ready returns a run that is ready to train.
func ready(t *testing.T, c Config, h Hooks) *run {
	t.Helper()
	v, ids := indexed(t, sentences(300))
	r, err := prepare(Data{IDs: ids, Vocab: v}, c, nil, h)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	return r
}

// A checkpoint that is due, and is not made because the last text of a worker makes the
// state doubtful, does not keep that worker from coming to its end.
func TestDoubtAtTheEnd(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{Checkpoint: func(*Checkpoint) { t.Error("a checkpoint") }})
	if err := r.work(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.workers[0].recent = 1e9
	r.checkpointDue.Store(true)
	if err := r.work(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// However slowly pairs come, enough of them tell that training diverges.
func TestSlowDivergenceIsNoticed(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{})
	m := &reporter{run: r}
	for n := 1; n <= 4; n++ {
		r.counters[0].add(10, enoughPairs/4, 1e6, false)
		m.watch()
		if got, want := r.exploded.Load(), n == 4; got != want {
			t.Errorf("after %d pairs: noticed %v, want %v", n*enoughPairs/4, got, want)
		}
	}
}

// Parameters that are no numbers do not take the place of the last good ones.
func TestSnapshotStaysGood(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{Checkpoint: func(*Checkpoint) { t.Error("a checkpoint") }})
	r.output.Data[0] = float32(math.NaN())
	r.checkpointDue.Store(true)
	if err := r.pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !r.exploded.Load() || !r.copied.finite() {
		t.Errorf("noticed %v, the copy is good %v", r.exploded.Load(), r.copied.finite())
	}
}
