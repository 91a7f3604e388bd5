package run

import (
	"context"
	"encoding/json"
	"math"
	"sync"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/vectors"
)

// Progress is the progress of training.
type Progress struct {
	Tokens, Total   uint64        // tokens trained so far, and tokens to train in all epochs; only words of the vocabulary count
	LearningRate    float64       // current learning rate
	Loss            float64       // mean loss of a true pair with its negatives since the last report, measured on one block in 32; NaN if there was no such block
	TokensPerSecond float64       // since training began or was resumed
	Recent          float64       // tokens per second since the last report; in the final report the same as TokensPerSecond
	Elapsed         time.Duration // since training began, or was resumed
	Remaining       time.Duration // estimate from the average speed
	Ranks           int           // number of processes that train together; 1 for a run in one process
	Sent            uint64        // bytes that the processes had sent to each other when they last met
	Final           bool          // this is the last report; its Loss is the mean of the last epoch, or on several ranks that of the merged model on a sample of the text
	Early           bool          // this is the last report, and the run ended early because evaluations no longer improved
}

// A reporter measures the progress of a run from one report to the next.
type reporter struct {
	run    *Run
	loss   float64
	pairs  uint64
	tokens uint64
	at     time.Time
	turns  int // how often the run had gone back by the last report
}

// measure makes a report.
func (m *reporter) measure(final bool) Progress {
	r := m.run
	r.gate.RLock()
	defer r.gate.RUnlock()
	now := time.Now()
	p := Progress{
		Tokens:  r.Trained(),
		Total:   r.Whole(),
		Elapsed: now.Sub(r.clock.began),
		Ranks:   r.place.Size,
		Sent:    r.peers.Others().Sent,
		Final:   final,
	}
	p.pace(r.FirstRate(), r.clock.trained)
	loss, pairs := r.losses(final && r.lastBegun())
	if !final {
		p.Recent = float64(p.Tokens-min(m.tokens, p.Tokens)) / now.Sub(m.at).Seconds()
		m.tokens, m.at = p.Tokens, now
		if m.turns != r.recovery.turns { // the run went back: measure from there
			m.turns = r.recovery.turns
			m.loss, m.pairs = r.recovery.loss, r.recovery.pairs
		}
		loss, m.loss = loss-m.loss, loss
		pairs, m.pairs = pairs-m.pairs, pairs
	}
	p.Loss = loss / float64(pairs)
	if merged := r.peers.Others().Merged; final && !math.IsNaN(merged) {
		p.Loss = merged
	}
	return p
}

// pace computes the rates and times of a run that had trained before tokens when it began or was resumed.
func (p *Progress) pace(firstRate float64, before uint64) {
	p.LearningRate = firstRate * max(0, 1-float64(p.Tokens)/float64(p.Total))
	p.TokensPerSecond = float64(p.Tokens-min(before, p.Tokens)) / p.Elapsed.Seconds()
	p.Recent = p.TokensPerSecond
	if p.TokensPerSecond > 0 {
		left := float64(p.Total-min(p.Tokens, p.Total)) / p.TokensPerSecond
		p.Remaining = time.Duration(min(left*float64(time.Second), math.MaxInt64/2))
	}
}

// watchEvery is how often the run is checked.
const watchEvery = 100 * time.Millisecond

// report watches the run until its result is called: see Hooks.watch.
func (r *Run) report() (stop func() Progress) {
	r.clock.began, r.clock.trained = time.Now(), r.Trained()
	m := &reporter{run: r, at: r.clock.began, tokens: r.clock.trained}
	m.loss, m.pairs = r.losses(false)
	measure := func(final bool) Progress {
		p := m.measure(final)
		p.Early = final && r.clock.early
		return p
	}
	return r.Hooks.watch(measure, func() bool {
		if r.saver.saving.Load() {
			return false
		}
		r.saver.due.Store(true)
		return true
	})
}

// watch calls the Progress hook, and calls save when a checkpoint is due, until its result is called, which
// makes the final report and returns it. save reports whether a checkpoint can be made now.
func (h Hooks) watch(measure func(final bool) Progress, save func() bool) (stop func() Progress) {
	every := h.Every
	if every <= 0 {
		every = time.Second
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		ticker := time.NewTicker(min(every, watchEvery))
		defer ticker.Stop()
		reported := time.Now()
		saved := reported
		for {
			select {
			case <-ticker.C:
			case <-done:
				return
			}
			now := time.Now()
			if h.Progress != nil && now.Sub(reported) >= every {
				reported = now
				h.Progress(measure(false))
			}
			wanted := h.Checkpoint != nil && h.CheckpointEvery > 0
			if wanted && now.Sub(saved) >= h.CheckpointEvery && save() {
				saved = now
			}
		}
	})
	return func() Progress {
		close(done)
		watcher.Wait()
		final := measure(true)
		if h.Progress != nil {
			h.Progress(final)
		}
		return final
	}
}

// Hooks are called during training. The zero value calls nothing.
type Hooks struct {
	// Start is called once, before the planned memory is allocated. If it returns an error, training ends with
	// that error.
	Start func(plan.Plan) error

	// Warm is called once if training starts from given vectors.
	Warm func(warmstart.Warm)

	// Progress is called in every period of Every, from one goroutine, and once more at the end with Final
	// set, before Train returns. Training does not wait for it.
	Progress func(Progress)
	Every    time.Duration // 0 means a second

	// Checkpoint is called every CheckpointEvery during training, and once at the end, also if training was
	// interrupted. The checkpoint is valid during the call. Calls do not overlap.
	Checkpoint      func(*checkpoint.Checkpoint)
	CheckpointEvery time.Duration // 0 means only at the end
	// Note is stored in checkpoints: see Checkpoint.Note.
	Note json.RawMessage

	// Evaluate returns a score of the current vectors, higher for better vectors, or NaN for no score.
	// Training pauses meanwhile. If Evaluate returns an error, training ends with that error. See
	// Config.EvaluateEvery.
	Evaluate func(context.Context, *vectors.Set) (float64, error)
	// Evaluated is called after each evaluation, including evaluations of held-out text only.
	Evaluated func(Evaluation)

	// Diverged is called when training has diverged and goes back to an earlier state.
	Diverged func(Divergence)
}
