package vectors

import "slices"

// Whole returns s with words whose rows are their whole vectors, n-grams and all, as
// finalfusion has them: n-grams are for other words alone. Every word keeps its
// vector. Factors are multiplied out. Rows are made when they are asked for. A set of
// neither, in which words have no rows of their own with n-grams to put into them, is s.
func (s *Set) Whole() *Set {
	if _, p := s.rowSpace(); p != nil {
		input := Stored(s.input.Rows, s.Dim(), multiplied{s.input})
		runs := s.wordNgramVectors()
		s = s.withMatrices(input, s.output)
		s.dropMatrices(kind.ofRows)
		s.put(MatrixWordNgrams, runs)
	}
	if s.subword == nil || s.composition != ComposeMean || s.Len() == 0 {
		return s
	}
	words := s.Rows()
	w := s.plainWith(Stored(s.Len()+s.input.Rows, s.Dim(), wholeRows{words, s.input}), s.output)
	w.subword, w.composition = s.subword, ComposeWhole
	w.matrices = slices.Clone(s.matrices)
	w.bucketRows = make([]int32, s.subword.Rows())
	for b := range w.bucketRows {
		w.bucketRows[b] = -1
		if r := s.BucketRow(uint32(b)); r >= 0 {
			w.bucketRows[b] = int32(s.Len() + r)
		}
	}
	return w
}

// multiplied are the rows of a product, which has no factors any more.
type multiplied struct{ of Matrix }

func (m multiplied) Read(dst []float32, r int) { m.of.Read(dst, r) }

func (m multiplied) AddRows(dst []float32, rows []uint32, weights []float32) {
	var c composer
	sum := make([]float32, len(dst))
	c.sum(sum, m.of, rows, weights)
	for k, x := range sum {
		dst[k] += x
	}
}

func (m multiplied) DType() DType { return m.of.DType() }

// wholeRows are the vectors of words, and behind them the rows that they and n-grams
// are made of.
type wholeRows struct{ words, rows Matrix }

func (m wholeRows) Read(dst []float32, r int) {
	if r < m.words.Rows {
		m.words.Read(dst, r)
		return
	}
	m.rows.Read(dst, r-m.words.Rows)
}
