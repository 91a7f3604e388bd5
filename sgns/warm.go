package sgns

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Freeze says what of the vectors that training starts from it leaves as they are.
// Its value is the name that the command line knows it by.
type Freeze string

const (
	// FreezeNone lets training change everything. It is the default.
	FreezeNone Freeze = ""
	// FreezeKnown keeps the vectors of the words that are known, with all rows that
	// they are made of, and the context vectors that came with them. New words are
	// trained into the space that these span.
	FreezeKnown Freeze = "known"
)

// Validate reports a value that means nothing.
func (f Freeze) Validate() error {
	if f != FreezeNone && f != FreezeKnown {
		return fmt.Errorf("sgns: freeze: %q is not known; %q is", string(f), string(FreezeKnown))
	}
	return nil
}

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

// A start is the vectors that a run begins with, and what of them it takes. Words are
// matched by name.
type start struct {
	from  *vectors.Set
	rows  *vectors.Set // from with rows as the run has them: before the projection, if it has one
	id    []int32      // by word of the run: its id in from, -1 for a new word
	left  int          // words of from that the run does not have
	part  float64      // of the tokens that were counted, those of known words
	share bool         // buckets are those of from, one by one
	own   bool         // and so are words' own rows
	marks []subword.Mark
	takes taken
}

// startFrom returns the start of a run over the vocabulary v from a set, nil if that
// is nil.
func (c Config) startFrom(from *vectors.Set, v *vocab.Vocab) (*start, error) {
	if from == nil {
		if c.Freeze != FreezeNone {
			return nil, errors.New("sgns: there are no vectors to start from that could be frozen")
		}
		return nil, nil
	}
	if err := from.Check(); err != nil {
		return nil, unfit("not a valid model: %w", err)
	}
	if from.Dim() != c.Dim {
		return nil, unfit("%d dimensions, and %d are to be trained: train %d, or take vectors of %d", from.Dim(), c.Dim, from.Dim(), c.Dim)
	}
	rows, err := c.rowSpace(from)
	if err != nil {
		return nil, err
	}
	s := &start{from: from, rows: rows, id: make([]int32, v.Len())}
	for w := range s.id {
		s.id[w] = -1
	}
	known := 0
	token := make([]byte, 0, 64)
	for id, word := range from.Words().All() {
		token = append(token[:0], word...)
		w, ok := v.ID(token)
		switch first, _ := from.ID(word); {
		case first != id: // it stands there twice
		case !ok:
			s.left++
		default:
			s.id[w] = int32(id)
			known++
		}
	}
	for w, id := range s.id {
		if id >= 0 {
			s.part += float64(v.Count(w)) / float64(v.Total())
		}
	}
	s.share = c.Subword != nil && subword.Same(c.Subword, from.Subword())
	s.own = s.share && from.Composition() == vectors.ComposeMean
	if err := c.composable(s); err != nil {
		return nil, err
	}
	s.takes = c.takes(s, v)
	if known == 0 && !s.share {
		return nil, unfit("none of the %d words of the vocabulary is among its %d: was its text cut and lower-cased in another way?", v.Len(), from.Len())
	}
	if c.Freeze == FreezeKnown && known == v.Len() && s.takes.outputs {
		return nil, unfit("all %d words of the vocabulary are known and frozen, so there is nothing to train", known)
	}
	switch {
	case !s.share || c.composition() == vectors.ComposeWeighted:
		return s, nil
	case c.composition() == vectors.ComposePieces:
		return s, s.mark(0, c.Subword.Rows())
	}
	return s, s.mark(v.Len(), c.Subword.Rows())
}

// unknownTokens is how many tokens vectors are taken to be trained on that do not say.
const unknownTokens = 86_000_000

// leastWarmRate is the lowest rate at which new words still find their places.
const leastWarmRate = 0.005

// trained returns on how many tokens the vectors were trained, of all epochs; 0 if that
// is not known.
func (s *start) trained() uint64 {
	t := s.from.Training()
	if t.Trained > 0 {
		return min(t.Trained, math.MaxInt64)
	}
	return uint64(min(float64(t.Tokens)*float64(max(t.Epochs, 1)), math.MaxInt64/2))
}

// rate returns the learning rate that suits a number of tokens to train from s, which
// may be nil: the one that a run over these and all tokens before would have come down
// to. A rate for the new ones alone would undo what is known. Where that is frozen the
// rate is for what is new; where there are no context vectors, which are all to be
// learned, it is about half of that.
func (s *start) rate(c Config, tokens uint64) float64 {
	if s == nil || c.Freeze == FreezeKnown {
		return c.RateFor(tokens)
	}
	if !s.takes.outputs {
		return math.Round(1e4*c.RateFor(tokens)*(1-s.part/2)) / 1e4
	}
	before := s.part * float64(cmp.Or(s.trained(), unknownTokens))
	all := before + float64(tokens)
	rate := c.RateFor(uint64(min(all, 1<<62))) * float64(tokens) / all
	return max(math.Round(1e4*rate)/1e4, leastWarmRate)
}

// table returns the table of a run that begins with s, which may be nil.
func (c Config) table(words []string, s *start) *subword.Table {
	var marks []subword.Mark
	if s != nil {
		marks = s.marks
	}
	return subword.NewTable(words, c.Subword, subword.TableOptions{Separate: c.separateRows, Marks: marks})
}

// report says what the table of a run takes of s.
func (s *start) report(table *subword.Table, c Config) Warm {
	w := Warm{
		Words:        len(s.id),
		Left:         s.left,
		Composed:     s.from.Subword() != nil && !s.share,
		Context:      s.takes.outputs,
		Unused:       s.unused(c),
		LearningRate: c.LearningRate,
	}
	for _, id := range s.id {
		if id >= 0 {
			w.Known++
		}
	}
	if c.composition() == vectors.ComposeWeighted {
		w.Ngrams, w.Kept = table.Rows(), table.Rows()-inLists(table)
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
