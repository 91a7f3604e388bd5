package sgns

import (
	"context"
	"math"
)

// How far apart turns are decides what vectors of several ranks are worth. What ranks train between two
// turns counts together, whatever their number. docs/scale.md has the measurements.
const (
	betweenTurns = 40_000     // tokens that all ranks train between two turns
	measured     = 80_000_000 // tokens of the longest runs for which these were measured
	leastEvery   = 500        // tokens of a rank, which take about as long as messages
	mostEvery    = 1 << 30    // tokens of a rank, which are as good as all
)

// everyOf is how many tokens a rank trains between two turns of a run of so many tokens, if all ranks are
// equally fast. In a longer run the learning rate falls more slowly and is lower, and turns are further
// apart, but more of them.
func everyOf(tokens uint64, ranks int) uint64 {
	all := betweenTurns * math.Sqrt(max(1, float64(tokens)/measured))
	return max(uint64(all/float64(ranks)), leastEvery)
}

// mostAhead is how many times as many tokens the workers of a rank may have trained since a turn began as
// the rank trains between two. Few ranks can be far apart before their vectors are worse, and so can go on
// while a slow network carries a turn.
func mostAhead(ranks int) uint64 { return max(2, uint64(80/(ranks*ranks))) }

// A lead is how far the workers of a rank may train before the next turn is over.
type lead struct {
	until uint64        // tokens of the rank
	over  chan struct{} // is closed when there is another lead
}

// leave gives the workers of this rank their lead behind a turn that began when the rank had trained so
// many tokens. They train up to the next turn and go on while it takes place.
func (t *team) leave(trained uint64) {
	ahead := t.options.Every
	if !t.lockstep {
		ahead *= mostAhead(t.size())
	}
	before := t.lead.Swap(&lead{until: trained + ahead, over: make(chan struct{})})
	if before != nil {
		close(before.over)
	}
}

// wait waits for a turn that is overdue. With a budget of bytes the workers never wait.
func (t *team) wait(ctx context.Context) {
	for t != nil && t.budget == 0 {
		l := t.lead.Load()
		if t.run.counters.Tokens() < l.until {
			return
		}
		select {
		case t.waiting <- struct{}{}:
		default:
		}
		select {
		case <-l.over:
		case <-ctx.Done():
			return
		}
	}
}
