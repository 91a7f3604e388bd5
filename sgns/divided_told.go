package sgns

import (
	"context"
	"math"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/divided"
)

// control is what this rank tells the others.
func (r *dividedRun) control(ctx context.Context, ended bool) divided.Control {
	c := divided.Control{
		Ended: ended, Stop: ctx.Err() != nil || r.failed != nil, Diverged: r.diverged.Load(),
		Save: r.due.Load(), Evaluate: r.toEvaluate(),
		Tokens: r.counters.Tokens(), Sent: r.comm.Sent(),
	}
	c.Loss, c.Pairs = r.counters.Losses(false)
	c.LastLoss, c.LastPairs = r.counters.Losses(true)
	return c
}

// heard keeps what all ranks told.
func (r *dividedRun) heard(told []divided.Control) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.told = told
}

// anyone reports whether a rank told something.
func anyone(told []divided.Control, what func(divided.Control) bool) bool {
	for _, c := range told {
		if what(c) {
			return true
		}
	}
	return false
}

// anyDiverged reports whether training diverged on a rank, as far as all ranks told each other.
func (r *dividedRun) anyDiverged() bool {
	return anyone(r.told, func(c divided.Control) bool { return c.Diverged || !finite(c.Loss, c.LastLoss) })
}

// finite reports whether numbers are neither NaN nor infinite.
func finite(numbers ...float64) bool {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// sums returns what all ranks had done in the last exchange.
func (r *dividedRun) sums() (all divided.Control) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, c := range r.told {
		all.Tokens += c.Tokens
		all.Pairs += c.Pairs
		all.LastPairs += c.LastPairs
		all.Loss += c.Loss
		all.LastLoss += c.LastLoss
		all.Sent += c.Sent
	}
	return all
}

// progress is how far all ranks are. That of the others is known from the last exchange.
func (r *dividedRun) progress(final bool) Progress {
	all := r.sums()
	p := Progress{Tokens: all.Tokens, Total: r.total(), Elapsed: time.Since(r.clock.began), Final: final, Ranks: r.comm.Size(), Sent: all.Sent}
	p.pace(r.config.LearningRate, r.clock.trained)
	p.Loss = all.Loss / float64(all.Pairs)
	if final && all.LastPairs > 0 {
		p.Loss = all.LastLoss / float64(all.LastPairs)
	}
	return p
}
