package sgns

import (
	"runtime"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// A team trains the text of one worker by several goroutines, the worker's own and
// others, in such a way that the result does not depend on how many they are. The text is
// trained in rounds of a few blocks, and a round is one step: its blocks are scored against
// the same parameters, each by one member, and when all are, every member makes the updates
// of all blocks, in the order of the blocks, to its own columns of the matrices. So each
// number is changed by one member, in an order that is that of the text. Besides rows, what
// one member reads and another wrote are a block's errors only: that costs less time than
// to compute twice what is short.
type team struct {
	*worker
	slots   []*slot // of a round
	members []*member
	barrier *barrier
	seed    uint64 // of the blocks' random numbers
	closed  bool

	// What is trained now.
	text text
	rate float32
}

// A slot is a block's place in a round: what was found out about the block, until all
// its updates are made.
type slot struct {
	block
	number uint64 // of the block that the negatives drawn ahead are for
	pairs  int    // if its loss was wanted
	loss   float64
	paired bool
}

// A member is one goroutine's share of the work.
type member struct {
	*team
	number      int
	first, last int      // its columns
	composed    *stretch // of these columns; nil for plain words
	steps       []step   // by slot
}

// A step is what a block needs to update some columns: the input vectors of its centres,
// and by how much they move.
type step struct{ hidden, moved simd.Block }

// newTeam returns the team of a worker. The centres' vectors are rows of inputs.
func newTeam(w *worker, inputs sources) *team {
	t := &team{worker: w, seed: mix(w.config.Seed)}
	columns := (w.config.Dim + simd.Lanes - 1) / simd.Lanes // that share no cache line
	members := min(w.config.threads(), runtime.GOMAXPROCS(0), max(w.round, columns))
	for i := range w.round {
		s := &slot{number: uint64(i)}
		s.block = *newBlock(w.parameters, inputs, w.shape, w.config, stream(t.seed, s.number))
		if i >= members {
			s.transposed = t.slots[i-members].transposed // of the same member
		}
		t.slots = append(t.slots, s)
	}
	t.barrier = newBarrier(members)
	for i := range members {
		m := &member{team: t, number: i}
		m.first = simd.Lanes * (columns * i / members)
		m.last = min(simd.Lanes*(columns*(i+1)/members), w.config.Dim)
		if w.composed != nil {
			m.composed = w.composed.columns(m.first, m.last)
		}
		for range w.round {
			m.steps = append(m.steps, step{newRows(w.centres, m.last-m.first), newRows(w.centres, m.last-m.first)})
		}
		t.members = append(t.members, m)
		if i > 0 {
			go m.follow()
		}
	}
	return t
}

// close ends the team.
func (t *team) close() {
	t.closed = true
	t.barrier.wait()
}

// follow trains every text that there is.
func (m *member) follow() {
	for {
		m.barrier.wait()
		if m.closed {
			return
		}
		m.train()
	}
}

// train trains a text. It returns the pairs of some blocks, and their loss.
func (t *team) train(text text, rate float32) (pairs int, loss float64) {
	if len(text.ids) == 0 {
		return 0, 0 // no round, at whose end all would wait until everyone has seen the text
	}
	if t.worker.composed == nil {
		text.rows = text.ids
	}
	t.text, t.rate = text, rate
	t.barrier.wait()
	return t.members[0].train()
}

// train does the member's share of a text. All members go through the same rounds.
// It returns what team.train does for the first of them.
func (m *member) train() (pairs int, loss float64) {
	text := m.text
	length, number, step := len(text.ids), m.trained, m.step()
	if m.composed != nil {
		length = m.stretch
	}
	for begin := 0; begin < len(text.ids); begin += length {
		end := min(begin+length, len(text.ids))
		if m.composed != nil {
			if m.number == 0 {
				m.composed.find(text.rows[begin:end], text.ids[begin:end], step)
			}
			m.barrier.wait()
			m.composed.compose(0)
			m.barrier.wait()
		}
		for k := 0; begin+k*step < end; k++ {
			first := begin + k*step
			slots := m.slots[:(min(step, end-first)+m.centres-1)/m.centres]
			m.score(slots, number, first, end)
			m.barrier.wait()
			m.update(slots)
			if m.composed != nil {
				m.composed.release(k)
				if first+step < end {
					m.composed.compose(k + 1)
				}
			}
			if m.number == 0 {
				for _, s := range slots {
					if s.paired && !m.paired {
						m.paired = true
					}
					pairs += s.pairs
					loss += s.loss
				}
			}
			m.barrier.wait()
			number += uint64(m.round)
		}
	}
	if m.number == 0 {
		m.trained = number
	}
	return pairs, loss
}

// score scores the member's blocks of a round. The first of all has the given number, and
// its first centre is at position first.
func (m *member) score(slots []*slot, number uint64, first, end int) {
	for i := m.number; i < len(slots); i += len(m.members) {
		first := first + i*m.centres
		last := min(first+m.centres, end)
		slots[i].score(m.team, number+uint64(i), first, last)
	}
}

// score scores block number n, with the centres at positions first to last-1 of the text,
// and the gradient of its centres.
func (s *slot) score(t *team, n uint64, first, last int) {
	if s.number != n {
		s.random = stream(t.seed, n)
		s.drawAhead()
	}
	window := 1 + s.random.below(s.block.window)
	s.number = n + uint64(t.round)
	s.random = stream(t.seed, s.number)
	s.drawAhead()

	// What the slot's next block needs, unless it begins a text.
	soon := min(first+t.step(), len(t.text.ids))
	then := min(soon+t.centres, len(t.text.ids))
	next := t.text.ids[soon:then]
	if t.composed == nil {
		simd.Prefetch(s.inputs.Data, s.inputs.Stride, next, s.inputs.Cols)
	}
	wantLoss := mix(n)%lossEvery == 0 || !t.paired
	pairs, loss := s.block.score(t.text, first, last, window, next, t.rate, wantLoss)
	s.pairs, s.loss, s.paired = 0, 0, pairs > 0
	if wantLoss {
		s.pairs, s.loss = pairs, loss
	}
}

// update makes the updates of a round to the member's columns.
func (m *member) update(slots []*slot) {
	if m.first == m.last {
		return
	}
	in, out := columns(slots[0].inputs.Matrix, m.first, m.last), columns(m.output, m.first, m.last)
	for i, s := range slots {
		m.steps[i].find(&s.block, in, out)
	}
	for i, s := range slots {
		m.steps[i].take(&s.block, in, out)
	}
}

// find finds the step of a block that was scored, in the columns that in and out are. No
// updates of its round are made yet.
func (s step) find(b *block, in, out vectors.Matrix) {
	s.hidden.Rows = len(b.rows)
	simd.GatherLists(s.hidden, in.Data, in.Stride, b.inputs.each, b.rows)
	clear(s.moved.Data)
	moved := simd.Rows{Data: s.moved.Data, Stride: s.moved.Stride, IDs: inOrder[:]}
	contexts := simd.Rows{Data: out.Data, Stride: out.Stride, IDs: b.positions}
	negatives := simd.Rows{Data: out.Data, Stride: out.Stride, IDs: b.now}
	simd.AddRows(moved, contexts, out.Cols, b.positive.errors, b.positive.add)
	simd.AddRows(moved, negatives, out.Cols, b.negative.errors, b.negative.add)
}

// take makes the updates of the step.
func (s step) take(b *block, in, out vectors.Matrix) {
	hidden := simd.Rows{Data: s.hidden.Data, Stride: s.hidden.Stride, IDs: inOrder[:]}
	contexts := simd.Rows{Data: out.Data, Stride: out.Stride, IDs: b.positions}
	negatives := simd.Rows{Data: out.Data, Stride: out.Stride, IDs: b.now}
	simd.ScatterLists(in.Data, in.Stride, b.inputs.free, b.rows, s.moved)
	simd.UpdateRows(contexts, hidden, out.Cols, b.positive.errors, b.positive.update)
	simd.UpdateRows(negatives, hidden, out.Cols, b.negative.errors, b.negative.update)
}

// columns returns the columns first to last-1 of a matrix.
func columns(m vectors.Matrix, first, last int) vectors.Matrix {
	m.Data, m.Cols = m.Data[first:], last-first
	return m
}
