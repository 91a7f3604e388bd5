package ranks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/ranks/divided"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/sgns/internal/run"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Divided is the Synchroniser of ranks that each own a part of the model's rows. A rank trains its text in
// rounds. For each round it fetches rows from their owners: see package divided.
type Divided struct {
	member
	layout divided.Layout
	setup  divided.Options
	part   *divided.Division
	reader *divided.Reader
	pooled loss.Pooled

	read, trained uint64       // rounds
	place         engine.Place // after the trained rounds
	round         texts        // the round in training
	diverged      atomic.Bool  // on this rank
	told          []replica.Control

	failed error         // on rank 0: why it wants to stop
	loan   *divided.Loan // on rank 0: set while the other ranks serve it
}

// Divide joins the ranks of a run with divided rows, each with its part of the corpus.
func Divide(ctx context.Context, ranks cluster.Comm, ids *vocab.IDs, o Options) (*Divided, error) {
	d := &Divided{member: member{comm: ranks, options: o}}
	return d, d.count(ctx, ids)
}

// Join returns what the run must know of the other ranks. All threads train pieces of the text of a round.
func (d *Divided) Join(r *run.Run) run.Peers {
	p := d.member.Join(r)
	p.Workers, p.Lends, p.Plan, p.Parts = config.Threads(r.Config), true, d.planned, d.parts
	p.Apart = func() (tokens, usual uint64) { return d.setup.Head.Every, uint64(usualTurn(d.size())) }
	return p
}

// Start sets the rows to their values at the start of the run, or in the checkpoint.
func (d *Divided) Start(ctx context.Context) (err error) {
	r := d.Run
	v, values := r.Model.Variant, r.Model.Values
	rows := divided.Rows{values.Matrix(v.Input()), values.Matrix(model.OutputName)}
	o, size, table := &d.setup, float64(d.size()), r.Model.Table
	o.Threads, o.Head.Threads = len(r.Counters), len(r.Counters) // workers may all be waiting during a turn of the head
	o.Head.Rate = func(trained uint64) float64 {
		return r.Config.LearningRate * max(0, 1-float64(trained)*size/float64(r.Whole()))
	}
	list, words := v.Matrices(table.Words(), table.Rows(), table), plan.WordsOf(r.Config, r.Data.Vocab, r.Data.Vocab.KeepProbabilities(r.Subsample))
	var touches divided.Touches
	for i, name := range []string{v.Input(), model.OutputName} {
		m, _ := list.Find(name)
		touches[i] = touchesOf(list, m, words)
	}
	if d.part, err = divided.New(ctx, d.comm, d.layout, rows, touches, d.setup); err != nil {
		return err
	}
	d.pooled = v.Loss.(loss.Pooled)
	d.reader = divided.NewReader(d.layout, d.setup.Limits, r.Engine.NewReading(), d.pooled)
	d.pooled.DrawFrom(d.part.Pool(&divided.Round{}))
	r.MakeWorkers()
	r.SetFound(monitor.Found{})
	if r.From == nil {
		d.part.Initialise(r.Config.Seed, v.Composition.Bound())
	} else if err := d.resume(r.From); err != nil {
		return err
	}
	return alike(ctx, d.comm, r, d.options)
}

// resume continues the run of a checkpoint: at its place if the number of ranks is the same, otherwise as far
// into the current epoch as all ranks together were.
func (d *Divided) resume(from *checkpoint.Contents) error {
	r := d.Run
	err := from.Set.Guard(func() error {
		if err := d.part.Read(from.Set.Input(), from.Set.Output()); err != nil {
			return &checkpoint.StateError{Err: err}
		}
		return from.Set.Err()
	})
	if err != nil {
		return err
	}
	held := from.HeldOut
	if all := from.Corpus.Tokens; held != nil && all != d.tokens { // another number of ranks holds out other text
		held = &checkpoint.Fingerprint{Tokens: all + held.Tokens - d.tokens}
	}
	r.HeldOut(held)
	s := &from.State
	found := s.Found
	if r.Longer() {
		found.Since = 0
	}
	r.SetFound(found)
	if s.Divided != nil {
		d.trained = s.Divided.Rounds
	}
	var sums monitor.Sums
	if s.Divided != nil && len(s.Ranks) == d.size() {
		w := s.Workers[d.rank()]
		d.place, sums = w.Place, w.Sums()
	} else {
		d.place = engine.Place{Chunk: from.NextOf(r.Data.IDs)}
		if d.first() {
			sums = s.Sums()
			sums.LastPairs, sums.LastLoss = 0, 0
		}
		sums.Tokens = r.TokensBefore(d.place.Chunk)
	}
	r.Counters.Set(0, sums)
	r.Hear(run.Others{Sums: monitor.Sums{Tokens: from.Tokens - min(r.Counters.Tokens(), from.Tokens)}})
	chunks := int64(r.Data.IDs.Chunks())
	if d.place.Chunk < 0 || d.place.Chunk > chunks*int64(r.Config.Epochs) || d.place.Offset < 0 {
		return &checkpoint.StateError{Err: fmt.Errorf("is in chunk %d of %d", d.place.Chunk, chunks*int64(r.Config.Epochs))}
	}
	d.reader.Go(d.place)
	return nil
}

func (d *Divided) state() checkpoint.State {
	r := d.Run
	own := engine.State{Place: d.place, Ahead: make([]uint32, r.Engine.Division.Draws)}
	return checkpoint.State{
		Epochs:  r.Config.Epochs,
		Next:    d.place.Chunk + 1,
		Found:   r.Found(),
		Workers: []checkpoint.WorkerState{checkpoint.WorkerOf(own, r.Counters.Sums(), monitor.Latest{})},
		Divided: &checkpoint.DividedState{Rounds: d.trained},
	}
}

// State returns the state of all ranks when they were paused.
func (d *Divided) State() (checkpoint.State, error) {
	s := d.state()
	if err := s.SetRanks(d.states); err != nil {
		return s, errors.Join(err, d.loan.Close())
	}
	return s, nil
}

// parts returns the whole model on rank 0 while other ranks serve it, and else the head's input vectors.
func (d *Divided) parts(values *params.Values) vectors.Parts {
	m := d.Run.Model
	if d.loan == nil {
		return vectors.Parts{
			Words: vectors.NewWords(m.Vocab.Tokens()[:d.layout.Head]...),
			Input: values.Matrix(m.Variant.Input()).First(d.layout.Head),
		}
	}
	p := d.loan.Parts()
	p.Words, p.Counts = m.Words(), m.Vocab.Counts()
	return p
}

// Loan gives rank 0 the rows of all ranks; nil on other ranks.
func (d *Divided) Loan() *divided.Loan { return d.loan }

// End saves on rank 0. Other ranks serve rank 0 until it has closed its model.
func (d *Divided) End(ctx context.Context, save func() error) ([]run.Remark, error) {
	defer d.part.Release()
	if d.first() {
		return nil, save()
	}
	if err := d.part.Serve(context.WithoutCancel(ctx)); err != nil {
		return nil, run.Broken(err)
	}
	return nil, nil
}

// DividedSizes are the sizes of divided runs.
type DividedSizes struct {
	Head   int // smallest number of words in the head
	Ranks  int // number of ranks for which Turn and Tokens are meant; fewer ranks use larger values
	Turn   int // tokens that a rank trains between two turns of the head
	Tokens int // smallest number of tokens of a round
	Most   int // largest number of tokens of a round, reached only if an epoch has a thousand rounds
	Rounds int // smallest number of rounds in an epoch
	Words  int // smallest number of words beyond the head that fit into a round
	Pool   int // tokens of a round for each word that is drawn into the pool
}

// Dividing are the sizes of all runs. Tests change them. docs/scale.md has the measurements.
var Dividing = DividedSizes{Head: 4096, Ranks: 8, Turn: 20_000, Tokens: 50_000, Most: 1_000_000, Rounds: 10, Words: 1 << 13, Pool: 6}

// usualTurn returns how many tokens a rank trains between two turns of the head by default.
func usualTurn(ranks int) int { return Dividing.Turn * max(Dividing.Ranks/ranks, 1) }

func (d *Divided) planned(of *plan.Planner) (plan.Plan, error) {
	v, c := of.Vocab, of.Config
	of.Table = rowtable.New(v.Tokens(), nil, rowtable.Options{})
	of.Division = engine.Divide(of.Variant, v, of.Table, of.Keep, plan.Given(c, of.Sizes))
	subsampled := len(engine.Thresholds(of.Keep)) // number of the most frequent words
	l, o := &d.layout, &d.setup
	words, ranks := v.Len(), d.size()
	part := int(d.tokens / uint64(ranks))
	fewer := max(Dividing.Ranks/ranks, 1) // fewer ranks may train more tokens between exchanges
	turn := usualTurn(ranks)
	if every := d.options.Every; every > 0 {
		turn = int(min(max(every, leastEvery), mostEvery))
	}
	o.Ahead = max(int(betweenTurns*mostAhead(ranks)/(uint64(ranks)*uint64(turn)))-1, 0) // the same limit as for ranks that have the whole model
	o.Head = replica.Defaults()
	o.Head.Every, o.Head.Worth = uint64(turn), float64(ranks) // worth one touch by each rank
	o.Limits.Tokens = max(min(part/Dividing.Rounds, max(Dividing.Tokens*fewer, turn, min(part/1000, Dividing.Most))), 500)
	*l = divided.Layout{Self: d.rank(), Ranks: ranks, Words: words, Cols: c.Dim}
	often := sort.Search(words, func(w int) bool { // a word that occurs in every round belongs to the head
		return float64(v.Count(w))*float64(o.Limits.Tokens) < float64(v.Total())
	})
	l.Head = min(max(Dividing.Head, subsampled, often), words)
	beyond := words - l.Head
	o.Limits.Words = min(beyond, max(Dividing.Words, beyond/(8*ranks))) + vocab.MaxSentence
	o.Limits.Pool = min(o.Limits.Tokens/Dividing.Pool, beyond)
	inputs := l.Head + min(o.Limits.Words, beyond)
	outputs := l.Head + min(o.Limits.Words+o.Limits.Pool, beyond)
	of.List = of.Variant.Matrices(outputs, inputs, nil)
	d.Run.Common = l.Head
	runtime.GC() // collects garbage, for example of an earlier run, before memory is measured
	inUse := float64(sysinfo.MemoryInUse())
	row := step.RowBytes(c.Dim)
	slots := float64(inputs + outputs)
	own := 2 * float64(l.Owned()) * row
	working := slots * row * 2                              // trained rows and their initial values
	messages := 5 * slots * (float64(c.Dim) + 4)            // changes and rows, sent and received
	index := 4*float64(words) + 16*float64(o.Limits.Tokens) // slots of words, and the text of two rounds
	expected := 28 * float64(words)                         // expected touches of rows, during preparation only
	text := min(2*float64(d.Run.Data.IDs.Tokens()), vocab.ResidentBytes)
	each := engine.Bytes(of.Variant, of.Division, of.List, v, of.Table)
	bytes := inUse + own + working + messages + index + expected + text + each*float64(of.Workers) + of.Variant.PreparedBytes(v, v)
	const name = 80
	if d.first() {
		bytes += name * float64(words)
	}
	if d.Run.Hooks.Evaluate != nil { // an evaluation, as of analogies, may need all input vectors
		bytes += float64(words) * row
	}
	bytes += garbage(bytes)
	planned := plan.Plan{
		Words: words, Rows: words, Bytes: uint64(bytes), Added: uint64(bytes) - uint64(inUse),
		Threads: of.Workers, Matrices: plan.Shapes(of.Variant.Matrices(words, words, nil)),
	}
	return planned, plan.Fits(c, bytes, false)
}

// garbage estimates how much garbage messages leave; less if memory is limited.
func garbage(inUse float64) float64 {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	if percent[0].Value.Kind() != metrics.KindUint64 || percent[0].Value.Uint64() > 1000 { // garbage collection is off
		return 0
	}
	most := inUse
	if have, _ := sysinfo.MemoryLimit(); have > 0 {
		most = max(float64(have)-inUse, 0)
	}
	return min(inUse*float64(percent[0].Value.Uint64())/100, most)
}

const (
	poolSeed  = 0x706f6f6c
	roundSeed = 0x726f756e64
)

// number returns the number of a round of this rank among those of all ranks, which random numbers depend on.
func (d *Divided) number(round uint64) uint64 { return round*uint64(d.size()) + uint64(d.rank()) }

func (d *Divided) next(round *divided.Round) {
	d.reader.Read(round, random.Stream(d.Run.Config.Seed^poolSeed, d.number(d.read)))
	d.read++
}

// Work trains rounds until no rank has text left, or until a rank wants to stop. Afterwards rank 0 can read
// the rows of all ranks until it closes its loan.
func (d *Divided) Work(ctx context.Context) error {
	if d.Run.Enough() {
		return run.ErrEnough
	}
	interrupted, err := d.rounds(ctx)
	switch {
	case errors.Is(err, run.ErrDiverged):
		return err
	case err != nil:
		return run.Broken(err)
	case d.first():
		d.loan = d.part.Lend(context.WithoutCancel(ctx))
	}
	return interrupted
}

// rounds returns why training stopped early, the same on all ranks, and an error of this rank.
func (d *Divided) rounds(ctx context.Context) (interrupted, err error) {
	ranks := context.WithoutCancel(ctx) // not cancelled: other ranks must hear of the end
	now, next := new(divided.Round), new(divided.Round)
	d.read = d.trained
	d.next(now)
	if err := d.fetch(ctx, ranks, now); err != nil {
		return nil, err
	}
	d.part.Begin(d.Run.Trained().Tokens / uint64(d.size()))
	var changes [][]byte
	for d.anyone(func(c replica.Control) bool { return !c.Ended }) {
		var rows [][]byte
		var failed error
		var fetching sync.WaitGroup
		fetching.Go(func() {
			d.next(next)
			rows, failed = d.exchange(ranks, d.control(ctx, next.Ended), changes, next)
		})
		unfollowed := d.trainRound(ranks, now)
		fetching.Wait()
		if err := cmp.Or(failed, unfollowed); err != nil {
			return nil, err
		}
		changes = d.part.Collect(now)
		d.place = now.Place
		d.trained++
		if d.anyDiverged() || d.anyInterrupted() {
			break
		}
		if d.anyone(func(c replica.Control) bool { return c.Pause }) {
			if err := d.pause(ctx, ranks, changes); err != nil {
				return nil, err
			}
			changes = nil
			if d.anyDiverged() {
				break
			}
			d.part.Forget()
			err = d.fetch(ctx, ranks, next)
		} else {
			err = d.part.Install(next, rows, now)
		}
		if err != nil {
			return nil, err
		}
		now, next = next, now
	}
	return d.settle(ctx, ranks, changes)
}

// fetch waits for the rows of a round. The owners have all changes by then.
func (d *Divided) fetch(ctx, ranks context.Context, round *divided.Round) error {
	rows, err := d.exchange(ranks, d.control(ctx, round.Ended), nil, round)
	if err != nil {
		return err
	}
	return d.part.Install(round, rows, nil)
}

// exchange sends changes, asks for the rows of a round, and hears from all ranks.
func (d *Divided) exchange(ranks context.Context, c replica.Control, changes [][]byte, round *divided.Round) ([][]byte, error) {
	told, rows, err := d.part.Exchange(ranks, c, changes, round)
	if err == nil {
		d.told = told
		d.hear(told)
	}
	return rows, err
}

// settle sends the last changes, and learns from the other ranks how the run ended.
func (d *Divided) settle(ctx, ranks context.Context, changes [][]byte) (interrupted, err error) {
	c := d.control(ctx, true)
	if changes != nil {
		if _, err := d.exchange(ranks, c, changes, nil); err != nil {
			return nil, err
		}
	}
	if err := d.part.Complete(ranks); err != nil {
		return nil, err
	}
	diverged := []float64{0}
	if d.anyDiverged() || !c.Finite() || !d.part.Finite() {
		diverged[0] = 1
	}
	if err := d.comm.AllReduce(ranks, cluster.Max, diverged); err != nil {
		return nil, err
	}
	if diverged[0] > 0 {
		return nil, run.ErrDiverged
	}
	if err := d.gather(ranks, d.state); err != nil {
		return nil, err
	}
	switch {
	case d.failed != nil:
		return d.failed, nil
	case d.anyInterrupted():
		return cmp.Or(context.Cause(ctx), errInterrupted), nil
	}
	return nil, nil
}

// pause evaluates and saves if that is due, while all ranks are paused and the owners have all changes. An
// error of rank 0 alone is kept, and ends the run on all ranks.
func (d *Divided) pause(ctx, ranks context.Context, changes [][]byte) error {
	asked := time.Now()
	if _, err := d.exchange(ranks, d.control(ctx, false), changes, nil); err != nil {
		return err
	}
	if d.anyDiverged() { // do not save or evaluate a diverged model
		return nil
	}
	if err := d.part.Complete(ranks); err != nil { // makes the head equal on all ranks
		return err
	}
	if err := d.gather(ranks, d.state); err != nil {
		return err
	}
	if !d.first() {
		return d.part.Serve(ranks)
	}
	loan := d.part.Lend(ranks)
	d.loan = loan
	d.failed = d.Run.StandStill(func() error { return d.Run.Look(ctx, asked) })
	d.loan = nil
	if errors.Is(d.failed, run.ErrDiverged) {
		d.diverged.Store(true)
	}
	return loan.Close()
}

// pieceTokens is about how many tokens of a round a worker takes at a time.
const pieceTokens = 1 << 11

// A texts is the text of a round, in pieces that workers take.
type texts struct {
	last    bool // in the last epoch
	pieces  []piece
	next    atomic.Int64 // index of the next piece
	pace    *divided.Pace
	workers []piece // the rest of each worker's piece
	began   []bool  // by worker: the piece was begun
}

// A piece is whole sentences of a round, which follow so many of its tokens.
type piece struct {
	text   []uint32
	before int
}

func (x *texts) cut(round *divided.Round, pace *divided.Pace, workers int) {
	x.last, x.pieces, x.pace = round.Last, x.pieces[:0], pace
	x.next.Store(0)
	x.workers, x.began = make([]piece, workers), make([]bool, workers)
	for at := 0; at < len(round.Text); {
		rest := round.Text[at:]
		n := min(pieceTokens, len(rest))
		for n < len(rest) && rest[n-1]&vocab.EndOfSentence == 0 {
			n++
		}
		x.pieces = append(x.pieces, piece{rest[:n], at})
		at += n
	}
}

// trainRound trains a round's text, and meanwhile keeps the head equal on all ranks.
func (d *Divided) trainRound(ranks context.Context, round *divided.Round) error {
	d.pooled.DrawFrom(d.part.Pool(round))
	d.round.cut(round, d.part.Pace(), len(d.Run.Counters))
	done, followed := make(chan struct{}), make(chan error, 1)
	go func() { followed <- d.part.Follow(ranks, d.round.pace, done) }()
	var err error
	if !d.diverged.Load() { // the other ranks do not know yet that this rank has diverged
		err = d.Run.TrainTexts(ranks, d.pace, d.nextText)
	}
	close(done)
	if errors.Is(err, run.ErrDiverged) {
		d.diverged.Store(true)
		err = nil
	}
	return cmp.Or(<-followed, err)
}

// pace gives a worker without text the next piece of the round. It waits if turns are late.
func (d *Divided) pace(ctx context.Context, worker int) error {
	x, left := &d.round, &d.round.workers[worker]
	if len(left.text) == 0 {
		if i := int(x.next.Add(1)) - 1; i < len(x.pieces) {
			*left = x.pieces[i]
			return x.pace.Wait(ctx, left.before)
		}
	}
	return nil
}

func (d *Divided) nextText(worker int, w *engine.Worker) (engine.Trained, bool) {
	x := &d.round
	if !x.began[worker] {
		x.began[worker] = true
		w.Begin(random.Mix(roundSeed+d.number(d.trained)) + uint64(worker))
	}
	left := &x.workers[worker]
	if len(left.text) == 0 {
		return engine.Trained{}, false
	}
	trained, n := w.AdvanceIn(left.text, x.last)
	left.text = left.text[n:]
	x.pace.Add(trained.Tokens)
	return trained, true
}

func (d *Divided) control(ctx context.Context, ended bool) replica.Control {
	c := d.member.control()
	c.Ended, c.Interrupted, c.Diverged = ended, ctx.Err() != nil || d.failed != nil, d.diverged.Load()
	c.Pause = d.Run.Saving() || d.first() && d.Run.ToEvaluate()
	return c
}

func (d *Divided) anyone(what func(replica.Control) bool) bool {
	return slices.ContainsFunc(d.told, what)
}

func (d *Divided) anyInterrupted() bool {
	return d.anyone(func(c replica.Control) bool { return c.Interrupted })
}

func (d *Divided) anyDiverged() bool {
	return d.anyone(func(c replica.Control) bool { return c.Diverged || !c.Finite() })
}
