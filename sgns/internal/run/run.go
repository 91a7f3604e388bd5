// Package run is the loop of training: prepare, work and keep pace, evaluate, save, recover, end. The loop is
// the same on one machine and in one of several processes, which a Synchroniser connects.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/counts"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Data is what a process trains on.
type Data struct {
	IDs     *vocab.IDs
	Vocab   *vocab.Vocab
	HeldOut *vocab.IDs     // nil without held-out text
	Init    *vectors.Set   // vectors to start from; nil for a random start
	Labels  *engine.Labels // of texts; nil if inputs are no texts
	Folder  string         // for temporary files; empty for the system's
}

// outputs returns the words, or labels, that are predicted.
func (d Data) outputs() *vocab.Vocab {
	if d.Labels != nil {
		return d.Labels.Vocab
	}
	return d.Vocab
}

func (d Data) err() error {
	err := d.IDs.Err()
	if err == nil && d.HeldOut != nil {
		err = d.HeldOut.Err()
	}
	return err
}

// A Result is the result of training.
type Result struct {
	Vectors    *vectors.Set // nil on all ranks but the first, if rows are divided
	Progress   Progress
	Evaluation *Evaluation // the best evaluation, if the run keeps its vectors
	Remarks    []Remark
}

// A Run is a training run.
type Run struct {
	Config   config.Config
	Data     Data
	Hooks    Hooks
	From     *checkpoint.Contents // nil for a new run
	Model    *model.Model
	Engine   *engine.Run
	Counters monitor.Counters

	Limit     monitor.Limit // a loss above it is diverging
	Common    int           // number of most frequent words whose vectors every process has
	Merged    *float64      // loss of the merged model of all ranks; nil before it is measured
	Subsample float64       // subsampling threshold

	sync       Synchroniser
	peers      Peers
	others     atomic.Pointer[Others]
	workers    []*worker
	processors [][]int      // on which each worker stays; nil if the system may move it
	gate       sync.RWMutex // a worker holds it for reading while it trains a text; code that needs all workers paused holds it for writing
	origin     origin
	evaluation evaluation
	recovery   recovery
	saver      saver
	clock      clock
}

type origin struct {
	vectors *warmstart.Start // nil for a random start
	before  uint64           // tokens that the initial vectors had been trained on
}

// A clock has the start of a run and the way it ended.
type clock struct {
	began   time.Time
	trained uint64 // tokens trained before the start
	early   bool   // the run ended early because evaluations did not improve
}

// ErrNoTokens says that there is nothing to train on.
var ErrNoTokens = errors.New("sgns: no tokens to train on")

// ErrInOrder says that sentences cannot be shuffled.
var ErrInOrder = errors.New("sentences are shuffled in a cache of the tokenised corpus, and there is none: the text is read again each epoch")

// New returns a run that is not prepared yet.
func New(d Data, c config.Config, from *checkpoint.Contents, h Hooks, sync Synchroniser) *Run {
	c.Subword = subword.Value(c.Subword)
	r := &Run{Config: c, Data: d, Hooks: h, From: from, sync: sync}
	r.Hear(Others{})
	if r.peers = sync.Join(r); r.peers.Rank > 0 { // only the first process evaluates, saves and reports
		r.Data.HeldOut, r.Hooks = nil, Hooks{Start: h.Start}
	}
	return r
}

// Train trains from the beginning, or resumes a checkpoint if from is not nil.
func Train(ctx context.Context, d Data, c config.Config, from *checkpoint.Contents, h Hooks, sync Synchroniser) (*Result, error) {
	if c.Shuffle && d.IDs.InOrder() {
		return nil, ErrInOrder
	}
	r := New(d, c, from, h, sync)
	always := context.WithoutCancel(ctx)
	if err := r.reading(func() error { return r.prepare(always) }); err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.count(ctx); err != nil {
		return nil, err
	}
	err := sync.Start(always)
	if err = cmp.Or(r.Data.err(), err); err != nil { // an unreadable text causes other errors, so it comes first
		return nil, err
	}
	var begun [][]float32
	if from == nil && r.origin.vectors == nil && !r.Model.Variant.Counts() { // whose start is much shorter than what they become
		begun = frequentVectors(model.SetOf(r.allParts(r.Model.Values, 0)), r.Common)
	}
	stopReports := r.report()
	err = r.persist(ctx)
	final := stopReports()
	r.saver.wait()
	if broken, ok := errors.AsType[*brokenError](err); ok {
		return nil, broken.err
	}
	if errors.Is(err, ErrDiverged) {
		return nil, err
	}
	m := &Result{Progress: final}
	values, trained := r.Model.Values, r.tokens()
	if best := r.evaluation.best; best != nil && err == nil {
		found := r.evaluation.stopping.Found.Best
		values, trained = best, found.Tokens
		m.Evaluation = &Evaluation{Tokens: trained, Best: true}
		m.Evaluation.Loss, m.Evaluation.Score = found.Numbers()
	}
	finished := false
	more, apart := sync.End(ctx, func() error {
		saved := r.saveLast()
		finished = true
		return cmp.Or(saved, r.finishVectors(values))
	})
	if broken, ok := errors.AsType[*brokenError](apart); ok {
		return nil, broken.err
	}
	if err = cmp.Or(err, apart); err != nil {
		err = fmt.Errorf("training stopped at %d of %d tokens: %w", final.Tokens, final.Total, err)
	}
	if r.peers.Lends && r.peers.Rank > 0 {
		return m, err
	}
	p := r.allParts(values, trained)
	if finished { // or else peers of this machine may still read and change its rows
		p = r.Model.Finished(p)
	}
	m.Vectors = model.SetOf(p)
	if err == nil {
		m.Remarks = append(r.remarks(m.Vectors, begun), more...)
	}
	return m, err
}

// finishVectors finishes the vectors that the run returns. Processes that share the memory of the parameters finish these once, and wait.
func (r *Run) finishVectors(values *params.Values) error {
	if values != r.Model.Values {
		r.Model.Finish(r.allParts(values, 0))
		if r.peers.Size == 1 {
			return nil
		}
	}
	return r.peers.Fill(func() error {
		r.Model.Finish(r.allParts(r.Model.Values, 0))
		return nil
	})
}

// err returns the first error of reading what is trained.
func (r *Run) err() error { return cmp.Or(r.Data.err(), r.Engine.Counts.Err()) }

// count counts pairs of words, if they are trained.
func (r *Run) count(ctx context.Context) (err error) {
	switch {
	case !r.Model.Variant.Counts():
		return nil
	case r.From != nil && r.From.Ended(r.Data.IDs):
		r.Engine.Counts = new(counts.Pairs)
		return nil
	}
	c, tell := r.Config, r.Hooks.Counting
	if tell == nil {
		tell = func(Counting) {}
	}
	tell(Counting{})
	r.Engine.Counts, err = counts.Count(ctx, r.Data.IDs, r.Data.Vocab.Len(), counts.Options{
		Window: c.Window, Mode: c.WindowMode, Keep: r.Engine.Keep, XMax: r.Model.Variant.XMax(), Seed: c.Seed, Threads: config.Threads(c), Folder: r.Data.Folder,
	})
	if err == nil {
		r.Limit = monitor.Limit(max(r.Engine.Counts.Zero, 1))
		tell(Counting{Done: true, Pairs: r.Engine.Counts.Len})
	}
	return err
}

// A brokenError is the error of a run that cannot return a model.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return e.err.Error() }

// Broken returns an error with which training returns no model.
func Broken(err error) error { return &brokenError{err} }

// reading calls read, with an error if files of the sets that the run starts from change meanwhile.
func (r *Run) reading(read func() error) error {
	inner := read
	if r.From != nil {
		inner = func() error { return r.From.Set.Guard(read) }
	}
	if r.Data.Init != nil {
		return r.Data.Init.Guard(inner)
	}
	return inner()
}

// own returns the state of this process in the checkpoint; nil if there is none.
func (r *Run) own() *checkpoint.State {
	if r.From == nil {
		return nil
	}
	return r.From.State.Of(r.peers.Rank, r.peers.Size)
}

func (r *Run) prepare(ctx context.Context) error {
	c, d := &r.Config, r.Data
	workers := r.peers.Workers
	if workers == 0 {
		workers = config.Workers(*c)
		if !r.peers.Shared { // more workers than chunks would have nothing to do
			workers = max(1, min(workers, d.IDs.Chunks()))
		}
		if own := r.own(); own != nil {
			workers = len(own.Workers)
		}
		if !c.Deterministic {
			c.Threads = workers // so that the run can be resumed with as many on another machine
		}
	}
	if d.Init != nil && !checkpoint.Unfinished(d.Init) { // what is not trained stays as it was
		c.OwnWeight, c.Power = cmp.Or(c.OwnWeight, 1), cmp.Or(c.Power, 1)
	}
	v, err := config.VariantOf(*c)
	if err != nil {
		return err
	}
	if err := d.checkLabels(v.Texts()); err != nil {
		return err
	}
	p := plan.Planner{Variant: v, Vocab: d.Vocab, Outputs: d.outputs(), Workers: workers}
	stopping := &r.evaluation.stopping
	if d.HeldOut != nil || r.Hooks.Evaluate != nil {
		*stopping = monitor.EarlyStopping{Every: cmp.Or(c.EvaluateEvery, r.peers.Tokens), Patience: c.Patience}
	}
	if r.From != nil {
		r.origin.before, p.Sizes, p.Restore = r.From.Before, r.From.Sizes, r.From.Table
	} else if r.origin.vectors, err = warmstart.From(d.Init, d.Vocab, d.outputs(), v); err != nil {
		return err
	} else if r.origin.vectors != nil {
		r.origin.before = r.origin.vectors.Trained()
	}
	if d.Labels != nil && p.Restore == nil {
		p.Restore = func() (*rowtable.Table, error) { return r.textTable(v) }
	}
	if c.LearningRate == 0 {
		c.LearningRate = r.origin.vectors.Rate(*c, r.Whole())
	}
	r.Subsample = plan.Sample(*c, p.Sizes, r.peers.Tokens)
	p.Config, p.Start = *c, r.origin.vectors
	p.Tokens = d.IDs.Tokens()
	if !v.ColumnParallel() {
		if p.Placement, err = plan.Here(*c, workers, r.Hooks.Watch != nil); err != nil {
			return err
		}
	}
	p.Keep = d.Vocab.KeepProbabilities(r.Subsample)
	p.Readers = monitor.Evaluators(d.HeldOut, config.Threads(*c))
	if r.Hooks.Checkpoint != nil {
		p.Copies++
	}
	if stopping.Keeps() {
		p.Copies++
	}
	if r.Hooks.Evaluate != nil && v.Finishes() {
		p.Copies++ // evaluations see finished vectors
	}
	r.Common = d.Vocab.Len()
	planned, err := r.peers.Plan(&p)
	if err != nil {
		return err
	}
	if r.Hooks.Start != nil {
		if err := r.Hooks.Start(planned); err != nil {
			return err
		}
	}
	if v.Around() && p.Sizes == nil && p.Division.Contexts == 0 {
		if p.Division.Contexts, err = r.peers.Mean(ctx, plan.MeanContexts(d.IDs, d.Vocab, v.Run, p.Keep)); err != nil {
			return err
		}
	}
	values, err := r.peers.Allocate(p.List)
	if err != nil {
		return err
	}
	r.Model = model.New(v, d.Vocab, d.outputs(), p.Table, p.Division, values)
	r.Engine = &engine.Run{
		Variant:  v,
		Values:   r.Model.Values,
		Division: p.Division,
		IDs:      d.IDs,
		Epochs:   c.Epochs,
		Shuffle:  c.Shuffle,
		Workers:  p.Workers,
		Words:    d.outputs().Len(),
		Labels:   d.Labels,
		Groups:   p.Placement.Groups,
		Keep:     engine.Thresholds(p.Keep),
		Rate:     r.rate,
		Watch:    r.Hooks.Watch,
	}
	r.processors = p.Placement.Processors
	r.Counters = make(monitor.Counters, p.Workers)
	r.Limit = monitor.Limit(v.Loss.ZeroScore(d.outputs()))
	if d.Labels != nil { // a classifier that is too sure has a larger loss on other texts than one that knows nothing
		r.Limit *= 10
	}
	if r.Hooks.Checkpoint != nil {
		r.saver.prepare(r)
	}
	if stopping.Keeps() {
		r.evaluation.best = r.Model.Values.Alike()
	}
	return nil
}

// Begin sets the parameters and the state to their values at the start of the run, and makes the workers.
func (r *Run) Begin() (err error) {
	if err := r.peers.Fill(func() error { return r.fill(r.From) }); err != nil {
		return err
	}
	if r.origin.vectors != nil && r.Hooks.Warm != nil {
		r.Hooks.Warm(r.origin.vectors.Report(r.Model, r.Config))
	}
	r.MakeWorkers()
	if r.Data.HeldOut != nil {
		if r.evaluation.heldOut, err = monitor.NewHeldOut(r.Engine, r.Data.HeldOut, config.Threads(r.Config)); err != nil {
			return err
		}
	}
	r.recovery.fresh = r.State()
	r.recovery.first = r.recovery.fresh
	if r.From != nil {
		if best := r.evaluation.best; best != nil {
			if err := r.From.Set.Guard(func() error { return r.From.RestoreBest(best) }); err != nil {
				return &checkpoint.StateError{Err: err}
			}
		}
		first := &r.recovery.first
		if own := r.own(); own != nil {
			*first = *own
		} else {
			*first = r.share(r.From)
		}
		if r.Longer() {
			first.Found.Since = 0
		}
	}
	if err := r.restore(r.recovery.first); err != nil {
		return &checkpoint.StateError{Err: err}
	}
	if s := &r.saver; r.Hooks.Checkpoint != nil { // there is a state to return to; and nobody waits while a copy gets its memory
		s.copied.CopyFrom(r.Model.Values)
		s.good = &r.recovery.first
	}
	return nil
}

// Longer reports whether the run has more epochs than when its checkpoint was made. A checkpoint is then due.
func (r *Run) Longer() bool {
	longer := r.From.State.Epochs != r.Config.Epochs
	if longer {
		r.saver.due.Store(r.Hooks.Checkpoint != nil)
	}
	return longer
}

func (r *Run) close() {
	for _, w := range r.workers {
		w.trainer.Close()
	}
	_ = r.Engine.Counts.Close() // a temporary file
}

// fill sets the parameters to those of a checkpoint or, if from is nil, to their initial values.
func (r *Run) fill(from *checkpoint.Contents) error {
	if from != nil {
		return from.Set.Guard(func() error {
			if err := from.Restore(r.Model); err != nil {
				return &checkpoint.StateError{Err: err}
			}
			return nil
		})
	}
	r.Model.Values.Initialise(r.Config.Seed)
	s := r.origin.vectors
	if s == nil {
		return nil
	}
	return s.Set.Guard(func() error { return s.Fill(r.Model, r.Config.Freeze) })
}

// checkLabels returns an error if there are no labels for texts, or labels for anything else, or too many.
func (d Data) checkLabels(texts bool) error {
	switch {
	case texts && d.Labels == nil:
		return fmt.Errorf("sgns: architecture %s needs labels of texts: use package classify", config.Supervised)
	case !texts && d.Labels != nil:
		return fmt.Errorf("sgns: labels of texts are for architecture %s", config.Supervised)
	}
	return nil
}
