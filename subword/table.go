package subword

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

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
// more: see NewTableOf.
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

// Plain returns the table in which word i is made of row i alone.
func Plain(words int) *Table {
	if words < 0 {
		panic(fmt.Errorf("subword: a table of %d words", words))
	}
	t := &Table{
		plain:   true,
		rows:    words,
		used:    words,
		starts:  make([]uint64, words+1),
		entries: make([]uint32, words),
		weights: make([]float32, words),
		WordRow: make([]uint32, words),
	}
	for w := range words {
		t.starts[w+1] = uint64(w + 1)
		t.entries[w] = uint32(w)
		t.weights[w] = 1
		t.WordRow[w] = uint32(w)
	}
	return t
}

// NewTable returns the table in which a word's vector is the mean of its own row
// and its n-grams' rows. Rows are numbered in the order in which the words need
// them, so those of frequent words come first. If share is false, every word and
// every bucket has a row of its own; that is for comparison.
func NewTable(words []string, indexer Indexer, share bool) *Table {
	return NewTableOf(words, indexer, share, nil)
}

// A Mark is a hash of the vector that a word's own row, or a bucket, starts as. The
// zero Mark is that of zeros.
type Mark [2]uint64

// NewTableOf is NewTable for words and buckets that start as vectors with these marks,
// those of the words' own rows first. Only those of equal marks share a row, so that
// none is lost. Buckets that no word uses have rows too, behind all others, unless they
// are zeros: words that are not in the vocabulary may be made of them. If marks is nil,
// nothing is known of any.
func NewTableOf(words []string, indexer Indexer, share bool, marks []Mark) *Table {
	t := membersOf(words, indexer, true)
	n := len(words)
	rowOf, size := t.number(n+indexer.Rows(), share, marks)
	t.rows = len(size)
	t.BucketRow = rowOf[n:]
	t.WordRow = make([]uint32, n)
	for w := range t.WordRow {
		t.WordRow[w] = uint32(rowOf[w])
	}
	t.rename(rowOf, size)
	return t
}

// NewPieceTable returns the table in which a word's vector is the mean of its pieces'
// rows, with none of its own, as floret has it; a word without pieces is made of
// nothing. Rows are numbered and shared as in NewTable, and if marks is not nil, it has
// those of the buckets, which do what they do in NewTableOf.
func NewPieceTable(words []string, indexer Indexer, share bool, marks []Mark) *Table {
	t := membersOf(words, indexer, false)
	rowOf, size := t.number(indexer.Rows(), share, marks)
	t.rows = len(size)
	t.BucketRow = rowOf
	t.rename(rowOf, size)
	return t
}

// NewHashTable returns the table of hash embeddings: a word's vector is the mean over its
// pieces of the sum of each one's rows, every row times the learned weight that Cells
// says. Row i is that of the pool, whether a word uses it or not, and rows are not
// shared: learned weights keep apart what the same words use.
func NewHashTable(words []string, h Hash) *Table {
	t := membersOf(words, h, false)
	t.rows, t.used = h.Buckets, h.Buckets
	t.weights = make([]float32, len(t.entries))
	t.cells = make([]uint32, 0, len(t.entries))
	var rows []uint32 // of weights
	for w, word := range words {
		rows = h.AppendImportances(rows[:0], word)
		for _, row := range rows {
			for j := range h.Hashes {
				t.cells = append(t.cells, row*uint32(h.Hashes)+uint32(j))
			}
		}
		for i := t.starts[w]; i < t.starts[w+1]; i++ {
			t.weights[i] = 1 / float32(len(rows))
		}
	}
	return t
}

// RestoreTable returns the table whose WordRow and BucketRow these are, which it takes
// over: one of pieces alone if wordRow is nil. It is an error if no table of these words
// has them.
func RestoreTable(words []string, indexer Indexer, wordRow []uint32, bucketRow []int32) (*Table, error) {
	if indexer == nil {
		return nil, errors.New("subword: rows of buckets without an indexer, which says how many buckets there are")
	}
	if err := Validate(indexer); err != nil {
		return nil, err
	}
	own := wordRow != nil
	if own && len(wordRow) != len(words) || len(bucketRow) != indexer.Rows() {
		return nil, fmt.Errorf("subword: rows of %d words and %d buckets for %d and %d",
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
			return nil, fmt.Errorf("subword: row %d of %d words and buckets is that of a word's n-gram", row, members)
		}
		for len(size) <= row {
			size = append(size, 0)
		}
		size[row]++
	}
	t.rows, t.used = len(size), len(size)
	for member, row := range rowOf {
		if !used[member] && (row < -1 || row >= 0 && int(row) < t.used || int(row) >= members) {
			return nil, fmt.Errorf("subword: bucket %d, which no word uses, has row %d of %d", member-len(wordRow), row, t.used)
		}
		t.rows = max(t.rows, int(row)+1)
	}
	if !t.rename(rowOf, size) {
		return nil, errors.New("subword: n-grams of different words share a row")
	}
	return t, nil
}

// membersOf returns a table whose entries are members: word w is made of member w, if
// words have rows of their own, and of those of its buckets, which are numbered behind
// such words.
func membersOf(words []string, indexer Indexer, own bool) *Table {
	needed(indexer)
	buckets := uint32(min(indexer.Rows(), math.MaxInt32))
	t := &Table{starts: make([]uint64, len(words)+1)}
	behind := 0
	if own {
		behind = len(words)
	}
	for w, word := range words {
		if own {
			t.entries = append(t.entries, uint32(w))
		}
		pieces := len(t.entries)
		t.entries = indexer.Append(t.entries, word)
		for i := pieces; i < len(t.entries); i++ {
			if t.entries[i] >= buckets {
				panic(fmt.Errorf("subword: %T gives a piece of %.40q row %d, and has %d rows", indexer, word, t.entries[i], indexer.Rows()))
			}
			t.entries[i] += uint32(behind)
		}
		t.starts[w+1] = uint64(len(t.entries))
	}
	return t
}

// number gives the members of a table, words first, if they are some, and then buckets,
// their rows.
// It returns the row of every member, -1 for one that has none, and how many
// members each row stands for.
func (t *Table) number(members int, share bool, marks []Mark) (rowOf []int32, size []uint32) {
	if marks != nil && len(marks) != members {
		panic(fmt.Errorf("subword: %d marks for %d words and buckets", len(marks), members))
	}
	rowOf = make([]int32, members)
	for i := range rowOf {
		rowOf[i] = -1
	}
	var users []signature
	rows := make(map[signature]int32)
	if share {
		users = t.signatures(members, marks)
	}
	give := func(member uint32) {
		if rowOf[member] >= 0 {
			return
		}
		row := int32(len(size))
		if share {
			if known, ok := rows[users[member]]; ok {
				row = known
			} else {
				rows[users[member]] = row
			}
		}
		if int(row) == len(size) {
			size = append(size, 0)
		}
		size[row]++
		rowOf[member] = row
	}
	for _, member := range t.entries {
		give(member)
	}
	t.used = len(size)
	for member, mark := range marks {
		if mark != (Mark{}) {
			give(uint32(member))
		}
	}
	return rowOf, size
}

// A signature is a sum of 128 bits over the words that use a member, as often as
// they use it. Members of equal signature are used by the same words, but for
// an accident of less than one in 10²⁵ for a hundred million members. Their marks are
// added, so that these are equal too.
type signature [2]uint64

func (t *Table) signatures(members int, marks []Mark) []signature {
	users := make([]signature, members)
	for member, mark := range marks {
		users[member] = signature(mark)
	}
	for w := range len(t.starts) - 1 {
		a, b := mix(2*uint64(w)), mix(2*uint64(w)+1)
		for _, member := range t.entries[t.starts[w]:t.starts[w+1]] {
			users[member][0] += a
			users[member][1] += b
		}
	}
	return users
}

// mix is the output function of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// rename replaces the members in entries by their rows. A word that uses each of
// the e members of a row m times gets m entries of that row, each of weight e/n. The
// result is false if a word does not use the members of a row equally often.
func (t *Table) rename(rowOf []int32, size []uint32) bool {
	done := uint64(0)
	first := uint64(0)
	for w := range len(t.starts) - 1 {
		last := t.starts[w+1]
		rows := t.entries[first:last]
		for i, member := range rows {
			rows[i] = uint32(rowOf[member])
		}
		slices.Sort(rows)
		for i := 0; i < len(rows); i += int(size[rows[i]]) {
			if end := i + int(size[rows[i]]); end > len(rows) || rows[end-1] != rows[i] {
				return false
			}
			t.entries[done] = rows[i]
			t.weights = append(t.weights, float32(size[rows[i]])/float32(last-first))
			done++
		}
		first = last
		t.starts[w+1] = done
	}
	t.entries = slices.Clip(t.entries[:done])
	return true
}

// Words returns the number of words.
func (t *Table) Words() int { return max(0, len(t.starts)-1) }

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
	first, last := t.starts[word], t.starts[word+1]
	return t.entries[first:last], t.weights[first:last]
}

// Lists returns the rows and weights of all words: those of word w are the entries from
// starts[w] to starts[w+1]-1.
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
