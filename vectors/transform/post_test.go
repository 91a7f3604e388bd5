package transform

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"gonum.org/v1/gonum/mat"
)

// post are the steps of post-processing, and what gonum says they are: of the vectors x of all
// words, one a row, what a vector v becomes.
var post = map[string]struct {
	do   func(ctx context.Context, s *vectors.Set, how Computation) (*vectors.Set, Statistic, error)
	want func(x *mat.Dense, v []float64) []float64
}{
	"center": {
		func(ctx context.Context, s *vectors.Set, how Computation) (*vectors.Set, Statistic, error) {
			return Center(ctx, s, how)
		},
		func(x *mat.Dense, v []float64) []float64 { return centredBy(x, v) },
	},
	"all but the top": {
		func(ctx context.Context, s *vectors.Set, how Computation) (*vectors.Set, Statistic, error) {
			left, done, err := AllButTheTop(ctx, s, 1, how)
			return left, done.Statistic, err
		},
		func(x *mat.Dense, v []float64) []float64 {
			c := centredBy(x, v)
			axes, _ := svdOf(x)
			axis := mat.Col(nil, 0, axes)
			along := mat.Dot(mat.NewVecDense(len(c), c), mat.NewVecDense(len(c), axis))
			for k := range c {
				c[k] -= along * axis[k]
			}
			return c
		},
	},
	"whiten": {
		func(ctx context.Context, s *vectors.Set, how Computation) (*vectors.Set, Statistic, error) {
			white, done, err := Whiten(ctx, s, how)
			return white, done.Statistic, err
		},
		func(x *mat.Dense, v []float64) []float64 {
			c := centredBy(x, v)
			axes, sigma := svdOf(x)
			n, _ := x.Dims()
			out := make([]float64, len(c))
			for i, s := range sigma {
				if s < 1e-6*sigma[0] {
					break
				}
				axis := mat.Col(nil, i, axes)
				along := mat.Dot(mat.NewVecDense(len(c), c), mat.NewVecDense(len(c), axis))
				for k := range out {
					out[k] += along * axis[k] * math.Sqrt(float64(n-1)) / s
				}
			}
			return out
		},
	},
}

func meanRow(x *mat.Dense) []float64 {
	n, d := x.Dims()
	mean := make([]float64, d)
	for i := range n {
		for k := range d {
			mean[k] += x.At(i, k) / float64(n)
		}
	}
	return mean
}

func centredBy(x *mat.Dense, v []float64) []float64 {
	c := slices.Clone(v)
	for k, m := range meanRow(x) {
		c[k] -= m
	}
	return c
}

// svdOf returns the right singular vectors, which are columns, and the singular values of centred rows.
func svdOf(x *mat.Dense) (*mat.Dense, []float64) {
	var c mat.Dense
	c.CloneFrom(x)
	mean := meanRow(x)
	c.Apply(func(_, k int, v float64) float64 { return v - mean[k] }, x)
	var svd mat.SVD
	svd.Factorize(&c, mat.SVDThin)
	var axes mat.Dense
	svd.VTo(&axes)
	return &axes, svd.Values(nil)
}

func vectorsOf(s *vectors.Set) *mat.Dense {
	x := mat.NewDense(s.Len(), s.Dim(), nil)
	for i := range s.Len() {
		x.SetRow(i, wide(trial.WordVector(s, i)))
	}
	return x
}

func wide(v []float32) []float64 {
	w := make([]float64, len(v))
	for k, x := range v {
		w[k] = float64(x)
	}
	return w
}

// Words of the vocabulary and words that n-grams compose are mapped alike, and a sentence to what its vector
// is mapped to.
func TestPostProcessing(t *testing.T) {
	for name, s := range derivable(t) {
		x := vectorsOf(s)
		for step, post := range post {
			t.Run(name+", "+step, func(t *testing.T) {
				got, of, err := post.do(t.Context(), s, Computation{})
				if err != nil {
					t.Fatal(err)
				}
				if err := got.Check(); err != nil {
					t.Fatal(err)
				}
				if got.Output().Rows != 0 || (got.Subword() != nil) != (s.Subword() != nil) || got.Dim() != s.Dim() {
					t.Errorf("%d context vectors, subwords %v, %d dimensions", got.Output().Rows, got.Subword(), got.Dim())
				}
				if of.Words != s.Len() || of.NotFinite != 0 || math.Abs(of.MeanNorm-mat.Norm(mat.NewVecDense(s.Dim(), meanRow(x)), 2)) > 1e-9 ||
					math.Abs(of.RootMeanSquare-mat.Norm(x, 2)/math.Sqrt(float64(s.Len()))) > 1e-9 {
					t.Errorf("statistic %+v", of)
				}
				for _, word := range append(s.Words().Strings(), unknown...) {
					v, ok := trial.Vector(s, word)
					g, gotOK := trial.Vector(got, word)
					if ok != gotOK {
						t.Errorf("%q has a vector: %t, want %t", word, gotOK, ok)
					}
					if ok {
						trial.Near(t, word, g, trial.Narrow(post.want(x, wide(v))))
					}
				}
				tokens := []string{s.Words().At(0), s.Words().At(1), "unheard-of", s.Words().At(0)}
				v, g := make([]float32, s.Dim()), make([]float32, s.Dim())
				if used := s.Sentence(v, tokens); used != got.Sentence(g, tokens) || used < 3 {
					t.Errorf("%d tokens used", used)
				}
				trial.Near(t, "a sentence", g, trial.Narrow(post.want(x, wide(v))))
			})
		}
	}
}

// Whitened vectors are uncorrelated with variance 1, whatever was removed before.
func TestWhitenedCovariance(t *testing.T) {
	s := longRows(500, 12)
	left, _, err := AllButTheTop(t.Context(), s, 3, Computation{})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		of   *vectors.Set
		rank int
	}{"all": {s, 12}, "without three components": {left, 9}} {
		white, done, err := Whiten(t.Context(), test.of, Computation{})
		if err != nil || done.Directions != test.rank {
			t.Fatalf("%s: %v, %+v, want %d directions", name, err, done, test.rank)
		}
		x := vectorsOf(white)
		_, sigma := svdOf(x)
		for i, v := range sigma {
			want := 1.0
			if i >= test.rank {
				want = 0
			}
			if variance := v * v / 499; math.Abs(variance-want) > 1e-5 {
				t.Errorf("%s: variance %d is %v, want %v", name, i, variance, want)
			}
		}
	}
}

// ZCA turns nothing: vectors that are white already stay as they are.
func TestWhitenTwice(t *testing.T) {
	once, _, err := Whiten(t.Context(), longRows(300, 6), Computation{})
	if err != nil {
		t.Fatal(err)
	}
	twice, _, err := Whiten(t.Context(), once, Computation{})
	if err != nil {
		t.Fatal(err)
	}
	for i, word := range once.Words().All() {
		trial.Near(t, word, trial.WordVector(twice, i), trial.WordVector(once, i))
	}
}

// Words whose vectors are not finite have no part in the statistic, and no finite vectors afterwards.
func TestPostProcessingOfWhatIsNotFinite(t *testing.T) {
	nan := float32(math.NaN())
	s := trial.OfRows([]float32{1, 2, 0}, []float32{nan, 0, 0}, []float32{3, 6, 0}, []float32{5, 1, 1})
	finite := trial.OfRows([]float32{1, 2, 0}, []float32{3, 6, 0}, []float32{5, 1, 1})
	for step, post := range post {
		got, of, err := post.do(t.Context(), s, Computation{})
		if err != nil || of.Words != 3 || of.NotFinite != 1 {
			t.Fatalf("%s: %v, %+v", step, err, of)
		}
		want, _, err := post.do(t.Context(), finite, Computation{})
		if err != nil {
			t.Fatal(err)
		}
		for i, from := range []int{0, 2, 3} {
			trial.Near(t, step, trial.WordVector(got, from), trial.WordVector(want, i))
		}
		if vectors.Finite(trial.WordVector(got, 1)) {
			t.Errorf("%s: NaN became %v", step, trial.WordVector(got, 1))
		}
		if got.Err() != nil {
			t.Errorf("%s: %v", step, got.Err())
		}
	}
}

// Hash embeddings are not means of rows: the words of the vocabulary are left, plain.
func TestPostProcessingOfHashEmbeddings(t *testing.T) {
	for name, s := range trial.NgramKinds(t) {
		if !strings.Contains(name, "hash") {
			continue
		}
		x := vectorsOf(s)
		for step, post := range post {
			got, _, err := post.do(t.Context(), s, Computation{})
			if err != nil || got.Subword() != nil {
				t.Fatalf("%s, %s: %v, n-grams %v", name, step, err, got.Subword())
			}
			for i, word := range s.Words().All() {
				trial.Near(t, word, trial.WordVector(got, i), trial.Narrow(post.want(x, wide(trial.WordVector(s, i)))))
			}
		}
	}
}
