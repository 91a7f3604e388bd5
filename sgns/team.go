package sgns

import (
	"runtime"
	"sync"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A team trains the text of one worker by several goroutines, the worker's own and
// others, in such a way that the result does not depend on how many they are. Each member
// has columns of all matrices to itself, so that rows never move from one processor's cache
// to another's. The text is trained in rounds of a few blocks, and a round is one step:
// members score what is in their columns of all its blocks; when all have, they share out
// the blocks, add up each one's scores and find its errors; when all have, each makes the
// updates of all blocks, in the order of the blocks, to its own columns. So each number is
// made by one member, in an order that is that of the text. What one member reads and
// another wrote are scores and errors only.
type team struct {
	*worker
	inputs   sources
	segments []int      // where columns are divided: see Config.segments
	rounds   [2][]*slot // the blocks of a round, and of the next, by turns
	members  []*member
	barrier  *barrier
	seed     uint64 // of the blocks' random numbers
	closed   bool

	// What is trained now.
	text text
	rate float32
}

// A slot is a block's place in a round: what was found out about the block, until all
// its updates are made.
type slot struct {
	pairing
	number uint64    // of the block
	found  int       // true pairs
	all    []uint32  // the positions' words and the negatives: rows that are scored
	scores []float32 // by segment, row and lane
	part   int       // how many of them a segment has
	pairs  int       // if its loss was wanted
	loss   float64
}

// A member is one goroutine's share of the work.
type member struct {
	*team
	number      int
	first, last int            // its segments
	input, out  vectors.Matrix // its columns of the parameters
	in          vectors.Matrix // of inputs
	composed    *stretch       // of these columns; nil for plain words
	steps       []step         // by slot
	transposed  []float32      // the hidden vectors of a block
}

// A step is what a block needs to update some columns: the input vectors of its centres,
// and by how much they move.
type step struct{ hidden, moved simd.Block }

// segments returns the first column of each segment and, behind the last, how many columns
// there are. Scores are added up segment by segment, so that must not depend on how many
// members there are. Their number is a power of two, which most numbers of members divide
// evenly. Narrow ones cost time, less so with n-grams: most of that goes to composing words.
func (c Config) segments() (first []int) {
	if c.sizes.complete() {
		return c.sizes.Segments
	}
	lines, least := (c.Dim+simd.Lanes-1)/simd.Lanes, 3 // cache lines in a row, and in a segment
	if c.Subword != nil {
		least = 2
	}
	n := 1
	for n < mostSegments && 2*n*least <= lines+1 {
		n *= 2
	}
	for i := range n {
		first = append(first, simd.Lanes*(lines*i/n))
	}
	return append(first, c.Dim)
}

// mostSegments is the most segments, and so the most members of a team.
const mostSegments = 8

// teamed reports whether a worker has a team. Variants other than skip-gram with negative
// sampling have the one worker alone, who repeats himself too.
func (c Config) teamed() bool {
	_, hash := c.Subword.(subword.Hash)
	return c.Deterministic && c.arch() == SkipGram && c.loss() == NegativeSampling && c.Rank == 0 && !c.Tied && !hash && len(c.Nested) < 2
}

// members is how many members a team has.
func (c Config) members() int {
	return min(c.threads(), runtime.GOMAXPROCS(0), len(c.segments())-1)
}

// newTeam returns the team of a worker. The centres' vectors are rows of inputs.
func newTeam(w *worker, inputs sources) *team {
	t := &team{worker: w, inputs: inputs, segments: w.config.segments(), seed: random.Mix(w.config.Seed)}
	segments := len(t.segments) - 1
	rows := mostPositions(w.centres, w.config) + w.shared
	for i := range t.rounds {
		for range w.round {
			t.rounds[i] = append(t.rounds[i], &slot{
				pairing: newPairing(w.parameters, inputs, w.shape, w.config),
				all:     make([]uint32, 0, wholeLines(rows)),
				scores:  vectors.NewMatrix(segments*rows, simd.Lanes).Data,
				part:    rows * simd.Lanes,
			})
		}
	}
	members := w.config.members()
	t.barrier = newBarrier(members)
	for i := range members {
		m := &member{team: t, number: i, first: segments * i / members, last: segments * (i + 1) / members}
		m.shares(members)
		first, last := t.segments[m.first], t.segments[m.last]
		m.transposed = vectors.NewMatrix(last-first, simd.Lanes).Data
		for range w.round {
			m.steps = append(m.steps, step{newRows(w.centres, last-first), newRows(w.centres, last-first)})
		}
		t.members = append(t.members, m)
		if i > 0 {
			go m.follow()
		}
	}
	return t
}

// shares sets the member's matrices. One that is alone has those of the parameters. Others
// have copies of their columns, of which only load and store make what they are: were some
// of a row one processor's and the rest another's, either would prefetch, with its own
// lines, those behind them that the other is changing, and take them from it.
func (m *member) shares(members int) {
	if members == 1 {
		m.input, m.out, m.in, m.composed = m.parameters.input, m.output, m.inputs.Matrix, m.worker.composed
		return
	}
	cols := m.segments[m.last] - m.segments[m.first]
	m.input, m.out = vectors.NewMatrix(m.parameters.input.Rows, cols), vectors.NewMatrix(m.output.Rows, cols)
	m.in = m.input
	if m.worker.composed != nil {
		m.composed = m.worker.composed.columns(m.input)
		m.in = m.composed.values
	}
}

// load takes the parameters as they are into the members' own matrices, and store puts
// them back.
func (t *team) load()  { t.move(func(own, all []float32) { copy(own, all) }) }
func (t *team) store() { t.move(func(own, all []float32) { copy(all, own) }) }

// move calls copy for the numbers of each row that are a member's own, and where they
// stand among all.
func (t *team) move(copy func(own, all []float32)) {
	if len(t.members) == 1 {
		return
	}
	var g sync.WaitGroup
	for _, m := range t.members {
		g.Go(func() {
			first, last := m.segments[m.first], m.segments[m.last]
			for _, of := range []struct{ own, all vectors.Matrix }{{m.input, t.parameters.input}, {m.out, t.output}} {
				for row := range of.own.Rows {
					copy(of.own.Row(row), of.all.Row(row)[first:last])
				}
			}
		})
	}
	g.Wait()
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
	number, step, length := m.trained, m.step(), len(m.text.ids)
	now := m.prepare(m.rounds[0], 0, number)
	if m.composed != nil {
		m.begin(0)
	} else {
		m.barrier.wait()
	}
	for first, turn := 0, 1; first < length; first, turn = first+step, 1-turn {
		m.score(now)
		m.barrier.wait()
		m.errors(now)
		number += uint64(m.round)
		next := m.prepare(m.rounds[turn], first+step, number)
		m.barrier.wait()
		m.update(now, next)
		if m.composed != nil {
			m.goOn(first)
		}
		if m.number == 0 {
			for _, s := range now {
				m.paired = m.paired || s.found > 0
				pairs += s.pairs
				loss += s.loss
			}
		}
		now = next
	}
	m.barrier.wait() // until all updates are made
	if m.number == 0 {
		m.trained = number
	}
	return pairs, loss
}

// begin begins the stretch at position first of the text, when all members are there.
func (m *member) begin(first int) {
	if m.number == 0 {
		end := min(first+m.stretch, len(m.text.ids))
		m.composed.find(m.text.rows[first:end], m.text.ids[first:end], 0, end-first, m.step())
	}
	m.barrier.wait()
	m.composed.compose(0)
}

// goOn releases the words that leave the stretch with the round that began at position
// first of the text, and composes those of the next round.
func (m *member) goOn(first int) {
	k, next := first%m.stretch/m.step(), first+m.step()
	m.composed.release(k)
	switch {
	case next >= len(m.text.ids):
	case next%m.stretch > 0:
		m.composed.compose(k + 1)
	default:
		m.barrier.wait() // until all are done with the stretch
		m.begin(next)
	}
}

// prepare prepares the member's blocks of a round, the first of which has the given number
// and its first centre at position first of the text. It returns the slots of all.
func (m *member) prepare(slots []*slot, first int, number uint64) []*slot {
	length := len(m.text.ids)
	blocks := (max(min(m.step(), length-first), 0) + m.centres - 1) / m.centres
	for i := m.number; i < blocks; i += len(m.members) {
		begin := first + i*m.centres
		slots[i].prepare(m.team, number+uint64(i), begin, min(begin+m.centres, length))
	}
	return slots[:blocks]
}

// prepare makes of the slot that of block number n, with the centres at positions first
// to last-1 of the text.
func (s *slot) prepare(t *team, n uint64, first, last int) {
	s.number = n
	source := random.Stream(t.seed, n)
	s.draws(s.now, &source)
	window := 1 + source.Below(s.window)
	s.found = s.pairing.prepare(t.text, first, last, window, t.rate)
	s.all = append(append(s.all[:0], s.positive.rows...), s.negative.rows...)
}

// score scores the pairs of a round in the member's columns, segment by segment.
func (m *member) score(slots []*slot) {
	begin := m.segments[m.first]
	for i, s := range slots {
		h := &m.steps[i].hidden
		h.Rows = len(s.rows)
		simd.GatherLists(*h, m.in.Data, m.in.Stride, m.inputs.each, s.rows)
		simd.Transpose(m.transposed, *h)
		for k := m.first; k < m.last; k++ {
			from, to := m.segments[k]-begin, m.segments[k+1]-begin
			part := simd.Block{Data: h.Data[from:], Rows: h.Rows, Cols: to - from, Stride: h.Stride}
			simd.Scores(s.scores[k*s.part:], part, m.transposed[from*simd.Lanes:], m.out.Data[from:], m.out.Stride, s.all)
		}
	}
}

// errors finds the errors of the member's blocks of a round.
func (m *member) errors(slots []*slot) {
	for i := m.number; i < len(slots); i += len(m.members) {
		slots[i].errors(m.rate, random.Mix(slots[i].number)%lossEvery == 0 || !m.paired)
	}
}

func (s *slot) errors(rate float32, wantLoss bool) {
	parts := len(s.scores) / s.part
	label := func(side *side, scores []float32, positive bool) float64 {
		p := simd.Pairs{Rows: side.rows, With: side.with, Weights: side.weights[:], Positive: positive}
		return simd.ErrorsOfScores(side.errors[0], scores, s.part, parts, p, wantLoss)
	}
	loss := label(&s.positive, s.scores, true)
	loss += label(&s.negative, s.ofNegatives(), false)
	loss -= s.spare(wantLoss, s.score)
	if rate > 0 {
		loss /= float64(rate)
	}
	s.pairs, s.loss = 0, 0
	if wantLoss {
		s.pairs, s.loss = s.found, loss
	}
}

// ofNegatives are the scores of negatives, which stand behind those of contexts.
func (s *slot) ofNegatives() []float32 { return s.scores[len(s.positive.rows)*simd.Lanes:] }

// score returns the score of a negative and a centre.
func (s *slot) score(negative, centre, _ int) (sum float32) {
	scores := s.ofNegatives()[negative*simd.Lanes+centre:]
	for k := 0; k < len(scores); k += s.part {
		sum += scores[k]
	}
	return sum
}

// update makes the updates of a round to the member's columns, and asks for the rows of
// the next round.
func (m *member) update(slots, next []*slot) {
	for i, s := range slots {
		m.steps[i].find(s, m.out)
		if i < len(next) {
			n := next[i]
			simd.Prefetch(m.out.Data, m.out.Stride, n.all, m.out.Cols)
			if m.composed == nil {
				simd.Prefetch(m.in.Data, m.in.Stride, n.rows, m.in.Cols)
			}
		}
	}
	for i, s := range slots {
		m.steps[i].take(s, m.in, m.out, m.inputs.free)
	}
}

// find finds by how much the centres of a block move, in the columns that out is. No
// updates of its round are made yet.
func (s step) find(b *slot, out vectors.Matrix) {
	clear(s.moved.Data)
	for _, side := range []*side{&b.positive, &b.negative} {
		simd.AddRows(ownRows(s.moved), rowsOf(out, side.rows), out.Cols, side.errors[0], side.add)
	}
}

// take makes the updates of the step.
func (s step) take(b *slot, in, out vectors.Matrix, free simd.Lists) {
	simd.ScatterLists(in.Data, in.Stride, free, b.rows, s.moved)
	for _, side := range []*side{&b.positive, &b.negative} {
		simd.UpdateRows(rowsOf(out, side.rows), ownRows(s.hidden), out.Cols, side.errors[0], side.update)
	}
}
