package sgns

import (
	"fmt"

	"github.com/w2v-go/w2v/subword"
)

// Warm says what training started from, of the vectors that it was given.
type Warm struct {
	Words int // of the vocabulary
	Known int // of these, those that have been given
	Left  int // words that have been given and are not in the vocabulary: they are left out

	// Ngrams is how many buckets of n-grams have the vectors that were given, and Kept
	// how many of these no word of the vocabulary uses.
	Ngrams, Kept int
	// Composed says that there are n-grams and that these are not taken, because words
	// are cut in another way, or not at all: of words that have them what they are
	// composed to is taken.
	Composed bool
	// Context says whether output vectors start as what was given. If not, all start as
	// zeros.
	Context bool
	// Unused names what else was given and does not fit what is trained.
	Unused []string
	// LearningRate is that at the start.
	LearningRate float64
}

// An InitError says why training cannot start from the vectors that it was given.
type InitError struct{ Err error }

func (e *InitError) Error() string { return fmt.Sprintf("the vectors to start from: %v", e.Err) }

// Unwrap returns Err.
func (e *InitError) Unwrap() error { return e.Err }

func unfit(format string, args ...any) error { return &InitError{fmt.Errorf(format, args...)} }

// report says what a model takes of s.
func (s *start) report(m *model, c Config) Warm {
	w := Warm{
		Words:        len(s.id),
		Left:         s.left,
		Composed:     s.from.Subword() != nil && !s.share,
		Context:      s.context,
		Unused:       s.unused(),
		LearningRate: c.LearningRate,
	}
	for _, id := range s.id {
		if id >= 0 {
			w.Known++
		}
	}
	table := m.table
	if table.Cells() != nil { // all rows of the pool
		w.Ngrams, w.Kept = table.Rows(), table.Rows()-rowsInUse(table)
		return w
	}
	for b, row := range table.BucketRow {
		if !s.share || s.marks[len(s.marks)-len(table.BucketRow)+b] == (subword.Mark{}) {
			continue
		}
		w.Ngrams++
		if int(row) >= table.Used() {
			w.Kept++
		}
	}
	return w
}

// rowsInUse returns how many rows words are made of.
func rowsInUse(t *subword.Table) (n int) {
	used := make([]bool, t.Rows())
	_, rows, _ := t.Lists()
	for _, r := range rows {
		if !used[r] {
			used[r] = true
			n++
		}
	}
	return n
}
