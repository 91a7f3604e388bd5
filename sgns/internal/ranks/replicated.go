package ranks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/sgns/internal/run"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vocab"
)

// Replicated is the Synchroniser of ranks that each train their own part of the corpus. Each machine has a copy of the
// parameters, which its ranks share. All machines start with equal parameters, and exchange changes.
type Replicated struct {
	member
	machine   *machine
	reference *params.Values // what other machines know of the parameters; nil for memory of the synchroniser
	exchange  replica.Options
	every     uint64 // tokens that a rank trains between two turns, except early in the run
	least     uint64 // the same early in the run
	ahead     uint64 // after how many times as many workers wait for a turn

	sync  *replica.Synchroniser // of this machine's head, if there are other machines; else nil
	began time.Time             // start of training
	due   []uint64              // by rank: tokens trained at the last turn
	apart distances             // between turns

	share share // of the text; its list is nil if each rank trains its part alone

	lockstep bool // for tests: workers wait for due turns
	lead     atomic.Pointer[lead]
	waiting  chan struct{} // holds a value if a worker has begun to wait

	ended bool // the work has ended, with equal parameters on all ranks
	early bool // the run ended early on all ranks
}

// Replicate joins the ranks of a run, each with its part of the corpus.
func Replicate(ctx context.Context, ranks cluster.Comm, ids *vocab.IDs, c config.Config, o Options) (*Replicated, error) {
	if c.Deterministic {
		return nil, errors.New("sgns: ranks exchange what they have trained while they train, so a run on several of them cannot be deterministic: train it on one, or without Deterministic")
	}
	if c.Precision != settings.F32 {
		return nil, errors.New("sgns: ranks exchange rows of float32, so a run on several of them cannot have rows of precision f16: train it on one, or with precision f32")
	}
	comm, err := ranks.Dup(ctx)
	if err != nil {
		return nil, fmt.Errorf("joining ranks: %w", err)
	}
	t := &Replicated{member: member{comm: comm, options: o}, exchange: replica.Defaults(), due: make([]uint64, comm.Size()), waiting: make(chan struct{}, 1)}
	if err := t.count(ctx, ids); err != nil {
		return nil, err
	}
	// Frozen rows are known only to the rank that has filled the parameters.
	if t.machine, err = machineOf(ctx, comm, c.Freeze == config.FreezeNone); err != nil {
		return nil, fmt.Errorf("joining ranks: %w", err)
	}
	if o.Exchange != nil {
		t.exchange, t.lockstep = *o.Exchange, true
		t.every, t.least = t.exchange.Every, t.exchange.Every
	} else {
		whole, machines := t.tokens*uint64(c.Epochs), t.machine.count
		suits, usual := t.ofRank(Between(whole, machines)), t.ofRank(Usual(whole, machines))
		t.every = cmp.Or(min(o.Every, mostEvery), usual)
		t.least = min(t.every, suits)
		t.ahead = aheadOf(machines, o.Every, suits, usual)
	}
	t.exchange.Every = t.ofMachine(t.least)
	t.exchange.Threads = config.Threads(c) // beside the workers, which wait for late turns
	t.leave(0)
	return t, nil
}

// Join returns what the run must know of the other ranks.
func (t *Replicated) Join(r *run.Run) run.Peers {
	p := t.member.Join(r)
	p.Shared = !t.lockstep
	ctx := context.Background()
	p.Allocate = func(list params.List) (values *params.Values, err error) {
		if t.machine.size() == 1 {
			return params.Allocate(list), nil
		}
		values, t.reference, err = t.machine.allocate(ctx, list)
		return values, err
	}
	p.Fill = func(fill func() error) error {
		if t.machine.heads != nil {
			if err := fill(); err != nil {
				return err
			}
		}
		return t.machine.wait(ctx)
	}
	p.Plan = func(of *plan.Planner) (plan.Plan, error) {
		if t.machine.size() > 1 {
			of.Sharing, of.Tokens = t.machine.size(), t.tokens/uint64(t.machine.count)
			if err := t.machine.place(ctx, &of.Placement, of.Workers); err != nil {
				return plan.Plan{}, err
			}
		}
		of.Readers = max(of.Readers, monitor.Evaluators(r.Data.IDs, config.Threads(of.Config)))
		of.Beside = func(list params.List) float64 {
			rows, cols := 0, 0
			for m := range list.Owned() {
				rows, cols = rows+m.Rows, max(cols, m.Cols)
			}
			return replica.Bytes(list.Bytes(), rows, cols, t.machine.count, t.exchange.Threads)
		}
		if t.machine.count == 1 {
			of.Beside = nil
		}
		planned, err := of.Plan()
		planned.Unshared = t.machine.unshared
		if err == nil && t.machine.size() > 1 {
			err = t.machine.agree(ctx, of.List)
		}
		return planned, err
	}
	p.Apart = func() (tokens, usual uint64) {
		if t.machine.count == 1 {
			return 0, 0
		}
		return uint64(max(t.apart.usual(), float64(t.gap()))), t.between()
	}
	return p
}

// Start begins the run, and checks that all ranks start with the same words, parameters and settings.
func (t *Replicated) Start(ctx context.Context) error {
	r := t.Run
	if !t.lockstep {
		t.share.list = r.Engine.Share()
		if t.options.Budget > 0 {
			t.share.afford = t.afford
		}
	}
	if err := r.Begin(); err != nil {
		return err
	}
	var matrices []replica.Matrix
	words := plan.WordsOf(r.Config, r.Data.Vocab, r.Data.Vocab.KeepProbabilities(r.Subsample))
	for m, rows := range r.Model.Values.Owned() {
		of := replica.Matrix{Rows: rows, Touches: touchesOf(r.Model.Values.List(), m, words)}
		if t.reference != nil {
			of.Reference = t.reference.Matrix(m.Name).Data
		}
		matrices = append(matrices, of)
	}
	contexts := r.Model.Division.Contexts
	if !t.lockstep {
		if t.options.Every == 0 {
			t.every = closer(t.every, contexts > 0)
			t.least = min(t.least, t.every)
			t.exchange.Every = t.ofMachine(t.least)
		}
		t.exchange.Combine = replica.ByPairs(contexts)
	}
	// Ranks without text, or with none left, own rows too. So the rate is that of the whole run.
	t.exchange.Rate = func(trained uint64) float64 {
		return r.FirstRate() * max(0, 1-float64(trained)*float64(t.machine.count)/float64(r.Whole()))
	}
	if t.machine.heads != nil && t.machine.count > 1 {
		t.sync = replica.New(t.machine.heads, matrices, t.exchange)
	}
	if err := alike(ctx, t.comm, r, t.options); err != nil {
		return err
	}
	all, err := replica.Meet(ctx, t.comm, t.control())
	if err != nil {
		return fmt.Errorf("joining ranks: %w", err)
	}
	t.hear(all)
	t.turned(all)
	if t.share.list != nil {
		if err := t.share.begin(ctx, t.comm, r.Left(), len(r.Trainers()), all); err != nil {
			return err
		}
	}
	t.apart = distances{}
	t.leave(t.due[t.rank()])
	if t.sync != nil {
		t.sync.Begin(t.ofMachine(t.trained()))
	}
	t.began = time.Now()
	return nil
}

// trained returns the mean number of tokens that a rank had trained by the last turn.
func (t *Replicated) trained() uint64 {
	var all uint64
	for _, tokens := range t.due {
		all += tokens
	}
	return all / uint64(t.size())
}

// State returns the state of all ranks in their last pause.
func (t *Replicated) State() (checkpoint.State, error) {
	s := t.Run.State()
	return s, s.SetRanks(t.states)
}

// End saves if the ranks have ended with the same parameters, which their states belong to. If all ranks have
// ended early, End waits until rank 0 has saved: otherwise the first rank that reports an error would end the others.
func (t *Replicated) End(ctx context.Context, save func() error) ([]run.Remark, error) {
	defer func() {
		t.sync = nil
		t.comm.Release()
		t.machine.release()
	}()
	if t.ended {
		if err := save(); err != nil {
			return nil, err
		}
	}
	if t.early {
		if err := t.comm.Barrier(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
	}
	// The distance between turns costs quality from here on: a multiple of the usual one.
	usual, apart := float64(t.between()), t.apart.usual()
	if machines := t.machine.count; machines == 1 || apart < max(10, 2*float64(mostAhead(machines)))*usual {
		return nil, nil
	}
	return []run.Remark{{Kind: run.RemarkApart, Value: math.Round(apart), Usual: usual}}, nil
}

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
	always := context.WithoutCancel(ctx)
	var found error
	if t.Run.Enough() {
		found = run.ErrEnough
	}
	if _, err := t.agree(ctx, found); err != nil {
		if errors.Is(err, run.ErrEnough) { // rank 0 may then save the states of all ranks again
			if e := t.end(always); e != nil {
				return e
			}
			t.ended = true
		}
		return err
	}
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	next := t.share.next
	if t.share.list == nil {
		next = nil
	}
	go func() { ended <- t.Run.TrainTexts(working, t.pace, next) }()
	m := &meetings{Replicated: t, ended: ended}
	agreed, err := m.hold(ctx)
	stop()
	var late error
	if !m.over { // the last chunk may have failed after the rank said that it was idle
		if late = <-ended; errors.Is(late, context.Canceled) {
			late = nil
		}
	}
	if !agreed || errors.Is(err, run.ErrDiverged) {
		return err
	}
	if e := t.end(always); e != nil {
		return e
	}
	if err == nil && late != nil {
		return late
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
	ended <-chan error // receives when the workers have ended
	over  bool         // the workers have ended
	err   error        // error of the workers
}

// hold holds meetings until one of them ends the work. It reports whether all ranks have agreed on the end.
func (m *meetings) hold(ctx context.Context) (agreed bool, err error) {
	always := context.WithoutCancel(ctx) // the other ranks must hear that this one is to stop
	for {
		m.await(ctx)
		all, err := replica.Meet(always, m.comm, m.control(ctx))
		if err != nil {
			return false, err
		}
		m.hear(all)
		if over, err := m.verdict(all); over || err != nil {
			return true, err
		}
		if m.share.list != nil {
			if m.share.met(all); !all[0].Pause {
				if err := m.share.give(always, m.comm, m.share.grants()); err != nil {
					return false, err
				}
			}
		}
		switch {
		case all[0].Pause:
			agreed, err = m.pause(ctx)
		case m.isDue(all):
			m.turned(all)
			agreed, err = false, m.turn(always)
			m.leave(m.due[m.rank()])
		}
		if err != nil {
			return agreed, err
		}
	}
}

func (m *meetings) await(ctx context.Context) {
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
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-m.waiting:
		}
		if m.Run.Counters.Tokens()-own >= m.gap() && !m.held() || m.first() && m.Run.Due() || m.idle() {
			return
		}
	}
}

func (t *Replicated) control() replica.Control {
	c := t.member.control()
	c.Doubtful = t.Run.Watched()
	c.Pause = t.first() && t.Run.Due() && (t.Run.ToEvaluate() || !t.Run.Doubtful())
	c.Held = t.held()
	return c
}

// control returns what this rank has done, and whether it continues.
func (m *meetings) control(ctx context.Context) replica.Control {
	c := m.Replicated.control()
	c.Ended = m.over && m.err == nil || m.idle()
	c.Interrupted = ctx.Err() != nil
	if m.over && m.err != nil && ctx.Err() == nil {
		c.Diverged = errors.Is(m.err, run.ErrDiverged)
		c.Failed = !c.Diverged
	}
	return c
}

// idle reports whether this rank has nothing to train until others give it something.
func (t *Replicated) idle() bool { return t.share.list != nil && t.share.idle() }

// held reports whether this rank has sent more than its budget so far. The budget grows with training time.
func (t *Replicated) held() bool {
	return t.options.Budget > 0 && t.afford() < 0 &&
		t.Run.Counters.Tokens()-t.due[t.rank()] < t.young()
}

// afford returns how many bytes this rank may send now to keep to its budget.
func (t *Replicated) afford() int64 {
	return int64(time.Since(t.began).Seconds()*float64(t.options.Budget)) - int64(t.sync.Sent()) - t.share.sent
}

// turn exchanges changes with the other machines.
func (t *Replicated) turn(ctx context.Context) error {
	if t.machine.count == 1 {
		return nil
	}
	if t.sync != nil {
		if err := t.sync.Turn(ctx, t.ofMachine(t.trained())); err != nil {
			return err
		}
	}
	return t.machine.wait(ctx)
}

// verdict reports whether the work is over, and the reason if it ended early.
func (m *meetings) verdict(all []replica.Control) (over bool, err error) {
	over = true
	for rank, c := range all {
		switch {
		case c.Failed && rank == m.rank():
			return true, m.err
		case c.Failed:
			return true, &cluster.EndedError{Rank: rank, Err: errStopped}
		case c.Diverged:
			return true, run.ErrDiverged
		}
		over = over && c.Ended
	}
	if slices.ContainsFunc(all, func(c replica.Control) bool { return c.Interrupted }) {
		return true, errInterrupted
	}
	return over, nil
}

var errStopped = errors.New("it could not go on")

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

func (t *Replicated) turned(all []replica.Control) {
	before := t.trained()
	for rank, c := range all {
		t.due[rank] = c.Tokens
	}
	t.apart.add(t.trained() - before)
}

// pause pauses all ranks, with equal parameters, while rank 0 evaluates the parameters and copies them for a
// checkpoint. It reports whether rank 0 has sent the error to all ranks.
func (t *Replicated) pause(ctx context.Context) (agreed bool, err error) {
	asked := time.Now()
	err = t.Run.StandStill(func() error {
		if err := t.end(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		var found error
		if t.first() {
			found = t.Run.Look(ctx, asked)
		}
		agreed, err = t.agree(ctx, found)
		return err
	})
	if agreed && errors.Is(err, errInterrupted) { // the next meeting handles it
		err = nil
	}
	return agreed, err
}

// verdicts are what rank 0 tells the other ranks while they wait. The last is any other error.
var verdicts = []error{nil, run.ErrEnough, run.ErrDiverged, errInterrupted, &cluster.EndedError{Rank: 0, Err: errStopped}}

// agree makes an error of rank 0 an error of all ranks. It reports whether the message was delivered.
func (t *Replicated) agree(ctx context.Context, found error) (agreed bool, err error) {
	other := len(verdicts) - 1
	is := slices.IndexFunc(verdicts[:other], func(v error) bool { return errors.Is(found, v) })
	if is < 0 {
		if is = other; ctx.Err() != nil {
			is = slices.Index(verdicts, errInterrupted)
		}
	}
	said, err := t.comm.Broadcast(context.WithoutCancel(ctx), 0, []byte{byte(is)})
	switch {
	case err != nil:
		return false, err
	case len(said) != 1 || int(said[0]) > other:
		return false, errors.New("rank 0 did not say what it found")
	case t.first() && is == other:
		return true, found
	}
	return true, verdicts[said[0]]
}

// end makes the parameters of all ranks equal, and sends states to rank 0. No worker may train.
func (t *Replicated) end(ctx context.Context) error {
	all, err := replica.Meet(ctx, t.comm, t.control())
	if err != nil {
		return err
	}
	t.hear(all)
	t.turned(all)
	if t.share.list != nil {
		t.share.met(all)
		if err := t.share.giveBack(ctx, t.comm, t.Run.Trainers()); err != nil {
			return err
		}
	}
	t.Run.Store()
	if err := t.machine.wait(ctx); err != nil {
		return err
	}
	if t.sync != nil {
		if err := t.sync.Complete(ctx, t.ofMachine(t.trained())); err != nil {
			return err
		}
	}
	if err := t.machine.wait(ctx); err != nil {
		return err
	}
	t.leave(t.due[t.rank()])
	for _, c := range all { // JSON cannot express NaN
		if !c.Finite() {
			return run.ErrDiverged
		}
	}
	return t.gather(ctx, t.Run.State)
}

// Meet measures the loss of the merged model on a sample of each rank's text. Losses during training say
// little about it, because each rank measures them on its own rows. If rank 0 passes an error of its last
// evaluation, all ranks return it.
func (t *Replicated) Meet(ctx context.Context, found error) error {
	if !t.ended {
		return found
	}
	agreed, err := t.agree(ctx, found)
	if err != nil {
		if t.early = agreed; t.first() && found != nil {
			return found
		}
		return err
	}
	loss, pairs := monitor.Sample(t.Run.Engine, t.Run.Data.IDs, config.Threads(t.Run.Config))
	sums := []float64{loss, float64(pairs)}
	if err := t.comm.AllReduce(context.WithoutCancel(ctx), cluster.Sum, sums); err != nil || sums[1] == 0 {
		return err
	}
	merged := sums[0] / sums[1]
	if t.Run.Merged = &merged; t.Run.Limit.Diverging(merged) {
		return run.ErrDiverged
	}
	return nil
}
