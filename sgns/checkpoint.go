package sgns

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Checkpoint is a training run at some moment: the parameters, the vocabulary, the
// configuration, and how far every worker is. In a file it is a native model, which
// other programs read as any other, with the rest as its State.
type Checkpoint struct {
	Config Config
	// Note is kept for who trains, who may need to know more to train on.
	Note json.RawMessage
	// Tokens have been trained, of Total of all epochs.
	Tokens, Total uint64
	Pause         time.Duration // for which workers stood still, when it was made

	set    *vectors.Set
	corpus fingerprint
	held   *fingerprint // of the held-out text
	state  state
	sizes  *sizes

	frozen         []byte // a bit for each word whose rows are frozen
	frozenContexts bool
	before         uint64 // tokens that the vectors that it began with were trained on
	warm           bool   // it began with vectors
}

// made says by what a checkpoint was made.
type made struct {
	Version  int `json:"version"`
	Revision int `json:"revision"` // of the algorithm; 0 in checkpoints of revision 1
}

// saved is a checkpoint's State.
type saved struct {
	made
	Sizes   *sizes          `json:"sizes,omitempty"`
	Config  Config          `json:"config"` // but for Subword, which belongs to the vectors
	Corpus  fingerprint     `json:"corpus"`
	HeldOut *fingerprint    `json:"held_out,omitempty"`
	State   state           `json:"run"`
	Note    json.RawMessage `json:"note,omitempty"`

	Frozen         []byte `json:"frozen,omitempty"`
	FrozenContexts bool   `json:"frozen_contexts,omitempty"`
	Before         uint64 `json:"trained_before,omitempty"`
	Warm           bool   `json:"warm,omitempty"`
}

// Versions of a state: raised when what it says changes its meaning.
const (
	plainVersion = 1
	// variantVersion is that of variants, which programs that know nothing of them would
	// take for skip-gram with negative sampling, and go on with as that.
	variantVersion = 2
	// ranksVersion is that of runs on several ranks, of which programs that know of none would
	// take all workers for those of one.
	ranksVersion = 3
)

// stateVersion is the version of the state of such a run.
func (c *Checkpoint) stateVersion() int {
	if len(c.state.Ranks) > 0 {
		return ranksVersion
	}
	if v, err := c.Config.variant(); err == nil && v.Plain() {
		return plainVersion
	}
	return variantVersion
}

// Set returns the vectors of the checkpoint with its state, to be written in the native
// format (docs/format.md, "Training state"). They are valid as long as the checkpoint is. It
// is an error if Note is no JSON.
func (c *Checkpoint) Set() (*vectors.Set, error) {
	if err := c.empty(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(saved{
		made:    made{Version: c.stateVersion(), Revision: Revision},
		Sizes:   c.sizes,
		Config:  c.Config,
		Corpus:  c.corpus,
		HeldOut: c.held,
		State:   c.state,
		Note:    c.Note,

		Frozen:         c.frozen,
		FrozenContexts: c.frozenContexts,
		Before:         c.before,
		Warm:           c.warm,
	})
	if err != nil {
		return nil, fmt.Errorf("sgns: the state of a checkpoint: %w", err)
	}
	p := c.set.Parts()
	p.State = text
	c.set = set(p)
	return c.set, nil
}

// Vocab returns the vocabulary that the run trains. It is an error if words and counts are
// not in the order of a vocabulary.
func (c *Checkpoint) Vocab() (*vocab.Vocab, error) {
	if err := c.empty(); err != nil {
		return nil, err
	}
	var v *vocab.Vocab
	err := reading(nil, c, func() (err error) {
		v, err = vocab.FromCounts(c.set.Words().Strings(), c.set.Counts())
		return err
	})
	return v, err
}

// Extend makes the run longer by so many epochs. The learning rate then is what it would
// be by now if it had been to fall to zero over all of them. It panics if the number of
// epochs is negative.
func (c *Checkpoint) Extend(epochs int) {
	if epochs < 0 {
		panic(fmt.Sprintf("sgns: a run cannot be made longer by %d epochs", epochs))
	}
	c.Config.Epochs += epochs
	c.Total = c.corpus.Tokens * uint64(c.Config.Epochs)
}

// Ranks is how many ranks trained the run; 1 for a run in one process. On another number each rank may have
// other threads than Config says.
func (c *Checkpoint) Ranks() int { return max(len(c.state.Ranks), 1) }

// Ended reports whether there is nothing more to train: all tokens are, or evaluations
// have not become better for long enough.
func (c *Checkpoint) Ended() bool {
	return c.Tokens >= c.Total || c.Config.Patience > 0 && c.state.Epochs == c.Config.Epochs && c.state.Found.Since >= c.Config.Patience
}

// Resume goes on with the run of a checkpoint, as if it had never stopped: with one
// worker, or if it is deterministic, on the same kind of processor, the vectors come to
// be the same to the bit. On another number of ranks than before, the run goes on with the same
// share of the present epoch behind it. It is a *MismatchError if the corpus or the vocabulary is
// another, and a *StateError if the checkpoint is damaged; other errors are those of
// Train.
func Resume(ctx context.Context, d Data, from *Checkpoint, h Hooks) (*Model, error) {
	if err := from.empty(); err != nil {
		return nil, err
	}
	if err := validateRun(ctx, d, h); err != nil {
		return nil, err
	}
	if err := reading(nil, from, func() error { return from.matches(ctx, d) }); err != nil {
		return nil, err
	}
	v, err := from.Config.variant() // which may have been changed
	if err != nil {
		return nil, err
	}
	if err := from.sizes.runnable(v); err != nil {
		return nil, err
	}
	config := from.Config
	config.sizes = from.sizes
	return trainFrom(ctx, d, config, from, h)
}
