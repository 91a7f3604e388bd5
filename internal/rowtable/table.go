// Package rowtable maps each word of a vocabulary to the rows of the input matrix that training uses for it.
// Rows used by the same words are stored once.
package rowtable

import (
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/subword"
)

// A Table lists, for every word of a vocabulary, the rows of the input matrix whose weighted sum is the word's vector: its
// own row and those of its n-grams' buckets. If learned numbers multiply rows, Cells lists these numbers.
//
// Buckets that no word uses have no row. Rows used by exactly the same words, equally often, would always receive the
// same gradient. They are stored as one shared row, which counts in a sum as often as the rows it stands for. This is
// exact if each shared row starts as the mean of these. A warm start may need more separate rows: see Options.
type Table struct {
	rows    int
	used    int // the number of first rows that words are made of
	starts  []uint64
	entries []uint32
	weights []float32
	cells   []uint32 // see Cells
	pieces  []uint32 // see Pieces
	plain   bool     // see Identity

	untrained int32 // see Untrained

	// WordRow is the row of each word's own vector; nil if words are made of pieces alone.
	WordRow []uint32
	// BucketRow is the row of each bucket, or -1; nil for plain words, and if bucket i has row i.
	BucketRow []int32
	// RowShare is 1 / the number of members of each row, in a table for texts: see NewTexts.
	RowShare []float32
	// Longest is Texts.Longest of a table that NewTexts made.
	Longest int
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

// Used returns the number of first rows that words are made of. The others are of buckets that no word uses.
func (t *Table) Used() int { return t.used }

// Untrained returns the row, in a new table for texts, of the words that no text uses and that have no mark; -1 if there
// are none.
func (t *Table) Untrained() int { return int(t.untrained) }

// Entries returns the total number of rows over all words.
func (t *Table) Entries() int { return len(t.entries) }

// Identity reports whether every word i consists of row i alone.
func (t *Table) Identity() bool { return t.plain }

// Of returns the rows of a word, in rising order, and their weights.
func (t *Table) Of(word uint32) (rows []uint32, weights []float32) {
	if t.plain {
		return t.entries[word:][:1], t.weights
	}
	first, last := t.starts[word], t.starts[word+1]
	return t.entries[first:last], t.weights[first:last]
}

// Lists returns the rows and weights of all words: those of word w are the entries from starts[w] to
// starts[w+1]-1. For plain words, starts is nil: word w has entry w.
func (t *Table) Lists() (starts []uint64, rows []uint32, weights []float32) {
	return t.starts, t.entries, t.weights
}

// Cells returns the learned number of every entry of Lists, as in Terms; nil without learned numbers.
func (t *Table) Cells() []uint32 { return t.cells }

// Pieces returns the divisor of the sum of a word's rows. It is available only with Cells, and in a table for texts.
func (t *Table) Pieces(word uint32) int { return int(t.pieces[word]) }

// Members yields every word, as 0…words-1, with its row, and then every bucket that has a row, as
// words+bucket. If words have no rows of their own, only buckets are members, numbered from 0.
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
	// Separate gives every word and every bucket its own row. It is for comparison.
	Separate bool
	// Marks identify the initial vectors of words' own rows, if there are such, and then of buckets. Only members of equal
	// marks share a row, so that no initial vector is lost. Buckets that no word uses get rows after all others, unless they
	// are zeros, because words outside the vocabulary may need them.
	Marks []Mark
}

// A Mark is a hash of the initial vector of a word's own row or of a bucket. The zero Mark stands for zeros.
type Mark [2]uint64

// New returns the table of words that an indexer splits, nil for plain words, and that are composed as
// subword.CompositionOf says. Rows of frequent words come first. If learned numbers multiply rows, row i belongs to bucket
// i, whether a word uses it or not, and no rows are shared, because the numbers of words differ.
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
	if !t.rename(rowOf, size) { // members with different users had equal signatures
		o.Separate = true
		return New(words, indexer, o)
	}
	return t
}

// Plain returns the table in which word i consists of row i alone.
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

// membersOf returns a table whose entries are members instead of rows. Word w has member w, if words have
// rows of their own, and the members of its buckets, which are numbered after the words.
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
	// Words are split twice, the first time only to count: a growing list takes twice the memory, and cores
	// cannot fill it in parallel.
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
		var scratch []uint32 // an indexer may temporarily append more than it returns
		for w := first; w < last; w++ {
			scratch = cut(scratch[:0], w)
			copy(t.entries[t.starts[w]:t.starts[w+1]], scratch)
		}
	})
	return t
}

// Restore returns the table with this wordRow and bucketRow, and keeps both slices. If wordRow is nil, words
// are made of pieces alone. It is an error if New cannot have made them for these words.
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
		rowOf = append(rowOf, int32(row)) // too large a row becomes negative, which is invalid
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
