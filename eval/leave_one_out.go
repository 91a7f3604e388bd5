package eval

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func (x *solver) askEach(relation Relation, pairs []usablePair) []int {
	first := len(x.asked)
	for _, p := range relation.Pairs {
		x.ask(relation.Name, [4]string{"", "", p.Word, strings.Join(p.Answers, "/")})
	}
	at := make([]int, len(pairs))
	for i, p := range pairs {
		at[i] = first + p.at
	}
	return at
}

func (p usablePair) about(section, question int) problem {
	return problem{
		a: -1, b: -1, c: p.a, own: [3]int{-1, -1, p.word.id}, accepted: p.accepted,
		section: section, question: question, composed: p.word.composed(),
	}
}

// addMeans adds a question for every pair: its word plus the mean of b − a over all other pairs.
func (x *solver) addMeans(section int, relation Relation, pairs []usablePair) {
	at := x.askEach(relation, pairs)
	if len(pairs) < 2 {
		return // there are no other pairs
	}
	sum := make([]float64, x.words.set.Dim())
	for _, p := range pairs {
		for i := range sum {
			sum[i] += float64(x.units[p.b][i]) - float64(x.units[p.a][i])
		}
	}
	target := make([]float32, len(sum))
	for q, p := range pairs {
		for i, all := range sum {
			others := all - (float64(x.units[p.b][i]) - float64(x.units[p.a][i]))
			target[i] = float32(float64(x.units[p.a][i]) + others/float64(len(pairs)-1))
		}
		of := p.about(section, at[q])
		of.c = x.addUnit(target, -1)
		x.problems = append(x.problems, of)
	}
}

// addClasses adds a question for every pair. A regression separates the answers of the other pairs
// from their words and from words drawn from the vocabulary. addClasses returns the drawn words.
func (x *solver) addClasses(ctx context.Context, section int, relation Relation, pairs []usablePair, seed uint64) ([]string, error) {
	at := x.askEach(relation, pairs)
	negatives := x.draw(relation, len(pairs), seed)
	names := make([]string, len(negatives))
	for i, id := range negatives {
		names[i] = x.words.set.Words().At(id)
	}
	if len(pairs) < 2 {
		return names, nil
	}
	// Samples 2i and 2i+1 are the answer and the word of pair i. The negatives follow.
	var samples [][]float64
	var labels []bool
	for _, p := range pairs {
		samples = append(samples, direction64(x.words.set, x.ids[p.b]), normalized(p.word.vector))
		labels = append(labels, true, false)
	}
	for _, id := range negatives {
		samples, labels = append(samples, direction64(x.words.set, id)), append(labels, false)
	}
	of := newRegression(samples, labels)
	problems := make([]problem, len(pairs))
	err := each(ctx, len(pairs), func(i int) {
		p := pairs[i].about(section, at[i])
		p.word = normalized(pairs[i].word.vector)
		p.normal, p.intercept = of.without(2*i, 2*i+1)
		problems[i] = p
	})
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		normal := make([]float32, len(p.normal))
		for i, v := range p.normal {
			normal[i] = float32(v)
		}
		p.slope = floats.Norm(p.normal, 2)
		p.b = x.addUnit(normal, -1)
		x.problems = append(x.problems, p)
	}
	return names, nil
}

// draw returns up to n candidates that have a direction and are not words of the relation. The
// result depends only on the seed, the candidates and the words of the relation.
func (x *solver) draw(relation Relation, n int, seed uint64) []int {
	taken := make(map[int]bool)
	for _, p := range relation.Pairs {
		taken[x.words.find(p.Word).id] = true
		for _, answer := range p.Answers {
			taken[x.words.find(answer).id] = true
		}
	}
	_, inverse := x.words.set.Directions()
	r := rand.New(rand.NewPCG(seed, 0x6e656761)) // the stream is not that of intervals
	var ids []int
	// Sparse Fisher-Yates shuffle: each candidate comes once, in random order.
	moved := make(map[int]int)
	for left := x.candidates; left > 0 && len(ids) < n; left-- {
		i := r.IntN(left)
		id, ok := moved[i]
		if !ok {
			id = i
		}
		last, ok := moved[left-1]
		if !ok {
			last = left - 1
		}
		moved[i] = last
		if inverse[id] == inverse[id] && !taken[x.words.same(id)] {
			ids = append(ids, id)
		}
	}
	return ids
}

func direction64(s *vectors.Set, id int) []float64 {
	v := make([]float32, s.Dim())
	s.Vector(v, s.Words().At(id))
	return normalized(v)
}

func normalized(v []float32) []float64 {
	wide := make([]float64, len(v))
	for i, x := range v {
		wide[i] = float64(x)
	}
	if norm := floats.Norm(wide, 2); norm > 0 {
		for i := range wide {
			wide[i] /= norm
		}
	}
	return wide
}

// A regression is a logistic regression with an L2 penalty: it minimises ½‖w‖² + Σ log(1 +
// exp(−y·(w·x + intercept))), with labels y of 1 and −1. The intercept has no penalty. This is
// what LogisticRegression(C=1) of scikit-learn minimises.
type regression struct {
	samples [][]float64 // each followed by 1 for the intercept
	labels  []float64   // 1 or 0
	all     []float64   // the solution for all samples
	hessian mat.Cholesky
}

func newRegression(samples [][]float64, labels []bool) *regression {
	r := new(regression)
	for i, sample := range samples {
		r.samples = append(r.samples, append(sample[:len(sample):len(sample)], 1))
		r.labels = append(r.labels, oneIf(labels[i]))
	}
	r.all = make([]float64, len(r.samples[0]))
	r.hessian = r.minimize(r.all, nil)
	return r
}

func (r *regression) without(left ...int) (normal []float64, intercept float64) {
	w := append([]float64{}, r.all...)
	r.minimize(w, left)
	last := len(w) - 1
	return w[:last], w[last]
}

// minimize moves w, the normal followed by the intercept, to the minimum for all samples except
// those left out, by Newton's method. Leaving out a few samples hardly changes the solution or its
// Hessian, so minimize reuses the Hessian of all samples as long as steps converge fast. It stops
// when the gradient is rounding error. If left is nil, it returns the Hessian at the end.
func (r *regression) minimize(w []float64, left []int) mat.Cholesky {
	const steps, enough = 200, 1e-12
	hessian, fresh := r.hessian, false
	if left == nil {
		hessian, fresh = r.curvature(w, left), true
	}
	g := r.gradient(w, left)
	size := floats.Norm(g, 2)
	for range steps {
		if size <= enough {
			break
		}
		step := mat.NewVecDense(len(w), nil)
		if hessian.SolveVecTo(step, mat.NewVecDense(len(g), g)) != nil {
			break // never happens: the Hessian has no eigenvalue near zero
		}
		next, nextSize, nextG := w, size, g
		for scale := 1.0; scale > 1e-6; scale /= 2 {
			next = append([]float64{}, w...)
			floats.AddScaled(next, -scale, step.RawVector().Data)
			nextG = r.gradient(next, left)
			if nextSize = floats.Norm(nextG, 2); nextSize < size {
				break
			}
		}
		better := nextSize < size
		slow := !(nextSize < size/2)
		if better {
			copy(w, next)
			g, size = nextG, nextSize
		}
		switch {
		case !better && fresh:
			return hessian // rounding errors are as large as the gradient
		case slow || fresh && left == nil:
			hessian, fresh = r.curvature(w, left), true
		default:
			fresh = false
		}
	}
	return hessian
}

func (r *regression) gradient(w []float64, left []int) []float64 {
	last := len(w) - 1
	g := append([]float64{}, w...)
	g[last] = 0
	for i, x := range r.samples {
		if !slices.Contains(left, i) {
			floats.AddScaled(g, r.probability(w, x)-r.labels[i], x)
		}
	}
	return g
}

func (r *regression) curvature(w []float64, left []int) mat.Cholesky {
	n := len(w)
	h := mat.NewSymDense(n, nil)
	for i := range n - 1 {
		h.SetSym(i, i, 1)
	}
	for i, x := range r.samples {
		if p := r.probability(w, x); !slices.Contains(left, i) {
			blas64.Syr(p*(1-p), blas64.Vector{N: n, Data: x, Inc: 1}, h.RawSymmetric())
		}
	}
	var c mat.Cholesky
	if !c.Factorize(h) { // p·(1−p) of every sample is zero
		h.SetSym(n-1, n-1, h.At(n-1, n-1)+1e-12)
		c.Factorize(h)
	}
	return c
}

func (r *regression) probability(w, x []float64) float64 {
	return 1 / (1 + math.Exp(-floats.Dot(w, x)))
}
