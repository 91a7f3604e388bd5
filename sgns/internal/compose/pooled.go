package compose

import (
	"math"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
)

// pooled composes texts of three parts side by side: the mean, the largest number of each column, and the smallest
// (concatenated pooling of SWEM, Shen et al. 2018). Numbers that are 0 are neither, so rows that no text has trained take no
// part: only held-out text has such. A row that stands for several members has its numbers once.
//
// The gradient of an extreme goes to the row that has it, to the first of equal ones, and is divided by the square root of
// the number of the text's members, n. So is what output rows move by extremes. Each of n rows gets 1/n of the gradient of
// the mean, a step of length 1/√n, and the mean of n independent rows is √n times as short as they are: without the root,
// extremes would learn at √n times the rate of the mean, which is the rate that is chosen.
//
// Columns are independent of each other, so a group's columns have the same bits as all.
type pooled struct {
	*texts
	frozen bool      // some rows are
	at     []uint32  // by place: the row of each largest number, and then of each smallest; no row where that is frozen
	rates  []float32 // of extremes, by place
}

// pooled returns texts as the run pools them.
func (c *Composition) pooled(p step.Parts, t *texts) Worker {
	if c.run.Pooling == settings.PoolMean {
		return t
	}
	return newPooled(t, p.Values.Frozen(InputName) != nil)
}

func newPooled(t *texts, frozen bool) *pooled {
	return &pooled{t, frozen, make([]uint32, t.span*2*t.input.Cols), make([]float32, t.span)}
}

// pooledBytes is the size of what a worker's texts have beside those of the mean.
func (c *Composition) pooledBytes(d step.Division) float64 {
	if c.run.Pooling == settings.PoolMean {
		return 0
	}
	return 4 * float64(d.Cached) * float64(c.run.Hidden()-c.run.Width()+1)
}

// Columns returns the texts for the columns of the input matrix that input has.
func (p *pooled) Columns(input vectors.Matrix) step.Composition {
	return newPooled(p.columns(input), p.frozen)
}

// Source returns the composed vectors.
func (p *pooled) Source() step.Source {
	s := p.texts.Source()
	s.Slow = &step.Slow{From: p.input.Cols, Rates: p.rates}
	return s
}

// extremes returns those of a text as they are now, as they were composed, and their rows.
func (p *pooled) extremes(i uint32) (now, began []float32, at []uint32) {
	cols, place := p.input.Cols, int(i)
	return p.values.Row(place)[cols:], p.values.Row(place + p.span)[cols:], p.at[place*2*cols:][:2*cols]
}

// Compose computes the vectors of the texts of step k.
func (p *pooled) Compose(k int) {
	p.texts.Compose(k)
	cols := p.input.Cols
	for _, i := range p.step(k) {
		now, began, at := p.extremes(i)
		simd.Extremes(now[:cols], now[cols:], at[:cols], at[cols:], p.input.Data, p.input.Stride, p.rows.Rows[p.rows.Starts[i]:p.rows.Starts[i+1]])
		copy(began, now)
		p.rates[i] = float32(math.Sqrt(float64(p.parts.Weights[i])))
		if p.frozen {
			for j, row := range at {
				if row != simd.NoRow && p.shares[row] == 0 {
					at[j] = simd.NoRow
				}
			}
		}
	}
}

// Scatter adds the changes of the texts of step k to their rows.
func (p *pooled) Scatter(k int, seed uint32) {
	p.texts.Scatter(k, seed)
	cols := p.input.Cols
	for _, i := range p.step(k) {
		now, changes, at := p.extremes(i)
		for j, x := range changes {
			changes[j] = p.rates[i] * (now[j] - x)
		}
		simd.AddToRows(p.input.Data, p.input.Stride, at[:cols], changes[:cols])
		simd.AddToRows(p.input.Data, p.input.Stride, at[cols:], changes[cols:])
	}
}
