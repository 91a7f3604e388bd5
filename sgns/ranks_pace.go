package sgns

import "context"

// How far apart turns are decides what vectors of several ranks are worth. What ranks train between two
// turns counts together, whatever their number. docs/scale.md has the measurements.
const (
	turnsOfRun     = 2_000  // a run has about so many turns
	betweenTurns   = 40_000 // but all ranks train at least so many tokens between two
	leastSyncEvery = 500    // and a rank so many, which take about as long as messages
)

// everyOf is how many tokens a rank trains between two turns of a run of so many tokens, if all ranks are
// equally fast.
func everyOf(tokens uint64, ranks int) uint64 {
	return max(max(tokens/turnsOfRun, betweenTurns)/uint64(ranks), leastSyncEvery)
}

// A lead is how far the workers of a rank may train before the next turn is over.
type lead struct {
	until uint64        // tokens of the rank
	over  chan struct{} // is closed when there is another lead
}

// leave gives the workers of this rank their lead behind a turn that began when the rank had trained so
// many tokens. They train up to the next turn and, while it takes place, as far again.
func (t *team) leave(trained uint64) {
	ahead := 2 * t.options.Every
	if t.lockstep {
		ahead = t.options.Every
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
