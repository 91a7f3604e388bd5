package rowtable

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/subword"
)

// Texts say how texts use words, and buckets beside those of the words' pieces. A Mark is a signature: a sum of hashes
// over the texts, each as often as the text uses the word or the bucket.
type Texts struct {
	Words   []Mark // by word
	Buckets []Mark // by bucket; nil if texts use no others
	Longest int    // words of the longest text
}

// SignatureOf returns the hash of a text, for Add.
func SignatureOf(text uint64) Mark { return Mark{mix(2 * text), mix(2*text + 1)} }

// Add adds the hash of a text.
func (m *Mark) Add(text Mark) {
	m[0] += text[0]
	m[1] += text[1]
}

// NewTexts returns the table of words for texts that are means of all rows of their words and of other buckets. The
// indexer is nil if there are no buckets. Words and buckets that the same texts use equally often have one row, if their
// marks are equal: see Options, and nil for none. A row's weight in the list of a word is the number of the row's members
// that the word uses. A member's gradient changes the row by RowShare of it, because the row is the mean of its members.
//
// A word that no text uses, as words of held-out text may be, is made of its own row and of the buckets that have rows;
// the others are zeros, as they are for words outside the vocabulary. Its Pieces count all.
func NewTexts(words []string, indexer subword.Indexer, use Texts, marks []Mark) *Table {
	buckets := 0
	if indexer = subword.Value(indexer); indexer != nil {
		buckets = indexer.Rows()
	}
	if len(use.Words) != len(words) || use.Buckets != nil && len(use.Buckets) != buckets {
		panic(fmt.Errorf("rowtable: texts use %d words of %d and %d buckets of %d", len(use.Words), len(words), len(use.Buckets), buckets))
	}
	t := piecesOf(words, indexer)
	t.Longest = use.Longest
	users := make([]signature, len(words)+buckets)
	for w, mark := range use.Words {
		for _, member := range t.entries[t.starts[w]:t.starts[w+1]] {
			(*Mark)(&users[member]).Add(mark)
		}
	}
	for b, mark := range use.Buckets {
		(*Mark)(&users[len(words)+b]).Add(mark)
	}
	rowOf := slices.Repeat([]int32{-1}, len(users))
	rows := rowNumbers{users: users, slots: make([]int32, 1<<10)}
	used := make([]bool, len(users))
	for member := range users {
		used[member] = member < len(words) || users[member] != (signature{})
		if marks != nil {
			(*Mark)(&users[member]).Add(marks[member])
		}
	}
	t.untrained = -1
	for member := range users {
		if used[member] {
			rowOf[member] = rows.of(uint32(member))
		}
		if used[member] && users[member] == (signature{}) {
			t.untrained = rowOf[member]
		}
	}
	t.used = len(rows.member)
	for member, mark := range marks {
		if !used[member] && mark != (Mark{}) {
			rowOf[member] = rows.of(uint32(member))
		}
	}
	t.rows = len(rows.member)
	t.WordRow = make([]uint32, len(words))
	for w := range t.WordRow {
		t.WordRow[w] = uint32(rowOf[w])
	}
	if indexer != nil {
		t.BucketRow = rowOf[len(words):]
	}
	t.join()
	return t
}

// RestoreTexts returns the table of words for texts whose members have these rows. BucketRow is nil without an indexer.
func RestoreTexts(words []string, indexer subword.Indexer, wordRow []uint32, bucketRow []int32) (*Table, error) {
	indexer = subword.Value(indexer)
	if len(wordRow) != len(words) || indexer == nil && bucketRow != nil || indexer != nil && len(bucketRow) != indexer.Rows() {
		return nil, fmt.Errorf("rows of %d words and %d buckets, which are others", len(wordRow), len(bucketRow))
	}
	t := piecesOf(words, indexer)
	t.WordRow, t.BucketRow = wordRow, bucketRow
	for _, row := range wordRow {
		t.rows = max(t.rows, int(row)+1)
	}
	for _, row := range bucketRow {
		t.rows = max(t.rows, int(row)+1)
	}
	t.used, t.untrained = t.rows, -1
	t.join()
	return t, nil
}

// piecesOf returns a table whose entries are members: words, and behind them buckets.
func piecesOf(words []string, indexer subword.Indexer) *Table {
	if indexer != nil {
		return membersOf(words, indexer, true)
	}
	t := &Table{starts: make([]uint64, len(words)+1)}
	for w := range words {
		t.entries = append(t.entries, uint32(w))
		t.starts[w+1] = uint64(w + 1)
	}
	return t
}

// join replaces members in the entries by their rows, if they have any, each once a word.
func (t *Table) join() {
	size := make([]float32, t.rows)
	for _, row := range t.Members {
		size[row]++
	}
	t.RowShare = make([]float32, t.rows)
	for row, n := range size {
		t.RowShare[row] = 1 / max(n, 1)
	}
	words := len(t.starts) - 1
	t.weights = make([]float32, 0, len(t.entries))
	t.pieces = make([]uint32, words)
	done, first := uint64(0), uint64(0)
	for w := range words {
		last := t.starts[w+1]
		t.pieces[w] = uint32(last - first)
		rows := t.entries[first:first]
		for _, member := range t.entries[first:last] {
			if int(member) < words {
				rows = append(rows, t.WordRow[member])
			} else if row := t.BucketRow[int(member)-words]; row >= 0 {
				rows = append(rows, uint32(row))
			}
		}
		slices.Sort(rows)
		for i, row := range rows {
			if i > 0 && t.entries[done-1] == row {
				t.weights[done-1]++
				continue
			}
			t.entries[done] = row
			t.weights = append(t.weights, 1)
			done++
		}
		t.starts[w+1], first = done, last
	}
	t.entries = slices.Clip(t.entries[:done])
}
