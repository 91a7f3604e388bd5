package sgns

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/random"
)

// state is all that a run needs to go on, but for the parameters: how far each worker
// is, and what it is going to draw. It is JSON in a checkpoint.
type state struct {
	Epochs   int           `json:"epochs"` // when it was taken
	Next     int64         `json:"next_chunk"`
	Halvings int           `json:"halvings"`
	Workers  []workerState `json:"workers"`
	Verdict  verdict       `json:"evaluations"`
}

// workerState is what a worker knows between two texts.
type workerState struct {
	place
	Sampling  uint64   `json:"sampling"` // the generator of subsampling
	Drawing   uint64   `json:"drawing"`  // that of windows and negatives
	Ahead     []uint32 `json:"ahead"`    // negatives of the next block
	Blocks    uint64   `json:"blocks"`
	Paired    bool     `json:"paired"`
	Last      bool     `json:"last_epoch"`
	Tokens    uint64   `json:"tokens"`
	Pairs     uint64   `json:"pairs"`
	Loss      float64  `json:"loss"`
	LastPairs uint64   `json:"last_pairs"`
	Watched   watched  `json:"watched"`
	LastLoss  float64  `json:"last_loss"`
}

// state returns the state of the run. No worker must be in a step.
func (r *run) state() state {
	s := state{
		Epochs:   r.config.Epochs,
		Next:     min(r.next.Load(), int64(r.ids.Chunks())*int64(r.config.Epochs)),
		Halvings: r.halvings,
		Verdict:  r.judge.verdict,
	}
	for _, w := range r.workers {
		c := w.counters.get()
		s.Workers = append(s.Workers, workerState{
			place:     w.place,
			Sampling:  uint64(w.random),
			Drawing:   uint64(w.block.random),
			Ahead:     slices.Clone(w.block.ahead),
			Blocks:    w.trained,
			Paired:    w.paired,
			Last:      w.last,
			Tokens:    w.counters.tokens.Load(),
			Pairs:     c.pairs,
			Loss:      c.loss,
			LastPairs: c.lastPairs,
			Watched:   w.watched,
			LastLoss:  c.lastLoss,
		})
	}
	return s
}

// restore makes s the state of the run. It is an error, and the run is of no use, if
// s speaks of what is not there.
func (r *run) restore(s state) error {
	chunks := int64(r.ids.Chunks())
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
	r.next.Store(s.Next)
	r.halvings = max(r.halvings, s.Halvings)
	r.judge.verdict = s.Verdict
	for k, w := range r.workers {
		if err := w.restore(s.Workers[k], s.Epochs); err != nil {
			return fmt.Errorf("worker %d: %w", k, err)
		}
	}
	if done := r.tokensBefore(s); done != r.tokens() {
		return fmt.Errorf("counts %d tokens, and has trained %d", r.tokens(), done)
	}
	r.evaluateAt.Store(r.judge.next())
	return nil
}

// tokensBefore returns how many tokens were trained to come to a state.
func (r *run) tokensBefore(s state) uint64 {
	length := func(chunk int64) (n uint64) {
		for _, ids := range r.ids.Chunk(int(chunk)) {
			n += uint64(len(ids))
		}
		return n
	}
	chunks := int64(r.ids.Chunks())
	tokens := uint64(s.Next/chunks) * r.ids.Tokens()
	for i := range s.Next % chunks {
		tokens += length(i)
	}
	for _, w := range s.Workers {
		if w.Chunk != nowhere {
			tokens -= length(w.Chunk%chunks) - uint64(w.Offset)
		}
	}
	return tokens
}

func (w *worker) restore(s workerState, epochs int) error {
	chunks := int64(w.ids.Chunks())
	if s.Chunk < nowhere || s.Chunk >= w.next.Load() {
		return fmt.Errorf("is in chunk %d, of which %d were begun", s.Chunk, w.next.Load())
	}
	if s.Chunk != nowhere && !endsSentence(w.ids.Chunk(int(s.Chunk%chunks)), s.Offset) {
		return fmt.Errorf("is behind %d tokens of a chunk, where no sentence ends", s.Offset)
	}
	if len(s.Ahead) != len(w.block.ahead) {
		return fmt.Errorf("has %d negatives drawn, expected %d", len(s.Ahead), len(w.block.ahead))
	}
	for _, id := range s.Ahead {
		if words := w.table.Words(); uint64(id) >= uint64(words) {
			return fmt.Errorf("has drawn word %d of %d", id, words)
		}
	}
	w.place = s.place
	w.random, w.block.random = random.Generator(s.Sampling), random.Generator(s.Drawing)
	copy(w.block.ahead, s.Ahead)
	w.trained, w.paired, w.last = s.Blocks, s.Paired, s.Last
	w.recent, w.watched = 0, s.Watched
	w.empty()
	if epochs != w.config.Epochs {
		// Another epoch is the last now.
		w.last = s.Chunk >= chunks*int64(w.config.Epochs-1)
		s.LastPairs, s.LastLoss = 0, 0
	}
	w.counters.tokens.Store(s.Tokens)
	w.counters.set(sums{s.Pairs, s.LastPairs, s.Loss, s.LastLoss})
	return nil
}

// endsSentence reports whether the first n tokens of a chunk are whole sentences.
func endsSentence(chunk [][]uint32, n int) bool {
	for _, ids := range chunk {
		if n <= len(ids) {
			return n == 0 || n > 0 && ids[n-1]&corpus.EndOfSentence != 0
		}
		n -= len(ids)
	}
	return false
}
