package sgns

import "github.com/w2v-go/w2v/internal/simd"

// Nested vectors (Matryoshka, Kusupati et al. 2022): the first numbers of a vector are
// trained to be a vector themselves. So a pair has a score for each such beginning, an
// error for each, and columns move by those of all beginnings that they are in.

// columns are consecutive columns of all vectors.
type columns struct{ from, to int }

// columnsOf returns how columns are divided: at the end of each beginning, or not at all.
func columnsOf(c Config) []columns {
	if len(c.Nested) == 0 {
		return []columns{{0, c.Dim}}
	}
	var parts []columns
	from := 0
	for _, to := range c.Nested {
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

// errors finds the errors of a side's pairs, for each part of the columns. It returns
// their loss if it is wanted, of nested vectors the mean.
func (b *block) errors(s *side, positive, wantLoss bool) (loss float64) {
	out, p := b.output, simd.Pairs{Rows: s.rows, With: s.with, Weights: s.weights[:], Positive: positive}
	switch {
	case len(b.columns) == 1 && s.alone:
		return simd.ErrorsOfEach(s.errors[0], b.hidden, out.Data, out.Stride, p, wantLoss)
	case len(b.columns) == 1:
		return simd.Errors(s.errors[0], b.hidden, b.transposed, out.Data, out.Stride, p, wantLoss)
	case len(s.rows) == 0:
		return 0
	}
	stride := len(b.scores) / len(b.columns)
	for k, part := range b.columns {
		h := simd.Block{Data: b.hidden.Data[part.from:], Rows: b.hidden.Rows, Cols: part.width(), Stride: b.hidden.Stride}
		simd.Scores(b.scores[k*stride:], h, b.transposed[part.from*simd.Lanes:], out.Data[part.from:], out.Stride, s.rows)
		loss += simd.ErrorsOfScores(s.errors[k], b.scores, stride, k+1, p, wantLoss)
	}
	n := len(s.rows) * simd.Lanes
	for k := len(b.columns) - 2; k >= 0; k-- {
		longer := s.errors[k+1][:n]
		for i, e := range s.errors[k][:n] {
			s.errors[k][i] = e + longer[i]
		}
	}
	return loss / float64(len(b.columns))
}

// scoreAgain returns the score of a negative and an input up to the end of some columns.
func (b *block) scoreAgain(negative, input, columns int) float32 {
	var score [1]float32
	row := b.output.Data[int(b.negative.rows[negative])*b.output.Stride:]
	simd.Dots(score[:], 1, b.hidden.Row(input), b.hidden.Stride, 1, row, b.output.Stride, 1, b.columns[columns].to)
	return score[0]
}
