package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/vocab"
)

// A State is everything that a run needs to continue, except the parameters: the progress and the random
// generators of each worker. It is JSON in a checkpoint.
type State struct {
	Epochs   int           `json:"epochs"` // number of epochs when the state was taken
	Next     int64         `json:"next_chunk"`
	Halvings int           `json:"halvings"`
	Workers  []WorkerState `json:"workers"`
	Found    monitor.Found `json:"evaluations"`
	Divided  *DividedState `json:"divided,omitempty"` // only for runs whose rows are divided
	Ranks    []RankState   `json:"ranks,omitempty"`   // only for runs on several ranks; Workers has the workers of all ranks, rank after rank
}

// A WorkerState is the state of a worker between two texts.
type WorkerState struct {
	engine.State
	Tokens    uint64         `json:"tokens"`
	Pairs     uint64         `json:"pairs"`
	Loss      float64        `json:"loss"`
	LastPairs uint64         `json:"last_pairs"`
	Latest    monitor.Latest `json:"watched"`
	LastLoss  float64        `json:"last_loss"`
}

// WorkerOf returns the state of a worker that has trained so much.
func WorkerOf(s engine.State, t monitor.Sums, latest monitor.Latest) WorkerState {
	return WorkerState{State: s, Tokens: t.Tokens, Pairs: t.Pairs, Loss: t.Loss, LastPairs: t.LastPairs, Latest: latest, LastLoss: t.LastLoss}
}

// Sums returns what the worker has trained.
func (w WorkerState) Sums() monitor.Sums {
	return monitor.Sums{Tokens: w.Tokens, Pairs: w.Pairs, LastPairs: w.LastPairs, Loss: w.Loss, LastLoss: w.LastLoss}
}

// Sums returns what all workers have trained.
func (s *State) Sums() (all monitor.Sums) {
	for _, w := range s.Workers {
		all.Add(w.Sums())
	}
	return all
}

// A RankState is the progress of one rank. It is JSON in a checkpoint.
type RankState struct {
	Next   int64         `json:"next_chunk"`
	Corpus Fingerprint   `json:"corpus"` // the rank's part of the corpus
	Count  int           `json:"workers"`
	States []WorkerState `json:"states,omitempty"` // set only while it is sent to rank 0
}

// RankOf returns the part of s that rank 0 needs.
func RankOf(s State, part Fingerprint) RankState {
	return RankState{Next: s.Next, Corpus: part, Count: len(s.Workers), States: s.Workers}
}

// SetRanks sets the workers from the messages in which all ranks report their progress.
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

// Of returns the state of one rank; nil if the run had another number of ranks.
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

// A DividedState is the additional state of a run with divided rows. Each of its ranks has one worker, whose
// place is the start of the rank's next round. It is JSON in a checkpoint.
type DividedState struct {
	Rounds uint64 `json:"rounds"` // number of rounds trained
}

// NextOf returns the chunk at which a rank continues a run that had another number of ranks: all ranks
// together were as far into the current epoch as the rank now is into its part.
func (c *Contents) NextOf(part *vocab.IDs) int64 {
	chunks, epochs := int64(part.Chunks()), int64(c.State.Epochs)
	whole := max(c.Corpus.Tokens, 1)
	epoch := min(int64(c.Tokens/whole), epochs)
	within := float64(c.Tokens%whole) / float64(whole)
	return min(epoch*chunks+int64(within*float64(chunks)+0.5), chunks*epochs)
}
