package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Parts are what a Set is made of. Every set has Words and Input.
type Parts struct {
	Words  Words
	Counts []uint64 // how often each word was seen; nil if unknown

	Input  Matrix // the rows that word vectors are made of
	Output Matrix // context vectors, a row for each word; empty if there are none

	// Subword splits words into n-grams; nil for a set of plain words.
	Subword subword.Indexer
	// Composition says what a word's vector is made of in a set with subwords; nil means the composition that
	// training with Subword uses.
	Composition subword.Composition
	// WordRows is the input row of each word; nil if word i has row i.
	WordRows []uint32
	// BucketRows is the input row of each n-gram bucket, -1 for a bucket that was never trained and counts as
	// zeros; nil if the rows of buckets follow those of words, in order. Buckets may share a row with each
	// other and with words.
	BucketRows []int32

	Matrices  []NamedMatrix // those that only some sets have, each at most once
	OneMatrix bool          // the set is for a network that uses one matrix for input and output
	Specials  int           // how many of the first words are special tokens
	Labels    *Labels       // what a classifier has beside vectors of words; nil for a set that classifies nothing
	Training  Training      // how the vectors were made, as far as is known

	// State is a checkpoint's training state; nil if the set is not a checkpoint. Package vectors does not
	// interpret it. Native files store it, with a checksum of the whole file.
	State     []byte
	StateRows []Matrix // belong to State
	Origin    Origin

	// Source provides the rows that are not in memory; nil if all are. Sets that share rows with another set
	// need its Source.
	Source Source
}

// A Source provides rows on demand, for example from an open file.
type Source interface {
	Err() error   // the first error of reading rows
	Close() error // Close is called when the set is closed
}

// An Origin says what a set was read from. It is empty for a set that was not read.
type Origin struct {
	Format string   // name of the format, see package format
	Unread []string // parts of the file that a Set cannot hold
	Notes  []string // oddities of the words, and how the reader handled them
}

// New makes a set of its parts, which must not be written to afterwards. If there are no context vectors, but
// a matrix from which they can be computed, New computes them. New checks that the sizes fit together; Check
// also looks at every number. A set without words and rows is possible.
func New(p Parts) (*Set, error) {
	s := newUnchecked(p)
	if s.parts.Output.Rows == 0 {
		s.parts.Output, _ = s.parts.MadeOutput()
	}
	if err := s.usable(); err != nil {
		return nil, err
	}
	return s, nil
}

func init() {
	backing.NewSet = func(parts, notFinite any, verify func() error) any {
		s := newUnchecked(parts.(Parts))
		s.counted, s.verify = notFinite.(*NotFinite), verify
		return s
	}
}

// newUnchecked is New without checks. The parts are known to fit together, or the caller calls CheckSizes.
func newUnchecked(p Parts) *Set {
	if p.Subword = subword.Value(p.Subword); p.Composition == nil {
		p.Composition = subword.CompositionOf(p.Subword)
	}
	matrices := p.Matrices
	p.Matrices = nil
	for _, m := range matrices {
		p.Put(m.Name, m.Matrix)
	}
	s := &Set{parts: p, file: backing.Behind(p.Source)}
	if s.parts.Source = nil; s.file != nil {
		s.parts.Source = s.file
	}
	s.back()
	return s
}

// Parts returns the parts of the set. Pass them to New, with some replaced, to make another set that shares
// the others with s; close s after that set.
func (s *Set) Parts() Parts {
	p := s.SharedParts()
	p.Counts, p.WordRows, p.BucketRows, p.State = s.Counts(), s.WordRows(), s.BucketRows(), s.State()
	if p.Labels != nil {
		p.Labels = p.Labels.copied(s.file)
	}
	return p
}

// SharedParts is Parts without copies: Counts, WordRows, BucketRows, State and Data of matrices may lie in a
// mapped file. Pass them to New with the same Source, or use them within Guard.
func (s *Set) SharedParts() Parts {
	p := s.parts
	p.Input, p.Output, p.Matrices, p.StateRows = s.Input(), s.Output(), s.Matrices(), s.StateRows()
	p.Labels = p.Labels.open()
	if s.file.Closed() {
		p.Counts, p.WordRows, p.BucketRows, p.State = nil, nil, nil, nil
	}
	return p
}

// Words returns the words of the set, in the order of their ids.
func (s *Set) Words() Words { return s.parts.Words }

// Counts returns how often each word was seen; nil if unknown.
func (s *Set) Counts() []uint64 { return s.copies.counts.of(s.file, s.parts.Counts) }

// ByFrequency returns the ids of all words, the most frequent first. Words of equal count, and all words of a
// set without counts, keep their order, because files begin with frequent words.
func (s *Set) ByFrequency() []int {
	ids, counts := make([]int, s.Len()), s.Counts()
	for id := range ids {
		ids[id] = id
	}
	if counts != nil {
		slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	}
	return ids
}

// Input returns the rows that word vectors are made of.
func (s *Set) Input() Matrix { return s.parts.Input.open() }

// Output returns the context vectors, a row for each word, or a matrix without rows.
func (s *Set) Output() Matrix { return s.parts.Output.open() }

// Subword returns the indexer that splits words into n-grams; nil for a set of plain words.
func (s *Set) Subword() subword.Indexer { return s.parts.Subword }

// Composition says what a word's vector is made of in a set with subwords.
func (s *Set) Composition() subword.Composition { return s.of() }

// WordRows returns the input row of each word's own vector, see Parts.
func (s *Set) WordRows() []uint32 { return s.copies.wordRows.of(s.file, s.parts.WordRows) }

// BucketRows returns the input row of each n-gram bucket, see Parts.
func (s *Set) BucketRows() []int32 { return s.copies.bucketRows.of(s.file, s.parts.BucketRows) }

// Training says how the vectors were made, as far as is known.
func (s *Set) Training() Training { return s.parts.Training }

// State returns the state from which training can continue; nil if the set is not a checkpoint.
func (s *Set) State() []byte { return s.copies.state.of(s.file, s.parts.State) }

// StateRows returns the matrices that belong to State.
func (s *Set) StateRows() []Matrix {
	all := slices.Clone(s.parts.StateRows)
	for i := range all {
		all[i] = all[i].open()
	}
	return all
}

// Format returns the format that the set was read from; empty for a set that was not read.
func (s *Set) Format() string { return s.parts.Origin.Format }

// Unread names parts of the file that a Set cannot hold.
func (s *Set) Unread() []string { return s.parts.Origin.Unread }

// Notes returns remarks about the file for a person: oddities of its words, and how the reader handled them.
func (s *Set) Notes() []string {
	first, again := "", 0
	for id, word := range s.again() {
		if again++; again == 1 {
			first = fmt.Sprintf("word %d, %.40q", id, word)
		}
	}
	notes := slices.Clone(s.parts.Origin.Notes)
	if s.Matrix(MatrixInputSums).Rows > 0 {
		notes = append(notes, "this is a checkpoint of a run that trains counts of pairs of words: its vectors are those of one side, and a trained model has the sums of both, which the run makes when it is resumed and ends")
	}
	note := "a word is listed a second time, and its first vector is taken: " + first
	switch again {
	case 0:
		return notes
	case 1:
	default:
		note = fmt.Sprintf("%d words are listed more than once, and their first vectors are taken, first %s", again, first)
	}
	return append(notes, note)
}

// again yields the words that occur before at a lower id.
func (s *Set) again() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		if s.parts.Words.Distinct() == s.Len() {
			return
		}
		for id, word := range s.parts.Words.All() {
			if first, ok := s.parts.Words.Find(word); ok && first != id && !yield(id, word) {
				return
			}
		}
	}
}

// WithNotes returns s with additional notes.
func (s *Set) WithNotes(notes ...string) *Set {
	p := s.SharedParts()
	p.Origin.Notes = append(slices.Clone(p.Origin.Notes), notes...)
	return s.changed(p)
}

// WithTraining returns s with another Training.
func (s *Set) WithTraining(t Training) *Set {
	p := s.SharedParts()
	p.Training = t
	return s.changed(p)
}

// changed returns a set of other parts whose numbers are those of s.
func (s *Set) changed(p Parts) *Set {
	t := newUnchecked(p)
	t.counted, t.verify = s.counted, s.verify
	return t
}

// Plain returns the words of s with their vectors, computed on demand, and without n-grams. The result has no
// vectors for words outside the vocabulary and no rows of word n-grams. Output matrices are kept. For a set
// of plain words, Plain returns s.
func (s *Set) Plain() *Set {
	if s.parts.Subword == nil {
		return s
	}
	p := s.sibling()
	p.parts.Input, p.parts.Output = s.Rows(), s.parts.Output
	p.parts.Matrices = s.matricesOf(func(k MatrixKind) bool { return k.Output })
	return p
}

// Rows returns the vector of every word, row i for word i, as a matrix that computes rows on demand; see
// Vectors for a matrix in memory.
func (s *Set) Rows() Matrix {
	if s.parts.Subword == nil && s.parts.WordRows == nil {
		return s.parts.Input
	}
	return Stored(s.Len(), s.Dim(), &wordRows{set: s})
}

// sibling returns a set with the words and the file of s, and without vectors.
func (s *Set) sibling() *Set {
	p := s.parts
	return &Set{parts: Parts{Words: p.Words, Counts: p.Counts, Training: p.Training, Specials: p.Specials, OneMatrix: p.OneMatrix, Source: p.Source}, file: s.file}
}

// MapRows applies f to each large matrix of s and returns the resulting set. The sizes of f's results are not
// checked: New checks them when it gets the result's Parts.
func (s *Set) MapRows(f func(Matrix) Matrix) *Set {
	set, of := s.sibling(), s.parts
	t := &set.parts
	t.Subword, t.Composition, t.WordRows, t.BucketRows = of.Subword, of.Composition, of.WordRows, of.BucketRows
	t.Input, t.Matrices = f(of.Input), of.Matrices
	for _, m := range s.matricesOf(func(k MatrixKind) bool { return !k.Table }) {
		t.Put(m.Name, f(m.Matrix))
	}
	context, made := t.MadeOutput()
	switch {
	case made:
		t.Output = context
	case of.OutputIsInput():
		t.Output = t.Input
	default:
		t.Output = f(of.Output)
	}
	return set
}

// OutputIsInput reports whether the context vectors are the word vectors themselves.
func (p Parts) OutputIsInput() bool {
	return p.Training.Bool("tied") && p.Subword == nil && p.WordRows == nil && p.Output.Rows > 0
}

type wordRows struct {
	set       *Set
	composers sync.Pool
}

func (w *wordRows) Read(dst []float32, id int) {
	w.set.file.Guard(func() { w.read(dst, id) })
}

func (w *wordRows) read(dst []float32, id int) {
	c, ok := w.composers.Get().(*composer)
	if !ok {
		c = new(composer)
	}
	c.word(dst, w.set, id)
	w.set.file.Saw(c.looked(w.set))
	w.composers.Put(c)
}

// Labels are what a classifier has beside vectors of words: what its texts are sorted into. Package classify
// predicts them. Training says which loss the rows were trained with. Sets that are made of another set keep
// its labels only if every number of the set stays what it was.
type Labels struct {
	Names  Words
	Counts []uint64 // how often each label was seen; nil if unknown

	// Rows is a row for each label or, if Nodes is set, for each inner node of the labels' Huffman tree, as
	// fastText builds and numbers it; then a last row beyond the nodes has no meaning. Rows are as wide as the
	// vector of a text: see PooledParts.
	Rows  Matrix
	Nodes bool

	// Runs are the rows of word n-grams of a pruned classifier without character n-grams, and RunBuckets says
	// which of Buckets each row belongs to. Other classifiers have the matrix MatrixWordNgrams or, if a set
	// has n-grams and no such matrix, hash runs of words to the buckets of n-grams.
	Runs       Matrix
	RunBuckets []uint32
	Buckets    int
}

// FactPooling names how a classifier makes the vector of a text of the rows of its words, n-grams and runs of words:
// their mean if it is missing, or PoolExtremes.
const FactPooling = "text_pooling"

// PoolExtremes puts three vectors side by side: the mean of all rows, the largest number of each column, and the smallest.
// Numbers that are 0, as in rows that no text has trained, are neither.
const PoolExtremes = "mean+max+min"

// PooledParts returns how many times as wide as a row the vector of a text is: 1, or 3 for PoolExtremes.
func PooledParts(pooling string) int {
	if pooling == PoolExtremes {
		return 3
	}
	return 1
}

// matrixLabels names the rows of labels in messages.
const matrixLabels = "labels'"

// Labels returns what the set classifies texts into; nil if it classifies nothing. Numbers may lie in a mapped
// file: see SharedParts.
func (s *Set) Labels() *Labels { return s.parts.Labels.open() }

// open returns the labels; after their file was closed, labels whose rows panic when they are used.
func (l *Labels) open() *Labels {
	if l == nil {
		return nil
	}
	opened := *l
	opened.Rows, opened.Runs = l.Rows.open(), l.Runs.open()
	if l.Rows.behind.Closed() {
		opened.Counts, opened.RunBuckets = nil, nil
	}
	return &opened
}

// in returns the labels as those of a set with this file.
func (l *Labels) in(file *backing.File) *Labels {
	if l == nil {
		return nil
	}
	of := *l
	of.Rows.behind, of.Runs.behind = file, file
	if list := l.Names.list; list != nil && list.mapped && list.behind == nil {
		list.behind = file
	}
	return &of
}

// copied returns the labels with lists that do not lie in the file.
func (l *Labels) copied(file *backing.File) *Labels {
	to := *l
	var counts copied[uint64]
	var buckets copied[uint32]
	to.Counts, to.RunBuckets = counts.of(file, l.Counts), buckets.of(file, l.RunBuckets)
	return &to
}

func (l *Labels) bytes() int {
	size := 8*(l.Names.Len()+1) + 8*len(l.Counts) + l.Rows.Rows*l.Rows.rowBytes() + l.Runs.Rows*l.Runs.rowBytes() + 4*len(l.RunBuckets)
	for _, name := range l.Names.All() {
		size += len(name)
	}
	return size
}

// first lists the first labels for messages.
func (l *Labels) first() string {
	const few = 4
	var names []string
	for i, name := range l.Names.All() {
		if i == few {
			return strings.Join(names, " ") + " …"
		}
		names = append(names, fmt.Sprintf("%.40s", name))
	}
	return strings.Join(names, " ")
}

func (s *Set) checkLabels() error {
	l := s.parts.Labels
	if l == nil {
		return nil
	}
	n, pooling := l.Names.Len(), s.parts.Training.Text(FactPooling)
	width := s.Dim() * PooledParts(pooling)
	switch {
	case n < 1:
		return errors.New("a classifier without labels")
	case l.Counts != nil && len(l.Counts) != n:
		return fmt.Errorf("%d counts for %d labels", len(l.Counts), n)
	case pooling != "" && pooling != PoolExtremes:
		return fmt.Errorf("texts are pooled by %q, which this program does not know", pooling)
	case l.Rows.Cols != width && l.Rows.Rows > 0:
		return fmt.Errorf("labels of %d dimensions, must be %d", l.Rows.Cols, width)
	case l.Rows.Rows != n && !(l.Nodes && l.Rows.Rows == n-1):
		return fmt.Errorf("%d rows for %d labels", l.Rows.Rows, n)
	case l.Runs.Rows > 0 && l.Runs.Cols != s.Dim():
		return fmt.Errorf("word n-grams of %d dimensions, must be %d", l.Runs.Cols, s.Dim())
	case l.Runs.Rows != len(l.RunBuckets) || len(l.RunBuckets) > l.Buckets:
		return fmt.Errorf("%d rows for %d word n-grams in %d buckets", l.Runs.Rows, len(l.RunBuckets), l.Buckets)
	}
	return nil
}

func (l *Labels) check() error {
	if l == nil {
		return nil
	}
	if err := l.Names.Check(); err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	for i, b := range l.RunBuckets {
		if int64(b) >= int64(l.Buckets) {
			return fmt.Errorf("word n-grams %d have bucket %d of %d", i, b, l.Buckets)
		}
	}
	return nil
}
