package vectors

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/endian"
)

// A NamedMatrix is a matrix that only some sets have. Its name is that of its tensor in a
// native file. Names that this package does not know are possible: see KindOf.
type NamedMatrix struct {
	Name string
	Matrix
}

// A MatrixKind says how the matrices of a name relate to the set that has them. All that is done
// to sets and files goes by this, and not by names.
type MatrixKind struct {
	Name     string
	Label    string // names the matrix in messages
	Part     string // names it where it is left out of a file; empty where the n-grams stand for it
	Output   bool   // vectors are trained against it; else vectors are made of it
	Table    bool   // has few rows that all words depend on: float32 in every file, never rounded nor quantised
	RowSpace bool   // is as wide as what is composed of input rows, before a projection; else as vectors are
	Training bool   // is of use to training alone: quantised sets do without it
	Tree     bool   // is about a tree of all words, which formats of hierarchical softmax hold
	ByWord   bool   // row p·Len+word is one of word's

	check func(s *Set, m Matrix) error
	fact  func(s *Set, m Matrix) Fact
	makes func(m Matrix, words int) Matrix // makes the context vectors of words; nil where it does not
}

// MatrixKinds returns the kinds of matrices that are known, in the order of native files.
func MatrixKinds() []MatrixKind {
	return []MatrixKind{importanceKind(), positionWeightsKind(), wordNgramsKind(), positionOutputKind(), nodesKind()}
}

// KindOf returns the kind of the matrices of a name. Vectors are made of a matrix of an
// unknown name, in some way that the set does not know of.
func KindOf(name string) MatrixKind {
	for _, k := range MatrixKinds() {
		if k.Name == name {
			return k
		}
	}
	label := strings.ReplaceAll(name, "_", " ")
	return MatrixKind{Name: name, Label: label, Part: label, Table: true}
}

// Kind says how the matrix relates to the set that has it.
func (m NamedMatrix) Kind() MatrixKind { return KindOf(m.Name) }

// Matrix returns the matrix of that name; it has no rows if the set has none.
func (s *Set) Matrix(name string) Matrix {
	for _, m := range s.matrices {
		if m.Name == name {
			return m.Matrix.open()
		}
	}
	return Matrix{}
}

// Matrices returns the matrices that only some sets have, in the order in which native files have them.
func (s *Set) Matrices() []NamedMatrix {
	all := slices.Clone(s.matrices)
	for i := range all {
		all[i].Matrix = all[i].open()
	}
	return all
}

// put gives s a matrix, in the place of the one of that name. One without rows is none.
func (s *Set) put(name string, m Matrix) {
	s.matrices = slices.DeleteFunc(slices.Clone(s.matrices), func(m NamedMatrix) bool { return m.Name == name })
	if m.Rows == 0 {
		return
	}
	s.matrices = append(s.matrices, NamedMatrix{name, m})
	order := map[string]int{}
	for i, k := range MatrixKinds() {
		order[k.Name] = i - len(MatrixKinds()) // before unknown ones
	}
	slices.SortStableFunc(s.matrices, func(a, b NamedMatrix) int { return cmp.Compare(order[a.Name], order[b.Name]) })
}

func (s *Set) putAll(matrices []NamedMatrix) {
	for _, m := range matrices {
		s.put(m.Name, m.Matrix)
	}
}

// matricesOf returns the matrices of which among is true.
func (s *Set) matricesOf(among func(MatrixKind) bool) []NamedMatrix {
	return slices.DeleteFunc(s.Matrices(), func(m NamedMatrix) bool { return !among(KindOf(m.Name)) })
}

// MadeOutput returns the context vectors if they are made of another matrix.
func (p Parts) MadeOutput() (output Matrix, made bool) {
	for _, m := range p.Matrices {
		if k := KindOf(m.Name); k.makes != nil && m.Rows > 0 {
			return k.makes(m.Matrix, p.Words.Len()), true
		}
	}
	return Matrix{}, false
}

// madeOutput is MadeOutput of the set's parts.
func (s *Set) madeOutput() (output Matrix, made bool) {
	return Parts{Words: s.words, Matrices: s.matrices}.MadeOutput()
}

// eachMatrix yields every matrix of s, but for those of its state, to be changed.
func (s *Set) eachMatrix(yield func(*Matrix) bool) {
	for _, m := range []*Matrix{&s.input, &s.output, &s.rows, &s.directed} {
		if !yield(m) {
			return
		}
	}
	for i := range s.matrices {
		if !yield(&s.matrices[i].Matrix) {
			return
		}
	}
}

// Names of the matrices that most sets have.
const (
	MatrixInput  = "input"
	MatrixOutput = "output"
)

// everyMatrix returns the matrices of the set, but for those of its state.
func (s *Set) everyMatrix() []NamedMatrix {
	return append([]NamedMatrix{{MatrixInput, s.input}, {MatrixOutput, s.output}}, s.matrices...)
}

// labelOf names a matrix in messages.
func labelOf(name string) string {
	switch name {
	case MatrixInput, MatrixOutput:
		return name + " matrix"
	}
	return KindOf(name).Label
}

// Put gives the parts a matrix, in the place of the one of that name. One without rows is none.
func (p *Parts) Put(name string, m Matrix) {
	p.Matrices = slices.DeleteFunc(slices.Clone(p.Matrices), func(m NamedMatrix) bool { return m.Name == name })
	if m.Rows > 0 {
		p.Matrices = append(p.Matrices, NamedMatrix{name, m})
	}
}

// checkMatrices reports sizes that do not fit together of what only some sets have.
func (s *Set) checkMatrices() error {
	if err := s.checkHash(); err != nil {
		return err
	}
	if in, out := s.input, s.output; s.outputIsInput() && (in.Rows != out.Rows || in.Data != nil && out.Data != nil && !same(in, out)) {
		return errors.New("input and output vectors are said to be tied, and are not the same")
	}
	for _, m := range s.matrices {
		if check := KindOf(m.Name).check; check != nil {
			if err := check(s, m.Matrix); err != nil {
				return err
			}
		}
	}
	return nil
}

// same tells whether matrices in memory have the same numbers.
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
