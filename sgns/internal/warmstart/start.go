// Package warmstart finds what a run takes of the vectors that it starts from.
package warmstart

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Start is the vectors that a run begins with, and what of them it takes. Words are
// matched by name.
type Start struct {
	variant     *variant.Variant
	list        params.List // the matrices of the run, of which input rows are not numbered yet
	Set         *vectors.Set
	unprojected *vectors.Set    // from before its projection, if the run has one; else from
	id          []int32         // by word of the run: its id in from, -1 for a new word
	left        int             // words of from that the run does not have
	part        float64         // of the tokens that were counted, those of known words
	share       bool            // buckets are those of from, one by one
	own         bool            // and so are words' own rows
	context     bool            // output rows start as what the set has
	same        bool            // the vocabulary is that of from, with the same counts
	Marks       []rowtable.Mark // see rowtable.Options
}

// From returns the start of a run over a vocabulary from a set, nil if that is nil.
func From(from *vectors.Set, words *vocab.Vocab, v *variant.Variant) (*Start, error) {
	if from == nil {
		if v.Run.Freeze {
			return nil, errors.New("sgns: there are no vectors to start from that could be frozen")
		}
		return nil, nil
	}
	if err := from.Check(); err != nil {
		return nil, unfit("not a valid model: %w", err)
	}
	if dim := v.Run.Dim; from.Dim() != dim {
		return nil, unfit("%d dimensions, and %d are to be trained: train %d, or take vectors of %d", from.Dim(), dim, from.Dim(), dim)
	}
	s := &Start{variant: v, list: v.Matrices(words.Len(), 0, nil), Set: from}
	if err := s.findRows(); err != nil {
		return nil, err
	}
	known := s.match(words)
	indexer := v.Run.Subword
	s.share = indexer != nil && subword.Same(indexer, from.Subword())
	s.own = s.share && from.OwnRows() && from.Composes()
	if err := s.composable(); err != nil {
		return nil, err
	}
	s.context = s.tied() || s.sourceOf(s.outputs()).rows.Rows > 0
	if known == 0 && !s.share {
		return nil, unfit("none of the %d words of the vocabulary is among its %d: was its text cut and lower-cased in another way?", words.Len(), from.Len())
	}
	if v.Run.Freeze && known == words.Len() && s.context {
		return nil, unfit("all %d words of the vocabulary are known and frozen, so there is nothing to train", known)
	}
	switch composition := subword.CompositionOf(indexer); {
	case !s.share || composition.Learned(indexer).Any():
		return s, nil
	case composition.OwnRows():
		return s, s.mark(words.Len(), indexer.Rows())
	}
	return s, s.mark(0, indexer.Rows())
}

// match finds the words of the run in the set, and returns how many it has.
func (s *Start) match(words *vocab.Vocab) (known int) {
	s.id = make([]int32, words.Len())
	for w := range s.id {
		s.id[w] = -1
	}
	token := make([]byte, 0, 64)
	for id, word := range s.Set.Words().All() {
		token = append(token[:0], word...)
		w, ok := words.ID(token)
		switch first, _ := s.Set.ID(word); {
		case first != id: // it stands there twice
		case !ok:
			s.left++
		default:
			s.id[w] = int32(id)
			known++
		}
	}
	s.same = slices.Equal(s.Set.Counts(), words.Counts())
	for w, id := range s.id {
		s.same = s.same && int(id) == w
		if id >= 0 {
			s.part += float64(words.Count(w)) / float64(words.Total())
		}
	}
	return known
}

// composable reports words that have no rows of their own which could start as their
// vectors, if n-grams are not those of the set.
func (s *Start) composable() error {
	indexer := s.variant.Run.Subword
	composition := subword.CompositionOf(indexer)
	switch t := s.Set.Training(); {
	case s.tied() && t.Text("arch") != "" && !t.Bool("tied"):
		return unfit("they were trained against vectors of their own, and tied vectors against each other: their products would be far too large; start from tied vectors, or train without tying")
	case composition.OwnRows() || s.share && subword.Trains(s.Set.Composition(), indexer):
		return nil
	}
	title := subword.TitleOf(indexer)
	return unfit("words of %s are made of shared rows and have none of their own that could start as their vectors: start from %s with the same settings, or train plain words or n-grams as fastText has them", title, title)
}

// unknownTokens is how many tokens vectors are taken to be trained on that do not say.
const unknownTokens = 86_000_000

// leastWarmRate is the lowest rate at which new words still find their places.
const leastWarmRate = 0.005

// Trained returns on how many tokens the vectors were trained, of all epochs; 0 if that
// is not known.
func (s *Start) Trained() uint64 {
	t := s.Set.Training()
	if t.Uint("trained") > 0 {
		return min(t.Uint("trained"), math.MaxInt64)
	}
	return uint64(min(float64(t.Uint("tokens"))*float64(max(t.Int("epochs"), 1)), math.MaxInt64/2))
}

// Rate returns the learning rate that suits a number of tokens to train from s, which
// may be nil: the one that a run over these and all tokens before would have come down
// to. A rate for the new ones alone would undo what is known. Where that is frozen the
// Rate is for what is new; where there are no context vectors, which are all to be
// learned, it is about half of that.
func (s *Start) Rate(c config.Config, tokens uint64) float64 {
	if s == nil || c.Freeze == config.FreezeKnown {
		return c.RateFor(tokens)
	}
	if !s.context {
		return math.Round(1e4*c.RateFor(tokens)*(1-s.part/2)) / 1e4
	}
	before := s.part * float64(cmp.Or(s.Trained(), unknownTokens))
	all := before + float64(tokens)
	rate := c.RateFor(uint64(min(all, 1<<62))) * float64(tokens) / all
	return max(math.Round(1e4*rate)/1e4, leastWarmRate)
}

// A ProjectionError says that the vectors to start from have no projection, and that narrower
// rows times a projection are to be trained. transform.Factorize makes such rows of them.
type ProjectionError struct {
	Cols int // numbers of a row of the vectors
	Rank int // numbers of a row that is to be trained
}

func (e *ProjectionError) Error() string {
	return fmt.Sprintf("rows of %d numbers, and rows of %d times a projection are to be trained: factorize them to rank %d first, or train without a rank", e.Cols, e.Rank, e.Rank)
}

// findRows finds the set whose input rows are as wide as those of the run: before their
// projection, if the run has one.
func (s *Start) findRows() error {
	s.unprojected = s.Set
	i := slices.IndexFunc(s.list, func(m params.Matrix) bool { return m.Projects })
	if i < 0 {
		return nil
	}
	rank := s.list[i].Rows
	input, _, ok := s.Set.Input().Factors()
	if !ok {
		return &InitError{&ProjectionError{Cols: s.Set.Input().Cols, Rank: rank}}
	}
	p := s.Set.Parts()
	s.unprojected = model.SetOf(vectors.Parts{
		Words: p.Words, Input: input, Subword: p.Subword, Composition: p.Composition, WordRows: p.WordRows, BucketRows: p.BucketRows,
		Matrices: slices.DeleteFunc(p.Matrices, func(m vectors.NamedMatrix) bool { return m.Kind().Part != "" }), // but for those of n-grams
	})
	if s.unprojected.Dim() != rank {
		return unfit("rank %d, and rank %d is to be trained: train rank %d", input.Cols, rank, input.Cols)
	}
	return nil
}

// bucketRow returns the row of a bucket in the set, -1 if it has none.
func (s *Start) bucketRow(b int) int {
	switch {
	case s.unprojected.BucketRows() != nil:
		return int(s.unprojected.BucketRows()[b])
	case !s.unprojected.OwnRows():
		return b
	}
	return s.unprojected.Len() + b
}

// wordRow returns the row of a word's own vector in the set.
func (s *Start) wordRow(id int) int {
	if s.unprojected.WordRows() != nil {
		return int(s.unprojected.WordRows()[id])
	}
	return id
}

// mark reads the rows of so many words of the run, which have rows of their own, and of
// buckets, in the order of the file as far as they are in one, so that the table of the
// run keeps apart what differs.
func (s *Start) mark(words, buckets int) error {
	// A word's own row that is not one of the set's is like no bucket's.
	alone := rowtable.Mark{math.MaxUint64, math.MaxUint64}
	of := make([]rowtable.Mark, s.unprojected.Input().Rows)
	done := make([]bool, len(of))
	row := make([]float32, s.unprojected.Input().Cols)
	read := func(r int, name func() string) (rowtable.Mark, error) {
		if !done[r] {
			if err := s.read(row, r, name); err != nil {
				return alone, err
			}
			of[r], done[r] = markOf(row), true
		}
		return of[r], nil
	}
	s.Marks = make([]rowtable.Mark, words+buckets)
	for w := range words {
		s.Marks[w] = alone
	}
	if s.own {
		err := s.known(func(w, id int) (err error) {
			s.Marks[w], err = read(s.wordRow(id), func() string { return s.word(id) })
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
		s.Marks[words+b] = mark
	}
	return s.Set.Err()
}

// known calls visit with every word of the run that the set has, and its id there, by
// rising id.
func (s *Start) known(visit func(w, id int) error) error {
	words := make([]int32, s.Set.Len())
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
func (s *Start) word(id int) string { return fmt.Sprintf("%.40q", s.Set.Words().At(id)) }

// read reads a row of the input matrix. name names it in an error.
func (s *Start) read(dst []float32, r int, name func() string) error {
	s.unprojected.Input().Read(dst, r)
	return s.readable(dst, "vector", name)
}

// readable reports a row that could not be read, or not be trained.
func (s *Start) readable(row []float32, kind string, name func() string) error {
	if err := s.Set.Err(); err != nil {
		return err
	}
	if !params.Finite(row) {
		return unfit("the %s of %s has a number that is not finite", kind, name())
	}
	return nil
}

// markOf returns a hash of a row, that of zeros if all are zeros.
func markOf(row []float32) (m rowtable.Mark) {
	zeros := true
	for _, x := range row {
		bits := uint64(math.Float32bits(x))
		m[0] = random.Mix(m[0] + bits + 1)
		m[1] = random.Mix(m[1] ^ bits<<32)
		zeros = zeros && x == 0
	}
	if zeros {
		return rowtable.Mark{}
	}
	return m
}

// Warm says what training started from, of the vectors that it was given.
type Warm struct {
	Words int // of the vocabulary
	Known int // words of the vocabulary that have given vectors
	Left  int // given words that are not in the vocabulary, and are left out

	// Ngrams is the number of buckets of n-grams that start as given, and Kept the number of those that no word
	// of the vocabulary uses.
	Ngrams, Kept int
	// Composed says that the n-grams that were given do not fit, because the run cuts words otherwise or not at
	// all. Known words start as the vectors that their n-grams make.
	Composed bool
	// Context says whether output vectors start as given. Else they start as zeros.
	Context bool
	// Unused names what was given and does not fit.
	Unused []string
	// LearningRate is the rate at the start.
	LearningRate float64
}

// An InitError says why training cannot start from the vectors that it was given.
type InitError struct{ Err error }

func (e *InitError) Error() string { return fmt.Sprintf("the vectors to start from: %v", e.Err) }

// Unwrap returns Err.
func (e *InitError) Unwrap() error { return e.Err }

func unfit(format string, args ...any) error { return &InitError{fmt.Errorf(format, args...)} }

// Report says what a model takes of s.
func (s *Start) Report(m *model.Model, c config.Config) Warm {
	w := Warm{
		Words:        len(s.id),
		Left:         s.left,
		Composed:     s.Set.Subword() != nil && !s.share,
		Context:      s.context,
		Unused:       s.unused(),
		LearningRate: c.LearningRate,
	}
	for _, id := range s.id {
		if id >= 0 {
			w.Known++
		}
	}
	table := m.Table
	if table.Cells() != nil { // all rows of the pool
		w.Ngrams, w.Kept = table.Rows(), table.Rows()-rowsInUse(table)
		return w
	}
	for b, row := range table.BucketRow {
		if !s.share || s.Marks[len(s.Marks)-len(table.BucketRow)+b] == (rowtable.Mark{}) {
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
func rowsInUse(t *rowtable.Table) (n int) {
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

// MarkBytes is the size of the marks.
func (s *Start) MarkBytes() float64 {
	if s == nil {
		return 0
	}
	return 16 * float64(len(s.Marks))
}
