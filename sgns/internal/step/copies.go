package step

import (
	"time"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// Copies are a group's copies of the rows that all workers change most, as one worker of the group sees them. A
// processor reads a row slowly that another processor has just changed, the more so the farther apart they are. So a
// worker trains its group's copy of a row. After some changes, copy and row meet: the worker adds what it has
// changed to the row, and takes what the other workers have changed. Nobody waits.
//
// Let d be what the worker has changed since the last meeting, and o what the others have. The part of d in
// the direction of o is left out. Otherwise a change that every worker finds by itself would be made once for
// each of them, rows would overshoot, and training would diverge. At right angles changes are added up. Ranks
// combine changes by the same agreement: see replica.Saturating.
//
// Copies lie behind all output rows, so kernels find them by number: the place of a row.
type Copies struct {
	rows    vectors.Matrix // with all places
	of      *params.Copied
	first   uint32   // place of the group's first copy; behind its copies is what they were at the last meetings
	changes []uint8  // of each copy since the last meeting
	due     []uint32 // copies that meet after the next block
	fresh   []uint8  // for each copy, the turn in which it met its row; one more for rows without copies
	turn    uint8    // changes when the worker has slept
	stale   []uint32 // copies that meet before a block
	blocks  uint32
	pair    [2]uint32        // see prefetch
	met     func(row uint32) // for measuring; nil otherwise
	watched time.Time        // when the worker last looked at the clock
	usual   time.Duration    // between two looks
}

// newCopies returns the copies that a group has of rows of a matrix; nil if there are none.
func newCopies(v *params.Values, name string, group int) *Copies {
	of := v.Copied(name)
	if of == nil {
		return nil
	}
	m, n := v.OfStep(name), len(of.Rows)
	first := m.Rows + 2*n*group
	m.Data = m.Data[:cap(m.Data)]
	return &Copies{rows: m, of: of, first: uint32(first), changes: make([]uint8, n+1), fresh: make([]uint8, n+1)}
}

// places returns the places of rows that a block uses, in the memory of a list that is used again.
func (c *Copies) places(list *[]uint32, rows []uint32) []uint32 {
	if cap(*list) < len(rows) {
		*list = make([]uint32, WholeLines(2*len(rows)))
	}
	*list = (*list)[:len(rows)]
	places, stale := *list, c.stale[:0]
	slots, fresh, turn, first, none := c.of.Slots, c.fresh, c.turn, c.first, uint32(len(c.of.Rows))
	for i, row := range rows {
		slot := slots[row]
		place := first + slot
		if slot == none {
			place = row
		}
		places[i] = place
		if fresh[slot] != turn {
			fresh[slot] = turn
			c.prefetch(slot)
			stale = append(stale, slot)
		}
	}
	for _, slot := range stale {
		c.meet(slot)
	}
	c.stale = stale
	return places
}

// copiesBytes is the size of a worker's Copies without the copies.
func copiesBytes(list params.List) (bytes float64) {
	for m := range list.Owned() {
		if m.Copied != nil {
			bytes += 2 * float64(len(m.Copied.Rows))
		}
	}
	return bytes
}

const (
	// countEvery is in how many blocks changes are counted once, as a sample of all.
	countEvery = 4
	// watchEvery is after how many blocks a worker looks at the clock. A text may take longer than other programs let
	// the worker sleep.
	watchEvery = 16
)

// endBlock lets the copies meet that are due after a block, and counts the changes of the block in their turn.
func (c *Copies) endBlock(b *Batch) {
	for _, slot := range c.due {
		c.meet(slot)
	}
	c.due = c.due[:0]
	if c.blocks++; c.blocks%countEvery == 0 {
		c.changed(b.Positives.Rows, b.Positives.ToRows)
		c.changed(b.Negatives.Rows, b.Negatives.ToRows)
	}
	if c.blocks%watchEvery == 0 {
		c.wake()
	}
}

// changed counts the changes of places; kept has no bit for a place that has not changed. What meets after the next
// block is prefetched.
func (c *Copies) changed(places []uint32, kept []uint16) {
	n, most := uint32(len(c.of.Rows)), uint8(max(c.of.Every/countEvery, 1))
	kept = kept[:len(places)]
	for i, place := range places {
		slot := min(place-c.first, n)
		by := uint8(0)
		if kept[i] != 0 {
			by = 1
		}
		changes := c.changes[slot] + by
		c.changes[slot] = changes
		if changes == most && by > 0 && slot < n {
			c.due = append(c.due, slot)
			c.prefetch(slot)
		}
	}
}

// prefetch prefetches what meets a copy.
func (c *Copies) prefetch(slot uint32) {
	c.pair[0], c.pair[1] = c.of.Rows[slot], c.first+uint32(len(c.of.Rows))+slot
	simd.Prefetch(c.rows.Data, c.rows.Stride, c.pair[:], c.rows.Cols)
}

// meet lets a copy meet its row.
func (c *Copies) meet(slot uint32) {
	c.changes[slot] = 0
	own, began, row := c.first+slot, c.first+uint32(len(c.of.Rows))+slot, c.of.Rows[slot]
	simd.Meet(c.row(own), c.row(began), c.row(row))
	if c.met != nil {
		c.met(row)
	}
}

func (c *Copies) row(place uint32) []float32 {
	return c.rows.Data[int(place)*c.rows.Stride:][:c.rows.Stride]
}

// meetAll lets all copies meet their rows.
func (c *Copies) meetAll() {
	if c == nil {
		return
	}
	for slot := range c.of.Rows {
		c.meet(uint32(slot))
	}
	c.due = c.due[:0]
}

// load makes copies of the rows as they are now.
func (c *Copies) load() {
	if c == nil {
		return
	}
	n := uint32(len(c.of.Rows))
	for slot := range n { // copies of zeros take the rows when they meet
		clear(c.row(c.first + slot))
		clear(c.row(c.first + n + slot))
	}
	c.meetAll()
}

// wake lets copies meet their rows before they are used again if the worker has slept: then other workers have
// gone on without it.
func (c *Copies) wake() {
	if c.met != nil { // counts do not depend on the time that counting takes
		return
	}
	const slept, few = 4, 2 * time.Millisecond
	now := time.Now()
	took := now.Sub(c.watched)
	c.watched = now
	if c.usual == 0 { // nothing is known before the first blocks
		c.usual = few
		return
	}
	if most := slept*c.usual + few; took > most {
		c.turn++
		c.fresh[len(c.of.Rows)] = c.turn
		took = most // a pause of the run says nothing of blocks
	}
	c.usual += (took - c.usual) / 16
}

// coldDraws has a part of the words without copies, from which a worker draws for a while. Each group has another
// part, so that workers seldom draw words that those of another group have just drawn. In all, each word is drawn
// about as often as without parts: words that follow each other are about equally frequent.
type coldDraws struct {
	of    *params.Copied
	words uint32
	part  uint32
}

// drawnFrom is for how many words a group stays with its part for a chunk of the text, in which a worker draws
// some words of the part several times.
const drawnFrom = 256

func (c *coldDraws) share(group int, chunk int64) {
	if c.of == nil {
		return
	}
	parts := int64(c.of.Groups)
	turn := max(int64(int(c.words)-len(c.of.Rows))/drawnFrom, parts) // chunks
	c.part = uint32((int64(group) + chunk/turn) % parts)
}

// draw replaces words without copies by those of the part that are next to them.
func (c *coldDraws) draw(words []uint32) {
	if c.of == nil || !c.of.Apart || c.words <= uint32(c.of.Groups) {
		return
	}
	parts, none, slots := uint32(c.of.Groups), uint32(len(c.of.Rows)), c.of.Slots
	for i, word := range words { // a branch could not be predicted, so there is none
		near := word&^(parts-1) | c.part
		if near >= c.words {
			near -= parts
		}
		if slots[word] != none {
			near = word
		}
		words[i] = near
	}
}

// An Access says that a block has read a row of a matrix of words, and whether it has changed the row.
type Access struct {
	Output  bool // the row is one of the output matrix
	Place   int  // of the row: those behind the rows of the matrix are copies
	Row     int  // of the matrix, also of a copy
	Changed bool
	Meeting bool // a copy has met the row
}

// Watch makes Accesses yield meetings too.
func (s *Step) Watch() {
	c := s.copies
	if c == nil {
		return
	}
	c.met = func(row uint32) {
		own := c.first + c.of.Slots[row]
		for _, place := range []uint32{row, own, own + uint32(len(c.of.Rows))} {
			s.met = append(s.met, Access{Output: true, Place: int(place), Row: int(row), Changed: true, Meeting: true})
		}
	}
}

// Accesses calls visit for the rows that the worker has used since the last call, for counting what moves between
// processors. Call it after each block. It leaves out rows that words are made of if these are several.
func (s *Step) Accesses(visit func(Access)) {
	for _, p := range []*Pairs{&s.batch.Positives, &s.batch.Negatives} {
		for j, place := range p.Rows {
			row := int(place)
			if row >= s.output.Rows {
				row = int(s.copies.of.Rows[place-s.copies.first])
			}
			visit(Access{Output: true, Place: int(place), Row: row, Changed: p.ToRows[j] != 0})
		}
	}
	if s.batch.direct {
		for _, row := range s.batch.CentreRows {
			visit(Access{Place: int(row), Row: int(row), Changed: true})
		}
	}
	for _, meeting := range s.met {
		visit(meeting)
	}
	s.met = s.met[:0]
}
