package ranks

import (
	"context"
	"math"
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

// ofMachine returns how many tokens a machine trains while a rank trains so many, in the mean. ofRank is the inverse.
func (t *Replicated) ofMachine(tokens uint64) uint64 {
	return tokens * uint64(t.size()) / uint64(t.machine.count)
}

func (t *Replicated) ofRank(tokens uint64) uint64 {
	return max(tokens*uint64(t.machine.count)/uint64(t.size()), leastEvery)
}

// between is Between for a rank of this run.
func (t *Replicated) between() uint64 { return t.ofRank(Between(t.Run.Whole(), t.machine.count)) }

// Between returns how many tokens a rank, alone on its machine, trains between two turns, if all ranks are equally fast. In a
// longer run the learning rate is lower for longer, so turns are further apart, and there are more of them.
func Between(tokens uint64, ranks int) uint64 {
	all := betweenTurns * math.Sqrt(max(1, float64(tokens)/measured))
	return max(uint64(all/float64(ranks)), leastEvery)
}

// Usual is how many tokens a rank trains between two turns by default. Two ranks have turns five times as far apart as
// Between says, which takes less time, and vectors are as good.
func Usual(tokens uint64, ranks int) uint64 {
	between := Between(tokens, ranks)
	if ranks == 2 {
		return 5 * between
	}
	return between
}

// closer returns how many tokens a rank trains between two turns, which are closer if inputs are means of contexts. A step for a centre then
// moves all of its contexts, and ranks that train by themselves move them the same way.
func closer(every uint64, means bool) uint64 {
	if means {
		return max(2*every/5, leastEvery)
	}
	return every
}

// mostAhead limits how far workers may train after a turn has begun, in tokens between turns. With few ranks it is
// further before vectors get worse, so that a slow network can carry a turn meanwhile.
func mostAhead(ranks int) uint64 { return max(2, uint64(80/(ranks*ranks))) }

// aheadOf returns after how many times the tokens between turns workers wait for a turn. every is what the options ask for, or 0 if turns
// are as far apart as usual.
func aheadOf(ranks int, every, suits, usual uint64) uint64 {
	if every > 0 {
		return mostAhead(ranks)
	}
	return max(2, mostAhead(ranks)*suits/usual)
}

// young returns how many tokens a rank may train between two turns early in a run, whatever the options say.
// Young vectors move far, and vectors of ranks that move apart then never come together.
func (t *Replicated) young() uint64 {
	if t.lockstep {
		return t.least
	}
	return max(t.least, t.trained()/youth)
}

// gap returns how many tokens a rank trains until the next turn.
func (t *Replicated) gap() uint64 { return min(t.every, t.young()) }

type distances struct{ sum, squares float64 }

func (d *distances) add(tokens uint64) {
	d.sum += float64(tokens)
	d.squares += float64(tokens) * float64(tokens)
}

// usual returns the mean, over tokens, of the distance between the turns around a token.
func (d *distances) usual() float64 { return d.squares / max(d.sum, 1) }

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
		ahead *= t.ahead
	}
	if t.options.Budget > 0 {
		ahead = max(ahead, t.trained())
	}
	before := t.lead.Swap(&lead{until: trained + ahead, over: make(chan struct{})})
	if before != nil {
		close(before.over)
	}
}

// pace waits for an overdue turn, and for something to train.
func (t *Replicated) pace(ctx context.Context, worker int) error {
	if t.share.list != nil {
		t.share.wait(ctx, worker)
	}
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
