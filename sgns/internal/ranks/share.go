package ranks

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/vocab"
)

// A share divides what is left to train anew while ranks train: a rank that would be ready before the others gets chunks of
// the rank that would be ready last. All ranks decide by the same numbers, so all come to the same decision.
type share struct {
	list    *engine.Shared
	resting []atomic.Bool // by worker: nothing was left to take
	left    []int64       // by rank: tokens that it will train
	at      []uint64      // by rank: tokens that it had trained when left was right
	speed   []float64     // by rank: tokens between meetings, of which the last count most
	most    []int64       // by rank: about the most tokens between two meetings
	lender  []bool        // by rank: it may have text of its own that nobody has begun
	afford  func() int64  // how many bytes of text this rank may send now; nil if it has no budget
	sent    int64         // bytes of text that this rank has sent
}

// bytesOfID is the size of a token in a message.
const bytesOfID = 4

// memory is how much of a speed stays after a meeting.
const memory = 63.0 / 64

// begin makes all ranks know how much each will train, which is so many tokens here. all is what ranks had done.
func (s *share) begin(ctx context.Context, comm cluster.Comm, left int64, workers int, all []replica.Control) error {
	n := comm.Size()
	tokens := make([]float64, n)
	tokens[comm.Rank()] = float64(left)
	if err := comm.AllReduce(ctx, cluster.Sum, tokens); err != nil {
		return fmt.Errorf("joining ranks: %w", err)
	}
	s.resting = make([]atomic.Bool, workers)
	s.left, s.at, s.speed, s.most = make([]int64, n), make([]uint64, n), make([]float64, n), make([]int64, n)
	s.lender = make([]bool, n)
	for rank, c := range all {
		s.left[rank], s.at[rank], s.lender[rank] = int64(tokens[rank]), c.Tokens, true
	}
	return nil
}

// idle reports whether no worker of this rank has anything to train.
func (s *share) idle() bool {
	if !s.list.Empty() { // asked first: a worker says that it works before it takes the last chunk
		return false
	}
	for k := range s.resting {
		if !s.resting[k].Load() {
			return false
		}
	}
	return true
}

// next trains a worker's next text. A worker that finds none has trained nothing, and goes on.
func (s *share) next(worker int, w *engine.Worker) (trained engine.Trained, more bool) {
	s.resting[worker].Store(false)
	trained, more = w.Advance()
	s.resting[worker].Store(!more)
	return trained, true
}

// wait waits until there is something to take for a worker that found nothing.
func (s *share) wait(ctx context.Context, worker int) {
	for s.resting[worker].Load() {
		more := s.list.More()
		if !s.list.Empty() {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
	}
}

// A grant is tokens that one rank gives another.
type grant struct {
	from, to int
	tokens   int64
}

// met takes what ranks have trained since they last met.
func (s *share) met(all []replica.Control) {
	for rank, c := range all {
		now := int64(c.Tokens - s.at[rank])
		s.at[rank] = c.Tokens
		s.left[rank] -= now
		s.speed[rank] = float64(s.speed[rank]*memory) + float64(now)
		s.most[rank] = max(now, s.most[rank]-s.most[rank]/16)
	}
}

// grants returns what ranks give to ranks that will soon have nothing to train: so much that both are ready at the same time,
// and at most what is enough for a few meetings.
func (s *share) grants() (all []grant) {
	left := append([]int64(nil), s.left...)
	mean := s.mean()
	for to, speed := range s.speed {
		if speed == 0 { // the rank had nothing to train since the run began or was resumed
			speed = mean
		}
		need := 2*s.most[to] + 2*vocab.ChunkTokens
		if left[to] >= need || speed == 0 {
			continue
		}
		from, longest := -1, 0.0
		for rank := range left {
			if time := float64(left[rank]) / max(s.speed[rank], 1); rank != to && s.lender[rank] && time > longest {
				from, longest = rank, time
			}
		}
		if from < 0 {
			continue
		}
		both := float64(float64(left[from])*speed) - float64(float64(left[to])*s.speed[from])
		tokens := min(int64(both/(speed+s.speed[from])), 2*need-left[to], left[from]-vocab.ChunkTokens)
		if tokens < vocab.ChunkTokens/2 {
			continue
		}
		left[from] -= tokens
		left[to] += tokens
		all = append(all, grant{from, to, tokens})
	}
	return all
}

// mean returns the mean speed of the ranks that have trained.
func (s *share) mean() float64 {
	sum, n := 0.0, 0.0
	for _, speed := range s.speed {
		if speed > 0 {
			sum, n = sum+speed, n+1
		}
	}
	return sum / max(n, 1)
}

// give carries out grants.
func (s *share) give(ctx context.Context, comm cluster.Comm, grants []grant) error {
	if len(grants) == 0 {
		return nil
	}
	to := make([]parcel, comm.Size())
	for _, g := range grants {
		if g.from != comm.Rank() {
			continue
		}
		tokens := g.tokens
		if s.afford != nil {
			if tokens = min(tokens, s.afford()/bytesOfID); tokens < vocab.ChunkTokens {
				continue
			}
		}
		for _, piece := range s.list.Give(tokens) {
			to[g.to].add(piece, int64(len(piece.IDs)))
			s.sent += bytesOfID * int64(len(piece.IDs))
		}
	}
	sent, err := s.trade(ctx, comm, to, func(from int, p parcel) error {
		for i := range p.pieces {
			p.pieces[i].Owner = from
		}
		s.list.Take(p.pieces)
		return nil
	})
	for _, g := range grants {
		s.lender[g.from] = s.lender[g.from] && (err != nil || sent[g.from] > 0 || s.afford != nil)
	}
	return err
}

// giveBack gives back what is left of chunks of others. No worker may be in a step.
func (s *share) giveBack(ctx context.Context, comm cluster.Comm, workers []*engine.Worker) error {
	to := make([]parcel, comm.Size())
	pieces, tokens := s.list.Return(workers)
	for i, piece := range pieces {
		to[piece.Owner].add(piece, tokens[i])
	}
	sent, err := s.trade(ctx, comm, to, func(_ int, p parcel) error {
		for i, piece := range p.pieces {
			if err := s.list.Back(piece.Place, p.tokens[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if slices.ContainsFunc(sent, func(tokens int64) bool { return tokens > 0 }) {
		for rank := range s.lender {
			s.lender[rank] = true
		}
	}
	return err
}

// A parcel is pieces from one rank to another, with the tokens of each.
type parcel struct {
	pieces []engine.Piece
	tokens []int64
}

func (p *parcel) add(piece engine.Piece, tokens int64) {
	p.pieces, p.tokens = append(p.pieces, piece), append(p.tokens, tokens)
}

// trade sends parcels, by rank, and calls use with those that come. All ranks learn who has got how many tokens, and how many each has sent.
func (s *share) trade(ctx context.Context, comm cluster.Comm, to []parcel, use func(from int, p parcel) error) (sent []int64, err error) {
	n := comm.Size()
	var moved []byte
	for _, p := range to {
		sum := int64(0)
		for _, tokens := range p.tokens {
			sum += tokens
		}
		moved = binary.LittleEndian.AppendUint64(moved, uint64(sum))
	}
	send := make([][]byte, n)
	for rank, p := range to {
		send[rank] = p.appendTo(append([]byte(nil), moved...))
	}
	received, err := comm.AllToAll(ctx, send)
	if err != nil {
		return nil, err
	}
	sent = make([]int64, n)
	for from, data := range received {
		if len(data) < 8*n {
			return nil, replica.ErrDamaged
		}
		for rank := range n {
			tokens := int64(binary.LittleEndian.Uint64(data[8*rank:]))
			s.left[from] -= tokens
			s.left[rank] += tokens
			sent[from] += tokens
		}
		p, err := parcelOf(data[8*n:])
		if err != nil {
			return nil, err
		}
		if len(p.pieces) > 0 {
			if err := use(from, p); err != nil {
				return nil, err
			}
		}
	}
	return sent, nil
}

// head is a piece in a message, before its ids.
type head struct {
	Chunk, Offset, Tokens, IDs int64
	Last                       bool
}

func (p parcel) appendTo(data []byte) []byte {
	for i, piece := range p.pieces {
		data, _ = binary.Append(data, binary.LittleEndian, head{piece.Chunk, int64(piece.Offset), p.tokens[i], int64(len(piece.IDs)), piece.Last}) // cannot fail: the size is fixed
		data, _ = binary.Append(data, binary.LittleEndian, piece.IDs)
	}
	return data
}

func parcelOf(data []byte) (p parcel, err error) {
	for len(data) > 0 {
		var h head
		n, err := binary.Decode(data, binary.LittleEndian, &h)
		if err != nil || h.IDs < 0 || h.IDs > int64(len(data)-n)/4 {
			return p, replica.ErrDamaged
		}
		piece := engine.Piece{Place: engine.Place{Chunk: h.Chunk, Offset: int(h.Offset)}, Last: h.Last}
		if h.IDs > 0 {
			piece.IDs = make([]uint32, h.IDs)
			if _, err := binary.Decode(data[n:], binary.LittleEndian, piece.IDs); err != nil {
				return p, replica.ErrDamaged
			}
		}
		data = data[n+4*int(h.IDs):]
		p.add(piece, h.Tokens)
	}
	return p, nil
}
