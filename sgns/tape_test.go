package sgns

import "math"

// A tape differentiates what is computed on it: every number knows of which others it was
// made, and how much it moves with each. All is float64, and nothing is clever.
type tape struct {
	values []float64
	starts []int     // where the edges of each number begin
	from   []num     // of the edges: which numbers they come from
	by     []float64 // and the derivatives by these
}

// num is a number on a tape.
type num int32

// reset forgets all numbers.
func (t *tape) reset() {
	t.values, t.starts, t.from, t.by = t.values[:0], t.starts[:0], t.from[:0], t.by[:0]
}

// number adds a number. Its edges are to be added before the next number is.
func (t *tape) number(value float64) num {
	t.values = append(t.values, value)
	t.starts = append(t.starts, len(t.from))
	return num(len(t.values) - 1)
}

// edge adds an edge of the last number.
func (t *tape) edge(from num, by float64) {
	t.from, t.by = append(t.from, from), append(t.by, by)
}

// numbers adds rows of numbers that are made of none.
func (t *tape) numbers(rows [][]float64) [][]num {
	all := make([][]num, len(rows))
	for r, row := range rows {
		for _, x := range row {
			all[r] = append(all[r], t.number(x))
		}
	}
	return all
}

// sum returns Σ factors[i]·x[i].
func (t *tape) sum(x []num, factors []float64) num {
	s := t.number(0)
	for i, n := range x {
		t.values[s] += factors[i] * t.values[n]
		t.edge(n, factors[i])
	}
	return s
}

// dot returns Σ a[i]·b[i].
func (t *tape) dot(a, b []num) num {
	s := t.number(0)
	for i, x := range a {
		t.values[s] += t.values[x] * t.values[b[i]]
		t.edge(x, t.values[b[i]])
		t.edge(b[i], t.values[x])
	}
	return s
}

// softplus returns log(1 + exp(sign·x)).
func (t *tape) softplus(x num, sign float64) num {
	y := sign * t.values[x]
	s := t.number(math.Log1p(math.Exp(y)))
	t.edge(x, sign/(1+math.Exp(-y)))
	return s
}

// gradient returns the derivatives of a number by all numbers.
func (t *tape) gradient(of num) []float64 {
	g := make([]float64, len(t.values))
	g[of] = 1
	for n := of; n >= 0; n-- {
		if g[n] == 0 {
			continue
		}
		last := len(t.from)
		if int(n)+1 < len(t.starts) {
			last = t.starts[n+1]
		}
		for e := t.starts[n]; e < last; e++ {
			g[t.from[e]] += g[n] * t.by[e]
		}
	}
	return g
}
