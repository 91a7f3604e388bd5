package subword

// A Table says, for every word of a vocabulary, which rows of the input matrix
// its vector is the weighted sum of. A plain word is a list of one row of weight
// one; a word with n-grams is its own row and those of its n-grams' buckets; a word
// of pieces is the rows of their buckets alone. Hash embeddings have learned weights
// beside these, see Cells.
//
// Buckets that no word uses have no row. Rows that are used by exactly the same
// words, equally often, would receive the same gradient always: they are stored
// as one row that stands for each of them, and counts in the sum as often. For a
// row that stands for e rows, the gradient that each of the e would receive is
// added once. This is exact: the words' vectors are those of a table without
// sharing, if each shared row starts as the mean of the rows it stands for.
//
// A table of words whose vectors are there already may have to keep more apart, and
// more: see TableOptions.
type Table struct {
	rows    int
	used    int // the first ones, of which words are made
	starts  []uint64
	entries []uint32
	weights []float32
	cells   []uint32 // see Cells
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

// Cells returns, for every entry of Lists, the cell of the matrix of learned weights that
// its row is multiplied by too: row·Hashes + column. It is nil but for hash embeddings.
func (t *Table) Cells() []uint32 { return t.cells }

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
