package sgns

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Progress is how far training is.
type Progress struct {
	Tokens, Total   uint64        // in-vocabulary tokens trained, and to train, all epochs
	LearningRate    float64       // now
	Loss            float64       // mean loss of a true pair with its negatives, of one block in eight, since the last report; NaN if there was none
	TokensPerSecond float64       // since training began, or was resumed
	Recent          float64       // tokens per second since the last report; in the final one as TokensPerSecond
	Elapsed         time.Duration // since training began, or was resumed
	Remaining       time.Duration // at the present average speed
	Final           bool          // the last report; Loss is then the mean of the last epoch
	Early           bool          // the last report of a run that ended early, because evaluations became no better
}

// counters are what one worker has done; pairs are those whose loss was computed, of
// one block in lossEvery. Only that worker changes them.
type counters struct {
	tokens atomic.Uint64
	mu     sync.Mutex // for what belongs together
	sums
	_ [128 - 6*8]byte // no other worker's counters on these cache lines
}

// sums are of losses, and how many pairs they are of: of all epochs, and of the last.
type sums struct {
	pairs, lastPairs uint64
	loss, lastLoss   float64
}

func (c *counters) add(tokens uint64, pairs int, loss float64, lastEpoch bool) {
	c.tokens.Add(tokens)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pairs += uint64(pairs)
	c.loss += loss
	if lastEpoch {
		c.lastPairs += uint64(pairs)
		c.lastLoss += loss
	}
}

// get returns the sums, and set changes them.
func (c *counters) get() sums {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sums
}

func (c *counters) set(s sums) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sums = s
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
		c := r.counters[i].get()
		if lastEpoch {
			loss += c.lastLoss
			pairs += c.lastPairs
		} else {
			loss += c.loss
			pairs += c.pairs
		}
	}
	return loss, pairs
}

// reporter measures how far a run is, from one report to the next.
type reporter struct {
	*run
	loss   float64
	pairs  uint64
	tokens uint64
	at     time.Time
	turns  int // how often the run had gone back
}

// measure makes a report.
func (m *reporter) measure(final bool) Progress {
	m.gate.RLock()
	defer m.gate.RUnlock()
	now := time.Now()
	p := Progress{
		Tokens:  m.run.tokens(),
		Total:   m.total,
		Elapsed: now.Sub(m.began),
		Final:   final,
	}
	done := float64(p.Tokens) / float64(p.Total)
	p.LearningRate = m.firstRate() * max(0, 1-done)
	p.TokensPerSecond = float64(p.Tokens-min(m.trainedBefore, p.Tokens)) / p.Elapsed.Seconds()
	p.Recent = p.TokensPerSecond
	if p.TokensPerSecond > 0 {
		left := float64(p.Total-min(p.Tokens, p.Total)) / p.TokensPerSecond
		p.Remaining = time.Duration(min(left*float64(time.Second), math.MaxInt64/2))
	}
	loss, pairs := m.losses(final && m.lastBegun())
	if !final {
		p.Recent = float64(p.Tokens-min(m.tokens, p.Tokens)) / now.Sub(m.at).Seconds()
		m.tokens, m.at = p.Tokens, now
		if m.turns != m.run.turns { // the report begins where the run went back to
			m.turns = m.run.turns
			m.loss, m.pairs = m.atTurn.loss, m.atTurn.pairs
		}
		loss, m.loss = loss-m.loss, loss
		pairs, m.pairs = pairs-m.pairs, pairs
	}
	p.Loss = loss / float64(pairs)
	return p
}

// watchEvery is how often a run is looked at.
const watchEvery = 100 * time.Millisecond

// report watches the run, calls the hook for reports, and says when a checkpoint is due,
// until the function that it returns is called, which makes the final report and returns
// it.
func (r *run) report() (stop func() Progress) {
	r.began, r.trainedBefore = time.Now(), r.tokens()
	m := &reporter{run: r, at: r.began, tokens: r.trainedBefore}
	m.loss, m.pairs = r.losses(false)
	every := r.hooks.Every
	if every <= 0 {
		every = time.Second
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		ticker := time.NewTicker(min(every, watchEvery))
		defer ticker.Stop()
		reported, saved := r.began, r.began
		for {
			select {
			case <-ticker.C:
			case <-done:
				return
			}
			now := time.Now()
			if r.hooks.Progress != nil && now.Sub(reported) >= every {
				reported = now
				r.hooks.Progress(m.measure(false))
			}
			wanted := r.hooks.Checkpoint != nil && r.hooks.CheckpointEvery > 0
			if wanted && now.Sub(saved) >= r.hooks.CheckpointEvery && !r.saving.Load() {
				saved = now
				r.checkpointDue.Store(true)
			}
		}
	})
	return func() Progress {
		close(done)
		watcher.Wait()
		final := m.measure(true)
		final.Early = r.early
		if r.hooks.Progress != nil {
			r.hooks.Progress(final)
		}
		return final
	}
}

// lastBegun is true once the last epoch has losses to speak of.
func (r *run) lastBegun() bool {
	_, pairs := r.losses(true)
	return pairs > 0
}
