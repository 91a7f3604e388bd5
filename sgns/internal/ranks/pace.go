package ranks

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/sgns/internal/run"
)

// How far apart turns are decides what vectors of several ranks are worth. What ranks train between two
// turns counts together, whatever their number. docs/scale.md has the measurements.
const (
	betweenTurns = 40_000     // tokens that all ranks train between two turns
	measured     = 80_000_000 // tokens of the longest runs for which these were measured
	youth        = 4          // of what was trained before, the part that may be trained between two turns is one of so many
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

// young is how many tokens a rank may train between two turns, whatever was asked for. Vectors move far while
// they are young, and those of ranks that move apart then never come together.
func (t *Replicated) young() uint64 {
	if t.lockstep {
		return t.options.Every
	}
	return max(t.options.Every, t.trained()/youth)
}

// gap is how many tokens a rank trains until the next turn.
func (t *Replicated) gap() uint64 { return min(t.every, t.young()) }

// Distances are those between turns.
type distances struct{ sum, squares float64 }

func (d *distances) add(tokens uint64) {
	d.sum += float64(tokens)
	d.squares += float64(tokens) * float64(tokens)
}

// usual is how far apart the turns were between which a token was trained, on the average.
func (d *distances) usual() float64 { return d.squares / max(d.sum, 1) }

// farApart is how many times as far apart as suits a run turns may be without a remark.
func farApart(ranks int) float64 { return max(10, 2*float64(mostAhead(ranks))) }

// Remarks says whether turns were too far apart.
func (t *Replicated) Remarks() []run.Remark {
	usual := float64(everyOf(t.Run.Whole(), t.size()))
	if t.apart.usual() < farApart(t.size())*usual {
		return nil
	}
	return []run.Remark{{Kind: run.RemarkApart, Value: math.Round(t.apart.usual()), Usual: usual}}
}

// GiveUp returns the error of a run that has diverged.
func (t *Replicated) GiveUp() error {
	r := t.Run
	return &run.DivergedError{
		Times: 1, LastRate: r.FirstRate(), UsualRate: r.Config.RateFor(r.Whole()),
		Apart: uint64(max(t.apart.usual(), float64(t.gap()))), UsualApart: everyOf(r.Whole(), t.size()),
	}
}

// A lead is how far the workers of a rank may train before the next turn is over.
type lead struct {
	until uint64        // tokens of the rank
	over  chan struct{} // is closed when there is another lead
}

// leave gives the workers of this rank their lead behind a turn that began when the rank had trained so
// many tokens. They train up to the next turn and go on while it takes place.
func (t *Replicated) leave(trained uint64) {
	ahead := t.gap()
	if !t.lockstep {
		ahead *= mostAhead(t.size())
	}
	if t.budget > 0 {
		ahead = max(ahead, t.trained())
	}
	before := t.lead.Swap(&lead{until: trained + ahead, over: make(chan struct{})})
	if before != nil {
		close(before.over)
	}
}

// Pace waits for a turn that is overdue.
func (t *Replicated) Pace(ctx context.Context, _ int) error {
	for {
		l := t.lead.Load()
		if t.Run.Counters.Tokens() < l.until {
			return nil
		}
		select {
		case t.waiting <- struct{}{}:
		default:
		}
		select {
		case <-l.over:
		case <-ctx.Done():
			return nil
		}
	}
}
