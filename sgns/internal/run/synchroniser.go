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

// A Synchroniser joins a run with the runs of other processes, its peers. The synchroniser of a run on one
// machine is Alone. All peers call the methods in the same order.
type Synchroniser interface {
	// Join is called first, with the run of this process.
	Join(*Run)
	// Place says where this process stands among its peers.
	Place() Place
	// Workers is how many workers train in this process; 0 for the usual number.
	Workers() int
	// Mean returns the mean of what each process finds in its part of the corpus, weighted by tokens.
	Mean(ctx context.Context, find func() float64) (float64, error)
	// Plan plans the run.
	Plan(*plan.Planner) (plan.Plan, error)
	// Allocate allocates the values that this process has of the matrices of the model.
	Allocate(params.List) *params.Values
	// Start sets the parameters and the state of the run to those that it starts with: see Run.Begin.
	Start(context.Context) error

	// Ended returns on all peers what rank 0 says: whether evaluations have ended the run.
	Ended(ctx context.Context, ended bool) (bool, error)
	// Work lets the workers train until there is nothing left to train, or until a peer stops:
	// see Run.TrainTexts.
	Work(context.Context) error
	// Pace is called by a worker before each text. It may wait for peers, or do what is due.
	Pace(ctx context.Context, worker int) error
	// Next trains the next text of a worker, and reports whether there was a text.
	Next(worker int, w *engine.Worker) (trained engine.Trained, more bool)
	// Others is what the peers of this process had done when they last met.
	Others() Others
	// Measure measures the model that peers have in common after their work. All return the error that
	// rank 0 found.
	Measure(ctx context.Context, found error) error
	// Sound reports whether the model is one that has learned.
	Sound() bool
	// GiveUp returns the error of a run that diverged; nil if the run goes back to an earlier state.
	GiveUp() error

	// Agreed reports whether all peers have come to the same end, so that rank 0 can save it.
	Agreed() bool
	// State returns the state of all processes. No worker must be in a step.
	State() (checkpoint.State, error)
	// Lends reports whether sets of all vectors read rows of peers, which stand still meanwhile.
	Lends() bool
	// Parts returns what sets of values are made of.
	Parts(*params.Values) vectors.Parts
	// Common is how many of the most frequent words have their vectors in each process.
	Common() int
	// Remarks returns what there is to say of the exchange with peers.
	Remarks() []Remark
	// End is called when rank 0 has saved the model.
	End(context.Context) error
}

// A Place is where a process stands among its peers.
type Place struct {
	Rank, Size int
	Tokens     uint64 // of the corpus, with the parts of all peers
}

// Others are what the peers of a process have done.
type Others struct {
	Tokens, Sent     uint64 // Sent is with what this process sent
	Pairs, LastPairs uint64
	Loss, LastLoss   float64
	Doubtful         bool
	Merged           float64 // loss of the common model; NaN before it is measured
}

// Alone is the Synchroniser of a run in one process. Other ones embed it for what they do likewise.
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

// Pace lets the run pause if an evaluation or a checkpoint is due.
func (a *Alone) Pace(ctx context.Context, _ int) error {
	if a.Run.Due() { // perhaps since before the run was interrupted
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
