package vectors

import (
	"slices"
	"sync"
)

// Plain returns the words of s with their vectors as they are, without n-grams: the
// result answers for the words of the vocabulary alone, and has no rows of runs of words.
// What stands on the other side in training, of contexts or of nodes, stays. Rows are made
// when they are asked for. Of a set of plain words it is s.
func (s *Set) Plain() *Set {
	if s.subword == nil {
		return s
	}
	p := s.plainWith(s.Rows(), s.output)
	p.putAll(s.matricesOf(func(k MatrixKind) bool { return k.Output }))
	return p
}

// Rows returns the vector of every word, row i for word i, as a matrix whose rows are made
// when they are asked for; see Vectors for one that holds them.
func (s *Set) Rows() Matrix {
	if s.subword == nil && s.wordRows == nil {
		return s.input
	}
	return Stored(s.Len(), s.Dim(), &wordRows{set: s})
}

// sibling returns a set of the same words, with the same file behind it and no
// vectors.
func (s *Set) sibling() *Set {
	return &Set{words: s.words, counts: s.counts, training: s.training, specials: s.specials, oneMatrix: s.oneMatrix, file: s.file}
}

// plainWith returns a set of the same words with other vectors, a row a word.
func (s *Set) plainWith(input, output Matrix) *Set {
	p := s.sibling()
	p.input, p.output = input, output
	return p
}

// withMatrices returns s with other numbers in these two matrices.
func (s *Set) withMatrices(input, output Matrix) *Set {
	t := s.plainWith(input, output)
	t.composedAs(s)
	t.matrices = slices.Clone(s.matrices)
	return t
}

// MapRows returns s with each of its matrices of many rows as f makes it of the one that s has.
// The sizes of what f returns are not checked: New checks those of the result's Parts.
func (s *Set) MapRows(f func(Matrix) Matrix) *Set {
	t := s.withMatrices(f(s.input), Matrix{})
	for _, m := range s.matricesOf(func(k MatrixKind) bool { return !k.Table }) {
		t.put(m.Name, f(m.Matrix))
	}
	context, made := t.madeOutput()
	switch {
	case made:
		t.output = context
	case s.outputIsInput():
		t.output = t.input
	default:
		t.output = f(s.output)
	}
	return t
}

// OutputIsInput tells whether context vectors are the vectors of words themselves.
func (p Parts) OutputIsInput() bool {
	return p.Training.Bool("tied") && p.Subword == nil && p.WordRows == nil && p.Output.Rows > 0
}

// outputIsInput is OutputIsInput of the set's parts.
func (s *Set) outputIsInput() bool {
	return s.training.Bool("tied") && s.subword == nil && s.wordRows == nil && s.output.Rows > 0
}

// composedAs gives t what words of s are composed of, but for the numbers.
func (t *Set) composedAs(s *Set) {
	t.subword, t.composition, t.wordRows, t.bucketRows = s.subword, s.composition, s.wordRows, s.bucketRows
}

// wordRows are the vectors of a set's words.
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
