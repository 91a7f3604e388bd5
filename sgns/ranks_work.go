package sgns

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/replica"
)

// Ranks meet before each turn, and at least every latest: a rank that is to stop does not wait longer.
const (
	latest = 250 * time.Millisecond
	look   = time.Millisecond // how often a rank looks whether a turn is due
)

// work lets the workers of a rank train, and takes part in the turns of all ranks, until all have
// ended. All ranks return an error of the same kind. They have the same parameters then, unless training
// diverged or messages failed.
func (t *team) work(ctx context.Context) error {
	t.ended = false
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- t.run.trainTexts(working) }()
	m := &meetings{team: t, ctx: ctx, always: context.WithoutCancel(ctx), ended: ended, stop: stop}
	agreed, err := m.hold()
	stop()
	m.wait()
	if !agreed || errors.Is(err, ErrDiverged) {
		return err
	}
	if e := t.end(m.always); e != nil {
		return e
	}
	t.ended, t.early = true, err != nil
	if errors.Is(err, errInterrupted) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// errInterrupted says that some rank was told to stop.
var errInterrupted = fmt.Errorf("another rank was interrupted: %w", context.Canceled)

// Meetings are those of one rank with the others, while its workers train.
type meetings struct {
	*team
	ctx    context.Context // ends when this rank is to stop
	always context.Context // never ends
	ended  <-chan error    // the workers have
	stop   func()          // ends them
	over   bool            // they have ended
	err    error           // with this error
}

// wait waits until the workers have ended.
func (m *meetings) wait() {
	if !m.over {
		m.err, m.over = <-m.ended, true
	}
}

// hold holds meetings until one of them ends the work. It reports whether all ranks have agreed on
// that.
func (m *meetings) hold() (agreed bool, err error) {
	for {
		m.await()
		all, err := m.sync.Meet(m.always, m.control())
		if err != nil {
			return false, err
		}
		m.hear(all)
		if over, err := m.verdict(all); over || err != nil {
			return true, err
		}
		switch {
		case all[0].Pause:
			agreed, err = m.pause()
		case m.isDue(all):
			agreed, err = false, m.turn(all)
		}
		if err != nil {
			return agreed, err
		}
	}
}

// await waits until it is time to meet.
func (m *meetings) await() {
	if m.over {
		return
	}
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	from, own := time.Now(), m.due[m.rank()]
	for time.Since(from) < latest {
		select {
		case m.err = <-m.ended:
			m.over = true
			return
		case <-m.ctx.Done():
			return
		case <-ticker.C:
		case <-m.waiting:
		}
		if m.run.counters.Tokens()-own >= m.gap() && !m.held() || m.first() && m.run.due() {
			return
		}
	}
}

// control is what this rank has done.
func (t *team) control() replica.Control {
	r := t.run
	c := replica.Control{
		Tokens:   r.counters.Tokens(),
		Sent:     t.comm.Sent(),
		Doubtful: r.watched(),
		Pause:    t.first() && r.due() && (r.toEvaluate() || !r.doubtful()),
		Held:     t.held(),
	}
	c.Loss, c.Pairs = r.counters.Losses(false)
	c.LastLoss, c.LastPairs = r.counters.Losses(true)
	return c
}

// control is what this rank has done, and whether it goes on.
func (m *meetings) control() replica.Control {
	c := m.team.control()
	c.Ended = m.over && m.err == nil
	c.Interrupted = m.ctx.Err() != nil
	if m.over && m.err != nil && m.ctx.Err() == nil {
		c.Diverged = errors.Is(m.err, ErrDiverged)
		c.Failed = !c.Diverged
	}
	return c
}

// held reports whether this rank has sent more than it may by now. It may, if it has trained long.
func (t *team) held() bool {
	return t.budget > 0 && float64(t.sync.Sent()) > time.Since(t.began).Seconds()*float64(t.budget) &&
		t.run.counters.Tokens()-t.due[t.rank()] < t.young()
}

// hear keeps what the others said.
func (t *team) hear(all []replica.Control) {
	var o others
	for rank, c := range all {
		o.sent += c.Sent
		if rank == t.rank() {
			continue
		}
		o.tokens += c.Tokens
		o.pairs += c.Pairs
		o.lastPairs += c.LastPairs
		o.loss += c.Loss
		o.lastLoss += c.LastLoss
		o.doubtful = o.doubtful || c.Doubtful
	}
	t.others.Store(&o)
}

// verdict reports whether the work is over, and why if it has not come to its end.
func (m *meetings) verdict(all []replica.Control) (over bool, err error) {
	over = true
	for rank, c := range all {
		switch {
		case c.Failed && rank == m.rank():
			return true, m.err
		case c.Failed:
			return true, couldNotGoOn(rank)
		case c.Diverged:
			return true, ErrDiverged
		}
		over = over && c.Ended
	}
	for _, c := range all {
		if c.Interrupted {
			return true, errInterrupted
		}
	}
	return over, nil
}

// couldNotGoOn is what the other ranks return for an error that a rank tells of itself.
func couldNotGoOn(rank int) error {
	return &cluster.EndedError{Rank: rank, Err: errors.New("it could not go on")}
}

// isDue reports whether a turn is due: a rank has trained enough for one, and all may send.
func (t *team) isDue(all []replica.Control) bool {
	some, every := false, true
	for rank, c := range all {
		if c.Held {
			return false
		}
		ready := c.Tokens-t.due[rank] >= t.gap()
		some, every = some || ready, every && (ready || c.Ended)
	}
	return some && (every || !t.lockstep)
}

// turn exchanges rows.
func (m *meetings) turn(all []replica.Control) error {
	m.turned(all)
	err := m.sync.Turn(m.always, m.trained())
	m.leave(m.due[m.rank()])
	return err
}

// turned keeps what the ranks had trained when a turn began.
func (t *team) turned(all []replica.Control) {
	before := t.trained()
	for rank, c := range all {
		t.due[rank] = c.Tokens
	}
	t.apart.add(t.trained() - before)
}
