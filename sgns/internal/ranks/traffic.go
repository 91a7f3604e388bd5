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
// a rank trains between two turns; 0 means a number that suits the run. Speed is how many tokens a second a rank trains beside a turn; 0 means
// that turns take no time.
func TrafficOf(p plan.Plan, tokens uint64, size int, every uint64, speed float64) (t Traffic) {
	o := replica.Defaults()
	suits, usual := Between(tokens, size), Usual(tokens, size)
	ahead := aheadOf(size, every, suits, usual)
	every = cmp.Or(min(every, mostEvery), closer(usual, p.Means))
	t.Between = every
	o.Every = min(every, suits)
	var matrices []replica.Rates
	for cols, touches := range p.Touched() {
		matrices = append(matrices, replica.RatesOf(cols, touches))
	}
	own := tokens / uint64(size)
	c := course{every: float64(every), least: float64(o.Every), ahead: float64(ahead), speed: speed}
	c.turn = func(apart float64) (bytes, seconds float64) {
		bytes, seconds = o.Turn(matrices, size, apart)
		return bytes, seconds/float64(max(1, p.Threads)) + byteTime*bytes
	}
	turns, bytes := c.run(float64(own))
	t.Turns, t.Bytes = uint64(turns), bytes
	t.Complete = replica.CompleteBytes(matrices, size, own)
	return t
}

// Seconds that exchanges take: of a byte over TCP on one machine (lab/cluster/exchange), and of a meeting without data.
const (
	byteTime    = 0.45e-9
	meetingTime = 0.5e-3
)

// A course is the turns of a rank, in tokens that it trains. Others are as fast.
type course struct {
	every, least, ahead float64
	speed               float64 // tokens a second
	turn                func(apart float64) (bytes, seconds float64)
}

// run returns how many turns a rank has until it has trained so many tokens, and what it sends in them. Workers train on during a turn, but
// not beyond the lead that the turn before has left them. The next turn begins when it is due, somewhat later because ranks look now and then.
func (c course) run(tokens float64) (turns, bytes float64) {
	const enough = 64 // turns that tell how later ones are
	type point struct{ trained, turns, bytes float64 }
	var now, steady point
	gap := func() float64 { return min(c.every, max(c.least, now.trained/youth)) }
	late, lead := (look.Seconds()/2+meetingTime)*c.speed, c.ahead*gap()
	for apart := min(gap()+late, lead); now.trained+apart < tokens; {
		sent, seconds := c.turn(apart)
		now = point{now.trained + apart, now.turns + 1, now.bytes + sent}
		meanwhile := min((seconds+2*meetingTime)*c.speed, max(0, lead-now.trained))
		lead = now.trained + c.ahead*gap()
		apart = min(max(gap()+late, meanwhile+look.Seconds()*c.speed), lead-now.trained)
		switch {
		case gap() < c.every:
			steady = now
		case now.turns >= steady.turns+enough:
			more := (tokens - now.trained) / (now.trained - steady.trained)
			return now.turns + more*(now.turns-steady.turns), now.bytes + more*(now.bytes-steady.bytes)
		}
	}
	return now.turns, now.bytes
}
