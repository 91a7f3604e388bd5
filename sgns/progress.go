package sgns

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Hooks are called while training runs. The zero value calls nothing.
type Hooks struct {
	// Start is called once, before the memory that it speaks of is allocated.
	Start func(Plan)

	// Warm is called once if training starts from vectors that are there already.
	Warm func(Warm)

	// Progress is called every Every from one goroutine, and once more at the
	// end with Final set, before Train returns. Training does not wait for it.
	Progress func(Progress)
	Every    time.Duration // 0 for a second
}

// Progress is how far training is.
type Progress struct {
	Tokens, Total   uint64        // in-vocabulary tokens trained, and to train, all epochs
	LearningRate    float64       // now
	Loss            float64       // mean loss of a true pair with its negatives, of one block in eight, since the last report; NaN if there was none
	TokensPerSecond float64       // since training began
	Elapsed         time.Duration // since training began
	Remaining       time.Duration // at the present average speed
	Final           bool          // the last report; Loss is then the mean of the last epoch
}

// counters are what one worker has done; pairs are those whose loss was computed, of
// one block in lossEvery. Only that worker changes them.
type counters struct {
	tokens, pairs, lastPairs atomic.Uint64
	loss, lastLoss           atomic.Uint64   // bits of a float64
	_                        [128 - 5*8]byte // no other worker's counters on these cache lines
}

func (c *counters) add(tokens uint64, pairs int, loss float64, lastEpoch bool) {
	c.tokens.Add(tokens)
	c.pairs.Add(uint64(pairs))
	addFloat(&c.loss, loss)
	if lastEpoch {
		c.lastPairs.Add(uint64(pairs))
		addFloat(&c.lastLoss, loss)
	}
}

// addFloat adds x to the float64 in a, which nobody else changes.
func addFloat(a *atomic.Uint64, x float64) {
	a.Store(math.Float64bits(math.Float64frombits(a.Load()) + x))
}

// tokens is how many tokens all workers have trained.
func (r *run) tokens() uint64 {
	var n uint64
	for i := range r.counters {
		n += r.counters[i].tokens.Load()
	}
	return n
}

// losses is the sum of losses and the number of pairs, of all or the last epoch.
func (r *run) losses(lastEpoch bool) (loss float64, pairs uint64) {
	for i := range r.counters {
		c := &r.counters[i]
		if lastEpoch {
			loss += math.Float64frombits(c.lastLoss.Load())
			pairs += c.lastPairs.Load()
		} else {
			loss += math.Float64frombits(c.loss.Load())
			pairs += c.pairs.Load()
		}
	}
	return loss, pairs
}

// report calls the hook until the function that it returns is called, which makes
// the final report and returns it.
func (r *run) report(h Hooks) (stop func() Progress) {
	start := time.Now()
	var beforeLoss float64
	var beforePairs uint64
	measure := func(final bool) Progress {
		p := Progress{
			Tokens:  r.tokens(),
			Total:   r.total,
			Elapsed: time.Since(start),
			Final:   final,
		}
		done := float64(p.Tokens) / float64(p.Total)
		p.LearningRate = r.config.LearningRate * max(0, 1-done)
		p.TokensPerSecond = float64(p.Tokens) / p.Elapsed.Seconds()
		if done > 0 {
			p.Remaining = time.Duration(float64(p.Elapsed) * (1 - done) / done)
		}
		loss, pairs := r.losses(final && r.lastBegun())
		if !final {
			loss, beforeLoss = loss-beforeLoss, loss
			pairs, beforePairs = pairs-beforePairs, pairs
		}
		p.Loss = loss / float64(pairs)
		return p
	}

	done := make(chan struct{})
	var reporter sync.WaitGroup
	if h.Progress != nil {
		every := h.Every
		if every <= 0 {
			every = time.Second
		}
		reporter.Go(func() {
			ticker := time.NewTicker(every)
			defer ticker.Stop()
			for {
				select {
				case <-ticker.C:
					h.Progress(measure(false))
				case <-done:
					return
				}
			}
		})
	}
	return func() Progress {
		close(done)
		reporter.Wait()
		final := measure(true)
		if h.Progress != nil {
			h.Progress(final)
		}
		return final
	}
}

// lastBegun is true once the last epoch has losses to speak of.
func (r *run) lastBegun() bool {
	_, pairs := r.losses(true)
	return pairs > 0
}
