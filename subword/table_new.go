package subword

import (
	"fmt"
	"math"
)

// TableOptions say how the rows of a table are shared.
type TableOptions struct {
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

// NewTable returns the table of words that are cut by an indexer, nil for plain words, and
// composed as CompositionOf says. Rows are numbered in the order in which the words need
// them, so those of frequent words come first.
//
// A Mean word is the mean of its own row and its pieces' rows. A word of Pieces is the mean
// of its pieces' rows alone; one without pieces is made of nothing. Of Weighted words, row i
// is that of bucket i, whether a word uses it or not, and rows are not shared: learned
// weights keep apart what the same words use.
func NewTable(words []string, indexer Indexer, o TableOptions) *Table {
	if indexer == nil {
		return Plain(len(words))
	}
	if w, ok := indexer.(Weigher); ok {
		return newWeightedTable(words, w)
	}
	own := CompositionOf(indexer).OwnRows()
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
		return NewTable(words, indexer, o)
	}
	return t
}

// Plain returns the table in which word i is made of row i alone.
func Plain(words int) *Table {
	if words < 0 {
		panic(fmt.Errorf("subword: a table of %d words", words))
	}
	rows := make([]uint32, words)
	for w := range rows {
		rows[w] = uint32(w)
	}
	return &Table{plain: true, rows: words, used: words, entries: rows, weights: []float32{1}, WordRow: rows}
}

// newWeightedTable is NewTable for words whose pieces have learned weights.
func newWeightedTable(words []string, indexer Weigher) *Table {
	t := membersOf(words, indexer, false)
	t.rows, t.used = indexer.Rows(), indexer.Rows()
	t.weights = make([]float32, len(t.entries))
	t.cells = make([]uint32, 0, len(t.entries))
	_, each := indexer.ImportanceShape()
	var rows []uint32 // of weights
	for w, word := range words {
		rows = indexer.AppendImportances(rows[:0], word)
		for _, row := range rows {
			for j := range each {
				t.cells = append(t.cells, row*uint32(each)+uint32(j))
			}
		}
		for i := t.starts[w]; i < t.starts[w+1]; i++ {
			t.weights[i] = 1 / float32(len(rows))
		}
	}
	return t
}

// membersOf returns a table whose entries are members: word w is made of member w, if
// words have rows of their own, and of those of its buckets, which are numbered behind
// such words.
func membersOf(words []string, indexer Indexer, own bool) *Table {
	must(Validate(indexer))
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
				panic(fmt.Errorf("subword: %T gives a piece of %.40q row %d, and has %d rows", indexer, words[w], entries[i], indexer.Rows()))
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
