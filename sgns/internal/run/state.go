package run

import (
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// State returns the state of the run. No worker may be in a step.
func (r *Run) State() checkpoint.State {
	s := checkpoint.State{
		Epochs:   r.Config.Epochs,
		Next:     min(r.Engine.Next.Load(), int64(r.Data.IDs.Chunks())*int64(r.Config.Epochs)),
		Halvings: r.recovery.halvings,
		Found:    r.evaluation.stopping.Found,
	}
	for k, w := range r.workers {
		tokens, sums := r.Counters.Get(k)
		s.Workers = append(s.Workers, checkpoint.WorkerState{
			State:     w.trainer.State(),
			Tokens:    tokens,
			Pairs:     sums.Pairs,
			Loss:      sums.Loss,
			LastPairs: sums.LastPairs,
			Latest:    w.watch.Latest,
			LastLoss:  sums.LastLoss,
		})
	}
	return s
}

// restore sets the state of the run. If it returns an error, s refers to missing chunks or workers, and the
// run must not be used.
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
	r.recovery.halvings = max(r.recovery.halvings, s.Halvings)
	r.evaluation.stopping.Found = s.Found
	for k, w := range r.workers {
		if err := w.restore(s.Workers[k], s.Epochs); err != nil {
			return fmt.Errorf("worker %d: %w", k, err)
		}
	}
	if tokens, done := r.Counters.Tokens(), r.tokensBefore(s); done != tokens {
		return fmt.Errorf("counts %d tokens, and has trained %d", tokens, done)
	}
	r.evaluation.at.Store(r.evaluation.stopping.Next())
	return nil
}

// tokensBefore returns how many tokens had been trained in a state.
func (r *Run) tokensBefore(s checkpoint.State) uint64 {
	tokens, reader := r.TokensBefore(s.Next), r.Data.IDs.Reader()
	for _, w := range s.Workers {
		if w.Chunk != engine.Nowhere && r.Data.IDs.Chunks() > 0 {
			tokens -= r.lengthOf(reader, w.Chunk) - uint64(w.Offset)
		}
	}
	return tokens
}

// TokensBefore returns how many tokens precede a chunk, counted over all epochs.
func (r *Run) TokensBefore(next int64) uint64 {
	chunks := int64(r.Data.IDs.Chunks())
	if chunks == 0 { // the part of a rank may be empty
		return 0
	}
	reader := r.Data.IDs.Reader()
	tokens := uint64(next/chunks) * r.Data.IDs.Tokens()
	for i := next - next%chunks; i < next; i++ {
		tokens += r.lengthOf(reader, i)
	}
	return tokens
}

// lengthOf returns the number of tokens of a chunk.
func (r *Run) lengthOf(reader *vocab.ChunkReader, chunk int64) (n uint64) {
	for _, ids := range reader.Chunk(r.Engine.ChunkAt(chunk)) {
		n += uint64(len(ids))
	}
	return n
}

func (w *worker) restore(s checkpoint.WorkerState, epochs int) error {
	if err := w.trainer.Restore(s.State, epochs); err != nil {
		return err
	}
	w.watch.Recent, w.watch.Latest = 0, s.Latest
	sums := monitor.Sums{Pairs: s.Pairs, LastPairs: s.LastPairs, Loss: s.Loss, LastLoss: s.LastLoss}
	if epochs != w.run.Config.Epochs { // the last epoch is another one now
		sums.LastPairs, sums.LastLoss = 0, 0
	}
	w.doubt.Store(w.watch.Doubtful())
	w.run.Counters.Set(w.number, s.Tokens, sums)
	return nil
}

// share returns the state of a rank that resumes a run of another number of ranks.
func (r *Run) share(from *checkpoint.Contents) checkpoint.State {
	s := r.State()
	s.Epochs, s.Halvings, s.Found = from.State.Epochs, from.State.Halvings, from.State.Found
	s.Next = from.NextOf(r.Data.IDs)
	var sums monitor.Sums
	if r.place.Rank == 0 {
		for _, w := range from.State.Workers {
			sums.Pairs += w.Pairs
			sums.LastPairs += w.LastPairs
			sums.Loss += w.Loss
			sums.LastLoss += w.LastLoss
		}
	}
	for k := range s.Workers {
		s.Workers[k].Chunk = engine.Nowhere
	}
	w := &s.Workers[0]
	w.Tokens = r.tokensBefore(s)
	w.Pairs, w.LastPairs, w.Loss, w.LastLoss = sums.Pairs, sums.LastPairs, sums.Loss, sums.LastLoss
	return s
}

// parts returns the parts of a set with these values, after so many tokens were trained.
func (r *Run) parts(values *params.Values, trained uint64) vectors.Parts {
	p := r.peers.Parts(values)
	p.Training = config.TrainingOf(r.Config)
	p.Training.Set("lr", r.FirstRate())
	p.Training.Set("tokens", r.place.Tokens)
	p.Training.Set("trained", r.origin.before+trained)
	return p
}
