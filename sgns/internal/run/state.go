package run

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/vectors"
)

// State returns the state of the run. No worker may be in a step.
func (r *Run) State() checkpoint.State {
	s := checkpoint.State{
		Epochs:   r.Config.Epochs,
		Next:     min(r.Engine.Next.Load(), int64(r.Data.IDs.Chunks())*int64(r.Config.Epochs)),
		Halvings: r.recovery.halvings,
		Found:    r.evaluation.stopping.Found,
	}
	if shared := r.Engine.Shared; shared != nil {
		s.Left, s.Elsewhere = shared.Elsewhere()
	}
	for k, w := range r.workers {
		s.Workers = append(s.Workers, checkpoint.WorkerOf(w.trainer.State(), r.Counters.Get(k), w.watch.Latest))
	}
	return s
}

// restore sets the state of the run, which must not be used after an error.
func (r *Run) restore(s checkpoint.State) error {
	chunks := int64(r.Data.IDs.Chunks())
	if len(s.Workers) != len(r.workers) {
		return fmt.Errorf("a state of %d workers for %d", len(s.Workers), len(r.workers))
	}
	if s.Epochs < 1 || s.Epochs > r.Config.Epochs {
		return fmt.Errorf("was to train %d epochs of %d", s.Epochs, r.Config.Epochs)
	}
	if s.Next < 0 || s.Next > chunks*int64(s.Epochs) {
		return fmt.Errorf("the next chunk is %d of %d", s.Next, chunks*int64(s.Epochs))
	}
	if s.Halvings < 0 || s.Halvings > maxHalvings {
		return fmt.Errorf("the learning rate was halved %d times", s.Halvings)
	}
	r.Engine.Next.Store(s.Next)
	switch shared := r.Engine.Shared; {
	case shared != nil:
		if err := shared.Restore(s.Left, s.Elsewhere); err != nil {
			return err
		}
	case len(s.Left) > 0 || s.Elsewhere != 0:
		return fmt.Errorf("other ranks have trained text of this one, and in this run they do not")
	}
	r.recovery.halvings = max(r.recovery.halvings, s.Halvings)
	r.evaluation.stopping.Found = s.Found
	for k, w := range r.workers {
		if err := w.restore(s.Workers[k], s.Epochs); err != nil {
			return fmt.Errorf("worker %d: %w", k, err)
		}
	}
	if tokens, done := int64(r.Counters.Tokens())+s.Elsewhere, int64(r.tokensBefore(s)); done != tokens {
		return fmt.Errorf("counts %d tokens, and has trained %d", tokens, done)
	}
	r.evaluation.at.Store(r.evaluation.stopping.Next())
	return nil
}

// Left returns how many tokens of this process's part are not trained yet.
func (r *Run) Left() int64 {
	return int64(r.total()) - int64(r.tokensBefore(r.recovery.first))
}

// Trainers returns the workers.
func (r *Run) Trainers() (all []*engine.Worker) {
	for _, w := range r.workers {
		all = append(all, w.trainer)
	}
	return all
}

// tokensBefore returns how many tokens of this process's part had been trained in a state.
func (r *Run) tokensBefore(s checkpoint.State) uint64 {
	tokens, lengths := r.TokensBefore(s.Next), r.Engine.Lengths()
	for _, w := range s.Workers {
		if w.Chunk != engine.Nowhere && r.Data.IDs.Chunks() > 0 {
			tokens -= lengths.Of(w.Chunk) - uint64(w.Offset)
		}
	}
	for _, p := range s.Left {
		tokens -= lengths.Of(p.Chunk) - uint64(p.Offset)
	}
	return tokens
}

// TokensBefore returns how many tokens precede a chunk, counted over all epochs.
func (r *Run) TokensBefore(next int64) uint64 {
	chunks := int64(r.Data.IDs.Chunks())
	if chunks == 0 { // the part of a rank may be empty
		return 0
	}
	lengths := r.Engine.Lengths()
	tokens := uint64(next/chunks) * r.Data.IDs.Tokens()
	for i := next - next%chunks; i < next; i++ {
		tokens += lengths.Of(i)
	}
	return tokens
}

func (w *worker) restore(s checkpoint.WorkerState, epochs int) error {
	if err := w.trainer.Restore(s.State, epochs); err != nil {
		return err
	}
	w.watch.Recent, w.watch.Latest = 0, s.Latest
	sums := s.Sums()
	if epochs != w.run.Config.Epochs { // the last epoch is another one now
		sums.LastPairs, sums.LastLoss = 0, 0
	}
	w.doubt.Store(w.watch.Doubtful())
	w.run.Counters.Set(w.number, sums)
	return nil
}

// share returns the state of a rank that resumes a run of another number of ranks.
func (r *Run) share(from *checkpoint.Contents) checkpoint.State {
	s := r.State()
	s.Epochs, s.Halvings, s.Found = from.State.Epochs, from.State.Halvings, from.State.Found
	s.Next = from.NextOf(r.Data.IDs)
	for k := range s.Workers {
		s.Workers[k].Chunk = engine.Nowhere
	}
	var sums monitor.Sums
	if r.peers.Rank == 0 {
		sums = from.State.Sums()
	}
	sums.Tokens = r.tokensBefore(s)
	s.Workers[0] = checkpoint.WorkerOf(s.Workers[0].State, sums, s.Workers[0].Latest)
	return s
}

// allParts returns the parts of a set with these values as they are trained, and with what only the run needs.
func (r *Run) allParts(values *params.Values, trained uint64) vectors.Parts {
	p := r.peers.Parts(values)
	p.Training = config.TrainingOf(r.Config)
	p.Training.Set("lr", r.FirstRate())
	p.Training.Set("tokens", r.peers.Tokens)
	p.Training.Set("trained", r.origin.before+trained)
	return p
}

type saver struct {
	due     atomic.Bool // a checkpoint is due
	saving  atomic.Bool // a checkpoint is being written
	writing sync.WaitGroup
	copied  *params.Values    // parameters of the last checkpoint; nil in a run that lends
	good    *checkpoint.State // state that belongs to copied; nil if there is none
	corpus  checkpoint.Fingerprint
	heldOut *checkpoint.Fingerprint
}

func (s *saver) wait() { s.writing.Wait() }

func (s *saver) prepare(r *Run) {
	if !r.peers.Lends {
		s.copied = r.Model.Values.Alike()
	}
	s.heldOut = checkpoint.FingerprintOf(r.Data.HeldOut) // another number of ranks holds out other text
	switch {
	case r.peers.Size > 1:
		s.corpus = checkpoint.Fingerprint{Tokens: r.peers.Tokens} // each rank has a fingerprint of its part
	case r.own() != nil:
		s.corpus = r.From.Corpus
	default:
		s.corpus = *checkpoint.FingerprintOf(r.Data.IDs)
	}
}

// snapshot starts writing a copy in the background. The caller has held the gate since asked.
func (r *Run) snapshot(asked time.Time) error {
	s := &r.saver
	s.due.Store(false)
	if !r.peers.Lends && !r.Model.Values.Finite() { // keep the last good copy: the loss will soon show the divergence
		return nil
	}
	s.wait() // the previous checkpoint is almost always written by now
	now, err := r.sync.State()
	if err != nil {
		return err
	}
	if r.peers.Lends { // rows of peers can be read only while the peers are paused
		c := r.checkpoint(r.Model.Values, now)
		c.Pause = time.Since(asked)
		r.Hooks.Checkpoint(c)
		return nil
	}
	s.copied.CopyFrom(r.Model.Values)
	c := r.checkpoint(s.copied, now)
	s.good, c.Pause = &now, time.Since(asked)
	s.saving.Store(true)
	s.writing.Go(func() {
		defer s.saving.Store(false)
		r.Hooks.Checkpoint(c)
	})
	return nil
}

// saveLast makes the last checkpoint. Without the state of peers, the run cannot return a model.
func (r *Run) saveLast() error {
	if r.Hooks.Checkpoint == nil {
		return nil
	}
	last, err := r.sync.State()
	if err != nil {
		return Broken(err)
	}
	r.Hooks.Checkpoint(r.checkpoint(r.Model.Values, last))
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
		Sizes:   plan.SizesOf(r.Config, r.Model.Division, r.Subsample),
		Before:  r.origin.before,
		Warm:    r.origin.vectors != nil || r.From != nil && r.From.Warm,
	}
	if freeze := r.Config.Freeze == config.FreezeKnown; freeze && r.From != nil {
		of.Frozen, of.FrozenContexts = r.From.Frozen, r.From.FrozenContexts
	} else if freeze {
		of.Frozen, of.FrozenContexts = r.origin.vectors.Frozen()
	}
	p := r.allParts(values, s.Sums().Tokens)
	if best := r.evaluation.best; best != nil && s.Found.Best != nil {
		for _, rows := range best.Owned() {
			p.StateRows = append(p.StateRows, rows)
		}
	}
	p.State = []byte{} // Checkpoint.Set replaces it
	of.Set = model.SetOf(p)
	return checkpoint.New(of)
}
