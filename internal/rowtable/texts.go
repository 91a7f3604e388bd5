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
	Buckets *Uses  // nil if texts use no others
	Longest int    // words of the longest text
}

// Uses are the marks of buckets. Only those that are used take more than 4 bytes.
type Uses struct {
	places []int32 // by bucket, 1 more than the place of its mark; 0 for none
	marks  []Mark
}

// NewUses returns the marks of so many buckets, none of which is used.
func NewUses(buckets int) *Uses { return &Uses{places: make([]int32, buckets)} }

// Add adds the hash of a text to the mark of a bucket.
func (u *Uses) Add(bucket uint32, text Mark) {
	if u.places[bucket] == 0 {
		u.marks = append(u.marks, Mark{})
		u.places[bucket] = int32(len(u.marks))
	}
	u.marks[u.places[bucket]-1].Add(text)
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
	if use.Buckets == nil {
		use.Buckets = NewUses(buckets)
	}
	if n := len(use.Buckets.places); len(use.Words) != len(words) || n != buckets {
		panic(fmt.Errorf("rowtable: texts use %d words of %d and %d buckets of %d", len(use.Words), len(words), n, buckets))
	}
	t := piecesOf(words, indexer)
	t.Longest = use.Longest
	for w, mark := range use.Words {
		if mark == (Mark{}) {
			continue
		}
		for _, member := range t.entries[t.starts[w]:t.starts[w+1]] {
			if int(member) >= len(words) {
				use.Buckets.Add(member-uint32(len(words)), mark)
			}
		}
	}
	// Words have the first places, and buckets those that Uses gives them.
	users := make([]signature, 0, len(words)+len(use.Buckets.marks))
	for _, mark := range slices.Concat(use.Words, use.Buckets.marks) {
		users = append(users, signature(mark))
	}
	rows := rowNumbers{users: users, slots: make([]int32, 1<<10)}
	t.untrained = -1
	row := func(place, member int) int32 {
		if marks != nil {
			(*Mark)(&users[place]).Add(marks[member])
		}
		row := rows.of(uint32(place))
		if users[place] == (signature{}) {
			t.untrained = row
		}
		return row
	}
	t.WordRow = make([]uint32, len(words))
	for w := range t.WordRow {
		t.WordRow[w] = uint32(row(w, w))
	}
	of := use.Buckets.places // a place becomes a row
	for b, place := range of {
		if of[b] = -1; place > 0 {
			of[b] = row(len(words)+int(place)-1, len(words)+b)
		}
	}
	t.used = len(rows.member)
	for member, mark := range marks {
		if b := member - len(words); b >= 0 && of[b] < 0 && mark != (Mark{}) {
			rows.users = append(rows.users, signature(mark))
			of[b] = rows.of(uint32(len(rows.users) - 1))
		}
	}
	t.rows = len(rows.member)
	if indexer != nil {
		t.BucketRow = of
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
