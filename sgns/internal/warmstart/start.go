// Package warmstart finds what a run uses of the vectors that it starts from.
package warmstart

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
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

// A Start is the vectors that a run starts from, with what it uses of them. Words are matched by name.
type Start struct {
	variant     *variant.Variant
	list        params.List // matrices of the run, before input rows are numbered
	Set         *vectors.Set
	unprojected *vectors.Set    // the set before its projection, if the run has a projection; otherwise from
	id          []int32         // id in from of each word of the run; -1 for a new word
	wordOf      []int32         // word of the run of each id in from; -1 for a word that the run does not have
	left        int             // number of words of from that the run does not have
	found       int             // number of known words
	part        float64         // share of the counted tokens that are known words
	share       bool            // the buckets are those of from
	own         bool            // words' own rows are those of from, too
	context     bool            // output rows start from those of the set
	labels      []int32         // row in the set of each label of the run; -1 for a new one, nil without labels
	same        bool            // the vocabulary and the counts equal those of from
	Marks       []rowtable.Mark // see rowtable.Options
}

// From returns the start of a run with a vocabulary from a set, or nil if the set is nil.
func From(from *vectors.Set, words, outputs *vocab.Vocab, v *variant.Variant) (*Start, error) {
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
	s := &Start{variant: v, list: v.Matrices(outputs.Len(), 0, nil), Set: from}
	if err := s.findRows(); err != nil {
		return nil, err
	}
	s.match(words)
	s.matchLabels(outputs)
	indexer := v.Run.Subword
	s.share = indexer != nil && subword.Same(indexer, from.Subword())
	s.own = s.share && from.OwnRows() && from.Composes()
	if err := s.composable(); err != nil {
		return nil, err
	}
	s.context = s.tied() || s.sourceOf(s.outputs()).rows.Rows > 0
	if s.found == 0 && !s.share {
		return nil, unfit("none of the %d words of the vocabulary is among its %d: was its text cut and lower-cased in another way?", words.Len(), from.Len())
	}
	if v.Run.Freeze && s.found == words.Len() && s.context {
		return nil, unfit("all %d words of the vocabulary are known and frozen, so there is nothing to train", s.found)
	}
	switch composition := subword.CompositionOf(indexer); {
	case !s.share || composition.Learned(indexer).Any():
		return s, nil
	case composition.OwnRows():
		return s, s.mark(words.Len(), indexer.Rows())
	}
	return s, s.mark(0, indexer.Rows())
}

// match looks the words of the run up in the set.
func (s *Start) match(words *vocab.Vocab) {
	s.id, s.wordOf = slices.Repeat([]int32{-1}, words.Len()), slices.Repeat([]int32{-1}, s.Set.Len())
	token := make([]byte, 0, 64)
	for id, word := range s.Set.Words().All() {
		token = append(token[:0], word...)
		w, ok := words.ID(token)
		switch first, _ := s.Set.ID(word); {
		case first != id: // the word occurs twice
		case !ok:
			s.left++
		default:
			s.id[w], s.wordOf[id] = int32(id), int32(w)
			s.found++
		}
	}
	s.same = slices.Equal(s.Set.Counts(), words.Counts())
	for w, id := range s.id {
		s.same = s.same && int(id) == w
		if id >= 0 {
			s.part += float64(words.Count(w)) / float64(words.Total())
		}
	}
}

// matchLabels looks the labels of the run up in the set, if both have a row for each.
func (s *Start) matchLabels(labels *vocab.Vocab) {
	from, to := s.Set.Labels(), s.outputs()
	if !to.Labels || to.Keys == params.ByVocabulary || from == nil || from.Nodes || from.Rows.Cols != to.Cols {
		return
	}
	s.labels = slices.Repeat([]int32{-1}, labels.Len())
	for id, name := range from.Names.All() {
		if label, ok := labels.ID([]byte(name)); ok {
			s.labels[label] = int32(id)
		}
	}
}

// composable reports words without own rows, whose vectors could not be kept if n-grams differ.
func (s *Start) composable() error {
	indexer := s.variant.Run.Subword
	composition := subword.CompositionOf(indexer)
	switch t := s.Set.Training(); {
	case s.tied() && t.Text("arch") != "" && !t.Bool("tied"):
		return unfit("they were trained against vectors of their own, and tied vectors against each other: their products would be far too large; start from tied vectors, or train without tying")
	case composition.OwnRows() || s.share && s.Set.Composition() == subword.CompositionOf(indexer):
		return nil
	}
	title := subword.TitleOf(indexer)
	return unfit("words of %s are made of shared rows and have none of their own that could start as their vectors: start from %s with the same settings, or train plain words or n-grams as fastText has them", title, title)
}

// unknownTokens is the number of tokens assumed for vectors that do not say how many they were trained on.
const unknownTokens = 86_000_000

// leastWarmRate is the lowest rate at which new words still find their places.
const leastWarmRate = 0.005

// Trained returns the number of tokens, in all epochs, that the vectors were trained on; 0 if unknown.
func (s *Start) Trained() uint64 {
	t := s.Set.Training()
	if t.Uint("trained") > 0 {
		return min(t.Uint("trained"), math.MaxInt64)
	}
	return uint64(min(float64(t.Uint("tokens"))*float64(max(t.Int("epochs"), 1)), math.MaxInt64/2))
}

// Rate returns the learning rate for training so many tokens from s, which may be nil: the rate to which one
// run over these and all earlier tokens would have fallen. A rate for the new tokens alone would undo what is
// known. If known words are frozen, the rate is the one for the new words; if there are no context vectors,
// so that all have to be learned, it is about half of that.
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

// A ProjectionError says that the run trains narrower rows with a projection, and the vectors to start from
// have none. transform.Factorize makes such rows.
type ProjectionError struct {
	Cols int // width of the vectors' rows
	Rank int // width of the rows to train
}

func (e *ProjectionError) Error() string {
	return fmt.Sprintf("rows of %d numbers, and rows of %d times a projection are to be trained: factorize them to rank %d first, or train without a rank", e.Cols, e.Rank, e.Rank)
}

// findRows finds the set whose input rows are as wide as those of the run, before its projection.
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
		Matrices: slices.DeleteFunc(p.Matrices, func(m vectors.NamedMatrix) bool { return m.Kind().Part != "" }), // without the matrices of n-grams
	})
	if s.unprojected.Dim() != rank {
		return unfit("rank %d, and rank %d is to be trained: train rank %d", input.Cols, rank, input.Cols)
	}
	return nil
}

// bucketRow returns the row of a bucket in the set, or -1.
func (s *Start) bucketRow(b int) int {
	switch {
	case s.unprojected.BucketRows() != nil:
		return int(s.unprojected.BucketRows()[b])
	case !s.unprojected.OwnRows():
		return b
	}
	return s.unprojected.Len() + b
}

func (s *Start) wordRow(id int) int {
	if s.unprojected.WordRows() != nil {
		return int(s.unprojected.WordRows()[id])
	}
	return id
}

// mark hashes the rows of words, which have rows of their own, and of buckets, so that the row table of the
// run keeps different rows apart. It reads rows in the order of the file, if they are in one.
func (s *Start) mark(words, buckets int) error {
	// A word's own row that the set does not have is like no bucket's row.
	alone := rowtable.Mark{math.MaxUint64, math.MaxUint64}
	of := make([]rowtable.Mark, s.unprojected.Input().Rows)
	done := make([]bool, len(of))
	row := make([]float32, s.unprojected.Input().Cols)
	mark := func(to *rowtable.Mark, r int, name func() string) error {
		if !done[r] {
			if err := s.read(row, r, name); err != nil {
				return err
			}
			of[r], done[r] = markOf(row), true
		}
		*to = of[r]
		return nil
	}
	s.Marks = append(slices.Repeat([]rowtable.Mark{alone}, words), make([]rowtable.Mark, buckets)...)
	if s.own {
		for w, id := range s.known() {
			if err := mark(&s.Marks[w], s.wordRow(id), func() string { return s.word(id) }); err != nil {
				return err
			}
		}
	}
	for b := range buckets {
		if r := s.bucketRow(b); r >= 0 {
			if err := mark(&s.Marks[words+b], r, func() string { return bucketName(b) }); err != nil {
				return err
			}
		}
	}
	return s.Set.Err()
}

// known yields every known word with its id in the set, in rising order of the latter.
func (s *Start) known() iter.Seq2[int, int] {
	return func(yield func(w, id int) bool) {
		for id, w := range s.wordOf {
			if w >= 0 && !yield(int(w), id) {
				return
			}
		}
	}
}

// word and bucketName name rows in error messages.
func (s *Start) word(id int) string { return fmt.Sprintf("%.40q", s.Set.Words().At(id)) }
func bucketName(b int) string       { return fmt.Sprintf("n-gram bucket %d", b) }

// read reads a row of the input matrix. name names it in an error.
func (s *Start) read(dst []float32, r int, name func() string) error {
	s.unprojected.Input().Read(dst, r)
	return s.readable(dst, "vector", name)
}

// readable reports a row that could not be read, or that is not finite.
func (s *Start) readable(row []float32, kind string, name func() string) error {
	if err := s.Set.Err(); err != nil {
		return err
	}
	if !params.Finite(row) {
		return unfit("the %s of %s has a number that is not finite", kind, name())
	}
	return nil
}

// markOf returns a hash of a row; the zero Mark if all numbers are zero.
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

// Warm says what training used of the vectors that it started from.
type Warm struct {
	Words int // number of words in the vocabulary
	Known int // number of words with given vectors
	Left  int // number of given words that are not in the vocabulary, and are left out

	// Ngrams is the number of buckets that start from given rows, and Kept those that no word uses.
	Ngrams, Kept int
	// Labels is the number of labels that start from the rows of labels with the same names.
	Labels int
	// Composed says that the given n-grams do not fit, because the run splits words differently or not at
	// all. Known words start from the vectors that their n-grams make.
	Composed bool
	// Context says whether output vectors start from given ones; otherwise they start as zeros.
	Context bool
	// Unused names given parts that the run does not use.
	Unused []string
	// LearningRate is the initial learning rate.
	LearningRate float64
}

// An InitError says why training cannot start from the vectors that it was given.
type InitError struct{ Err error }

func (e *InitError) Error() string { return fmt.Sprintf("the vectors to start from: %v", e.Err) }

// Unwrap returns Err.
func (e *InitError) Unwrap() error { return e.Err }

func unfit(format string, args ...any) error { return &InitError{fmt.Errorf(format, args...)} }

// Report returns what a model uses of s.
func (s *Start) Report(m *model.Model, c config.Config) Warm {
	w := Warm{
		Words:        len(s.id),
		Known:        s.found,
		Left:         s.left,
		Labels:       len(slices.DeleteFunc(slices.Clone(s.labels), func(id int32) bool { return id < 0 })),
		Composed:     s.Set.Subword() != nil && !s.share,
		Context:      s.context,
		Unused:       s.unused(),
		LearningRate: c.LearningRate,
	}
	table := m.Table
	if table.Cells() != nil { // all rows of the pool
		used := make([]bool, table.Rows())
		w.Ngrams, w.Kept = len(used), len(used)
		_, rows, _ := table.Lists()
		for _, r := range rows {
			if !used[r] {
				used[r] = true
				w.Kept--
			}
		}
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

// MarkBytes is the size of the marks.
func (s *Start) MarkBytes() float64 {
	if s == nil {
		return 0
	}
	return 16 * float64(len(s.Marks))
}
