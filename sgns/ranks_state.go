package sgns

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/vocab"
)

// A rankState is how far one of several ranks is. It is JSON in a checkpoint.
type rankState struct {
	Next   int64         `json:"next_chunk"`
	Corpus fingerprint   `json:"corpus"` // its part
	Count  int           `json:"workers"`
	States []workerState `json:"states,omitempty"` // on its way to rank 0
}

func rankStateOf(s state, part fingerprint) rankState {
	return rankState{Next: s.Next, Corpus: part, Count: len(s.Workers), States: s.Workers}
}

// wholeState returns the state of all ranks. On several ranks it is that of their last pause.
func (r *run) wholeState() (state, error) {
	s := r.state()
	if r.team == nil {
		return s, nil
	}
	return s, s.setRanks(r.team.states)
}

// setRanks makes the workers those of all ranks, which have told how far they are.
func (s *state) setRanks(told [][]byte) error {
	if len(told) == 0 {
		return errors.New("ranks have not told how far they are")
	}
	s.Workers, s.Ranks = nil, nil
	for rank, data := range told {
		var of rankState
		if err := json.Unmarshal(data, &of); err != nil {
			return fmt.Errorf("the state of rank %d: %w", rank, err)
		}
		s.Workers = append(s.Workers, of.States...)
		of.States = nil
		s.Ranks = append(s.Ranks, of)
	}
	return s.checkRanks()
}

// checkRanks reports ranks that do not have the workers that there are.
func (s *state) checkRanks() error {
	if len(s.Ranks) == 0 {
		return nil
	}
	n := 0
	for _, of := range s.Ranks {
		if of.Count < 1 || of.Count > len(s.Workers)-n {
			return fmt.Errorf("its %d ranks have other workers than the %d that there are", len(s.Ranks), len(s.Workers))
		}
		n += of.Count
	}
	if n != len(s.Workers) {
		return fmt.Errorf("its %d ranks have %d workers of %d", len(s.Ranks), n, len(s.Workers))
	}
	return nil
}

// of returns the state of one of so many ranks, nil if there were not as many.
func (s *state) of(rank, size int) *state {
	if max(len(s.Ranks), 1) != size || s.Divided != nil {
		return nil
	}
	own := *s
	own.Ranks = nil
	if size == 1 {
		return &own
	}
	first := 0
	for _, of := range s.Ranks[:rank] {
		first += of.Count
	}
	own.Next, own.Workers = s.Ranks[rank].Next, s.Workers[first:][:s.Ranks[rank].Count]
	return &own
}

// nextOf is the chunk at which a rank goes on with the run of another number of ranks: it is as far into its
// part of the present epoch as all ranks together were.
func (c *Checkpoint) nextOf(part *vocab.IDs) int64 {
	chunks, epochs := int64(part.Chunks()), int64(c.state.Epochs)
	whole := max(c.corpus.Tokens, 1)
	epoch := min(int64(c.Tokens/whole), epochs)
	within := float64(c.Tokens%whole) / float64(whole)
	return min(epoch*chunks+int64(within*float64(chunks)+0.5), chunks*epochs)
}

// share returns the state of a rank that goes on with the run of another number of ranks.
func (r *run) share(from *Checkpoint) state {
	s := r.state()
	s.Epochs, s.Halvings, s.Found = from.state.Epochs, from.state.Halvings, from.state.Found
	s.Next = from.nextOf(r.data.IDs)
	var sums monitor.Sums
	if r.team.first() {
		for _, w := range from.state.Workers {
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
