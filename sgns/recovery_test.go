package sgns

import (
	"bytes"
	"math"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/engine"
)

// ready returns a run that is ready to train.
func ready(t *testing.T, c Config, h Hooks) *run {
	t.Helper()
	v, ids := indexed(t, sentences(300))
	r, err := prepare(t.Context(), nil, Data{IDs: ids, Vocab: v}, c, nil, h)
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
	r.workers[0].watch.Recent = 1e9
	r.saver.due.Store(true)
	if err := r.work(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A run of one worker that diverges comes to the same bits whether it was interrupted or
// not, and however often checkpoints are made.
func TestDivergenceRepeatsItself(t *testing.T) {
	v, ids := indexed(t, sentences(3000))
	d := Data{IDs: ids, Vocab: v}
	c := small(func(c *Config) { c.LearningRate, c.Epochs = 0.4, 2 })
	back := 0
	whole, err := Train(t.Context(), d, c, Hooks{Diverged: func(d Divergence) {
		if back++; d.BackTo != 0 {
			t.Errorf("%+v", d)
		}
	}})
	if err != nil || back == 0 {
		t.Fatalf("error %v after going back %d times", err, back)
	}
	var k *Checkpoint
	var m *Model
	for at := uint64(1000); m == nil; at += 17_000 {
		k, m = cut(t, d, c, k, at)
	}
	if !bytes.Equal(numbers(whole.Vectors.Input()), numbers(m.Vectors.Input())) {
		t.Error("the vectors are others")
	}
}

// A state that would be found to have diverged when training ends is none to go back to.
func TestDoubtOfAnEpoch(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{Checkpoint: func(*Checkpoint) { t.Error("a checkpoint") }})
	r.counters.Add(0, engine.Trained{Tokens: 10, Pairs: 100, Loss: 1e6, Last: true})
	r.saver.due.Store(true)
	if err := r.pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !r.doubtful() || r.sound() {
		t.Errorf("doubtful %v, sound %v", r.doubtful(), r.sound())
	}
}

// Parameters that are no numbers do not take the place of the last good ones.
func TestSnapshotStaysGood(t *testing.T) {
	r := ready(t, small(func(*Config) {}), Hooks{Checkpoint: func(*Checkpoint) { t.Error("a checkpoint") }})
	r.model.values.Matrix(outputName).Data[0] = float32(math.NaN())
	r.saver.due.Store(true)
	if err := r.pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !r.saver.copied.Finite() {
		t.Error("the copy is not finite")
	}
}
