package run

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
)

// A saver makes checkpoints during training.
type saver struct {
	due     atomic.Bool // a checkpoint is due
	saving  atomic.Bool // a checkpoint is being written
	writing sync.WaitGroup
	copied  *params.Values    // parameters of the last checkpoint; nil in a run that lends
	good    *checkpoint.State // state that belongs to copied; nil if there is none
	corpus  checkpoint.Fingerprint
	heldOut *checkpoint.Fingerprint
}

// wait waits until no checkpoint is being written.
func (s *saver) wait() { s.writing.Wait() }

// prepare allocates what a saver of the run needs.
func (s *saver) prepare(r *Run) {
	if !r.peers.Lends() {
		s.copied = r.Model.Values.Alike()
	}
	s.heldOut = checkpoint.FingerprintOf(r.Data.HeldOut) // another number of ranks holds out other text
	switch {
	case r.place.Size > 1:
		s.corpus = checkpoint.Fingerprint{Tokens: r.place.Tokens} // each rank has a fingerprint of its part
	case r.own() != nil:
		s.corpus = r.From.Corpus
	default:
		s.corpus = *checkpoint.FingerprintOf(r.Data.IDs)
	}
}

// begin keeps the first state to return to. It touches the memory for copies before workers have to wait for
// a copy.
func (s *saver) begin(values *params.Values, first *checkpoint.State) {
	s.copied.CopyFrom(values)
	s.good = first
}

// snapshot copies the parameters, and starts writing a checkpoint in the background. The caller has held the
// gate since asked.
func (r *Run) snapshot(asked time.Time) error {
	s := &r.saver
	s.due.Store(false)
	if !r.peers.Lends() && !r.Model.Values.Finite() { // keep the last good copy: the loss will soon show the divergence
		return nil
	}
	s.wait() // the previous checkpoint is almost always written by now
	now, err := r.peers.State()
	if err != nil {
		return err
	}
	if r.peers.Lends() { // rows of peers can be read only while the peers are paused
		c := r.checkpoint(r.Model.Values, now)
		c.Pause = time.Since(asked)
		r.Hooks.Checkpoint(c)
		return nil
	}
	s.copied.CopyFrom(r.Model.Values)
	c := r.checkpoint(s.copied, now)
	s.good = &now
	c.Pause = time.Since(asked)
	s.saving.Store(true)
	s.writing.Go(func() {
		defer s.saving.Store(false)
		r.Hooks.Checkpoint(c)
	})
	return nil
}

// HeldOut sets the fingerprint of the held-out text for checkpoints.
func (r *Run) HeldOut(f *checkpoint.Fingerprint) { r.saver.heldOut = f }

// checkpoint returns a checkpoint of the parameters and the state that belongs to them.
func (r *Run) checkpoint(values *params.Values, s checkpoint.State) *checkpoint.Checkpoint {
	of := checkpoint.Contents{
		Config:  r.Config,
		Corpus:  r.saver.corpus,
		HeldOut: r.saver.heldOut,
		State:   s,
		Note:    r.Hooks.Note,
		Sizes:   plan.SizesOf(r.Config, r.Model.Division, r.sample),
		Before:  r.origin.before,
		Warm:    r.origin.vectors != nil || r.From != nil && r.From.Warm,
	}
	var trained uint64
	for _, w := range s.Workers {
		trained += w.Tokens
	}
	if freeze := r.Config.Freeze == config.FreezeKnown; freeze && r.From != nil {
		of.Frozen, of.FrozenContexts = r.From.Frozen, r.From.FrozenContexts
	} else if freeze {
		of.Frozen, of.FrozenContexts = r.origin.vectors.Frozen()
	}
	p := r.parts(values, trained)
	if best := r.evaluation.best; best != nil && s.Found.Best != nil {
		for _, rows := range best.Owned() {
			p.StateRows = append(p.StateRows, rows)
		}
	}
	p.State = []byte{} // Checkpoint.Set replaces it
	of.Set = model.SetOf(p)
	return checkpoint.New(of)
}
