package run

import (
	"context"
	"encoding/json"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/vectors"
)

// Hooks are called while training runs. The zero value calls nothing.
type Hooks struct {
	// Start is called once, before the memory that it speaks of is allocated. If it
	// returns an error, training ends with it.
	Start func(plan.Plan) error

	// Warm is called once if training starts from vectors that are there already.
	Warm func(warmstart.Warm)

	// Progress is called every Every from one goroutine, and once more at the
	// end with Final set, before Train returns. Training does not wait for it.
	Progress func(Progress)
	Every    time.Duration // 0 for a second

	// Checkpoint is called every CheckpointEvery, while training goes on, and once at
	// the end, also if training was interrupted. The checkpoint is valid during the
	// call. Calls do not overlap.
	Checkpoint      func(*checkpoint.Checkpoint)
	CheckpointEvery time.Duration // 0 for only at the end
	// Note is what checkpoints keep for their writer: see Checkpoint.Note.
	Note json.RawMessage

	// Evaluate returns a score of the vectors as they are, larger ones for better
	// vectors; NaN if there is none. Training stands still meanwhile, and ends with
	// the error if there is one. See Config.EvaluateEvery.
	Evaluate func(context.Context, *vectors.Set) (float64, error)
	// Evaluated is called after each evaluation, of held-out text too.
	Evaluated func(Evaluation)

	// Diverged is called when training diverged, and goes on from an earlier state.
	Diverged func(Divergence)
}
