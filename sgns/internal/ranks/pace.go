package ranks

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/sgns/internal/run"
)

// The quality of vectors from several ranks depends on the distance between turns: on the total number of
// tokens that all ranks train between two turns. docs/scale.md has the measurements.
const (
	betweenTurns = 40_000     // tokens that all ranks train between two turns
	measured     = 80_000_000 // tokens of the longest runs for which the distance was measured
	youth        = 4          // at most 1/youth of the tokens trained so far may be trained between two turns
	leastEvery   = 500        // tokens of a rank; training them takes about as long as messages do
	mostEvery    = 1 << 30    // tokens of a rank; practically unlimited
)

// everyOf returns how many tokens a rank trains between two turns, in a run of so many tokens, if all ranks
// are equally fast. In a longer run the learning rate is lower for longer, so turns are further apart, and
// there are more of them.
func everyOf(tokens uint64, ranks int) uint64 {
	all := betweenTurns * math.Sqrt(max(1, float64(tokens)/measured))
	return max(uint64(all/float64(ranks)), leastEvery)
}

// mostAhead limits how many tokens the workers of a rank may train after a turn has begun, as a multiple of
// the tokens between two turns. With few ranks, workers can go further before vectors get worse, and so can
// train on while a slow network carries a turn.
func mostAhead(ranks int) uint64 { return max(2, uint64(80/(ranks*ranks))) }

// young returns how many tokens a rank may train between two turns early in a run, whatever the options say.
// Young vectors move far, and vectors of ranks that move apart then never come together.
func (t *Replicated) young() uint64 {
	if t.lockstep {
		return t.options.Every
	}
	return max(t.options.Every, t.trained()/youth)
}

// gap returns how many tokens a rank trains until the next turn.
func (t *Replicated) gap() uint64 { return min(t.every, t.young()) }

// distances sums the distances between turns.
type distances struct{ sum, squares float64 }

func (d *distances) add(tokens uint64) {
	d.sum += float64(tokens)
	d.squares += float64(tokens) * float64(tokens)
}

// usual returns the mean, over tokens, of the distance between the turns around a token.
func (d *distances) usual() float64 { return d.squares / max(d.sum, 1) }

// farApart returns how far apart turns may be without a remark, as a multiple of the distance that suits the
// run.
func farApart(ranks int) float64 { return max(10, 2*float64(mostAhead(ranks))) }

// Remarks reports turns that were too far apart.
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

// A lead says how far the workers of a rank may train before the next turn has ended.
type lead struct {
	until uint64        // tokens of the rank
	over  chan struct{} // is closed when there is another lead
}

// leave sets the lead of this rank's workers after a turn that began when the rank had trained so many
// tokens. Workers train up to the next turn, and continue while it takes place.
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

// Pace waits for an overdue turn.
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
