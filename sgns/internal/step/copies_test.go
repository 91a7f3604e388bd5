package step

import (
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/params"
)

// copiedValues returns an output matrix of 6 rows of 3 numbers, of which two groups have copies of rows 5 and 1.
func copiedValues() *params.Values {
	values := params.Allocate(params.List{{
		Name: "output", Role: params.Output, Rows: 6, Cols: 3, Init: params.Ones,
		Copied: params.NewCopied([]uint32{5, 1}, 6, 2, 3*countEvery),
	}})
	values.Initialise(1)
	return values
}

// Each group has places of its own for the rows that have copies, behind those of the matrix.
func TestPlaces(t *testing.T) {
	values := copiedValues()
	if m := values.Matrix("output"); m.Rows != 6 || len(m.Data) != 6*m.Stride {
		t.Errorf("a matrix of %d rows has %d numbers", m.Rows, len(m.Data))
	}
	var list []uint32
	for group, want := range [][]uint32{{0, 7, 2, 3, 4, 6}, {0, 11, 2, 3, 4, 10}} {
		c := newCopies(values, "output", group)
		c.load()
		got := c.places(&list, []uint32{0, 1, 2, 3, 4, 5})
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("group %d: place %d is %d, want %d", group, i, got[i], want[i])
			}
		}
	}
}

// A copy and its row meet after every third change. Then the row has what the worker has changed, and the copy what
// others have changed.
func TestCopiesMeet(t *testing.T) {
	values := copiedValues()
	a, b := newCopies(values, "output", 0), newCopies(values, "output", 1)
	a.load()
	b.load()
	row := values.Matrix("output").Row(1)
	var list []uint32
	change := func(c *Copies, column int) {
		places := c.places(&list, []uint32{1, 3})
		c.row(places[0])[column]++
		for range countEvery - 1 { // blocks without changes
			c.endBlock(&Batch{})
		}
		c.endBlock(&Batch{Positives: Pairs{Rows: places, ToRows: []uint16{1, 1}}})
	}
	at := func(c *Copies) []float32 { return c.row(c.first + 1) }
	for range 3 {
		change(a, 0)
	}
	if row[0] != 1 {
		t.Errorf("the row has %v before copy and row have met", row[:3])
	}
	change(a, 0) // the meeting is after the block that follows
	if row[0] != 5 || at(a)[0] != 5 || at(b)[0] != 1 {
		t.Errorf("after a meeting the row has %v, its copies %v and %v", row[:3], at(a)[:3], at(b)[:3])
	}
	for range 4 {
		change(b, 2)
	}
	if want := [3]float32{5, 1, 5}; [3]float32(row) != want || [3]float32(at(b)) != want || at(a)[2] != 1 {
		t.Errorf("after a meeting with the other copy the row has %v, its copies %v and %v", row[:3], at(a)[:3], at(b)[:3])
	}
	a.row(a.first + 1)[1] += 7
	a.meetAll()
	if want := [3]float32{5, 8, 5}; [3]float32(row) != want {
		t.Errorf("after the last meeting the row has %v, want %v", row[:3], want)
	}
}

// After a worker has slept, a copy meets its row before it is used.
func TestCopiesAfterSleep(t *testing.T) {
	values := copiedValues()
	c := newCopies(values, "output", 0)
	c.load()
	values.Matrix("output").Row(5)[0] = 9
	var list []uint32
	at := func() float32 { return c.row(c.places(&list, []uint32{5})[0])[0] }
	c.wake()
	if got := at(); got != 1 {
		t.Errorf("the copy has %v, and the worker was awake", got)
	}
	c.watched = c.watched.Add(-1e9)
	c.wake()
	if got := at(); got != 9 {
		t.Errorf("the copy has %v after the worker has slept", got)
	}
}

// Groups draw different words without copies, near the word that was drawn. Words with copies stay.
func TestColdDraws(t *testing.T) {
	const words, groups = 11, 4
	of := params.NewCopied([]uint32{0, 1}, words, groups, 3)
	of.Apart = true
	for word := range uint32(words) {
		drawn := map[uint32]bool{}
		for group := range groups {
			c := coldDraws{of: of, words: words}
			c.share(group, 0)
			draw := []uint32{word}
			c.draw(draw)
			if draw[0] >= words || max(draw[0], word)-min(draw[0], word) >= groups {
				t.Errorf("group %d draws %d instead of %d", group, draw[0], word)
			}
			drawn[draw[0]] = true
		}
		if want := groups; word < 2 && len(drawn) != 1 || word >= 2 && len(drawn) != want {
			t.Errorf("groups draw %v instead of %d", drawn, word)
		}
	}
}

// In turn, a group draws all words without copies.
func TestColdDrawsTakeTurns(t *testing.T) {
	of := params.NewCopied([]uint32{0}, 2000, 2, 3)
	of.Apart = true
	c := coldDraws{of: of, words: 2000}
	seen := map[uint32]bool{}
	for chunk := range int64(40) {
		c.share(1, chunk)
		draw := []uint32{1000}
		c.draw(draw)
		seen[draw[0]] = true
	}
	if !seen[1000] || !seen[1001] || len(seen) != 2 {
		t.Errorf("a group draws %v", seen)
	}
}
