package sgns

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"

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
	// Context says whether there were context vectors. If not, all start as zeros.
	Context bool
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
	id    []int32 // by word of the run: its id in from, -1 for a new word
	left  int     // words of from that the run does not have
	part  float64 // of the tokens that were counted, those of known words
	share bool    // buckets are those of from, one by one
	own   bool    // and so are words' own rows
	marks []subword.Mark
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
	s := &start{from: from, id: make([]int32, v.Len())}
	for w := range s.id {
		s.id[w] = -1
	}
	known := 0
	token := make([]byte, 0, 64)
	for id, word := range from.Words.All() {
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
	s.share = c.Subword != nil && sameNgrams(c.Subword, from.Subword)
	s.own = s.share && from.Composition == vectors.ComposeMean
	if known == 0 && !s.share {
		return nil, unfit("none of the %d words of the vocabulary is among its %d: was its text cut and lower-cased in another way?", v.Len(), from.Len())
	}
	if c.Freeze == FreezeKnown && known == v.Len() && from.Output.Rows > 0 {
		return nil, unfit("all %d words of the vocabulary are known and frozen, so there is nothing to train", known)
	}
	if s.share {
		return s, s.mark(c.Subword.Rows())
	}
	return s, nil
}

// sameNgrams reports whether two indexers cut words into the same n-grams, in the same
// buckets.
func sameNgrams(a, b subword.Indexer) bool {
	if a, ok := a.(subword.FastText); ok {
		b, ok := b.(subword.FastText)
		a.MinN, b.MinN = max(a.MinN, 1), max(b.MinN, 1) // none has no code points
		return ok && a == b
	}
	return reflect.DeepEqual(a, b)
}

// bucketRow returns the row of a bucket in the set, -1 if it has none.
func (s *start) bucketRow(b int) int {
	switch {
	case s.from.BucketRow != nil:
		return int(s.from.BucketRow[b])
	case s.from.Composition == vectors.ComposePieces:
		return b
	}
	return s.from.Len() + b
}

// wordRow returns the row of a word's own vector in the set.
func (s *start) wordRow(id int) int {
	if s.from.WordRow != nil {
		return int(s.from.WordRow[id])
	}
	return id
}

// mark reads the rows of words and buckets, in the order of the file as far as they
// are in one, so that the table of the run keeps apart what differs.
func (s *start) mark(buckets int) error {
	// A word's own row that is not one of the set's is like no bucket's.
	alone := subword.Mark{math.MaxUint64, math.MaxUint64}
	of := make([]subword.Mark, s.from.Input.Rows)
	done := make([]bool, len(of))
	row := make([]float32, s.from.Dim())
	read := func(r int, name func() string) (subword.Mark, error) {
		if !done[r] {
			if err := s.read(row, r, name); err != nil {
				return alone, err
			}
			of[r], done[r] = markOf(row), true
		}
		return of[r], nil
	}
	words := len(s.id)
	s.marks = make([]subword.Mark, words+buckets)
	for w := range words {
		s.marks[w] = alone
	}
	if s.own {
		err := s.known(func(w, id int) (err error) {
			s.marks[w], err = read(s.wordRow(id), func() string { return s.word(id) })
			return err
		})
		if err != nil {
			return err
		}
	}
	for b := range buckets {
		r := s.bucketRow(b)
		if r < 0 {
			continue
		}
		mark, err := read(r, func() string { return fmt.Sprintf("n-gram bucket %d", b) })
		if err != nil {
			return err
		}
		s.marks[words+b] = mark
	}
	return s.from.Err()
}

// known calls visit with every word of the run that the set has, and its id there, by
// rising id.
func (s *start) known(visit func(w, id int) error) error {
	words := make([]int32, s.from.Len())
	for id := range words {
		words[id] = -1
	}
	for w, id := range s.id {
		if id >= 0 {
			words[id] = int32(w)
		}
	}
	for id, w := range words {
		if w < 0 {
			continue
		}
		if err := visit(int(w), id); err != nil {
			return err
		}
	}
	return nil
}

// word names a word of the set in an error.
func (s *start) word(id int) string { return fmt.Sprintf("%.40q", s.from.Words.At(id)) }

// read reads a row of the input matrix. name names it in an error.
func (s *start) read(dst []float32, r int, name func() string) error {
	s.from.Input.Read(dst, r)
	return s.readable(dst, "vector", name)
}

// readable reports a row that could not be read, or not be trained.
func (s *start) readable(row []float32, kind string, name func() string) error {
	if err := s.from.Err(); err != nil {
		return err
	}
	if !finite(row) {
		return unfit("the %s of %s has a number that is not finite", kind, name())
	}
	return nil
}

// markOf returns a hash of a row, that of zeros if all are zeros.
func markOf(row []float32) (m subword.Mark) {
	zeros := true
	for _, x := range row {
		bits := uint64(math.Float32bits(x))
		m[0] = mix(m[0] + bits + 1)
		m[1] = mix(m[1] ^ bits<<32)
		zeros = zeros && x == 0
	}
	if zeros {
		return subword.Mark{}
	}
	return m
}

// table returns the table of a run that begins with s, which may be nil.
func (c Config) table(words []string, s *start) *subword.Table {
	var marks []subword.Mark
	if s != nil {
		marks = s.marks
	}
	switch indexer := c.Subword.(type) {
	case nil:
		return subword.Plain(len(words))
	case subword.Hash:
		return subword.NewHashTable(words, indexer)
	case subword.Floret:
		return subword.NewPieceTable(words, indexer, !c.separateRows, marks)
	}
	return subword.NewTableOf(words, c.Subword, !c.separateRows, marks)
}

// unknownTokens is how many tokens vectors are taken to be trained on that do not say.
const unknownTokens = 86_000_000

// leastWarmRate is the lowest rate at which new words still find their places.
const leastWarmRate = 0.005

// trained returns on how many tokens the vectors were trained, of all epochs; 0 if that
// is not known.
func (s *start) trained() uint64 {
	t := s.from.Training
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
	if s.from.Output.Rows == 0 {
		return math.Round(1e4*c.RateFor(tokens)*(1-s.part/2)) / 1e4
	}
	before := s.part * float64(cmp.Or(s.trained(), unknownTokens))
	all := before + float64(tokens)
	rate := c.RateFor(uint64(min(all, 1<<62))) * float64(tokens) / all
	return max(math.Round(1e4*rate)/1e4, leastWarmRate)
}

// fill sets the parameters, which have been initialised, to what they start as, and
// says which of them are frozen. It may be called again.
func (s *start) fill(p *parameters, freeze Freeze) error {
	var err error
	switch {
	case s.own:
		if err = s.ownRows(p); err == nil {
			err = s.buckets(p)
		}
	case p.table.Identity():
		err = s.composed(p)
	default:
		if err = s.composed(p); err != nil {
			break
		}
		if !s.share {
			s.means(p)
		} else if err = s.buckets(p); err != nil {
			break
		}
		s.differences(p)
	}
	if err == nil {
		err = s.contexts(p)
	}
	if err == nil && freeze == FreezeKnown {
		p.freeze(s.knownWords(), s.from.Output.Rows > 0)
	}
	return err
}

// ownRows takes the rows of known words themselves.
func (s *start) ownRows(p *parameters) error {
	return s.known(func(w, id int) error {
		return s.read(p.input.Row(int(p.table.WordRow[w])), s.wordRow(id), func() string { return s.word(id) })
	})
}

// composed makes the rows of known words themselves the vectors of these words.
func (s *start) composed(p *parameters) error {
	return s.known(func(w, id int) error {
		row := p.input.Row(int(p.table.WordRow[w]))
		s.from.WordVector(row, id)
		return s.readable(row, "vector", func() string { return s.word(id) })
	})
}

// buckets takes the rows of buckets. Those of one row are all alike.
func (s *start) buckets(p *parameters) error {
	done := make([]bool, p.input.Rows)
	for b, row := range p.table.BucketRow {
		if row < 0 || done[row] {
			continue
		}
		done[row] = true
		to := p.input.Row(int(row))
		r := s.bucketRow(b)
		if r < 0 {
			clear(to)
			continue
		}
		if err := s.read(to, r, func() string { return fmt.Sprintf("n-gram bucket %d", b) }); err != nil {
			return err
		}
	}
	return nil
}

// means makes every row of n-grams the mean of the known words that have them, whose
// vectors are in their own rows. Those of new words alone stay.
func (s *start) means(p *parameters) {
	users := make([]float32, p.input.Rows)
	for w, id := range s.id {
		if id < 0 {
			continue
		}
		own := p.table.WordRow[w]
		vector := p.input.Row(int(own))
		rows, _ := p.table.Of(uint32(w))
		for _, r := range rows {
			if r == own {
				continue
			}
			sum := p.input.Row(int(r))
			if users[r] == 0 {
				clear(sum)
			}
			users[r]++
			for k, x := range vector {
				sum[k] += x
			}
		}
	}
	for r, n := range users {
		if n == 0 {
			continue
		}
		row := p.input.Row(r)
		for k := range row {
			row[k] /= n
		}
	}
}

// differences gives the own row of every known word, in which its vector is, what this
// lacks of the vector being that of the word. No other word has that row.
func (s *start) differences(p *parameters) {
	rest := make([]float64, p.input.Cols)
	for w, id := range s.id {
		if id < 0 {
			continue
		}
		own := p.table.WordRow[w]
		row := p.input.Row(int(own))
		for k, x := range row {
			rest[k] = float64(x)
		}
		var times float64
		rows, weights := p.table.Of(uint32(w))
		for i, r := range rows {
			weight := float64(weights[i])
			if r == own {
				times += weight
				continue
			}
			for k, x := range p.input.Row(int(r)) {
				rest[k] -= weight * float64(x)
			}
		}
		for k, x := range rest {
			row[k] = float32(x / times)
		}
	}
}

// contexts takes the context vectors, if there are any.
func (s *start) contexts(p *parameters) error {
	if s.from.Output.Rows == 0 {
		return nil
	}
	return s.known(func(w, id int) error {
		row := p.output.Row(w)
		s.from.Output.Read(row, id)
		return s.readable(row, "context vector", func() string { return s.word(id) })
	})
}

// knownWords tells of each word of the run whether it is known.
func (s *start) knownWords() []bool {
	known := make([]bool, len(s.id))
	for w, id := range s.id {
		known[w] = id >= 0
	}
	return known
}

// freeze keeps the rows that these words are made of as they are, and their context
// vectors if these are to be kept too.
func (p *parameters) freeze(words []bool, contexts bool) {
	p.frozenInput = make([]bool, p.input.Rows)
	for w, frozen := range words {
		if !frozen {
			continue
		}
		rows, _ := p.table.Of(uint32(w))
		for _, r := range rows {
			p.frozenInput[r] = true
		}
	}
	if contexts {
		p.frozenOutput = words
	}
}

// report says what the table of a run takes of s.
func (s *start) report(table *subword.Table, c Config) Warm {
	w := Warm{Words: len(s.id), Left: s.left, Composed: s.from.Subword != nil && !s.share, Context: s.from.Output.Rows > 0, LearningRate: c.LearningRate}
	for _, id := range s.id {
		if id >= 0 {
			w.Known++
		}
	}
	for b, row := range table.BucketRow {
		if !s.share || s.marks[len(s.id)+b] == (subword.Mark{}) {
			continue
		}
		w.Ngrams++
		if int(row) >= table.Used() {
			w.Kept++
		}
	}
	return w
}
