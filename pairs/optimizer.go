package pairs

import "math"

// An adam changes rows and their weights by Adam (Kingma and Ba, 2015). Rows that no text of a batch has stay as they are, and
// so do their moments.
type adam struct {
	dim           int
	first, second []float32 // moments, of each number of the rows
	ofWeights     []float32 // both moments of each row's weight
	steps         int

	correction [2]float32
}

const (
	decayFirst  = 0.9
	decaySecond = 0.999
	leastRoot   = 1e-8
)

func newAdam(rows, dim int) *adam {
	return &adam{dim: dim, first: make([]float32, rows*dim), second: make([]float32, rows*dim), ofWeights: make([]float32, 2*rows)}
}

// begin begins the next step.
func (a *adam) begin() {
	a.steps++
	a.correction[0] = float32(1 / (1 - math.Pow(decayFirst, float64(a.steps))))
	a.correction[1] = float32(1 / (1 - math.Pow(decaySecond, float64(a.steps))))
}

// update changes a row by the gradient of the product of its numbers and its weight.
func (a *adam) update(t *table, row uint32, g []float32, rate float32) {
	v, weight := t.row(row), t.weights[row]
	ofWeight := dot(v, g)
	at := int(row) * a.dim
	first, second := a.first[at:][:len(g)], a.second[at:][:len(g)]
	v = v[:len(g)]
	for k, x := range g {
		v[k] -= a.move(&first[k], &second[k], float32(x*weight), rate)
	}
	t.weights[row] -= a.move(&a.ofWeights[2*row], &a.ofWeights[2*row+1], ofWeight, rate)
}

// move returns by how much a number falls. Nothing is fused, so that all machines give the same bits.
func (a *adam) move(first, second *float32, g, rate float32) float32 {
	*first = float32(decayFirst**first) + float32((1-decayFirst)*g)
	*second = float32(decaySecond**second) + float32(float32((1-decaySecond)*g)*g)
	root := float32(math.Sqrt(float64(*second * a.correction[1])))
	return float32(float32(rate**first)*a.correction[0]) / (root + leastRoot)
}
