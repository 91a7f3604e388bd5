// Package checkpoint converts the state of a run to tensors and JSON, and back.
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

// A Checkpoint is a training run at some moment: the parameters, the vocabulary, the configuration, and the
// progress of every worker. A file of it is a native model, which other programs read like any model; the
// rest is its State.
type Checkpoint struct {
	Config config.Config
	// Note is the caller's data, stored unchanged.
	Note json.RawMessage
	// Tokens is the number of tokens trained so far, and Total the number in all epochs.
	Tokens, Total uint64
	Pause         time.Duration // how long workers were paused to take it

	of Contents
}

// Contents are what a run needs of a checkpoint to continue. Everything except Set and Tokens is JSON in the
// State of the set.
type Contents struct {
	Sizes   *plan.Sizes     `json:"sizes,omitempty"`
	Config  config.Config   `json:"config"` // without Subword, which belongs to the vectors
	Corpus  Fingerprint     `json:"corpus"`
	HeldOut *Fingerprint    `json:"held_out,omitempty"` // nil without held-out text
	State   State           `json:"run"`
	Note    json.RawMessage `json:"note,omitempty"`

	Frozen         []byte `json:"frozen,omitempty"` // a bit for each word whose rows are frozen
	FrozenContexts bool   `json:"frozen_contexts,omitempty"`
	Before         uint64 `json:"trained_before,omitempty"` // tokens that the initial vectors had been trained on
	Warm           bool   `json:"warm,omitempty"`           // the run started from vectors

	Set    *vectors.Set `json:"-"`
	Tokens uint64       `json:"-"` // tokens trained
}

// New returns a checkpoint. Its Tokens and Total follow from the contents.
func New(of Contents) *Checkpoint {
	of.Tokens = of.State.Sums().Tokens
	return &Checkpoint{Config: of.Config, Note: of.Note, Tokens: of.Tokens, Total: of.Corpus.Tokens * uint64(max(of.Config.Epochs, 0)), of: of}
}

// ContentsOf returns the contents of c with the current Config and Note of c.
func ContentsOf(c *Checkpoint) *Contents {
	of := c.of
	of.Config, of.Note = c.Config, c.Note
	return &of
}

// made describes the program that made a checkpoint.
type made struct {
	Version  int `json:"version"`
	Revision int `json:"revision"` // revision of the algorithm; 0 in checkpoints of revision 1
}

// Saved is a checkpoint's State.
type Saved struct {
	made
	Contents
}

// Versions of a state. Raise the version when the meaning of a state changes.
const (
	plainVersion = 1
	// variantVersion marks variants. Programs that do not know variants would continue them as skip-gram with
	// negative sampling.
	variantVersion = 2
	// ranksVersion marks runs on several ranks. Programs that do not know ranks would take the workers of all
	// ranks for those of one.
	ranksVersion = 3
)

// stateVersion returns the version of the state of such a run.
func (c *Checkpoint) stateVersion() int {
	if len(c.of.State.Ranks) > 0 {
		return ranksVersion
	}
	if v, err := config.VariantOf(c.Config); err == nil && v.Plain() {
		return plainVersion
	}
	return variantVersion
}

// Set returns the vectors of the checkpoint with its state, for writing in the native format (docs/format.md,
// "Training state"). They are valid as long as the checkpoint is. It is an error if Note is not valid JSON.
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

// Vocab returns the vocabulary of the run. It is an error if words and counts are not in the order of a
// vocabulary.
func (c *Checkpoint) Vocab() (*vocab.Vocab, error) {
	var v *vocab.Vocab
	err := c.of.Set.Guard(func() (err error) {
		v, err = vocab.FromCounts(c.of.Set.Words().Strings(), c.of.Set.Counts())
		return err
	})
	return v, err
}

// Extend adds epochs to the run. The current learning rate becomes the rate of a run that was planned with
// all these epochs from the start. It panics if the number of epochs is negative.
func (c *Checkpoint) Extend(epochs int) {
	if epochs < 0 {
		panic(fmt.Sprintf("sgns: a run cannot be made longer by %d epochs", epochs))
	}
	c.Config.Epochs += epochs
	c.Total = c.of.Corpus.Tokens * uint64(c.Config.Epochs)
}

// Ranks is the number of ranks that trained the run; 1 for a run in one process. If the run resumes on
// another number of ranks, each rank may use other threads than Config says.
func (c *Checkpoint) Ranks() int { return c.of.Ranks() }

// Ranks is the number of ranks that trained the run.
func (c *Contents) Ranks() int { return max(len(c.State.Ranks), 1) }

// Ended reports whether training is complete: all tokens are trained, or evaluations have not improved for
// Patience times.
func (c *Checkpoint) Ended() bool {
	return c.Tokens >= c.Total || c.Config.Patience > 0 && c.of.State.Epochs == c.Config.Epochs && c.of.State.Found.Since >= c.Config.Patience
}
