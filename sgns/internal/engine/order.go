package engine

import (
	"math/bits"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/random"
)

// ChunkAt returns which chunk of the corpus is chunk i of all epochs' chunks. With Shuffle, each
// epoch has the chunks in an order of its own, which depends on the seed, the epoch and their number
// only. So a place in a checkpoint needs no more than i.
func (r *Run) ChunkAt(i int64) int {
	n := int64(r.IDs.Chunks())
	if !r.Shuffle {
		return int(i % n)
	}
	return int(permuted(uint64(i%n), uint64(n), r.orderKey(i/n)))
}

// orderKey returns the key of an epoch's order.
func (r *Run) orderKey(epoch int64) uint64 {
	const order = 0x6f72646572
	return random.Mix(random.Mix(r.Variant.Run.Seed^order) + uint64(epoch))
}

// permuted returns where a permutation of 0…n-1 takes i. A Feistel network permutes the numbers of
// an even number of bits. It is applied again while the result is n or more.
func permuted(i, n, key uint64) uint64 {
	half := (bits.Len64(n-1) + 1) / 2
	mask := uint64(1)<<half - 1
	for {
		left, right := i>>half, i&mask
		for round := range uint64(4) {
			left, right = right, left^random.Mix(key+round<<56+right)&mask
		}
		if i = left<<half | right; i < n {
			return i
		}
	}
}

// A sequence reads the chunks of a run in the order in which they are trained.
type sequence struct {
	run    *Run
	reader *corpus.ChunkReader
	at     int64 // the chunk in pieces; Nowhere for none
	pieces [1][]uint32
	buf    []uint32
	starts []int32
	order  []int32 // of sentences
}

func newSequence(r *Run) sequence { return sequence{run: r, reader: r.IDs.Reader(), at: Nowhere} }

// chunk returns chunk i of all epochs' chunks. With Shuffle, its sentences are in an order of
// the epoch, too. The result is valid until the next call.
func (s *sequence) chunk(i int64) [][]uint32 {
	if !s.run.Shuffle {
		return s.reader.Chunk(s.run.ChunkAt(i))
	}
	if s.at == i {
		return s.pieces[:]
	}
	number := s.run.ChunkAt(i)
	s.shuffle(s.reader.Chunk(number), random.Stream(s.run.orderKey(i/int64(s.run.IDs.Chunks())), uint64(number)))
	s.at = i
	return s.pieces[:]
}

// shuffle sets pieces to the sentences of a chunk in random order.
func (s *sequence) shuffle(chunk [][]uint32, g random.Generator) {
	s.buf, s.starts = s.buf[:0], append(s.starts[:0], 0)
	for _, piece := range chunk {
		s.buf = append(s.buf, piece...)
	}
	n := len(s.buf)
	for i, id := range s.buf {
		if id&corpus.EndOfSentence != 0 {
			s.starts = append(s.starts, int32(i+1))
		}
	}
	sentences := len(s.starts) - 1
	order := s.order[:0]
	for i := range sentences {
		order = append(order, int32(i))
	}
	for i := sentences - 1; i > 0; i-- {
		k := g.Below(i + 1)
		order[i], order[k] = order[k], order[i]
	}
	s.order = order
	for _, k := range order {
		s.buf = append(s.buf, s.buf[s.starts[k]:s.starts[k+1]]...)
	}
	s.pieces[0] = s.buf[n:]
}
