package projection

import (
	"math"
	"testing"
)

// The parameters are those that umap-learn 0.5.3 finds.
func TestFitCurve(t *testing.T) {
	for _, c := range []struct{ minDist, a, b float64 }{
		{0.001, 1.92907, 0.79150}, {0.1, 1.57694, 0.89506}, {0.5, 0.58303, 1.33417}, {1, 0.11498, 1.92924},
	} {
		got, err := fitCurve(c.minDist)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.a-c.a) > 1e-4 || math.Abs(got.b-c.b) > 1e-4 {
			t.Errorf("least distance %v: a = %.5f and b = %.5f, want %.5f and %.5f", c.minDist, got.a, got.b, c.a, c.b)
		}
	}
}

// Attraction and repulsion are the gradient of the loss, −log(near) and −log(1−near), by finite differences in
// float64; of repulsion without the constant that keeps it finite.
func TestForcesAreTheGradientOfTheLoss(t *testing.T) {
	const h = 1e-6
	for _, minDist := range []float64{0.01, 0.1, 0.8} {
		c, err := fitCurve(minDist)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range [][2]float64{{0.3, 0}, {0.2, -0.7}, {-1.5, 2}, {4, 9}} {
			slope := func(loss func(near float64) float64) float64 {
				at := func(x float64) float64 { return loss(c.near(x*x + p[1]*p[1])) }
				return (at(p[0]+h) - at(p[0]-h)) / (2 * h)
			}
			square := p[0]*p[0] + p[1]*p[1]
			near := func(got, want float64) bool { return math.Abs(got-want) < 1e-6*max(1, math.Abs(want)) }
			if got, want := c.attraction(square)*p[0], slope(func(v float64) float64 { return -math.Log(v) }); !near(got, want) {
				t.Errorf("attraction at %v is %v, want %v", p, got, want)
			}
			repulsion := c.repulsion(square) * (nearest0 + square) / square
			if got, want := -repulsion*p[0], slope(func(v float64) float64 { return -math.Log(1 - v) }); !near(got, want) {
				t.Errorf("repulsion at %v is %v, want %v", p, got, want)
			}
		}
	}
}

// The innermost loop's tables are near the functions, and finite for all squares of distances.
func TestPieces(t *testing.T) {
	c := curve{1.577, 0.895}
	for name, f := range map[string]func(float64) float64{"attraction": c.attraction, "repulsion": c.repulsion} {
		p := newPieces(f)
		for x := float32(1e-11); x < 1e7; x *= 1.037 {
			if got, want := float64(p.at(x)), f(float64(x)); math.Abs(got-want) > 1e-3*want {
				t.Errorf("%s at %g is %g, want %g", name, x, got, want)
			}
		}
		for _, x := range []float32{0, 1e-45, 1e-30, 1e30, math.MaxFloat32, float32(math.Inf(1))} {
			if y := float64(p.at(x)); math.IsNaN(y) || math.IsInf(y, 0) || y < 0 {
				t.Errorf("%s at %g is %g", name, x, y)
			}
		}
	}
}

// Edges are drawn as often as their weights say, in proportion to the heaviest.
func TestDrawn(t *testing.T) {
	const epochs = 200
	for i, want := range []int{epochs, epochs / 2, epochs / 4, 3, 0} {
		weights := []float32{0.8, 0.4, 0.2, 0.012, 0.0008}
		r, n := rates(weights)[i], 0
		for epoch := range epochs {
			if drawn(r, epoch) {
				n++
			}
		}
		if n > want || n < want-1 {
			t.Errorf("weight %v is drawn %d times in %d epochs, want %d", weights[i], n, epochs, want)
		}
	}
}
