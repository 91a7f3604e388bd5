package sgns

import (
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
)

// A state is all that a run needs to go on, but for the parameters: how far each worker
// is, and what it is going to draw. It is JSON in a checkpoint.
type state struct {
	Epochs   int           `json:"epochs"` // when it was taken
	Next     int64         `json:"next_chunk"`
	Halvings int           `json:"halvings"`
	Workers  []workerState `json:"workers"`
	Found    monitor.Found `json:"evaluations"`
	Divided  *dividedState `json:"divided,omitempty"` // of a run whose rows are divided
	Ranks    []rankState   `json:"ranks,omitempty"`   // of a run on several; Workers are those of one after the other
}

// A workerState is what a worker knows between two texts.
type workerState struct {
	engine.State
	Tokens    uint64         `json:"tokens"`
	Pairs     uint64         `json:"pairs"`
	Loss      float64        `json:"loss"`
	LastPairs uint64         `json:"last_pairs"`
	Latest    monitor.Latest `json:"watched"`
	LastLoss  float64        `json:"last_loss"`
}

// state returns the state of the run. No worker must be in a step.
func (r *run) state() state {
	s := state{
		Epochs:   r.config.Epochs,
		Next:     min(r.engine.Next.Load(), int64(r.data.IDs.Chunks())*int64(r.config.Epochs)),
		Halvings: r.recovery.halvings,
		Found:    r.evaluation.stopping.Found,
	}
	for k, w := range r.workers {
		tokens, sums := r.counters.Get(k)
		s.Workers = append(s.Workers, workerState{
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

// restore makes s the state of the run. It is an error, and the run is of no use, if
// s speaks of what is not there.
func (r *run) restore(s state) error {
	chunks := int64(r.data.IDs.Chunks())
	if len(s.Workers) != len(r.workers) {
		return fmt.Errorf("a state of %d workers for %d", len(s.Workers), len(r.workers))
	}
	if s.Epochs < 1 || s.Epochs > r.config.Epochs {
		return fmt.Errorf("was to train %d epochs of %d", s.Epochs, r.config.Epochs)
	}
	if s.Next < 0 || s.Next > chunks*int64(s.Epochs) {
		return fmt.Errorf("the next chunk is %d of %d", s.Next, chunks*int64(s.Epochs))
	}
	if s.Halvings < 0 || s.Halvings > maxHalvings {
		return fmt.Errorf("the learning rate was halved %d times", s.Halvings)
	}
	r.engine.Next.Store(s.Next)
	r.recovery.halvings = max(r.recovery.halvings, s.Halvings)
	r.evaluation.stopping.Found = s.Found
	for k, w := range r.workers {
		if err := w.restore(s.Workers[k], s.Epochs); err != nil {
			return fmt.Errorf("worker %d: %w", k, err)
		}
	}
	if tokens, done := r.counters.Tokens(), r.tokensBefore(s); done != tokens {
		return fmt.Errorf("counts %d tokens, and has trained %d", tokens, done)
	}
	r.evaluation.at.Store(r.evaluation.stopping.Next())
	return nil
}

// tokensBefore returns how many tokens were trained to come to a state.
func (r *run) tokensBefore(s state) uint64 {
	reader := r.data.IDs.Reader()
	length := func(chunk int64) (n uint64) {
		for _, ids := range reader.Chunk(r.engine.ChunkAt(chunk)) {
			n += uint64(len(ids))
		}
		return n
	}
	chunks := int64(r.data.IDs.Chunks())
	if chunks == 0 { // the part of a rank may be empty
		return 0
	}
	tokens := uint64(s.Next/chunks) * r.data.IDs.Tokens()
	for i := s.Next - s.Next%chunks; i < s.Next; i++ {
		tokens += length(i)
	}
	for _, w := range s.Workers {
		if w.Chunk != engine.Nowhere {
			tokens -= length(w.Chunk) - uint64(w.Offset)
		}
	}
	return tokens
}

func (w *worker) restore(s workerState, epochs int) error {
	if err := w.trainer.Restore(s.State, epochs); err != nil {
		return err
	}
	w.watch.Recent, w.watch.Latest = 0, s.Latest
	sums := monitor.Sums{Pairs: s.Pairs, LastPairs: s.LastPairs, Loss: s.Loss, LastLoss: s.LastLoss}
	if epochs != w.run.config.Epochs { // another epoch is the last now
		sums.LastPairs, sums.LastLoss = 0, 0
	}
	w.run.counters.Set(w.number, s.Tokens, sums)
	return nil
}
