package ranks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"sort"
	"sync/atomic"

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
	options Options
	text    *checkpoint.Fingerprint // of this rank's part, if rank 0 saves

	plan   dividedPlan
	part   *divided.Division
	reader *divided.Reader
	pooled loss.Pooled

	read, trained uint64       // rounds
	place         engine.Place // after the trained rounds
	round         texts        // the round in training
	diverged      atomic.Bool  // on this rank
	told          []divided.Control
	others        atomic.Pointer[run.Others]

	states [][]byte      // on rank 0: states of all ranks while they were paused
	failed error         // on rank 0: why it wants to stop
	loan   *divided.Loan // on rank 0: set while the other ranks serve it
}

// Divide joins the ranks of a run with divided rows, each with its part of the corpus.
func Divide(ctx context.Context, ranks cluster.Comm, ids *vocab.IDs, o Options) (*Divided, error) {
	d := &Divided{member: member{comm: ranks}, options: o}
	if err := d.count(ctx, ids, o.Saves); err != nil {
		return nil, err
	}
	d.others.Store(&run.Others{Merged: math.NaN()})
	return d, nil
}

// Workers is the number of threads. All train pieces of the text of a round.
func (d *Divided) Workers() int { return config.Threads(d.Run.Config) }

// Allocate allocates the working set.
func (d *Divided) Allocate(params.List) *params.Values { return params.Allocate(d.plan.list) }

// Start sets the rows to their values at the start of the run, or in the checkpoint.
func (d *Divided) Start(ctx context.Context) (err error) {
	r := d.Run
	v, values := r.Model.Variant, r.Model.Values
	rows := divided.RowsOf(values.Matrix(v.Input()), values.Matrix(model.OutputName))
	if d.part, err = divided.New(ctx, d.comm, d.plan.layout, rows, d.dividedOptions()); err != nil {
		return err
	}
	d.pooled = v.Loss.(loss.Pooled)
	d.reader = divided.NewReader(d.plan.layout, d.plan.limits, r.Engine.NewReading(), d.pooled)
	d.pooled.DrawFrom(d.part.Pool(&divided.Round{}))
	r.MakeWorkers()
	if d.saves {
		d.text = checkpoint.FingerprintOf(r.Data.IDs)
	}
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
	if s.Divided == nil || len(s.Ranks) != d.size() {
		d.share(from)
	} else {
		w := s.Workers[d.rank()]
		d.place = w.Place
		r.Counters.Set(0, w.Tokens, monitor.Sums{Pairs: w.Pairs, Loss: w.Loss, LastPairs: w.LastPairs, LastLoss: w.LastLoss})
	}
	d.others.Store(&run.Others{Tokens: from.Tokens - min(r.Counters.Tokens(), from.Tokens), Merged: math.NaN()})
	chunks := int64(r.Data.IDs.Chunks())
	if d.place.Chunk < 0 || d.place.Chunk > chunks*int64(r.Config.Epochs) || d.place.Offset < 0 {
		return &checkpoint.StateError{Err: fmt.Errorf("is in chunk %d of %d", d.place.Chunk, chunks*int64(r.Config.Epochs))}
	}
	d.reader.Go(d.place)
	return nil
}

// share starts as far into this rank's part of the current epoch as all ranks together were.
func (d *Divided) share(from *checkpoint.Contents) {
	ids := d.Run.Data.IDs
	d.place = engine.Place{Chunk: from.NextOf(ids)}
	var sums monitor.Sums
	if d.rank() == 0 {
		for _, w := range from.State.Workers {
			sums.Pairs += w.Pairs
			sums.Loss += w.Loss
		}
	}
	d.Run.Counters.Set(0, d.Run.TokensBefore(d.place.Chunk), sums)
}

// Others returns what the other ranks had done at the last exchange.
func (d *Divided) Others() run.Others { return *d.others.Load() }

// Sound returns true: Work has asked all ranks already.
func (*Divided) Sound() bool { return true }

// GiveUp returns the error of a run that has diverged.
func (d *Divided) GiveUp() error {
	r := d.Run
	return &run.DivergedError{
		Times: 1, LastRate: r.Config.LearningRate, UsualRate: r.Config.RateFor(r.Whole()),
		Apart: uint64(d.plan.turn), UsualApart: uint64(usualTurn(d.size())),
	}
}

// state returns the progress of this rank.
func (d *Divided) state() checkpoint.State {
	r := d.Run
	loss, pairs := r.Counters.Losses(false)
	lastLoss, lastPairs := r.Counters.Losses(true)
	return checkpoint.State{
		Epochs: r.Config.Epochs,
		Next:   d.place.Chunk + 1,
		Found:  r.Found(),
		Workers: []checkpoint.WorkerState{{
			State:  engine.State{Place: d.place, Ahead: make([]uint32, r.Engine.Division.Draws)},
			Tokens: r.Counters.Tokens(),
			Pairs:  pairs, Loss: loss, LastPairs: lastPairs, LastLoss: lastLoss,
		}},
		Divided: &checkpoint.DividedState{Rounds: d.trained},
	}
}

// gather sends the progress of each rank to rank 0 if rank 0 saves. Losses must not be NaN, which JSON cannot
// express.
func (d *Divided) gather(ctx context.Context) error {
	if !d.saves {
		return nil
	}
	data, err := json.Marshal(checkpoint.RankOf(d.state(), *d.text))
	if err != nil {
		return fmt.Errorf("the state of training: %w", err)
	}
	d.states, err = d.comm.Gather(ctx, 0, data)
	return err
}

// State returns the state of all ranks when they were paused.
func (d *Divided) State() (checkpoint.State, error) {
	s := d.state()
	if err := s.SetRanks(d.states); err != nil {
		return s, errors.Join(err, d.loan.Close())
	}
	return s, nil
}

// Lends returns true: rank 0 reads rows from their owners.
func (*Divided) Lends() bool { return true }

// Common is the number of words whose rows all ranks have.
func (d *Divided) Common() int { return d.plan.layout.Head }

// Parts returns the parts of the whole model on rank 0 while the other ranks serve it. At other times it
// returns the input vectors that all ranks have.
func (d *Divided) Parts(values *params.Values) vectors.Parts {
	m := d.Run.Model
	if d.loan == nil {
		return vectors.Parts{
			Words: vectors.NewWords(m.Vocab.Tokens()[:d.plan.layout.Head]...),
			Input: values.Matrix(m.Variant.Input()).First(d.plan.layout.Head),
		}
	}
	p := d.loan.Parts()
	p.Words, p.Counts = m.Words(), m.Vocab.Counts()
	return p
}

// Loan gives rank 0 the rows of all ranks; nil on other ranks.
func (d *Divided) Loan() *divided.Loan { return d.loan }

// End serves rank 0 until rank 0 has closed its model.
func (d *Divided) End(ctx context.Context) error {
	if d.rank() == 0 {
		return nil
	}
	if err := d.part.Serve(context.WithoutCancel(ctx)); err != nil {
		return run.Broken(err)
	}
	return nil
}

// A dividedPlan has the division of a run's rows and the sizes of a rank's part.
type dividedPlan struct {
	layout divided.Layout
	limits divided.Limits
	turn   int         // tokens of a rank between two turns of the head
	ahead  int         // number of turns that may be late before workers wait
	list   params.List // of the working set
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

// usualTurn returns how many tokens a rank trains between two turns of the head, unless an option says
// otherwise.
func usualTurn(ranks int) int { return Dividing.Turn * max(Dividing.Ranks/ranks, 1) }

// Plan plans this rank's part of the model.
func (d *Divided) Plan(of *plan.Planner) (plan.Plan, error) {
	v, c := of.Vocab, of.Config
	of.Table = rowtable.New(v.Tokens(), nil, rowtable.Options{})
	of.Division = engine.Divide(of.Variant, v, of.Table, of.Keep, plan.Given(c, of.Sizes))
	subsampled := len(engine.Thresholds(of.Keep)) // number of the most frequent words
	p := &d.plan
	words, ranks := v.Len(), d.size()
	part := int(d.tokens / uint64(ranks))
	fewer := max(Dividing.Ranks/ranks, 1) // fewer ranks may train more tokens between exchanges
	p.turn = usualTurn(ranks)
	if every := d.options.Every; every > 0 {
		p.turn = int(min(max(every, leastEvery), mostEvery))
	}
	p.ahead = int(betweenTurns*mostAhead(ranks)/(uint64(ranks)*uint64(p.turn))) - 1 // the same limit as for ranks that have the whole model
	p.ahead = max(p.ahead, 0)
	p.limits.Tokens = max(min(part/Dividing.Rounds, max(Dividing.Tokens*fewer, p.turn, min(part/1000, Dividing.Most))), 500)
	p.layout = divided.Layout{Self: d.rank(), Ranks: ranks, Words: words, Cols: c.Dim}
	often := sort.Search(words, func(w int) bool { // a word that occurs in every round belongs to the head
		return float64(v.Count(w))*float64(p.limits.Tokens) < float64(v.Total())
	})
	p.layout.Head = min(max(Dividing.Head, subsampled, often), words)
	beyond := words - p.layout.Head
	p.limits.Words = min(beyond, max(Dividing.Words, beyond/(8*ranks))) + vocab.MaxSentence
	p.limits.Pool = min(p.limits.Tokens/Dividing.Pool, beyond)
	inputs := p.layout.Head + min(p.limits.Words, beyond)
	outputs := p.layout.Head + min(p.limits.Words+p.limits.Pool, beyond)
	p.list = of.Variant.Matrices(outputs, inputs, nil)
	runtime.GC() // collects garbage, for example of an earlier run, before memory is measured
	inUse := float64(sysinfo.MemoryInUse())
	row := step.RowBytes(c.Dim)
	slots := float64(inputs + outputs)
	own := 2 * float64(p.layout.Owned()) * row
	working := slots * row * 2                              // trained rows and their initial values
	messages := 5 * slots * (float64(c.Dim) + 4)            // changes and rows, sent and received
	index := 4*float64(words) + 16*float64(p.limits.Tokens) // slots of words, and the text of two rounds
	expected := 28 * float64(words)                         // expected touches of rows, during preparation only
	text := min(2*float64(d.Run.Data.IDs.Tokens()), vocab.ResidentBytes)
	each := engine.Bytes(of.Variant, of.Division, p.list, v, of.Table)
	bytes := inUse + own + working + messages + index + expected + text + each*float64(of.Workers) + of.Variant.PreparedBytes(v)
	const name = 80
	if d.rank() == 0 {
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
	return planned, plan.Fits(c, bytes)
}

// dividedOptions returns the options for package divided.
func (d *Divided) dividedOptions() divided.Options {
	r, size := d.Run, d.size()
	o := divided.Options{Limits: d.plan.limits, Threads: len(r.Counters), Ahead: d.plan.ahead, Head: replica.Defaults()}
	o.Head.Worth = float64(size) // one touch by each rank
	o.Head.Threads = o.Threads   // workers may all be waiting meanwhile
	o.Head.Every = uint64(d.plan.turn)
	o.Head.Rate = func(trained uint64) float64 {
		return r.Config.LearningRate * max(0, 1-float64(trained)*float64(size)/float64(r.Whole()))
	}
	table := r.Model.Table
	list := r.Model.Variant.Matrices(table.Words(), table.Rows(), table)
	words := wordsOf(r.Config, r.Data.Vocab, r.Sample())
	for i, name := range []string{r.Model.Variant.Input(), model.OutputName} {
		m, _ := list.Find(name)
		o.Touches[i] = touchesOf(list, m, words)
	}
	return o
}

// garbage estimates how much garbage messages leave before it is collected, for so many bytes in use. There
// is less garbage if memory is limited.
func garbage(inUse float64) float64 {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	have, _ := sysinfo.MemoryLimit()
	if percent[0].Value.Kind() != metrics.KindUint64 || percent[0].Value.Uint64() > 1000 { // garbage collection is off
		return 0
	}
	most := max(float64(have)-inUse, 0)
	if have == 0 {
		most = inUse
	}
	return min(inUse*float64(percent[0].Value.Uint64())/100, most)
}
