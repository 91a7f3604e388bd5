package scorer

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// extremes are what a Predictor needs if the vector of a text has, behind the mean of its rows, the largest number of each
// column and then the smallest: see vectors.PoolExtremes.
type extremes struct {
	at      []uint32  // of each of them, its row
	decoded []float32 // rows that are not numbers of one matrix in memory
	rows    []uint32
}

func newExtremes(m *Model) *extremes {
	if m.set.Training().Text(vectors.FactPooling) != vectors.PoolExtremes {
		return nil
	}
	return &extremes{at: make([]uint32, 2*m.input.Cols)}
}

// addExtremes sets the extremes of the rows of the line.
func (p *Predictor) addExtremes() {
	m, e, cols := p.m, p.extremes, p.m.input.Cols
	data, stride, rows := m.dense, m.stride, p.rows
	if data == nil || len(p.apart) > 0 {
		e.decoded, e.rows = e.decoded[:0], e.rows[:0]
		for _, of := range []struct {
			matrix *vectors.Matrix
			rows   []uint32
		}{{&m.input, p.rows}, {&m.runs.separate, p.apart}} {
			for _, r := range of.rows {
				e.rows = append(e.rows, uint32(len(e.rows)))
				e.decoded = append(e.decoded, of.matrix.View(p.scratch, int(r))...)
			}
		}
		data, stride, rows = e.decoded, cols, e.rows
	}
	simd.Extremes(p.Vector[cols:2*cols], p.Vector[2*cols:], e.at[:cols], e.at[cols:], data, stride, rows)
}

// traceExtremes adds to the scores of the parts of the text what their extremes add to the product of its vector and
// direction. Parts whose rows have the same extreme share it.
func (p *Predictor) traceExtremes(scores, direction []float64) {
	cols := p.m.input.Cols
	shares := make([]float64, 2*cols)
	each := func(use func(part, column int)) {
		for _, r := range p.trace.rows {
			for k, x := range r.of.View(p.scratch, int(r.row)) {
				for c := k; c < 2*cols; c += cols {
					if x != 0 && x == p.Vector[cols+c] {
						use(r.part, c)
					}
				}
			}
		}
	}
	each(func(_, c int) { shares[c]++ })
	each(func(part, c int) { scores[part] += float64(p.Vector[cols+c]) * direction[cols+c] / shares[c] })
}
