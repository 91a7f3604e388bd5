package run

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/vectors"
)

// A Synchroniser connects a run with the runs of other processes, its peers. The synchroniser of a run on one
// machine is Alone. All peers call the methods in the same order.
type Synchroniser interface {
	// Join is called first, with the run of this process.
	Join(*Run)
	// Place returns the position of this process among its peers.
	Place() Place
	// Workers is the number of training workers in this process; 0 means the usual number.
	Workers() int
	// Mean returns the mean of find's results in all processes, weighted by the tokens of their parts of the
	// corpus.
	Mean(ctx context.Context, find func() float64) (float64, error)
	// Plan plans the run.
	Plan(*plan.Planner) (plan.Plan, error)
	// Allocate allocates this process's values of the model's matrices.
	Allocate(params.List) *params.Values
	// Start sets the parameters and the state to their values at the start of the run: see Run.Begin.
	Start(context.Context) error

	// Ended returns on all peers what rank 0 passes: whether evaluations have ended the run.
	Ended(ctx context.Context, ended bool) (bool, error)
	// Work lets the workers train until there is nothing left to train, or until a peer stops: see
	// Run.TrainTexts.
	Work(context.Context) error
	// A worker calls Pace before each text. Pace may wait for peers, evaluate or save.
	Pace(ctx context.Context, worker int) error
	// Next trains the next text of a worker, and reports whether there was a text.
	Next(worker int, w *engine.Worker) (trained engine.Trained, more bool)
	// Others returns what the peers had done when they last met.
	Others() Others
	// Measure measures the merged model after the work. If rank 0 passes an error, all peers return it.
	Measure(ctx context.Context, found error) error
	// Sound reports whether the model has learned instead of diverged.
	Sound() bool
	// GiveUp returns the error of a run that diverged, or nil if the run returns to an earlier state.
	GiveUp() error

	// Agreed reports whether all peers have reached the same end, so that rank 0 can save the model.
	Agreed() bool
	// State returns the state of all processes. No worker may be in a step.
	State() (checkpoint.State, error)
	// Lends reports whether sets of all vectors read rows from peers, which are paused meanwhile.
	Lends() bool
	// Parts returns the parts of a set with these values.
	Parts(*params.Values) vectors.Parts
	// Common is the number of most frequent words whose vectors every process has.
	Common() int
	// Remarks returns remarks about the exchange with peers.
	Remarks() []Remark
	// End is called after rank 0 has saved the model.
	End(context.Context) error
}

// A Place is the position of a process among its peers.
type Place struct {
	Rank, Size int
	Tokens     uint64 // tokens of the corpus, in the parts of all peers
}

// Others is what the peers of a process have done.
type Others struct {
	Tokens, Sent     uint64 // Sent includes what this process sent
	Pairs, LastPairs uint64
	Loss, LastLoss   float64
	Doubtful         bool
	Merged           float64 // loss of the common model; NaN before it is measured
}

// Alone is the Synchroniser of a run in one process. Other synchronisers embed it for shared methods.
type Alone struct{ Run *Run }

func (a *Alone) Join(r *Run)                                                { a.Run = r }
func (a *Alone) Place() Place                                               { return Place{Size: 1, Tokens: a.Run.Data.IDs.Tokens()} }
func (*Alone) Workers() int                                                 { return 0 }
func (*Alone) Mean(_ context.Context, find func() float64) (float64, error) { return find(), nil }
func (*Alone) Plan(p *plan.Planner) (plan.Plan, error)                      { return p.Plan() }
func (*Alone) Allocate(list params.List) *params.Values                     { return params.Allocate(list) }
func (a *Alone) Start(context.Context) error                                { return a.Run.Begin() }
func (*Alone) Ended(_ context.Context, ended bool) (bool, error)            { return ended, nil }
func (a *Alone) Work(ctx context.Context) error                             { return a.Run.TrainTexts(ctx) }

// Pace pauses the run if an evaluation or a checkpoint is due.
func (a *Alone) Pace(ctx context.Context, _ int) error {
	if a.Run.Due() { // may have been due since before an interruption
		return a.Run.pause(ctx)
	}
	return nil
}
func (*Alone) Next(_ int, w *engine.Worker) (engine.Trained, bool) { return w.Advance() }
func (*Alone) Others() Others                                      { return Others{Merged: math.NaN()} }
func (*Alone) Measure(_ context.Context, found error) error        { return found }
func (a *Alone) Sound() bool                                       { return a.Run.Model.Values.Finite() && a.Run.learns() }
func (*Alone) GiveUp() error                                       { return nil }
func (*Alone) Agreed() bool                                        { return true }
func (a *Alone) State() (checkpoint.State, error)                  { return a.Run.State(), nil }
func (*Alone) Lends() bool                                         { return false }
func (a *Alone) Parts(values *params.Values) vectors.Parts         { return a.Run.Model.Parts(values) }
func (a *Alone) Common() int                                       { return a.Run.Data.Vocab.Len() }
func (*Alone) Remarks() []Remark                                   { return nil }
func (*Alone) End(context.Context) error                           { return nil }
