package train

import (
	"reflect"
	"sync"
	"time"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors/format"
)

// Hooks are called while Run runs, in about this order. The zero value calls nothing. Calls
// come from any goroutine and do not overlap, but for those of Reading. A hook must not wait
// for another one.
type Hooks struct {
	// Ready is called when options, files and places are checked and locked, before the
	// corpus is read. If it returns an error, the run ends with it.
	Ready func() error
	// Reading is called now and then, from several goroutines, with the tokens read so far.
	Reading func(tokens uint64)
	// Read is called when the corpus has been read.
	Read func(*Text)
	// Remark is called with what is said once about the corpus and the model to be. Remarks
	// that are made when training is over are in the Result alone.
	Remark func(Remark)
	// Start is called when training is about to start.
	Start func(Start)
	// Plan is called before the memory is allocated that the run needs. It is an error
	// before that if there is not enough.
	Plan func(Plan)
	// Warm is called if training starts from vectors.
	Warm func(Warm)

	// Progress is called every Every, and once more at the end: see sgns.Hooks.
	Progress func(sgns.Progress)
	Every    time.Duration // 0 for a second
	// Evaluated is called after each evaluation.
	Evaluated func(Evaluated)
	// Checkpointed is called after each checkpoint, also if it could not be written:
	// training goes on, and the next one is tried.
	Checkpointed func(Checkpointed)
	// Diverged is called when training diverged, and goes on from an earlier state at half
	// the rate.
	Diverged func(sgns.Divergence)

	// Saving is called before something is saved at the end that takes a while.
	Saving func(Saving)
	// Skipped is called with the words that are not written, with Options.SkipUnwritable.
	Skipped func([]*format.UnwritableWord, format.Format)
	// Note is called with what is worth knowing and no event of its own.
	Note func(Message)
}

// A Start is a run that is about to train.
type Start struct {
	Settings Settings // of the run: resumed or completed
	Words    int
	Tokens   uint64 // trained before, of a run that goes on
	Total    uint64 // to train, of all epochs
	Resumed  bool
}

// A Plan is what a run is going to take.
type Plan struct {
	sgns.Plan
	Counting uint64   // the most bytes of memory that the process has had until now
	Settings Settings // of the run
	Resumed  *Resumed // nil of a run that begins
}

// Resumed says how a run goes on.
type Resumed struct {
	File          string // the checkpoint
	Tokens, Total uint64 // trained by then, and to train
	Ended         bool   // there is nothing more to train
	Extended      int    // epochs that an earlier run has added already; they are asked for again, and not added twice
}

// Warm is what training starts from.
type Warm struct {
	sgns.Warm
	File         string    // of the vectors; empty if they were given as a set
	Settings     Settings  // of the run
	HadContext   bool      // the vectors have context vectors at all
	NeedsContext bool      // the model has context vectors that are not its input vectors
	Notes        []Message // on what is not taken from them
}

// Evaluated is an evaluation, with the scores of all sets.
type Evaluated struct {
	sgns.Evaluation
	Scores []Score
}

// A Score is what a set says of vectors: Spearman's correlation, or the accuracy.
type Score struct {
	Set   string     `json:"set"`
	Score eval.Score `json:"score"`
}

// Checkpointed is a checkpoint that was written, or not.
type Checkpointed struct {
	File   string
	Tokens uint64        // trained by then
	Pause  time.Duration // for which workers stood still
	Took   time.Duration // to write
	Bytes  int64
	Kept   *Kept // what was there before of another run; nil if there was nothing
	Err    error // why it could not be written
}

// Kept is a file that a checkpoint took the place of, and that another run wrote.
type Kept struct {
	File          string // where it is now
	Checkpoint    bool   // it is one, of a run that is
	Tokens, Total uint64 // so far
	Ended         bool   // or at its end
}

// Saving is what is about to be saved.
type Saving struct {
	File        string
	Checkpoint  bool // it is the checkpoint, and else the model
	Complete    bool // training came to its end
	Interrupted bool // the context of the run has ended
}

// serial returns the hooks such that their calls do not overlap, but for those of Reading.
func (h Hooks) serial() Hooks {
	mu := new(sync.Mutex)
	fields := reflect.ValueOf(&h).Elem()
	for i := range fields.NumField() {
		hook := fields.Field(i)
		if name := fields.Type().Field(i).Name; hook.Kind() != reflect.Func || hook.IsNil() || name == "Ready" || name == "Reading" {
			continue
		}
		call := reflect.ValueOf(hook.Interface())
		hook.Set(reflect.MakeFunc(hook.Type(), func(args []reflect.Value) []reflect.Value {
			mu.Lock()
			defer mu.Unlock()
			return call.Call(args)
		}))
	}
	return h
}
