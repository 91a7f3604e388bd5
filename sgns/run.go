package sgns

import (
	"context"
	"sync"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
)

// A run is a training run.
type run struct {
	config     Config
	team       *team // nil for a run on one rank
	hooks      Hooks
	data       Data
	model      model
	engine     *engine.Run
	workers    []*worker
	counters   monitor.Counters
	gate       sync.RWMutex // held for reading by a worker that trains a text, and for writing by who must see or change what all workers have done
	origin     origin
	evaluation evaluation
	recovery   recovery
	saver      saver
	clock      clock
}

// An origin is what a run begins with.
type origin struct {
	checkpoint *Checkpoint // nil for a run that begins
	vectors    *start      // nil for random numbers alone
	before     uint64      // tokens that the vectors it began with were trained on
}

// A clock says when a run began, and how it ended.
type clock struct {
	began   time.Time
	trained uint64 // tokens that had been trained when it began
	early   bool   // it ended because evaluations became no better
}

// prepare plans a run and allocates what it needs.
func prepare(ctx context.Context, t *team, d Data, c Config, from *Checkpoint, h Hooks) (*run, error) {
	workers := max(1, min(c.workers(), d.IDs.Chunks())) // more would find nothing to do
	if own := from.stateOf(t); own != nil {
		workers = len(own.Workers)
	}
	if !c.Deterministic {
		c.Threads = workers // as many as go on with the run, wherever that is
	}
	v, err := c.variant()
	if err != nil {
		return nil, err
	}
	r := &run{hooks: h, data: d, team: t, origin: origin{checkpoint: from}, evaluation: evaluation{}}
	r.evaluation.stopping = r.stoppingOf(c)
	if from != nil {
		r.origin.before = from.before
	} else if r.origin.vectors, err = startFrom(d.Init, d.Vocab, v); err != nil {
		return nil, err
	} else if r.origin.vectors != nil {
		r.origin.before = r.origin.vectors.trained()
	}
	if c.LearningRate == 0 {
		c.LearningRate = r.origin.vectors.rate(c, r.tokens()*uint64(c.Epochs))
	}
	r.config = c
	p := planner{
		config:  c,
		variant: v,
		vocab:   d.Vocab,
		keep:    d.Vocab.KeepProbabilities(c.sample(r.tokens())),
		origin:  r.origin,
		workers: workers,
		readers: max(monitor.Evaluators(d.HeldOut, c.threads()), t.evaluators(d.IDs, c.threads())),
		copies:  r.copies(),
		team:    t,
	}
	plan, err := p.plan()
	if err != nil {
		return nil, err
	}
	if h.Start != nil {
		if err := h.Start(plan); err != nil {
			return nil, err
		}
	}
	return r, r.allocate(ctx, &p)
}

// copies is how many copies of the parameters the run keeps for checkpoints and for the best
// vectors.
func (r *run) copies() (n int) {
	if r.hooks.Checkpoint != nil {
		n++
	}
	if r.evaluation.stopping.Keeps() {
		n++
	}
	return n
}

// allocate allocates what was planned.
func (r *run) allocate(ctx context.Context, p *planner) (err error) {
	d, c := r.data, r.config
	if p.variant.Around() && c.sizes == nil {
		p.division.Contexts, err = r.team.mean(ctx, d, func() float64 { return meanContexts(d, p.variant.Run, p.keep) })
		if err != nil {
			return err
		}
	}
	r.model = newModel(p.variant, d.Vocab, p.table, p.division)
	r.engine = &engine.Run{
		Variant:  p.variant,
		Values:   r.model.values,
		Division: p.division,
		IDs:      d.IDs,
		Epochs:   c.Epochs,
		Shuffle:  c.Shuffle,
		Words:    d.Vocab.Len(),
		Keep:     engine.Thresholds(p.keep),
		Rate:     r.rate,
	}
	r.counters = monitor.NewCounters(p.workers)
	r.recovery.limit = monitor.Limit(p.variant.Loss.ZeroScore(d.Vocab))
	if r.hooks.Checkpoint != nil {
		r.saver.prepare(r)
	}
	if r.evaluation.stopping.Keeps() {
		r.evaluation.best = r.model.values.Alike()
	}
	return nil
}

// start sets the parameters to what they are at the start of the run, and makes the
// workers.
func (r *run) start() (err error) {
	if err := r.fill(r.origin.checkpoint); err != nil {
		return err
	}
	if r.origin.vectors != nil && r.hooks.Warm != nil {
		r.hooks.Warm(r.origin.vectors.report(&r.model, r.config))
	}
	for k := range r.counters {
		r.workers = append(r.workers, r.newWorker(k))
	}
	if r.team != nil {
		r.team.start(r)
	}
	if r.data.HeldOut != nil {
		if r.evaluation.heldOut, err = monitor.NewHeldOut(r.engine, r.data.HeldOut, r.config.threads()); err != nil {
			return err
		}
	}
	r.recovery.fresh = r.state()
	r.recovery.first = r.recovery.fresh
	if from := r.origin.checkpoint; from != nil {
		if err := r.resume(from); err != nil {
			return err
		}
	}
	if err := r.restore(r.recovery.first); err != nil {
		return &StateError{err}
	}
	if r.hooks.Checkpoint != nil {
		r.saver.begin(r.model.values, &r.recovery.first)
	}
	return nil
}

// resume sets what the run begins with, besides its parameters, to what a checkpoint has.
func (r *run) resume(from *Checkpoint) error {
	if best := r.evaluation.best; best != nil {
		if err := reading(nil, from, func() error { return from.restoreBest(best) }); err != nil {
			return &StateError{err}
		}
	}
	var first state
	if own := from.stateOf(r.team); own != nil {
		first = *own
	} else {
		first = r.share(from)
	}
	if first.Epochs != r.config.Epochs { // it is a longer run now
		first.Found.Since = 0
		r.saver.due.Store(r.hooks.Checkpoint != nil)
	}
	r.recovery.first = first
	return nil
}

// close ends what the workers started.
func (r *run) close() {
	for _, w := range r.workers {
		w.trainer.Close()
	}
}

// fill sets the parameters to those of a checkpoint, or if that is nil to what they were
// when the run began.
func (r *run) fill(from *Checkpoint) error {
	if from != nil {
		return reading(nil, from, func() error {
			if err := from.restore(&r.model); err != nil {
				return &StateError{err}
			}
			return nil
		})
	}
	r.model.values.Initialise(r.config.Seed)
	s := r.origin.vectors
	if s == nil {
		return nil
	}
	return s.from.Guard(func() error { return s.fill(&r.model, r.config.Freeze) })
}
