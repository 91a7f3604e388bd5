package projection

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/optimize"
)

// A curve says how near two points of the plane are, from 1 for the same place to 0: 1/(1 + a·d^2b) at
// the distance d.
//
// The loss of UMAP is, over pairs of words of weight w, −w·log(near) − (1−w)·log(1−near).
// Its gradient by one of the points is the difference of both times attraction and repulsion.
type curve struct{ a, b float64 }

// fitCurve returns the curve nearest to 1 up to minDist and exp(minDist−d) beyond, by least squares at
// 300 distances from 0 to 3 (McInnes et al. 2018, section 3.2, definition 11).
func fitCurve(minDist float64) (curve, error) {
	const points, most = 300, 3.0
	loss := func(x, gradient []float64) (sum float64) {
		a, b := math.Exp(x[0]), math.Exp(x[1]) // above zero
		if gradient != nil {
			clear(gradient)
		}
		for i := range points {
			d := most * float64(i) / (points - 1)
			want := 1.0
			if d >= minDist {
				want = math.Exp(minDist - d)
			}
			power := a * math.Pow(d, 2*b)
			got := 1 / (1 + power)
			sum += (got - want) * (got - want)
			if gradient != nil && d > 0 {
				slope := -2 * (got - want) * got * got * power
				gradient[0] += slope
				gradient[1] += slope * 2 * b * math.Log(d)
			}
		}
		return sum
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { return loss(x, nil) },
		Grad: func(gradient, x []float64) { loss(x, gradient) },
	}, []float64{0, 0}, &optimize.Settings{GradientThreshold: 1e-9}, &optimize.BFGS{})
	if result == nil || math.IsNaN(result.F) {
		return curve{}, fmt.Errorf("projection: no curve for the least distance %v: %w", minDist, err)
	}
	// The line search may end for want of digits, which is as good as it gets.
	return curve{math.Exp(result.X[0]), math.Exp(result.X[1])}, nil
}

// near returns how near points are whose distance has this square.
func (c curve) near(square float64) float64 { return 1 / (1 + c.a*math.Pow(square, c.b)) }

// attraction is the gradient of −log(near) by a point, over the difference from the other one.
func (c curve) attraction(square float64) float64 {
	return 2 * c.a * c.b * math.Pow(square, c.b-1) * c.near(square)
}

// nearest0 keeps repulsion finite.
const nearest0 = 1e-3

// repulsion is the gradient of −log(1−near) by a point, over the difference from the other one, negated, with
// nearest0 added to the square of the distance in the denominator.
func (c curve) repulsion(square float64) float64 {
	return 2 * c.b * c.near(square) / (nearest0 + square)
}

const (
	// tableLow and tableHigh are the binary logarithms of the squares between which a table has values.
	tableLow, tableHigh = -40, 24
	// tableBits is the binary logarithm of how many pieces an octave has.
	tableBits = 5
	// tableShift is how many bits of a float32 say where in a piece a number is.
	tableShift = 23 - tableBits
)

// A pieces is a function of a positive number, linear between numbers that are equally
// far from each other within each octave. Powers take too long for the innermost loop.
type pieces struct{ values []float32 }

func newPieces(f func(float64) float64) pieces {
	p := pieces{make([]float32, (tableHigh-tableLow)<<tableBits+2)}
	first := math.Float32bits(float32(math.Ldexp(1, tableLow))) >> tableShift
	for i := range p.values {
		p.values[i] = float32(f(float64(math.Float32frombits((first + uint32(i)) << tableShift))))
	}
	return p
}

const (
	firstPiece = (127 + tableLow) << tableBits
	lastPiece  = (tableHigh-tableLow)<<tableBits - 1
)

// at returns the value at x.
func (p pieces) at(x float32) float32 {
	bits := math.Float32bits(x)
	i := int(bits>>tableShift) - firstPiece
	if uint(i) > lastPiece {
		if i < 0 {
			return p.values[0]
		}
		return p.values[lastPiece+1]
	}
	within := float32(bits&(1<<tableShift-1)) * (1.0 / (1 << tableShift))
	low := p.values[i]
	return low + float32(within*(p.values[i+1]-low))
}
