package sgns

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/params"
)

// A saver makes checkpoints while training goes on.
type saver struct {
	due     atomic.Bool // a checkpoint is to be made
	saving  atomic.Bool // one is being written
	writing sync.WaitGroup
	copied  *params.Values // the parameters of the last one
	good    *state         // what goes with them; nil if there is none
	corpus  fingerprint
	heldOut *fingerprint
}

// wait waits until no checkpoint is being written.
func (s *saver) wait() { s.writing.Wait() }

// prepare allocates what a saver of the run needs.
func (s *saver) prepare(r *run) {
	s.copied = r.model.values.Alike()
	from := r.origin.checkpoint
	s.heldOut = fingerprintOf(r.data.HeldOut) // another number of ranks holds out other text
	switch {
	case r.team != nil:
		s.corpus = fingerprint{Tokens: r.team.tokens} // each rank has one of its part
	case from.stateOf(nil) != nil:
		s.corpus = from.corpus
	default:
		s.corpus = *fingerprintOf(r.data.IDs)
	}
}

// begin keeps the first state to go back to. The memory for copies is touched before workers
// have to wait for it.
func (s *saver) begin(values *params.Values, first *state) {
	s.copied.CopyFrom(values)
	s.good = first
}

// snapshot copies the parameters, and begins to write a checkpoint in the background.
// The gate is held since asked.
func (r *run) snapshot(asked time.Time) error {
	s := &r.saver
	s.due.Store(false)
	if !r.model.values.Finite() { // the copy stays good, and the loss is soon not finite either
		return nil
	}
	s.wait() // as good as always done by now
	now, err := r.wholeState()
	if err != nil {
		return err
	}
	s.copied.CopyFrom(r.model.values)
	c := r.checkpoint(s.copied, now)
	s.good = &now
	c.Pause = time.Since(asked)
	s.saving.Store(true)
	s.writing.Go(func() {
		defer s.saving.Store(false)
		r.hooks.Checkpoint(c)
	})
	return nil
}

// checkpoint returns a checkpoint of the parameters and the state that goes with them.
func (r *run) checkpoint(values *params.Values, s state) *Checkpoint {
	config := r.config
	config.sizes = nil // a run that begins with this configuration has sizes of its own
	z := r.config.sizesOf(r.model.division, r.tokens())
	c := &Checkpoint{
		Config: config,
		Note:   r.hooks.Note,
		Total:  r.whole(),
		corpus: r.saver.corpus,
		held:   r.saver.heldOut,
		state:  s,
		sizes:  &z,
		before: r.origin.before,
		warm:   r.origin.vectors != nil || r.origin.checkpoint != nil && r.origin.checkpoint.warm,
	}
	for _, w := range s.Workers {
		c.Tokens += w.Tokens
	}
	if config.Freeze == FreezeKnown && r.origin.checkpoint != nil {
		c.frozen, c.frozenContexts = r.origin.checkpoint.frozen, r.origin.checkpoint.frozenContexts
	} else if config.Freeze == FreezeKnown {
		c.frozen, c.frozenContexts = r.origin.vectors.frozen()
	}
	p := r.parts(values, c.Tokens)
	if best := r.evaluation.best; best != nil && s.Found.Best != nil {
		for _, rows := range best.Owned() {
			p.StateRows = append(p.StateRows, rows)
		}
	}
	p.State = []byte{} // Checkpoint.Set fills it in
	c.set = set(p)
	return c
}
