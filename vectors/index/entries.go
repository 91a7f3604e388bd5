package index

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// Entries are the names and vectors that an index is built of. Vectors are kept as directions, of length 1.
type Entries struct {
	names    vectors.WordsBuilder
	rows     []float32 // dim for each
	dim      int
	left     int // entries without a direction
	repeated int // names that were there before
}

// NewEntries returns entries of so many dimensions, without any yet.
func NewEntries(dim int) *Entries { return &Entries{dim: dim} }

// Of returns the words of a set and their vectors. The error is that of reading them.
func Of(set *vectors.Set) (*Entries, error) {
	e := NewEntries(set.Dim())
	e.Grow(set.Len())
	for id, v := range set.All() {
		e.Add(set.Words().At(id), v)
	}
	if err := set.Err(); err != nil {
		return nil, err
	}
	return e, nil
}

// Grow makes room for n more entries.
func (e *Entries) Grow(n int) {
	e.names.Grow(int64(n))
	e.rows = slices.Grow(e.rows, n*e.dim)
}

// Add adds an entry, or counts it as left out and returns false if its vector is zero or not finite. The vector is copied.
func (e *Entries) Add(name string, v []float32) bool {
	if len(v) != e.dim {
		panic(fmt.Sprintf("index: a vector of %d numbers among those of %d", len(v), e.dim))
	}
	n := len(e.rows)
	if n+e.dim > cap(e.rows) { // copies of gigabytes are rare, and leave little room unused
		e.rows = slices.Grow(e.rows, max(e.dim, min(n, 1<<28/4)))
	}
	e.rows = e.rows[:n+e.dim]
	if !vectors.Unit(e.rows[n:], v) {
		e.rows = e.rows[:n]
		e.left++
		return false
	}
	e.names.Add(name)
	return true
}

// Dim returns the number of dimensions.
func (e *Entries) Dim() int { return e.dim }

// Len returns the number of entries.
func (e *Entries) Len() int { return e.names.Len() }

// distinct returns the names and rows without entries whose name an entry before them has.
func (e *Entries) distinct() (vectors.Words, []float32) {
	words := e.names.Words()
	if words.Distinct() == words.Len() {
		return words, e.rows
	}
	var names vectors.WordsBuilder
	names.Grow(int64(words.Distinct()))
	rows := e.rows[:0]
	for id, name := range words.All() {
		if first, _ := words.Find(name); first != id {
			e.repeated++
			continue
		}
		names.Add(name)
		rows = append(rows, e.rows[id*e.dim:][:e.dim]...)
	}
	return names.Words(), rows
}
