package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/vocab"
)

// A State is all that a run needs to go on, but for the parameters: how far each worker
// is, and what it is going to draw. It is JSON in a checkpoint.
type State struct {
	Epochs   int           `json:"epochs"` // when it was taken
	Next     int64         `json:"next_chunk"`
	Halvings int           `json:"halvings"`
	Workers  []WorkerState `json:"workers"`
	Found    monitor.Found `json:"evaluations"`
	Divided  *DividedState `json:"divided,omitempty"` // of a run whose rows are divided
	Ranks    []RankState   `json:"ranks,omitempty"`   // of a run on several; Workers are those of one after the other
}

// A WorkerState is what a worker knows between two texts.
type WorkerState struct {
	engine.State
	Tokens    uint64         `json:"tokens"`
	Pairs     uint64         `json:"pairs"`
	Loss      float64        `json:"loss"`
	LastPairs uint64         `json:"last_pairs"`
	Latest    monitor.Latest `json:"watched"`
	LastLoss  float64        `json:"last_loss"`
}

// A RankState is how far one of several ranks is. It is JSON in a checkpoint.
type RankState struct {
	Next   int64         `json:"next_chunk"`
	Corpus Fingerprint   `json:"corpus"` // its part
	Count  int           `json:"workers"`
	States []WorkerState `json:"states,omitempty"` // on its way to rank 0
}

// RankOf returns what rank 0 needs of s.
func RankOf(s State, part Fingerprint) RankState {
	return RankState{Next: s.Next, Corpus: part, Count: len(s.Workers), States: s.Workers}
}

// SetRanks makes the workers those of all ranks, which have told how far they are.
func (s *State) SetRanks(told [][]byte) error {
	if len(told) == 0 {
		return errors.New("ranks have not told how far they are")
	}
	s.Workers, s.Ranks = nil, nil
	for rank, data := range told {
		var of RankState
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
func (s *State) checkRanks() error {
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

// Of returns the state of one of so many ranks, nil if there were not as many.
func (s *State) Of(rank, size int) *State {
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

// A DividedState is what the state of a divided run has besides that of its ranks. Each of these has one
// worker, whose place is where the next round of the rank begins. It is JSON in a checkpoint.
type DividedState struct {
	Rounds uint64 `json:"rounds"` // that were trained
}

// NextOf returns the chunk at which a rank goes on with the run of another number of ranks: the rank is as far
// into its part of the present epoch as all ranks together were.
func (c *Contents) NextOf(part *vocab.IDs) int64 {
	chunks, epochs := int64(part.Chunks()), int64(c.State.Epochs)
	whole := max(c.Corpus.Tokens, 1)
	epoch := min(int64(c.Tokens/whole), epochs)
	within := float64(c.Tokens%whole) / float64(whole)
	return min(epoch*chunks+int64(within*float64(chunks)+0.5), chunks*epochs)
}
