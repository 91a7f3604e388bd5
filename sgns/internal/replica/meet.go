package replica

import (
	"context"
	"encoding/binary"
	"fmt"
)

// A Control is what a rank tells the others between turns. All ranks see the same Controls, and so come
// to the same decisions.
type Control struct {
	Tokens uint64 // trained by this rank
	Sent   uint64 // bytes that it has sent to others

	Pairs, LastPairs uint64 // whose losses it has summed up, of all epochs and of the last
	Loss, LastLoss   float64

	Ended       bool // there is nothing left to train in its part
	Interrupted bool // it was told to stop
	Failed      bool // it cannot go on
	Diverged    bool // its numbers became too large
	Doubtful    bool // they may be about to
	Pause       bool // all ranks are to stand still, and rank 0 looks at the model
	Held        bool // it has sent as much as it may for now
}

// Meet tells all ranks what each has to say, and returns what they said, rank by rank.
func (s *Synchroniser) Meet(ctx context.Context, mine Control) ([]Control, error) {
	data, err := binary.Append(nil, binary.LittleEndian, mine)
	if err != nil {
		return nil, err
	}
	send := make([][]byte, s.comm.Size())
	for to := range send {
		send[to] = data
	}
	received, err := s.comm.AllToAll(send).Wait(ctx)
	if err != nil {
		return nil, fmt.Errorf("exchange of control numbers: %w", err)
	}
	all := make([]Control, len(received))
	for from, data := range received {
		if _, err := binary.Decode(data, binary.LittleEndian, &all[from]); err != nil {
			return nil, fmt.Errorf("rank %d: %w", from, errDamaged)
		}
	}
	return all, nil
}
