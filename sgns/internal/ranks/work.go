package ranks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/sgns/internal/run"
)

// Ranks meet before each turn, and at least every latest, so that an interrupted rank does not wait longer.
const (
	latest = 250 * time.Millisecond
	look   = time.Millisecond // how often a rank checks whether a turn is due
)

// Work lets the workers of a rank train, and takes part in the turns of all ranks, until all ranks have
// ended. All ranks return errors of the same kind. Their parameters are then equal, unless training diverged
// or messages failed.
func (t *Replicated) Work(ctx context.Context) error {
	t.ended = false
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- t.Run.TrainTexts(working) }()
	m := &meetings{Replicated: t, ctx: ctx, always: context.WithoutCancel(ctx), ended: ended, stop: stop}
	agreed, err := m.hold()
	stop()
	m.wait()
	if !agreed || errors.Is(err, run.ErrDiverged) {
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

// errInterrupted says that another rank was interrupted.
var errInterrupted = fmt.Errorf("another rank was interrupted: %w", context.Canceled)

// A meetings runs the meetings of a rank with the others while its workers train.
type meetings struct {
	*Replicated
	ctx    context.Context // ends when this rank is to stop
	always context.Context // never ends
	ended  <-chan error    // receives when the workers have ended
	stop   func()          // stops the workers
	over   bool            // the workers have ended
	err    error           // error of the workers
}

// wait waits until the workers have ended.
func (m *meetings) wait() {
	if !m.over {
		m.err, m.over = <-m.ended, true
	}
}

// hold holds meetings until one of them ends the work. It reports whether all ranks have agreed on the end.
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

// await waits until the next meeting is due.
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
		if m.Run.Counters.Tokens()-own >= m.gap() && !m.held() || m.first() && m.Run.Due() {
			return
		}
	}
}

// control returns what this rank has done.
func (t *Replicated) control() replica.Control {
	r := t.Run
	c := replica.Control{
		Tokens:   r.Counters.Tokens(),
		Sent:     t.comm.Sent(),
		Doubtful: r.Watched(),
		Pause:    t.first() && r.Due() && (r.ToEvaluate() || !r.Doubtful()),
		Held:     t.held(),
	}
	c.Loss, c.Pairs = r.Counters.Losses(false)
	c.LastLoss, c.LastPairs = r.Counters.Losses(true)
	return c
}

// control returns what this rank has done, and whether it continues.
func (m *meetings) control() replica.Control {
	c := m.Replicated.control()
	c.Ended = m.over && m.err == nil
	c.Interrupted = m.ctx.Err() != nil
	if m.over && m.err != nil && m.ctx.Err() == nil {
		c.Diverged = errors.Is(m.err, run.ErrDiverged)
		c.Failed = !c.Diverged
	}
	return c
}

// held reports whether this rank has sent more than its budget so far. The budget grows with training time.
func (t *Replicated) held() bool {
	return t.budget > 0 && float64(t.sync.Sent()) > time.Since(t.began).Seconds()*float64(t.budget) &&
		t.Run.Counters.Tokens()-t.due[t.rank()] < t.young()
}

// hear stores the messages of the other ranks.
func (t *Replicated) hear(all []replica.Control) {
	o := run.Others{Merged: math.NaN()}
	for rank, c := range all {
		o.Sent += c.Sent
		if rank == t.rank() {
			continue
		}
		o.Tokens += c.Tokens
		o.Pairs += c.Pairs
		o.LastPairs += c.LastPairs
		o.Loss += c.Loss
		o.LastLoss += c.LastLoss
		o.Doubtful = o.Doubtful || c.Doubtful
	}
	t.others.Store(&o)
}

// verdict reports whether the work is over, and the reason if it ended early.
func (m *meetings) verdict(all []replica.Control) (over bool, err error) {
	over = true
	for rank, c := range all {
		switch {
		case c.Failed && rank == m.rank():
			return true, m.err
		case c.Failed:
			return true, couldNotGoOn(rank)
		case c.Diverged:
			return true, run.ErrDiverged
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

// couldNotGoOn returns the error on other ranks when a rank reports an error of its own.
func couldNotGoOn(rank int) error {
	return &cluster.EndedError{Rank: rank, Err: errors.New("it could not go on")}
}

// isDue reports whether a turn is due: a rank has trained enough tokens, and no rank exceeds its budget.
func (t *Replicated) isDue(all []replica.Control) bool {
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

// turned stores what the ranks had trained when a turn began.
func (t *Replicated) turned(all []replica.Control) {
	before := t.trained()
	for rank, c := range all {
		t.due[rank] = c.Tokens
	}
	t.apart.add(t.trained() - before)
}

// Results that rank 0 sends while the other ranks wait.
const (
	goOn = iota
	enough
	diverged
	failed
	stopped
)

// pause pauses all ranks, with equal parameters, while rank 0 evaluates the parameters and copies them for a
// checkpoint. It reports whether rank 0 has sent the error to all ranks.
func (m *meetings) pause() (agreed bool, err error) {
	asked := time.Now()
	r := m.Run
	err = r.StandStill(func() error {
		if err := m.end(m.always); err != nil {
			return err
		}
		var found error
		if m.first() {
			found = r.Look(m.ctx, asked)
		}
		agreed, err = m.agree(m.ctx, found)
		return err
	})
	if agreed && errors.Is(err, errInterrupted) { // the next meeting handles it
		err = nil
	}
	return agreed, err
}

// agree makes an error of rank 0 an error of all ranks. It reports whether the message was delivered.
func (t *Replicated) agree(ctx context.Context, found error) (agreed bool, err error) {
	var said []byte
	if t.first() {
		said = []byte{saying(ctx, found)}
	}
	if said, err = t.comm.Broadcast(context.WithoutCancel(ctx), 0, said); err != nil {
		return false, err
	}
	if len(said) != 1 {
		return false, errors.New("rank 0 did not say what it found")
	}
	switch said[0] {
	case enough:
		return true, run.ErrEnough
	case diverged:
		return true, run.ErrDiverged
	case stopped:
		return true, errInterrupted
	case failed:
		if t.first() {
			return true, found
		}
		return true, couldNotGoOn(0)
	}
	return true, nil
}

// saying returns the code that rank 0 sends for an error.
func saying(ctx context.Context, err error) byte {
	switch {
	case err == nil:
		return goOn
	case errors.Is(err, run.ErrEnough):
		return enough
	case errors.Is(err, run.ErrDiverged):
		return diverged
	case ctx.Err() != nil:
		return stopped
	}
	return failed
}

// end makes the parameters of all ranks equal, and sends the state of each rank to rank 0. No worker may
// train.
func (t *Replicated) end(ctx context.Context) error {
	all, err := t.sync.Meet(ctx, t.control())
	if err != nil {
		return err
	}
	t.hear(all)
	t.turned(all)
	if err := t.sync.Complete(ctx, t.trained()); err != nil {
		return err
	}
	t.leave(t.due[t.rank()])
	for _, c := range all { // JSON cannot express NaN
		if !finite(c.Loss, c.LastLoss) {
			return run.ErrDiverged
		}
	}
	if !t.saves {
		return nil
	}
	t.Run.Store()
	data, err := json.Marshal(checkpoint.RankOf(t.Run.State(), *t.text))
	if err != nil {
		return fmt.Errorf("the state of training: %w", err)
	}
	t.states, err = t.comm.Gather(ctx, 0, data)
	return err
}

// Ended returns on all ranks what rank 0 passes: whether evaluations have not improved for Patience times.
func (t *Replicated) Ended(ctx context.Context, ended bool) (bool, error) {
	var found error
	if ended {
		found = run.ErrEnough
	}
	if _, err := t.agree(ctx, found); !errors.Is(err, run.ErrEnough) {
		return false, err
	}
	err := t.end(context.WithoutCancel(ctx)) // rank 0 may then save the states of all ranks again
	t.ended = err == nil
	return true, err
}

// Measure measures the loss of the merged model on a sample of each rank's text. Losses during training say
// little about it, because each rank measures them on its own rows. If rank 0 passes an error of its last
// evaluation, all ranks return it.
func (t *Replicated) Measure(ctx context.Context, found error) error {
	if !t.ended {
		return found
	}
	always := context.WithoutCancel(ctx)
	agreed, err := t.agree(ctx, found)
	if err != nil {
		if t.early = agreed; t.first() && found != nil {
			return found
		}
		return err
	}
	loss, pairs := monitor.Sample(t.Run.Engine, t.Run.Data.IDs, config.Threads(t.Run.Config))
	sums := []float64{loss, float64(pairs)}
	if err := t.comm.AllReduce(always, cluster.Sum, sums); err != nil {
		return err
	}
	if sums[1] == 0 { // no pairs were measured
		return nil
	}
	o := *t.others.Load()
	o.Merged = sums[0] / sums[1]
	t.others.Store(&o)
	if t.Run.Limit().Diverging(o.Merged) {
		return run.ErrDiverged
	}
	return nil
}
