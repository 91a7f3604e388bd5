// Package checkpoint turns the state of a run into tensors and JSON, and back.
package checkpoint

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Checkpoint is a training run at some moment: the parameters, the vocabulary, the
// configuration, and how far every worker is. In a file it is a native model, which
// other programs read as any other, with the rest as its State.
type Checkpoint struct {
	Config config.Config
	// Note is the caller's data, stored unchanged.
	Note json.RawMessage
	// Tokens have been trained, of Total of all epochs.
	Tokens, Total uint64
	Pause         time.Duration // how long workers stood still for it

	of Contents
}

// Contents are what a run needs of a checkpoint to go on. All but Set and Tokens is JSON in the State of the set.
type Contents struct {
	Sizes   *plan.Sizes     `json:"sizes,omitempty"`
	Config  config.Config   `json:"config"` // but for Subword, which belongs to the vectors
	Corpus  Fingerprint     `json:"corpus"`
	HeldOut *Fingerprint    `json:"held_out,omitempty"` // nil without held-out text
	State   State           `json:"run"`
	Note    json.RawMessage `json:"note,omitempty"`

	Frozen         []byte `json:"frozen,omitempty"` // a bit for each word whose rows are frozen
	FrozenContexts bool   `json:"frozen_contexts,omitempty"`
	Before         uint64 `json:"trained_before,omitempty"` // tokens that the vectors that it began with were trained on
	Warm           bool   `json:"warm,omitempty"`           // it began with vectors

	Set    *vectors.Set `json:"-"`
	Tokens uint64       `json:"-"` // that were trained
}

// New returns a checkpoint. Its Tokens and Total follow from the contents.
func New(of Contents) *Checkpoint {
	of.Tokens = 0
	for _, w := range of.State.Workers {
		of.Tokens += w.Tokens
	}
	return &Checkpoint{Config: of.Config, Note: of.Note, Tokens: of.Tokens, Total: of.Corpus.Tokens * uint64(max(of.Config.Epochs, 0)), of: of}
}

// ContentsOf returns the contents of c, with the Config and the Note that c has by now.
func ContentsOf(c *Checkpoint) *Contents {
	of := c.of
	of.Config, of.Note = c.Config, c.Note
	return &of
}

// made says what made a checkpoint.
type made struct {
	Version  int `json:"version"`
	Revision int `json:"revision"` // of the algorithm; 0 in checkpoints of revision 1
}

// Saved is a checkpoint's State.
type Saved struct {
	made
	Contents
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
	if len(c.of.State.Ranks) > 0 {
		return ranksVersion
	}
	if v, err := config.VariantOf(c.Config); err == nil && v.Plain() {
		return plainVersion
	}
	return variantVersion
}

// Set returns the vectors of the checkpoint with its state, to be written in the native
// format (docs/format.md, "Training state"). They are valid as long as the checkpoint is. It
// is an error if Note is no JSON.
func (c *Checkpoint) Set() (*vectors.Set, error) {
	text, err := json.Marshal(Saved{made{Version: c.stateVersion(), Revision: Revision}, *ContentsOf(c)})
	if err != nil {
		return nil, fmt.Errorf("sgns: the state of a checkpoint: %w", err)
	}
	p := c.of.Set.Parts()
	p.State = text
	c.of.Set = model.SetOf(p)
	return c.of.Set, nil
}

// Vocab returns the vocabulary that the run trains. It is an error if words and counts are
// not in the order of a vocabulary.
func (c *Checkpoint) Vocab() (*vocab.Vocab, error) {
	var v *vocab.Vocab
	err := c.of.Set.Guard(func() (err error) {
		v, err = vocab.FromCounts(c.of.Set.Words().Strings(), c.of.Set.Counts())
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
	c.Total = c.of.Corpus.Tokens * uint64(c.Config.Epochs)
}

// Ranks is how many ranks trained the run; 1 for a run in one process. On another number each rank may have
// other threads than Config says.
func (c *Checkpoint) Ranks() int { return c.of.Ranks() }

// Ranks is how many ranks trained the run.
func (c *Contents) Ranks() int { return max(len(c.State.Ranks), 1) }

// Ended reports whether there is nothing more to train: all tokens are, or evaluations
// have not become better for long enough.
func (c *Checkpoint) Ended() bool {
	return c.Tokens >= c.Total || c.Config.Patience > 0 && c.of.State.Epochs == c.Config.Epochs && c.of.State.Found.Since >= c.Config.Patience
}
