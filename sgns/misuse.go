package sgns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/vocab"
)

// Workers believe what they read: an id that the vocabulary does not have would end the
// program from a goroutine that no caller can recover from. So what a run is given is looked
// at before there are any.

// validate returns an error if a run cannot be trained on the data.
func (d Data) validate() error {
	switch {
	case d.Vocab == nil:
		return errors.New("sgns: there is no vocabulary, Data.Vocab is nil: vocab.Index returns it with the ids")
	case d.IDs == nil:
		return errors.New("sgns: there is no corpus, Data.IDs is nil: vocab.Index returns the ids with their vocabulary")
	}
	if err := idsOf(d.IDs, d.Vocab, "the corpus, Data.IDs"); err != nil {
		return err
	}
	if d.HeldOut != nil {
		if err := idsOf(d.HeldOut, d.Vocab, "the held-out text, Data.HeldOut"); err != nil {
			return err
		}
	}
	if d.IDs.Tokens() == 0 && !cluster.Several(d.Ranks) || d.Vocab.Len() == 0 {
		return errNoTokens
	}
	return nil
}

var errNoTokens = errors.New("sgns: no tokens to train on")

// err returns the error that reading the text had, if there was one.
func (d Data) err() error {
	err := d.IDs.Err()
	if err == nil && d.HeldOut != nil {
		err = d.HeldOut.Err()
	}
	return err
}

// idsOf returns an error if ids cannot be those of a vocabulary, or cannot be read.
func idsOf(ids *vocab.IDs, v *vocab.Vocab, what string) error {
	switch {
	case ids.Tokens() > 0 && ids.Chunks() == 0:
		return fmt.Errorf("sgns: %s, is closed: close ids when Train has returned", what)
	case ids.Largest() >= v.Len():
		return fmt.Errorf("sgns: %s, has id %d, and the vocabulary has %d words: take the vocabulary that vocab.Index returned with the ids", what, ids.Largest(), v.Len())
	}
	return nil
}

// validate returns an error if a hook would be called never, or with what is no JSON.
func (h Hooks) validate() error {
	switch {
	case h.Every < 0:
		return fmt.Errorf("sgns: Hooks.Every is %v, must be 0 (a second) or more", h.Every)
	case h.CheckpointEvery < 0:
		return fmt.Errorf("sgns: Hooks.CheckpointEvery is %v, must be 0 (only at the end) or more", h.CheckpointEvery)
	case len(h.Note) > 0 && !json.Valid(h.Note):
		return fmt.Errorf("sgns: Hooks.Note is no JSON: %.40q", h.Note)
	}
	return nil
}

// validateRun returns an error if a run cannot begin with what it was given.
func validateRun(ctx context.Context, d Data, h Hooks) error {
	if ctx == nil {
		return errors.New("sgns: there is no context to train in: it is nil")
	}
	if err := d.validate(); err != nil {
		return err
	}
	return h.validate()
}

// empty returns an error if there is nothing in the checkpoint.
func (c *Checkpoint) empty() error {
	if c == nil || c.set == nil {
		return errors.New("sgns: the checkpoint is empty: NewCheckpoint makes one of a set, and Hooks.Checkpoint is given one")
	}
	return nil
}
