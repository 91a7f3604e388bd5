package sgns

import (
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/run"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/vectors"
)

// Hooks are called while training runs, with what the types below say. The zero value calls nothing.
//
// Their fields: go doc ./sgns/internal/run.Hooks
type Hooks = run.Hooks

// What hooks are told.
type (
	// A Plan says what a run will need, before it allocates memory. Its fields: go doc ./sgns/internal/plan.Plan
	Plan = plan.Plan
	// A MatrixShape describes a matrix of the model. Its fields: go doc ./sgns/internal/plan.MatrixShape
	MatrixShape = plan.MatrixShape
	// Warm says what training started from, of the vectors that it was given. Its fields: go doc
	// ./sgns/internal/warmstart.Warm
	Warm = warmstart.Warm
	// Progress is how far training is. Its fields: go doc ./sgns/internal/run.Progress
	Progress = run.Progress
	// An Evaluation says how good the vectors are at one moment. Its fields: go doc ./sgns/internal/run.Evaluation
	Evaluation = run.Evaluation
	// A Divergence says that training diverged, and how it goes on. Its fields: go doc ./sgns/internal/run.Divergence
	Divergence = run.Divergence
)

// A Remark says why the vectors of a run that has ended may be worse than they could be.
type Remark = run.Remark

// A RemarkKind says what a Remark is about. Its value is what JSON has for it.
type RemarkKind = run.RemarkKind

// Kinds of remarks.
const (
	RemarkNoPairs   = run.RemarkNoPairs   // there was nothing to learn from
	RemarkOneWord   = run.RemarkOneWord   // the vocabulary has one word
	RemarkUntrained = run.RemarkUntrained // the vectors of frequent words have hardly moved
	RemarkCollapsed = run.RemarkCollapsed // the vectors of frequent words nearly lie on a line
	RemarkHalved    = run.RemarkHalved    // training diverged and went on at a lower rate
	RemarkApart     = run.RemarkApart     // ranks exchanged changes seldom
)

// A Checkpoint is a training run at one moment: the parameters, the vocabulary, the configuration, and how far
// every worker is. In a file it is a native model, which other programs can read, with the rest as its State.
type Checkpoint = checkpoint.Checkpoint

// Revision numbers the algorithm. Checkpoints and the results of a sweep hold it, so that no
// program continues, or compares, what another algorithm has begun.
const Revision = checkpoint.Revision

// NewCheckpoint returns the checkpoint that set holds. Keep the set open while the checkpoint is used: until Resume
// returns, or calls Hooks.Checkpoint. NewCheckpoint reads the whole file. It returns an error if the set has no
// state (ErrNoState) or a damaged one, if an algorithm of another Revision made it, or if this program
// cannot divide the work as it was when the run began.
func NewCheckpoint(set *vectors.Set) (*Checkpoint, error) { return checkpoint.Read(set) }

// Errors of training.
type (
	// A DivergedError is the ErrDiverged of a run that has given up.
	DivergedError = run.DivergedError
	// A MemoryError says that a run needs more memory than there is.
	MemoryError = plan.MemoryError
	// An InitError says why training cannot start from the vectors that it was given.
	InitError = warmstart.InitError
	// A ProjectionError says that the vectors to start from have no projection, and that narrower
	// rows times a projection are to be trained. transform.Factorize makes such rows of them.
	ProjectionError = warmstart.ProjectionError
	// A StateError says that a checkpoint is not what this program writes.
	StateError = checkpoint.StateError
	// A MismatchError says that a run cannot be resumed because something is not what it was.
	MismatchError = checkpoint.MismatchError
)

var (
	// ErrDiverged says that numbers became too large for training to go on.
	ErrDiverged = run.ErrDiverged
	// ErrInOrder says that sentences cannot be shuffled.
	ErrInOrder = run.ErrInOrder
	// ErrNoState is the error of NewCheckpoint for a set that is only a model. A new run can start
	// from its vectors.
	ErrNoState = checkpoint.ErrNoState
)
