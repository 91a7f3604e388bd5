package vectors

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/endian"
)

// A NamedMatrix is a matrix that only some sets have. Its name is that of its tensor in a
// native file. Names that this package does not know are possible: see kindOf.
type NamedMatrix struct {
	Name string
	Matrix
}

// A kind says how the matrices of a name relate to the set that has them.
type kind struct {
	name     string
	label    string // names the matrix in messages
	part     string // names it where it is left out of a file; empty where the n-grams stand for it
	output   bool   // vectors are trained against it; else vectors are made of it
	table    bool   // has few rows that all words depend on: float32 in memory, never rounded nor quantised
	rowSpace bool   // is as wide as what is composed of input rows, before a projection; else as vectors are
	training bool   // is of use to training alone: quantised sets do without it
	tree     bool   // is about a tree of all words, which formats of hierarchical softmax hold
	check    func(s *Set, m Matrix) error
	pick     func(s *Set, m Matrix, ids []uint32) Matrix // the matrix for the words of these ids; nil for the same
	makes    func(m Matrix, words int) Matrix            // makes the context vectors of words; nil where it does not
}

// kinds are those of the matrices that are known, in the order of native files.
func kinds() []kind {
	return []kind{importanceKind(), positionWeightsKind(), wordNgramsKind(), positionOutputKind(), nodesKind()}
}

// kindOf returns the kind of the matrices of a name. Vectors are made of a matrix of an
// unknown name, in some way that the set does not know of.
func kindOf(name string) kind {
	for _, k := range kinds() {
		if k.name == name {
			return k
		}
	}
	label := strings.ReplaceAll(name, "_", " ")
	return kind{name: name, label: label, part: label, table: true}
}

// A MatrixKind says how the matrices of a name relate to the set that has them.
type MatrixKind struct {
	Name   string
	Part   string // names the matrix where it is left out of a file; empty where the n-grams stand for it
	Output bool   // vectors are trained against it; else vectors are made of it
	Table  bool   // has few rows that all words depend on, which are float32 in every file
	Tree   bool   // is about a tree of all words, which formats of hierarchical softmax hold
}

func (k kind) public() MatrixKind {
	return MatrixKind{Name: k.name, Part: k.part, Output: k.output, Table: k.table, Tree: k.tree}
}

// MatrixKinds returns the kinds of matrices that are known, in the order of native files.
func MatrixKinds() []MatrixKind {
	var all []MatrixKind
	for _, k := range kinds() {
		all = append(all, k.public())
	}
	return all
}

// Kind says how the matrix relates to the set that has it.
func (m NamedMatrix) Kind() MatrixKind { return kindOf(m.Name).public() }

// known tells whether name is that of a kind.
func known(name string) bool {
	return slices.ContainsFunc(kinds(), func(k kind) bool { return k.name == name })
}

// ofRows tells whether the matrix is as wide as input rows and is used together with them.
func (k kind) ofRows() bool { return k.rowSpace }

// rank is the order in which messages name matrices.
func (k kind) rank() int {
	switch {
	case k.output:
		return 2
	case k.table:
		return 1
	}
	return 0
}

func (k kind) picked(s *Set, m Matrix, ids []uint32) Matrix {
	if k.pick == nil {
		return m
	}
	return k.pick(s, m, ids)
}

// Matrix returns the matrix of that name; it has no rows if the set has none.
func (s *Set) Matrix(name string) Matrix {
	for _, m := range s.matrices {
		if m.Name == name {
			return m.Matrix
		}
	}
	return Matrix{}
}

// Matrices returns the matrices that only some sets have, in the order in which native files have them.
func (s *Set) Matrices() []NamedMatrix { return slices.Clone(s.matrices) }

// put gives s a matrix, in the place of the one of that name. One without rows is none.
func (s *Set) put(name string, m Matrix) {
	s.matrices = slices.DeleteFunc(slices.Clone(s.matrices), func(m NamedMatrix) bool { return m.Name == name })
	if m.Rows == 0 {
		return
	}
	s.matrices = append(s.matrices, NamedMatrix{name, m})
	order := map[string]int{}
	for i, k := range kinds() {
		order[k.name] = i - len(kinds()) // before unknown ones
	}
	slices.SortStableFunc(s.matrices, func(a, b NamedMatrix) int { return cmp.Compare(order[a.Name], order[b.Name]) })
}

func (s *Set) putAll(matrices []NamedMatrix) {
	for _, m := range matrices {
		s.put(m.Name, m.Matrix)
	}
}

// matricesOf returns the matrices of which among is true.
func (s *Set) matricesOf(among func(kind) bool) []NamedMatrix {
	return slices.DeleteFunc(s.Matrices(), func(m NamedMatrix) bool { return !among(kindOf(m.Name)) })
}

// dropMatrices takes the matrices from s of which these is true.
func (s *Set) dropMatrices(these func(kind) bool) {
	s.matrices = s.matricesOf(func(k kind) bool { return !these(k) })
}

// MadeOutput returns the context vectors if they are made of another matrix.
func (p Parts) MadeOutput() (output Matrix, made bool) {
	for _, m := range p.Matrices {
		if k := kindOf(m.Name); k.makes != nil && m.Rows > 0 {
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

// Names of the matrices that most sets have, in messages.
const (
	inputMatrix  = "input matrix"
	outputMatrix = "output matrix"
)

// everyMatrix returns the matrices of the set, but for those of its state, by what messages call them.
func (s *Set) everyMatrix() []NamedMatrix {
	all := []NamedMatrix{{inputMatrix, s.input}, {outputMatrix, s.output}}
	for _, m := range s.matrices {
		all = append(all, NamedMatrix{kindOf(m.Name).label, m.Matrix})
	}
	return all
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
		if check := kindOf(m.Name).check; check != nil {
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
		if string(endian.Bytes(a.Row(r))) != string(endian.Bytes(b.Row(r))) {
			return false
		}
	}
	return true
}
