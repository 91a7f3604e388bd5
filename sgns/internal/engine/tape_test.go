package engine

import "math"

// A tape differentiates what is computed on it: every number knows of which others it was
// made, and how much it moves with each. All is float64, and nothing is clever.
//
// Beside each number and derivative the tape keeps how far off kernels may be that compute
// the same in float32, in any order: a bound to the first order in the unit roundoff. The
// standard one: n numbers that are added up, each with a rounding of its own, are off by at
// most n roundings of the sum of their magnitudes (Higham, "Accuracy and Stability of
// Numerical Algorithms", 2002, chapters 3 and 4).
type tape struct {
	values []float64
	off    []float64 // how far off each number may be
	starts []int     // where the edges of each number begin
	from   []num     // of the edges: which numbers they come from
	by     []float64 // and the derivatives by these
	offBy  []float64 // and how far off these may be

	// longest is the most numbers that a kernel adds up. The tape may have more edges for
	// them: it has each pair of words apart, where kernels have one weight for many pairs.
	longest float64
}

const (
	// roundoff is that of float32.
	roundoff = 0x1p-24
	// logisticOff and softplusOff are what internal/simd promises: see its
	// TestErrorsOfScores.
	logisticOff = 2e-6
	softplusOff = 1e-6
	softplusMin = 2e-7
	// softmaxOff is what loss.FullSoftmax is off, of scores in the shape that it has them in.
	softmaxOff = 1e-5
	// gradientRoundings are those of a number that is added to another, before it is: of the
	// rate, of an error times that, of its products, and of a sum made beforehand.
	gradientRoundings = 4
)

// num is a number on a tape.
type num int32

// reset forgets all numbers.
func (t *tape) reset() {
	t.values, t.off, t.starts = t.values[:0], t.off[:0], t.starts[:0]
	t.from, t.by, t.offBy = t.from[:0], t.by[:0], t.offBy[:0]
}

// number adds a number. Its edges are to be added before the next number is.
func (t *tape) number(value float64) num {
	t.values, t.off = append(t.values, value), append(t.off, 0)
	t.starts = append(t.starts, len(t.from))
	return num(len(t.values) - 1)
}

// edge adds an edge of the last number, whose derivative may be off by so much.
func (t *tape) edge(from num, by, off float64) {
	t.from, t.by, t.offBy = append(t.from, from), append(t.by, by), append(t.offBy, off)
}

// numbers adds rows of numbers that are made of none, and may be off by so much; nil for
// not at all.
func (t *tape) numbers(rows, off [][]float64) [][]num {
	all := make([][]num, len(rows))
	for r, row := range rows {
		for k, x := range row {
			n := t.number(x)
			if off != nil {
				t.off[n] = off[r][k]
			}
			all[r] = append(all[r], n)
		}
	}
	return all
}

// add adds to s, the last number, a product, of which the factors may be off by so much, and
// which is one of n.
func (t *tape) add(s num, a, offA, b, offB float64, n int) {
	t.values[s] += a * b
	t.off[s] += math.Abs(a)*offB + math.Abs(b)*offA + t.roundings(n)*math.Abs(a*b)
}

// roundings is by what the sum of the magnitudes of n numbers is multiplied for how far off
// their sum may be.
func (t *tape) roundings(n int) float64 { return math.Min(float64(n), t.longest) * roundoff }

// sum returns Σ factors[i]·x[i].
func (t *tape) sum(x []num, factors []float64) num {
	s := t.number(0)
	for i, n := range x {
		off := roundoff * math.Abs(factors[i])
		t.add(s, factors[i], off, t.values[n], t.off[n], len(x))
		t.edge(n, factors[i], off)
	}
	return s
}

// dot returns Σ a[i]·b[i].
func (t *tape) dot(a, b []num) num {
	s := t.number(0)
	for i, x := range a {
		y := b[i]
		t.add(s, t.values[x], t.off[x], t.values[y], t.off[y], len(a))
		t.edge(x, t.values[y], t.off[y])
		t.edge(y, t.values[x], t.off[x])
	}
	return s
}

// softplus returns log(1 + exp(sign·x)).
func (t *tape) softplus(x num, sign float64) num {
	y := sign * t.values[x]
	value, sigma := math.Log1p(math.Exp(y)), 1/(1+math.Exp(-y))
	s := t.number(value)
	t.off[s] = sigma*t.off[x] + softplusOff*value + softplusMin
	t.edge(x, sign*sigma, sigma*(1-sigma)*t.off[x]+logisticOff*sigma)
	return s
}

// softmax returns minus the logarithm of the softmax of scores, of the one at a place.
func (t *tape) softmax(scores []num, at int) num {
	sum, off := 0.0, 0.0
	p := make([]float64, len(scores))
	for i, x := range scores {
		p[i] = math.Exp(t.values[x])
		sum += p[i]
	}
	for i, x := range scores {
		p[i] /= sum
		off += p[i] * t.off[x]
	}
	s := t.number(-math.Log(p[at]))
	t.off[s] = off + t.off[scores[at]] + softmaxOff*(1+t.values[s])
	for i, x := range scores {
		is := 0.0
		if i == at {
			is = 1
		}
		t.edge(x, p[i]-is, p[i]*(t.off[x]+off)+softmaxOff*p[i]+roundoff*is)
	}
	return s
}

// cancelled says that s, the last number, has had x added to it, times a weight, and taken
// away again, x computed twice.
func (t *tape) cancelled(s, x num, weight float64) {
	t.off[s] += 2 * weight * (t.off[x] + 2*roundoff*math.Abs(t.values[x]))
	t.edge(x, 0, 4*weight*roundoff)
	// The derivatives of the two, too, differ.
	e := t.starts[x]
	t.edge(t.from[e], 0, 2*weight*t.offBy[e])
}

// gradient returns the derivatives of a number by all numbers, and how far off kernels may be
// that add these, times rate, to the numbers one after the other, over rate.
func (t *tape) gradient(of num, rate float64) (g, off []float64) {
	g, off = make([]float64, len(t.values)), make([]float64, len(t.values))
	magnitude, edges := make([]float64, len(t.values)), make([]int, len(t.values))
	g[of] = 1
	for n := of; n >= 0; n-- {
		if rate > 0 {
			magnitude[n] += math.Abs(t.values[n]) / rate
		}
		if edges[n] > 0 {
			off[n] += t.roundings(edges[n]+gradientRoundings) * magnitude[n]
		}
		if g[n] == 0 && off[n] == 0 {
			continue
		}
		last := len(t.from)
		if int(n)+1 < len(t.starts) {
			last = t.starts[n+1]
		}
		for e := t.starts[n]; e < last; e++ {
			from := t.from[e]
			by := g[n] * t.by[e]
			g[from] += by
			magnitude[from] += math.Abs(by)
			off[from] += math.Abs(off[n]*t.by[e]) + math.Abs(g[n]*t.offBy[e])
			edges[from]++
		}
	}
	return g, off
}
