package engine

import (
	"fmt"
	"sync"
)

// A Shared makes the chunks of a run a list that other processes take from too. Every chunk is trained once: by a worker
// of this process, or by the process that took it. Its owner gets back what the other process did not come to.
type Shared struct {
	run *Run

	mu    sync.Mutex
	left  []Place // of this corpus, begun elsewhere and given back
	taken []Piece // of other processes, in the order in which workers take them
	lent  int64   // tokens of this corpus that others train or have trained
	own   int64   // tokens of others that workers have trained
	more  chan struct{}
	read  sequence // of chunks that are given away
}

// A Piece is the rest of a chunk of another process.
type Piece struct {
	Place          // there
	Owner int      // the process
	Last  bool     // in the last epoch
	IDs   []uint32 // of the chunk from Offset on; nil when it is given back
}

// Share makes the list one that others take from.
func (r *Run) Share() *Shared {
	r.Shared = &Shared{run: r, more: make(chan struct{}), read: newSequence(r)}
	return r.Shared
}

func (r *Run) end() int64 { return int64(r.IDs.Chunks()) * int64(r.Epochs) }

// place returns the next chunk of this corpus.
func (s *Shared) place() (Place, bool) {
	if n := len(s.left); n > 0 {
		p := s.left[n-1]
		s.left = s.left[:n-1]
		return p, true
	}
	if next := s.run.Next.Load(); next < s.run.end() {
		s.run.Next.Store(next + 1)
		return Place{Chunk: next}, true
	}
	return Place{Chunk: Nowhere}, false
}

// take gives the worker its next chunk, and reports whether there is one.
func (s *Shared) take(w *Worker) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.place()
	switch {
	case ok:
		w.begin(p, p.Chunk >= int64(s.run.IDs.Chunks())*int64(s.run.Epochs-1))
	case len(s.taken) > 0:
		piece := s.taken[0]
		s.taken = s.taken[1:]
		w.begin(piece.Place, piece.Last)
		w.piece, w.place.Offset, w.first = piece.IDs, 0, piece.Offset
		w.owner = piece.Owner
		ok = true
	}
	return ok
}

// Empty reports whether no chunk is left to take.
func (s *Shared) Empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.left)+len(s.taken) == 0 && s.run.Next.Load() >= s.run.end()
}

// More is closed when Take or Back has added chunks.
func (s *Shared) More() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.more
}

// Give takes chunks with at least so many tokens, or as many as there are, off the list for another process.
func (s *Shared) Give(tokens int64) (pieces []Piece) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tokens > 0 {
		p, ok := s.place()
		if !ok {
			break
		}
		piece := Piece{Place: p, Last: p.Chunk >= int64(s.run.IDs.Chunks())*int64(s.run.Epochs-1)}
		offset := p.Offset
		for _, ids := range s.read.chunk(p.Chunk) {
			n := min(offset, len(ids))
			piece.IDs = append(piece.IDs, ids[n:]...)
			offset -= n
		}
		if s.run.IDs.Err() != nil || len(piece.IDs) == 0 { // the workers of this process report the error
			s.left = append(s.left, p)
			break
		}
		pieces = append(pieces, piece)
		s.lent += int64(len(piece.IDs))
		tokens -= int64(len(piece.IDs))
	}
	return pieces
}

// Take adds chunks of another process.
func (s *Shared) Take(pieces []Piece) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, pieces...)
	s.wake()
}

// wake wakes workers that found no chunk. The list is locked.
func (s *Shared) wake() {
	close(s.more)
	s.more = make(chan struct{})
}

// Return takes what is left of other processes' chunks off the list and from workers, which are not in a step. It returns the
// places, and how many tokens are left at each.
func (s *Shared) Return(workers []*Worker) (pieces []Piece, tokens []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range workers {
		if w.piece != nil && w.place.Chunk != Nowhere {
			pieces = append(pieces, Piece{Place: Place{w.place.Chunk, w.first + w.place.Offset}, Owner: w.owner})
			tokens = append(tokens, int64(len(w.piece)-w.place.Offset))
			w.place, w.piece = Place{Chunk: Nowhere}, nil
		}
	}
	for _, p := range s.taken {
		pieces = append(pieces, Piece{Place: p.Place, Owner: p.Owner})
		tokens = append(tokens, int64(len(p.IDs)))
	}
	s.taken = nil
	return pieces, tokens
}

// Back puts a place of this corpus, at which so many tokens are left, on the list again.
func (s *Shared) Back(p Place, tokens int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Chunk < 0 || p.Chunk >= s.run.Next.Load() || p.Offset < 0 || tokens < 1 {
		return fmt.Errorf("a chunk that was not given away was given back: %d", p.Chunk)
	}
	s.left = append(s.left, p)
	s.lent -= tokens
	s.wake()
	return nil
}

// Elsewhere returns the places that were given back, and how many tokens of this corpus others have trained, less those of
// others that were trained here.
func (s *Shared) Elsewhere() (left []Place, tokens int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Place(nil), s.left...), s.lent - s.own
}

// Restore sets what Elsewhere returned. Restore the run's Next first.
func (s *Shared) Restore(left []Place, tokens int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left, s.taken, s.lent, s.own = nil, nil, tokens, 0
	for _, p := range left {
		if p.Chunk < 0 || p.Chunk >= s.run.Next.Load() || !endsSentence(s.read.chunk(p.Chunk), p.Offset) {
			return fmt.Errorf("chunk %d, of which %d were begun, was given back behind %d tokens", p.Chunk, s.run.Next.Load(), p.Offset)
		}
		s.left = append(s.left, p)
	}
	return nil
}

// trained counts tokens of another process that a worker has trained.
func (s *Shared) trained(tokens uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.own += int64(tokens)
}

// begin makes the worker begin a chunk.
func (w *Worker) begin(p Place, last bool) {
	w.place, w.piece = p, nil
	w.step.Share(w.group, p.Chunk)
	w.paired = w.paired && w.last == last // the loss of the last epoch is separate
	w.last = last
}

// next begins the next chunk, and reports whether there is one.
func (w *Worker) next() bool {
	r := w.run
	if r.Shared != nil {
		return r.Shared.take(w)
	}
	i := r.Next.Add(1) - 1
	if i >= r.end() {
		return false
	}
	w.begin(Place{Chunk: i}, i >= r.end()-int64(r.IDs.Chunks()))
	return true
}

// ids returns the chunk that the worker is in.
func (w *Worker) ids() [][]uint32 {
	if w.piece == nil {
		return w.chunks.chunk(w.place.Chunk)
	}
	w.pieces[0] = w.piece
	return w.pieces[:]
}

// count counts tokens of another process's chunk, of which nothing is left in the end.
func (w *Worker) count(end bool) {
	if w.piece == nil {
		return
	}
	w.run.Shared.trained(w.read)
	if end {
		w.piece = nil
	}
}
