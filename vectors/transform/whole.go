package transform

import (
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// Whole returns s with words whose rows are their whole vectors, n-grams and all, as
// finalfusion has them: n-grams are for other words alone. Every word keeps its
// vector. Factors are multiplied out. Rows are made when they are asked for. A set of
// neither, in which words have no rows of their own with n-grams to put into them, is s.
func Whole(s *vectors.Set) *vectors.Set {
	if _, _, factored := rowSpace(s); factored {
		input := vectors.Stored(s.Input().Rows, s.Dim(), multiplied{s.Input()})
		runs := partVectors(s)
		p := withMatrices(s, input, s.Output())
		drop(&p, func(k vectors.MatrixKind) bool { return k.RowSpace })
		for _, m := range runs {
			p.Put(m.Name, m.Matrix)
		}
		s = made(p)
	}
	if s.Subword() == nil || s.Composition() != subword.Mean || s.Len() == 0 {
		return s
	}
	words := s.Rows()
	w := plainWith(s, vectors.Stored(s.Len()+s.Input().Rows, s.Dim(), wholeRows{words, s.Input()}), s.Output())
	w.Subword, w.Composition = s.Subword(), subword.Whole
	w.Matrices = s.Matrices()
	w.BucketRows = make([]int32, s.Subword().Rows())
	for b := range w.BucketRows {
		w.BucketRows[b] = -1
		if r := s.BucketRow(uint32(b)); r >= 0 {
			w.BucketRows[b] = int32(s.Len() + r)
		}
	}
	return made(w)
}

// multiplied are the rows of a product, which has no factors any more.
type multiplied struct{ of vectors.Matrix }

func (m multiplied) Read(dst []float32, r int) { m.of.Read(dst, r) }

func (m multiplied) AddRows(dst []float32, rows []uint32, weights []float32) {
	sum := make([]float32, len(dst))
	m.of.Sum(sum, rows, weights)
	for k, x := range sum {
		dst[k] += x
	}
}

func (m multiplied) DType() vectors.DType { return m.of.DType() }

// wholeRows are the vectors of words, and behind them the rows that they and n-grams
// are made of.
type wholeRows struct{ words, rows vectors.Matrix }

func (m wholeRows) Read(dst []float32, r int) {
	if r < m.words.Rows {
		m.words.Read(dst, r)
		return
	}
	m.rows.Read(dst, r-m.words.Rows)
}
