package vectors

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
)

// A NamedMatrix is a matrix that only some sets have. Its name is that of its tensor in a native file. A file
// may have names that this package does not know: see KindOf.
type NamedMatrix struct {
	Name string
	Matrix
}

// A MatrixKind says how matrices of one name relate to their set. Code that handles sets and files asks for
// these properties and does not compare names.
type MatrixKind struct {
	Name     string
	Label    string // names the matrix in messages
	Part     string // names the matrix in the list of what a file leaves out; empty if the list names the n-grams instead
	Output   bool   // vectors are trained against it; otherwise vectors are made of it
	Table    bool   // small table that all words depend on: float32 in every file, never rounded or quantised
	RowSpace bool   // as wide as a sum of input rows, before a projection; otherwise as wide as a vector
	Training bool   // needed only for training: quantised sets drop it
	Tree     bool   // belongs to a tree of all words, which formats of hierarchical softmax store
	ByWord   bool   // row p·Len+word belongs to word
	Run      bool   // belongs to a run and not to its model: only checkpoints have it

	check func(s *Set, m Matrix) error
	fact  func(s *Set, m Matrix) Fact
	makes func(m Matrix, words int) Matrix // computes context vectors; nil if it cannot
}

// MakesOutput reports whether context vectors are computed from the matrix.
func (k MatrixKind) MakesOutput() bool { return k.makes != nil }

// MatrixKinds returns the known kinds of matrices, in the order of native files.
func MatrixKinds() []MatrixKind { return slices.Clone(matrixKinds()) }

var matrixKinds = sync.OnceValue(func() (kinds []MatrixKind) {
	for _, l := range subword.AllLearned() {
		kinds = append(kinds, MatrixKind{Name: l.Name, Label: l.Title, Table: true, check: func(s *Set, _ Matrix) error {
			if s.Learned().Name != l.Name {
				return fmt.Errorf("%s in a set whose rows are not multiplied by them", l.Title)
			}
			return nil
		}})
	}
	return append(kinds, MatrixKind{
		Name: MatrixPositionWeights, Label: "position weights", Part: "position weights", Table: true, RowSpace: true, Training: true,
		check: (*Set).checkPositionWeights,
		fact: func(_ *Set, m Matrix) Fact {
			return Fact{MatrixPositionWeights, m.Rows, "position weights", "of %s relative positions", m.Rows}
		},
	}, MatrixKind{
		Name: MatrixWordNgrams, Label: "word n-grams", Part: "rows of word n-grams", RowSpace: true,
		check: (*Set).checkWordNgrams,
		fact: func(s *Set, m Matrix) Fact {
			text := fmt.Sprintf("of up to %d words, in %%s rows", s.wordNgrams(m).MaxN)
			return Fact{"word_ngram_rows", m.Rows, "word n-grams", text, m.Rows}
		},
	}, MatrixKind{
		Name: MatrixPositionOutput, Label: "output matrix by position", Part: "output vectors by position",
		Output: true, Training: true, ByWord: true, makes: meanOverPositions, check: (*Set).checkPositionOutput,
		fact: func(s *Set, m Matrix) Fact {
			positions := m.Rows / max(1, s.Len())
			return Fact{"position_outputs", positions, outputRows, fmt.Sprintf("%%s for each of %d relative positions", positions), s.parts.Output.Rows}
		},
	}, MatrixKind{
		Name: MatrixDirections, Label: "directions", Part: "directions of words", Output: true, Training: true, ByWord: true,
		check: func(s *Set, m Matrix) error {
			if m.Rows != s.Len() || m.Cols != s.Dim() {
				return fmt.Errorf("directions of %d×%d for %d words, must be %d×%d", m.Rows, m.Cols, s.Len(), s.Len(), s.Dim())
			}
			return nil
		},
		fact: func(_ *Set, m Matrix) Fact {
			return Fact{"directions", m.Rows, "directions", "%s, which tell contexts on the left from those on the right", m.Rows}
		},
	}, MatrixKind{
		Name: MatrixNodes, Label: "nodes of the tree", Part: "nodes of hierarchical softmax", Output: true, Training: true, Tree: true,
		check: (*Set).checkNodes,
		fact: func(_ *Set, m Matrix) Fact {
			return Fact{"nodes", m.Rows, outputRows, "%s, of the inner nodes of the vocabulary's tree", m.Rows}
		},
	})
})

// Names of matrices. Most sets have the first two.
const (
	MatrixInput  = "input"
	MatrixOutput = "output"
	// MatrixImportance: the learned weights of hash embeddings.
	MatrixImportance = "importance"
	// MatrixPositionWeights: the weights of position-weighted CBOW, which multiply contexts: a row for each
	// relative position, -window … -1, 1 … window, as wide as a sum of input rows with appended weights.
	MatrixPositionWeights = "position_weights"
	// MatrixWordNgrams: the hashed rows of word n-grams, of up to as many words as "word_ngrams" of Training
	// says. They are as wide as position weights.
	MatrixWordNgrams = "word_ngrams"
	// MatrixPositionOutput: the output rows of structured skip-gram, first those of all words for the first
	// relative position, then those for the next: row p·Len+word. Output is their mean over positions.
	MatrixPositionOutput = "position_output"
	// MatrixDirections: second output rows of words, of directional skip-gram. The logistic function of their product with a
	// vector is the probability that the word stands right of the other one, and not left.
	MatrixDirections = "directions"
	// MatrixNodes: the output rows of hierarchical softmax, of the inner nodes of the vocabulary's Huffman
	// tree as counting.Huffman numbers them.
	MatrixNodes = "nodes"
	// What runs that train counts of pairs of words have for rows on both sides: sums of the squares of changes, biases,
	// and the sums for biases.
	MatrixInputSums, MatrixOutputSums         = "input_sums", "output_sums"
	MatrixInputBiases, MatrixOutputBiases     = "input_biases", "output_biases"
	MatrixInputBiasSums, MatrixOutputBiasSums = "input_bias_sums", "output_bias_sums"
)

var ofRuns = []string{MatrixInputSums, MatrixOutputSums, MatrixInputBiases, MatrixOutputBiases, MatrixInputBiasSums, MatrixOutputBiasSums}

func (s *Set) checkPositionWeights(m Matrix) error {
	switch width, window := s.composedWidth(), s.parts.Training.Int("window"); {
	case m.Cols != width:
		return fmt.Errorf("position weights of %d numbers for words of %d", m.Cols, width)
	case m.Rows%2 != 0 || window > 0 && m.Rows != 2*window:
		return fmt.Errorf("weights of %d positions for a window of %d", m.Rows, window)
	}
	return nil
}

func (s *Set) checkWordNgrams(m Matrix) error {
	if width := s.composedWidth(); m.Cols != width {
		return fmt.Errorf("word n-grams of %d numbers for words of %d", m.Cols, width)
	}
	return s.wordNgrams(m).Validate()
}

func (s *Set) checkPositionOutput(m Matrix) error {
	switch words, window := s.Len(), s.parts.Training.Int("window"); {
	case m.Cols != s.Dim():
		return fmt.Errorf("output matrix by position of %d dimensions, must be %d", m.Cols, s.Dim())
	case words == 0 || m.Rows%(2*words) != 0 || window > 0 && m.Rows/words != 2*window:
		return fmt.Errorf("output matrix by position of %d rows for %d words and a window of %d", m.Rows, words, window)
	}
	return nil
}

func (s *Set) checkNodes(m Matrix) error {
	switch words, dim := s.Len(), s.Dim(); {
	case m.Rows != words-1 || m.Cols != dim:
		return fmt.Errorf("nodes of %d×%d for %d words, must be %d×%d", m.Rows, m.Cols, words, words-1, dim)
	case s.parts.Output.Rows > 0:
		return fmt.Errorf("output vectors of %d words and of %d nodes: a model has one of both", s.parts.Output.Rows, m.Rows)
	}
	return nil
}

func (s *Set) composedWidth() int {
	rows, _ := s.rowSpace()
	return rows.Cols + s.Learned().Appended
}

// wordNgrams returns the word n-grams that have rows in m; none if m has no rows.
func (s *Set) wordNgrams(m Matrix) subword.WordNgrams {
	return subword.WordNgrams{MaxN: s.parts.Training.Int("word_ngrams"), Buckets: m.Rows}
}

// KindOf returns the kind of the matrices of a name. A matrix of an unknown name counts as one that vectors
// are made of.
func KindOf(name string) MatrixKind {
	if i := placeOf(name); i < len(matrixKinds()) {
		return matrixKinds()[i]
	}
	label := strings.ReplaceAll(name, "_", " ")
	return MatrixKind{Name: name, Label: label, Part: label, Table: true, Run: slices.Contains(ofRuns, name)}
}

// placeOf returns the place of a matrix among those of a native file: unknown names are last.
func placeOf(name string) int {
	if i := slices.IndexFunc(matrixKinds(), func(k MatrixKind) bool { return k.Name == name }); i >= 0 {
		return i
	}
	return len(matrixKinds())
}

// Kind returns the kind of the matrix.
func (m NamedMatrix) Kind() MatrixKind { return KindOf(m.Name) }

// Matrix returns the matrix of that name, or a matrix without rows if the set does not have it.
func (s *Set) Matrix(name string) Matrix {
	for _, m := range s.parts.Matrices {
		if m.Name == name {
			return m.Matrix.open()
		}
	}
	return Matrix{}
}

// Matrices returns the matrices that only some sets have, in the order in which native files have them.
func (s *Set) Matrices() []NamedMatrix {
	all := slices.Clone(s.parts.Matrices)
	for i := range all {
		all[i].Matrix = all[i].open()
	}
	return all
}

func (s *Set) matricesOf(among func(MatrixKind) bool) []NamedMatrix {
	return slices.DeleteFunc(s.Matrices(), func(m NamedMatrix) bool { return !among(KindOf(m.Name)) })
}

// MadeOutput computes the context vectors from another matrix, if such a matrix is present.
func (p Parts) MadeOutput() (output Matrix, made bool) {
	for _, m := range p.Matrices {
		if k := KindOf(m.Name); k.makes != nil && m.Rows > 0 {
			return k.makes(m.Matrix, p.Words.Len()), true
		}
	}
	return Matrix{}, false
}

func (s *Set) everyMatrix() []NamedMatrix {
	all := []NamedMatrix{{MatrixInput, s.parts.Input}, {MatrixOutput, s.parts.Output}}
	if l := s.parts.Labels; l != nil {
		all = append(all, NamedMatrix{matrixLabels, l.Rows}, NamedMatrix{MatrixWordNgrams, l.Runs})
	}
	return append(all, s.parts.Matrices...)
}

// StoredMatrices returns the matrices that hold the numbers of the set, each once: the factors of a product,
// and no context vectors that are the input vectors or are computed from another matrix.
func (s *Set) StoredMatrices() []NamedMatrix {
	p := s.SharedParts()
	rows, projection, _ := p.Input.Factors()
	if _, made := p.MadeOutput(); made || p.OutputIsInput() {
		p.Output = Matrix{}
	}
	all := append([]NamedMatrix{{MatrixInput, rows}, {"projection", projection}, {MatrixOutput, p.Output}}, p.Matrices...)
	return slices.DeleteFunc(all, func(m NamedMatrix) bool { return m.Rows == 0 })
}

func labelOf(name string) string {
	switch name {
	case MatrixInput, MatrixOutput, matrixLabels:
		return name + " matrix"
	}
	return KindOf(name).Label
}

// Put adds a matrix to the parts, or replaces the matrix of the same name. A matrix without rows removes it.
func (p *Parts) Put(name string, m Matrix) {
	p.Matrices = slices.DeleteFunc(slices.Clone(p.Matrices), func(m NamedMatrix) bool { return m.Name == name })
	if m.Rows == 0 {
		return
	}
	p.Matrices = append(p.Matrices, NamedMatrix{name, m})
	slices.SortStableFunc(p.Matrices, func(a, b NamedMatrix) int { return placeOf(a.Name) - placeOf(b.Name) })
}

func (s *Set) checkMatrices() error {
	if err := s.checkLearned(); err != nil {
		return err
	}
	if in, out := s.parts.Input, s.parts.Output; s.parts.OutputIsInput() && (in.Rows != out.Rows || in.Data != nil && out.Data != nil && !same(in, out)) {
		return errors.New("input and output vectors are said to be tied, and are not the same")
	}
	for _, m := range s.parts.Matrices {
		if check := KindOf(m.Name).check; check != nil {
			if err := check(s, m.Matrix); err != nil {
				return err
			}
		}
	}
	return nil
}

func same(a, b Matrix) bool {
	if &a.Data[0] == &b.Data[0] && a.Stride == b.Stride {
		return true
	}
	for r := range a.Rows {
		if string(endian.Bytes(a.row(r))) != string(endian.Bytes(b.row(r))) {
			return false
		}
	}
	return true
}

// meanOverPositions returns the context vectors of structured skip-gram: for each word the mean of its rows
// in m, which has the layout of MatrixPositionOutput. Means are computed on demand.
func meanOverPositions(m Matrix, words int) Matrix {
	if words < 1 || m.Rows < 1 {
		return Matrix{}
	}
	return Stored(words, m.Cols, positionMeans{m, words})
}

// positionMeans computes the mean of each word's rows over all positions.
type positionMeans struct {
	of    Matrix
	words int
}

func (m positionMeans) Read(dst []float32, word int) {
	clear(dst)
	row := make([]float32, len(dst))
	for r := word; r < m.of.Rows; r += m.words {
		for k, x := range m.of.View(row, r) {
			dst[k] += x
		}
	}
	mean := 1 / float32(m.of.Rows/m.words)
	for k := range dst {
		dst[k] *= mean
	}
}

func (m positionMeans) DType() DType { return m.of.DType() }

func (m positionMeans) CheckSizes(rows, cols int) error {
	if m.of.Cols != cols || rows > m.words || m.words > m.of.Rows {
		return fmt.Errorf("means of %d×%d for %d×%d", m.words, m.of.Cols, rows, cols)
	}
	return m.of.CheckSizes()
}

func (m positionMeans) Check() error { return m.of.Check() }

// checkLearned reports a matrix of learned weights whose size does not fit the n-grams.
func (s *Set) checkLearned() error {
	learned := s.Learned()
	switch m := s.Matrix(learned.Name); {
	case !learned.Any():
	case s.parts.WordRows != nil || s.parts.BucketRows != nil:
		return fmt.Errorf("rows of %d words and %d buckets in %s, which have none of their own", len(s.parts.WordRows), len(s.parts.BucketRows), subword.TitleOf(s.parts.Subword))
	case m.Rows != learned.Rows || m.Cols != learned.Cols:
		return fmt.Errorf("%s of %d×%d, must be %d×%d", learned.Title, m.Rows, m.Cols, learned.Rows, learned.Cols)
	}
	return nil
}

// A Fact describes a matrix that only some sets have.
type Fact struct {
	Key   string // for programs, such as "position_weights", with Value
	Value int
	Label string // for people, such as "position weights", with Text, in which %s stands for Count
	Text  string
	Count int
}

// Facts describe the labels and the optional matrices of the set, output matrices first. A fact with the label
// "output rows" replaces the description of the context vectors.
func (s *Set) Facts() (facts []Fact) {
	if l := s.parts.Labels; l != nil {
		facts = append(facts, Fact{"labels", l.Names.Len(), "labels", "%s: " + strings.ReplaceAll(l.first(), "%", "%%"), l.Names.Len()})
		if l.Buckets > 0 {
			text := fmt.Sprintf("of up to %d words, in %%s rows", s.parts.Training.Int("word_ngrams"))
			facts = append(facts, Fact{"word_ngram_rows", l.Runs.Rows, "word n-grams", text, l.Runs.Rows})
		}
	}
	for _, output := range []bool{true, false} {
		for _, m := range s.Matrices() {
			switch k := m.Kind(); {
			case k.Output != output:
			case k.fact != nil:
				facts = append(facts, k.fact(s, m.Matrix))
			case k.Part != "": // otherwise the facts about n-grams cover it
				facts = append(facts, Fact{m.Name, m.Rows, k.Label, "%s rows", m.Rows})
			}
		}
	}
	return facts
}

const outputRows = "output rows"
