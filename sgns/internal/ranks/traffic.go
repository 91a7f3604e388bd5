package ranks

import (
	"cmp"

	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
)

// A Traffic is what ranks send to each other.
type Traffic struct {
	Turns    uint64
	Between  uint64  // tokens of a rank between two turns
	Bytes    float64 // that a rank sends in all turns
	Complete float64 // that it sends in a complete turn: at the end, and before each evaluation and each checkpoint
}

// TrafficOf estimates the traffic of so many ranks that train so many tokens with a model that each of them has. Every is how many tokens
// a rank trains between two turns; 0 means a number that suits the run.
func TrafficOf(p plan.Plan, tokens uint64, size int, every uint64) (t Traffic) {
	o := replica.Defaults()
	suits := Between(tokens, size)
	every = cmp.Or(min(every, mostEvery), closer(Usual(tokens, size), p.Means))
	t.Between = every
	o.Every = min(every, suits)
	var matrices []replica.Rates
	for cols, touches := range p.Touched() {
		matrices = append(matrices, replica.RatesOf(cols, touches))
	}
	own := tokens / uint64(size)
	turns := map[uint64]uint64{} // by distance
	for trained := uint64(0); trained < own; {
		gap := min(every, max(o.Every, trained/youth))
		if gap == every { // from now on
			n := (own - trained) / gap
			turns[gap] += n
			break
		}
		turns[gap]++
		trained += gap
	}
	for gap, n := range turns {
		t.Turns += n
		t.Bytes += float64(n) * o.TurnBytes(matrices, size, gap)
	}
	t.Complete = replica.CompleteBytes(matrices, size, own)
	return t
}
