// Package rowtable says which rows of the input matrix make up each word of a vocabulary, as training
// uses them. Rows that the same words use are stored once.
package rowtable

import (
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/subword"
)

// A Table says, for every word of a vocabulary, which rows of the input matrix
// its vector is the weighted sum of. A plain word is a list of one row of weight
// one; a word with n-grams is its own row and those of its n-grams' buckets; a word
// of pieces is the rows of their buckets alone. Where rows are multiplied by learned
// numbers, Cells says by which.
//
// Buckets that no word uses have no row. Rows that are used by exactly the same
// words, equally often, would receive the same gradient always: they are stored
// as one row that stands for each of them, and counts in the sum as often. For a
// row that stands for e rows, the gradient that each of the e would receive is
// added once. This is exact: the words' vectors are those of a table without
// sharing, if each shared row starts as the mean of the rows it stands for.
//
// A table of words whose vectors are there already may have to keep more apart, and
// more: see Options.
type Table struct {
	rows    int
	used    int // the first ones, of which words are made
	starts  []uint64
	entries []uint32
	weights []float32
	cells   []uint32 // see Cells
	pieces  []uint32 // see Pieces
	plain   bool     // see Identity

	// WordRow is the row of each word's own vector; nil where words have none, but
	// are made of pieces alone.
	WordRow []uint32
	// BucketRow is the row of each bucket, -1 for one that has none; nil for
	// plain words, and where bucket i has row i.
	BucketRow []int32
}

// Words returns the number of words.
func (t *Table) Words() int {
	if t.plain {
		return len(t.entries)
	}
	return max(0, len(t.starts)-1)
}

// Rows returns the number of rows of the input matrix.
func (t *Table) Rows() int { return t.rows }

// Used returns how many rows words are made of. They are the first ones; those behind
// them are of buckets that no word uses.
func (t *Table) Used() int { return t.used }

// Entries returns the number of rows of all words together.
func (t *Table) Entries() int { return len(t.entries) }

// Identity reports whether every word i is row i alone.
func (t *Table) Identity() bool { return t.plain }

// Of returns the rows that make up a word, in ascending order, and their weights.
func (t *Table) Of(word uint32) (rows []uint32, weights []float32) {
	if t.plain {
		return t.entries[word:][:1], t.weights
	}
	first, last := t.starts[word], t.starts[word+1]
	return t.entries[first:last], t.weights[first:last]
}

// Lists returns the rows and weights of all words: those of word w are the entries from
// starts[w] to starts[w+1]-1. Of plain words, starts are nil: entry w is that of word w.
func (t *Table) Lists() (starts []uint64, rows []uint32, weights []float32) {
	return t.starts, t.entries, t.weights
}

// Cells returns, for every entry of Lists, the learned number that its row is multiplied by too,
// as in Terms. It is nil if rows count alike.
func (t *Table) Cells() []uint32 { return t.cells }

// Pieces returns what the sum of a word's rows is divided by. It is known where there are Cells.
func (t *Table) Pieces(word uint32) int { return int(t.pieces[word]) }

// Members calls yield for every word, as 0…words-1, and every bucket that has a row, as
// words+bucket, with its row. Where words have no rows of their own, members are the
// buckets alone, from 0 on.
func (t *Table) Members(yield func(member int, row uint32) bool) {
	if t.WordRow == nil && t.BucketRow == nil {
		for row := range t.rows {
			if !yield(row, uint32(row)) {
				return
			}
		}
		return
	}
	for w, row := range t.WordRow {
		if !yield(w, row) {
			return
		}
	}
	for b, row := range t.BucketRow {
		if row >= 0 && !yield(len(t.WordRow)+b, uint32(row)) {
			return
		}
	}
}

// Options say how the rows of a table are shared.
type Options struct {
	// Separate gives every word and every bucket a row of its own. It is for comparison.
	Separate bool
	// Marks are those of the vectors that words' own rows, if words have such, and then
	// buckets start as. Only those of equal marks share a row, so that none is lost. Buckets
	// that no word uses have rows too, behind all others, unless they are zeros: words that
	// are not in the vocabulary may be made of them. Nil if nothing is known of any.
	Marks []Mark
}

// A Mark is a hash of the vector that a word's own row, or a bucket, starts as. The
// zero Mark is that of zeros.
type Mark [2]uint64

// New returns the table of words that are cut by an indexer, nil for plain words, and
// composed as subword.CompositionOf says. Rows are numbered in the order in which the words need
// them, so those of frequent words come first.
//
// A Mean word is the mean of its own row and its pieces' rows. A word of Pieces is the mean
// of its pieces' rows alone; one without pieces is made of nothing. If rows are multiplied by
// learned numbers, row i is that of bucket i, whether a word uses it or not, and rows are not
// shared: the numbers keep apart what the same words use.
func New(words []string, indexer subword.Indexer, o Options) *Table {
	if indexer == nil {
		return Plain(len(words))
	}
	indexer = subword.Value(indexer)
	composition := subword.CompositionOf(indexer)
	if composition.Learned(indexer).Any() {
		return newLearnedTable(words, indexer, composition)
	}
	own := composition.OwnRows()
	t := membersOf(words, indexer, own)
	behind := 0
	if own {
		behind = len(words)
	}
	rowOf, size := t.number(behind+indexer.Rows(), !o.Separate, o.Marks)
	t.rows = len(size)
	t.BucketRow = rowOf[behind:]
	if own {
		t.WordRow = make([]uint32, behind)
		for w := range t.WordRow {
			t.WordRow[w] = uint32(rowOf[w])
		}
	}
	if !t.rename(rowOf, size) { // signatures of members with other users were equal
		o.Separate = true
		return New(words, indexer, o)
	}
	return t
}

// Plain returns the table in which word i is made of row i alone.
func Plain(words int) *Table {
	if words < 0 {
		panic(fmt.Errorf("rowtable: a table of %d words", words))
	}
	rows := make([]uint32, words)
	for w := range rows {
		rows[w] = uint32(w)
	}
	return &Table{plain: true, rows: words, used: words, entries: rows, weights: []float32{1}, WordRow: rows}
}

// newLearnedTable is New for words whose rows are multiplied by learned numbers.
func newLearnedTable(words []string, indexer subword.Indexer, c subword.Composition) *Table {
	t := membersOf(words, indexer, false)
	t.rows, t.used = indexer.Rows(), indexer.Rows()
	t.weights = make([]float32, len(t.entries))
	t.cells = make([]uint32, 0, len(t.entries))
	t.pieces = make([]uint32, len(words))
	var terms subword.Terms
	for w, word := range words {
		c.Terms(&terms, indexer, word, true)
		t.cells = append(t.cells, terms.Cells...)
		t.pieces[w] = uint32(terms.Pieces)
		for i := t.starts[w]; i < t.starts[w+1]; i++ {
			t.weights[i] = 1 / float32(terms.Pieces)
		}
	}
	if len(t.cells) != len(t.entries) {
		panic(fmt.Errorf("rowtable: %d learned numbers for %d rows of words", len(t.cells), len(t.entries)))
	}
	return t
}

// membersOf returns a table whose entries are members: word w is made of member w, if
// words have rows of their own, and of those of its buckets, which are numbered behind
// such words.
func membersOf(words []string, indexer subword.Indexer, own bool) *Table {
	if err := subword.Validate(indexer); err != nil {
		panic(err)
	}
	buckets := uint32(min(indexer.Rows(), math.MaxInt32))
	t := &Table{starts: make([]uint64, len(words)+1)}
	behind := 0
	if own {
		behind = len(words)
	}
	cut := func(entries []uint32, w int) []uint32 {
		if own {
			entries = append(entries, uint32(w))
		}
		pieces := len(entries)
		entries = indexer.Append(entries, words[w])
		for i := pieces; i < len(entries); i++ {
			if entries[i] >= buckets {
				panic(fmt.Errorf("rowtable: %T gives a piece of %.40q row %d, and has %d rows", indexer, words[w], entries[i], indexer.Rows()))
			}
			entries[i] += uint32(behind)
		}
		return entries
	}
	// Words are cut twice, once to count: a list that grows takes twice the memory, and cannot be
	// filled by all cores at once.
	inParts(len(words), func(first, last int) {
		var scratch []uint32
		for w := first; w < last; w++ {
			scratch = cut(scratch[:0], w)
			t.starts[w+1] = uint64(len(scratch))
		}
	})
	for w := range words {
		t.starts[w+1] += t.starts[w]
	}
	t.entries = make([]uint32, t.starts[len(words)])
	inParts(len(words), func(first, last int) {
		var scratch []uint32 // an indexer may append more for a while than it returns
		for w := first; w < last; w++ {
			scratch = cut(scratch[:0], w)
			copy(t.entries[t.starts[w]:t.starts[w+1]], scratch)
		}
	})
	return t
}

// Restore returns the table whose WordRow and BucketRow these are, which it takes
// over: one of pieces alone if wordRow is nil. It is an error if no table of these words
// has them.
func Restore(words []string, indexer subword.Indexer, wordRow []uint32, bucketRow []int32) (*Table, error) {
	if err := subword.Validate(indexer); err != nil {
		return nil, err
	}
	own := wordRow != nil
	if own && len(wordRow) != len(words) || len(bucketRow) != indexer.Rows() {
		return nil, fmt.Errorf("rowtable: rows of %d words and %d buckets for %d and %d",
			len(wordRow), len(bucketRow), len(words), indexer.Rows())
	}
	members := len(wordRow) + len(bucketRow)
	rowOf := make([]int32, 0, members)
	for _, row := range wordRow {
		rowOf = append(rowOf, int32(row)) // one that is too large is negative, and no row
	}
	rowOf = append(rowOf, bucketRow...)
	t := membersOf(words, indexer, own)
	t.WordRow, t.BucketRow = wordRow, bucketRow
	used := make([]bool, members)
	var size []uint32
	for _, member := range t.entries {
		if used[member] {
			continue
		}
		used[member] = true
		row := int(rowOf[member])
		if row < 0 || row >= members {
			return nil, fmt.Errorf("rowtable: row %d of %d words and buckets is that of a word's n-gram", row, members)
		}
		for len(size) <= row {
			size = append(size, 0)
		}
		size[row]++
	}
	t.rows, t.used = len(size), len(size)
	for member, row := range rowOf {
		if !used[member] && (row < -1 || row >= 0 && int(row) < t.used || int(row) >= members) {
			return nil, fmt.Errorf("rowtable: bucket %d, which no word uses, has row %d of %d", member-len(wordRow), row, t.used)
		}
		t.rows = max(t.rows, int(row)+1)
	}
	if !t.rename(rowOf, size) {
		return nil, errors.New("rowtable: n-grams of different words share a row")
	}
	return t, nil
}
