package step

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/settings"
)

// Nested vectors (Matryoshka, Kusupati et al. 2022): the first numbers of a vector are
// trained to be a vector themselves. So a pair has a score for each such beginning, an
// error for each, and columns change by those of all beginnings that they are in.

// columns are consecutive columns of all vectors.
type columns struct{ from, to int }

// columnsOf returns how columns are divided: at the end of each beginning, or not at all.
func columnsOf(r settings.Run) []columns {
	if len(r.Nested) == 0 {
		return []columns{{0, r.Dim}}
	}
	var parts []columns
	from := 0
	for _, to := range r.Nested {
		parts = append(parts, columns{from, to})
		from = to
	}
	return parts
}

func (p columns) width() int { return p.to - p.from }

// of returns these columns of rows.
func (p columns) of(rows simd.Rows) simd.Rows {
	if p.from > 0 && len(rows.Data) > 0 { // the tree of one word has no rows
		rows.Data = rows.Data[p.from:]
	}
	return rows
}

// errors finds the errors of pairs, for each part of the columns. It returns their loss if it
// is wanted, of nested vectors the mean.
func (s *Step) errors(p *Pairs, positive, wantLoss bool) float64 {
	pairs := p.Kernels(positive)
	switch {
	case len(p.Rows) == 0:
		return 0
	case s.scores != nil:
		return s.errorsOfScores(p, pairs, wantLoss)
	}
	return simd.Errors(p.Errors[0], s.hidden, s.transposed, s.output.Data, s.output.Stride, pairs, wantLoss)
}

// errorsOfScores is errors where they are found from scores.
func (s *Step) errorsOfScores(p *Pairs, pairs simd.Pairs, wantLoss bool) (loss float64) {
	out, stride, n := s.output, len(s.scores)/len(s.columns), len(p.Rows)*simd.Lanes
	clear(p.Kept)
	pairs.Kept = s.kept[:len(p.Rows)]
	for k, part := range s.columns {
		pairs.Rounding.Seed++
		scores := s.scores[k*stride:]
		h := simd.Block{Data: s.hidden.Data[part.from:], Rows: s.hidden.Rows, Cols: part.width(), Stride: s.hidden.Stride}
		simd.Scores(scores, h, s.transposed[part.from*simd.Lanes:], out.Data[part.from:], out.Stride, p.Rows)
		if s.objective == nil {
			loss += simd.ErrorsOfScores(p.Errors[k], s.scores, stride, k+1, pairs, wantLoss)
		} else {
			if k > 0 {
				addTo(scores[:n], s.scores[(k-1)*stride:])
			}
			loss += s.objective.Errors(p.Errors[k], scores, pairs, wantLoss)
			pairs.Round(p.Errors[k])
		}
		for j, kept := range pairs.Kept {
			p.Kept[j] |= kept
		}
	}
	for k := len(s.columns) - 2; k >= 0; k-- {
		addTo(p.Errors[k][:n], p.Errors[k+1])
	}
	return loss / float64(len(s.columns))
}

// addTo adds the numbers of x to those of sums.
func addTo(sums, x []float32) {
	x = x[:len(sums)]
	for i := range sums {
		sums[i] += x[i]
	}
}

// scoreAgain returns the score of a negative and an input up to the end of some columns.
func (s *Step) scoreAgain(negative, input, columns int) float32 {
	var score [1]float32
	row := s.output.Data[int(s.batch.Negatives.Rows[negative])*s.output.Stride:]
	simd.Dots(score[:], 1, s.hidden.Row(input), s.hidden.Stride, 1, row, s.output.Stride, 1, s.columns[columns].to)
	return score[0]
}
