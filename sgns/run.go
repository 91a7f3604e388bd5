package sgns

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// run is a training run.
type run struct {
	parameters
	shape
	config   Config
	hooks    Hooks
	ids      *corpus.IDs
	heldOut  *corpus.IDs // nil for none
	vocab    *vocab.Vocab
	words    vectors.Words
	keep     []uint32
	workers  []*worker
	counters []counters
	total    uint64       // tokens to train: those of the corpus times epochs
	next     atomic.Int64 // the next chunk to take, of all epochs' chunks

	freeOnce  sync.Once
	freeLists simd.Lists

	from          *Checkpoint // what the run goes on from; nil if it begins
	init          *start      // what it begins with; nil for random numbers alone
	began         time.Time
	early         bool    // ended because evaluations became no better
	before        uint64  // tokens that the vectors it began with were trained on
	trainedBefore uint64  // tokens that had been trained when it began
	ignorant      float64 // the mean loss of a pair by a model that knows nothing
	halvings      int     // of the learning rate

	// gate is held for reading by a worker in a step, and for writing by who must
	// see or change what all workers have done.
	gate   sync.RWMutex
	turns  int      // how often the run went back
	atTurn struct { // the losses to which it last did
		loss  float64
		pairs uint64
	}

	judge      judge
	evaluateAt atomic.Uint64 // tokens
	watchers   []*worker     // measure the held-out loss
	best       parameters    // the best by the judge, if it keeps them

	fresh         state // that of a run that begins
	first         state // that in which this one begins
	checkpointDue atomic.Bool
	saves         sync.WaitGroup
	saving        atomic.Bool // a snapshot is being written
	copied        parameters  // the last snapshot
	good          *state      // what goes with it; nil if there is none
	corpusPrint   fingerprint
	heldPrint     *fingerprint
}

// prepare plans a run and allocates what it needs.
func prepare(d Data, c Config, from *Checkpoint, h Hooks) (*run, error) {
	keep := d.Vocab.KeepProbabilities(c.Sample)
	workers := max(1, min(c.workers(), d.IDs.Chunks())) // more would find nothing to do
	if from != nil {
		workers = len(from.state.Workers)
	}
	if !c.Deterministic {
		c.Threads = workers // as many as go on with the run, wherever that is
	}
	j := newJudge(d, c, h)
	copies := 0 // of the parameters
	if h.Checkpoint != nil {
		copies++
	}
	if j.keeps {
		copies++
	}
	var begin *start
	var err error
	if from == nil {
		if begin, err = c.startFrom(d.Init, d.Vocab); err != nil {
			return nil, err
		}
	}
	if c.LearningRate == 0 {
		c.LearningRate = begin.rate(c, d.IDs.Tokens()*uint64(c.Epochs))
	}
	if c.teamed() && c.members() > 1 {
		copies++ // the members' own
	}
	watchers := 0 // of the held-out text
	if d.HeldOut != nil {
		watchers = min(c.threads(), d.HeldOut.Chunks())
	}
	table, division, plan, err := c.plan(d.Vocab, keep, workers+watchers, copies, begin, from)
	if err != nil {
		return nil, err
	}
	plan.Threads = workers
	if c.teamed() {
		plan.Threads = c.members()
	}
	if h.Start != nil {
		if err := h.Start(plan); err != nil {
			return nil, err
		}
	}
	if c.arch() == CBOW && !c.sizes.complete() {
		division.contexts = meanContexts(d.IDs, c.Window, keptOf(d.Vocab, keep))
	}
	p := c.newParameters(d.Vocab, table)
	r := newRun(p, division, c, d.IDs, keep, workers)
	r.hooks, r.from, r.init, r.judge, r.heldOut, r.vocab = h, from, begin, j, d.HeldOut, d.Vocab
	r.ignorant = p.ignorance(c, d.Vocab)
	r.words = vectors.NewWords(d.Vocab.Tokens()...)
	if h.Checkpoint != nil {
		r.copied = p.alike()
		if from != nil { // they have been compared
			r.corpusPrint, r.heldPrint = from.corpus, from.held
		} else {
			r.corpusPrint, r.heldPrint = *fingerprintOf(d.IDs), fingerprintOf(d.HeldOut)
		}
	}
	if j.keeps {
		r.best = p.alike()
	}
	switch {
	case from != nil:
		r.before = from.before
	case begin != nil:
		r.before = begin.trained()
	}
	return r, nil
}

func newRun(p parameters, s shape, c Config, ids *corpus.IDs, keep []float64, workers int) *run {
	return &run{
		parameters: p,
		shape:      s,
		config:     c,
		ids:        ids,
		keep:       thresholds(keep),
		counters:   make([]counters, workers),
		total:      ids.Tokens() * uint64(c.Epochs),
	}
}

// free returns the lists of the rows of each word that are not frozen.
func (r *run) free() simd.Lists {
	r.freeOnce.Do(func() { r.freeLists = without(listsOf(r.table), r.frozenInput) })
	return r.freeLists
}

// thresholds returns for every word the 32-bit number that a random one must not
// exceed for an occurrence to be kept.
func thresholds(keep []float64) []uint32 {
	limits := make([]uint32, len(keep))
	for id, p := range keep {
		limits[id] = uint32(p * (1<<32 - 1))
	}
	return limits
}

// start sets the parameters to what they are at the start of the run, and makes the
// workers.
func (r *run) start() error {
	if err := r.fill(r.from); err != nil {
		return err
	}
	if r.init != nil && r.hooks.Warm != nil {
		r.hooks.Warm(r.init.report(r.table, r.config))
	}
	for k := range r.counters {
		r.workers = append(r.workers, r.newWorker(k))
	}
	if r.heldOut != nil {
		for range min(r.config.threads(), r.heldOut.Chunks()) {
			r.watchers = append(r.watchers, r.newReader(0))
		}
		if !r.watchers[0].hasPairs(r.heldOut) {
			return errors.New("the held-out text has no loss: no token has a context left, as sentences are too short, or subsampling drops too many tokens")
		}
	}
	r.fresh = r.state()
	r.first = r.fresh
	if r.from != nil {
		if r.judge.keeps {
			if err := reading(nil, r.from, func() error { return r.from.restoreBest(r.best) }); err != nil {
				return &StateError{err}
			}
		}
		r.first = r.from.state
		if r.first.Epochs != r.config.Epochs { // it is a longer run now
			r.first.Verdict.Since = 0
			r.checkpointDue.Store(r.hooks.Checkpoint != nil)
		}
	}
	if err := r.restore(r.first); err != nil {
		return &StateError{err}
	}
	if r.hooks.Checkpoint == nil {
		return nil
	}
	// The first state to go back to; and the memory for copies is touched before
	// workers have to wait for it.
	r.copied.copyFrom(r.parameters)
	r.good = &r.first
	return nil
}

// close ends what the workers started.
func (r *run) close() {
	for _, w := range r.workers {
		w.close()
	}
}

// fill sets the parameters to those of a checkpoint, or if that is nil to what they were
// when the run began.
func (r *run) fill(from *Checkpoint) error {
	if from != nil {
		return reading(nil, from, func() error {
			if err := from.restore(&r.parameters); err != nil {
				return &StateError{err}
			}
			return nil
		})
	}
	r.parameters.start(r.config.Seed, r.config.initialBound())
	if r.init == nil {
		return nil
	}
	return r.init.from.Guard(func() error { return r.init.fill(&r.parameters, r.config.Freeze) })
}

// initialBound is the largest initial number of an input row: that of word2vec.c
// for words, that of fastText for subwords.
func (c Config) initialBound() float32 {
	if c.Subword == nil {
		return 0.5 / float32(c.width())
	}
	return 1 / float32(c.width())
}

// work lets the workers train until there is nothing left to train, or until one of them
// stops.
func (r *run) work(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, w := range r.workers {
		w.load()
		defer w.store()
		g.Go(func() error { return w.work(ctx) })
	}
	return g.Wait()
}

// due reports whether there is something to do for which workers must stand still.
func (r *run) due() bool {
	return r.checkpointDue.Load() || r.tokens() >= r.evaluateAt.Load()
}

// pause does what is due while no worker trains.
func (r *run) pause(ctx context.Context) error {
	asked := time.Now()
	r.gate.Lock()
	defer r.gate.Unlock()
	if err := ctx.Err(); err != nil { // others may have found out that training diverges
		return err
	}
	for _, w := range r.workers {
		w.store()
	}
	if r.tokens() >= r.evaluateAt.Load() {
		if err := r.evaluate(ctx); err != nil {
			return err
		}
		asked = time.Now()
	}
	if r.checkpointDue.Load() && !r.doubtful() {
		r.snapshot(asked)
	}
	return nil
}

// rate is the learning rate for the tokens that have been trained by all workers.
func (r *run) rate() float32 {
	done := float64(r.tokens()) / float64(r.total)
	return float32(math.Ldexp(r.config.LearningRate, -r.halvings) * max(0, 1-done))
}
