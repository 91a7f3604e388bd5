package align_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// orthogonal returns a random orthogonal matrix, row by row.
func orthogonal(d int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	numbers := make([]float64, d*d)
	for i := range numbers {
		numbers[i] = r.NormFloat64()
	}
	var qr mat.QR
	qr.Factorize(mat.NewDense(d, d, numbers))
	var q mat.Dense
	qr.QTo(&q)
	return q.RawMatrix().Data
}

// rotate returns s rotated.
func rotate(t *testing.T, s *vectors.Set, by []float64) *vectors.Set {
	t.Helper()
	r, err := transform.Rotate(s, by)
	if err != nil {
		t.Fatal(err)
	}
	return inMemory(r)
}

// inMemory returns a copy of the words of s and their vectors.
func inMemory(s *vectors.Set) *vectors.Set {
	m := vectors.NewMatrix(s.Len(), s.Dim())
	for id := range s.Len() {
		s.WordVector(m.Row(id), id)
	}
	return trial.New(vectors.Parts{Words: s.Words(), Counts: s.Counts(), Input: m})
}

// shared returns the words of both sets.
func shared(t *testing.T, a, b *vectors.Set) []align.Pair {
	t.Helper()
	pairs, err := align.Shared(a, b, align.SharedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// A set that was rotated is rotated back, whatever steps come before the fit.
func TestRotatedCopyAligns(t *testing.T) {
	const n, d = 3000, 24
	b := trial.Plain(n, d)
	a := rotate(t, b, orthogonal(d, 5))
	for _, steps := range [][]align.Step{nil, {align.Unit}, {align.Center}, {align.Unit, align.Center, align.Unit}} {
		fit, err := align.Procrustes(t.Context(), a, b, shared(t, a, b), align.Options{Steps: steps})
		if err != nil {
			t.Fatal(err)
		}
		if fit.Anchors != n || fit.Unused != 0 || fit.Dim != d || fit.Residual > 1e-6 || fit.MeanCosine < 1-1e-12 {
			t.Errorf("%v: %+v", steps, fit)
		}
		aligned, err := fit.Apply(a)
		if err != nil {
			t.Fatal(err)
		}
		for id := range n {
			for k, x := range trial.WordVector(aligned, id) {
				if want := b.Input().Row(id)[k]; math.Abs(float64(x-want)) > 1e-6 {
					t.Fatalf("%v: word %d has %v, want %v", steps, id, x, want)
				}
			}
		}
	}
}

// A turn of 90 degrees in the plane, by hand: (x, y) becomes (-y, x).
func TestQuarterTurn(t *testing.T) {
	a := trial.OfRows([]float32{1, 0}, []float32{0, 2}, []float32{3, 3})
	b := trial.OfRows([]float32{0, 1}, []float32{-2, 0}, []float32{-3, 3})
	fit, err := align.Procrustes(t.Context(), a, b, shared(t, a, b), align.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 1, -1, 0} {
		if math.Abs(fit.Rotation[i]-want) > 1e-12 {
			t.Errorf("rotation %v, want 0 1 -1 0", fit.Rotation)
		}
	}
	c := trial.OfRows([]float32{0, 1}, []float32{2, 0}, []float32{3, 3}, []float32{0, 0})
	cosines, err := fit.Cosines(t.Context(), a, c, []align.Pair{{A: 2, B: 2}, {A: 1, B: 1}, {A: 0, B: 0}, {A: 0, B: 3}})
	if err != nil || len(cosines) != 4 || math.Abs(cosines[0]) > 1e-12 || math.Abs(cosines[1]+1) > 1e-12 || math.Abs(cosines[2]-1) > 1e-12 || !math.IsNaN(cosines[3]) {
		t.Errorf("cosines %v, want 0 -1 1 NaN, %v", cosines, err)
	}
	if want := 1.0 + 4 + 18; math.Abs(fit.Scale-want) > 1e-12 {
		t.Errorf("scale %v, want %v", fit.Scale, want)
	}
}

// A mean that all vectors share does not bend the rotation if it is taken off.
func TestCenterTakesOffTheMean(t *testing.T) {
	const n, d = 2000, 8
	b := trial.Plain(n, d)
	a := rotate(t, b, orthogonal(d, 3))
	moved := vectors.NewMatrix(n, d)
	for id := range n {
		for k, x := range a.Input().Row(id) {
			moved.Row(id)[k] = x + float32(k) // far away from b
		}
	}
	a = trial.With(a, func(p *vectors.Parts) { p.Input = moved })
	fit, err := align.Procrustes(t.Context(), a, b, shared(t, a, b), align.Options{Steps: []align.Step{align.Center}})
	if err != nil || fit.Residual > 1e-5 {
		t.Errorf("%+v, %v", fit, err)
	}
}

// N-grams are rotated with the words, so words that no vocabulary has are aligned too.
func TestNgramsAlign(t *testing.T) {
	b := trial.Quantizable(200, 50, 6)
	a, err := transform.Rotate(b, orthogonal(6, 9))
	if err != nil {
		t.Fatal(err)
	}
	fit, err := align.Procrustes(t.Context(), a, b, shared(t, a, b), align.Options{})
	if err != nil {
		t.Fatal(err)
	}
	aligned, err := fit.Apply(a)
	if err != nil {
		t.Fatal(err)
	}
	if subword.NameOf(aligned.Subword()) != "fasttext" {
		t.Fatalf("n-grams are %s", subword.NameOf(aligned.Subword()))
	}
	for _, word := range []string{"theatre", "cats"} {
		got, _ := trial.Vector(aligned, word)
		want, _ := trial.Vector(b, word)
		trial.Near(t, word, got, want)
	}
}

// Words without a direction are not anchors.
func TestUnusedAnchors(t *testing.T) {
	nan := float32(math.NaN())
	a := trial.OfRows([]float32{1, 0}, []float32{0, 1}, []float32{0, 0}, []float32{nan, 1})
	b := trial.OfRows([]float32{0, 1}, []float32{1, 0}, []float32{1, 1}, []float32{1, 1})
	fit, err := align.Procrustes(t.Context(), a, b, shared(t, a, b), align.Options{Steps: []align.Step{align.Center}})
	if err != nil || fit.Anchors != 2 || fit.Unused != 2 || fit.Residual > 1e-12 {
		t.Errorf("%+v, %v", fit, err)
	}
}

func TestProcrustesRefuses(t *testing.T) {
	a, b := trial.Plain(5, 3), trial.Plain(5, 4)
	all := []align.Pair{{A: 0, B: 0}}
	zeros := trial.OfRows([]float32{0, 0, 0})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for want, call := range map[string]func() (*align.Fit, error){
		"vectors of 3 dimensions cannot be rotated onto vectors of 4: reduce the longer ones first, or train both alike": func() (*align.Fit, error) {
			return align.Procrustes(t.Context(), a, b, all, align.Options{})
		},
		"there are no anchors: no pair of words that both have a vector": func() (*align.Fit, error) {
			return align.Procrustes(t.Context(), zeros, a, all, align.Options{})
		},
		"align: there is no pair of words 0 and 5 in sets of 5 and 5 words": func() (*align.Fit, error) {
			return align.Procrustes(t.Context(), a, a, []align.Pair{{A: 0, B: 5}}, align.Options{})
		},
		`align: the step "whiten" is not known; known are unit, center`: func() (*align.Fit, error) {
			return align.Procrustes(t.Context(), a, a, all, align.Options{Steps: []align.Step{"whiten"}})
		},
		"context canceled": func() (*align.Fit, error) {
			return align.Procrustes(ended, a, a, all, align.Options{})
		},
	} {
		if fit, err := call(); fit != nil || err == nil || err.Error() != want {
			t.Errorf("%+v, error %v, want %s", fit, err, want)
		}
	}
	if _, err := align.Procrustes(t.Context(), a, a, nil, align.Options{}); !errors.Is(err, align.ErrNoAnchors) {
		t.Errorf("without pairs: error %v", err)
	}
}

// Which shared words are anchors.
func TestShared(t *testing.T) {
	set := func(counts []uint64, words ...string) *vectors.Set {
		return trial.New(vectors.Parts{Words: vectors.NewWords(words...), Counts: counts, Input: trial.Plain(len(words), 2).Input()})
	}
	a := set([]uint64{90, 50, 40, 30, 20}, "the", "cat", "sat", "mat", "cat")
	b := set([]uint64{5, 80, 70, 60}, "mat", "sat", "dog", "the")
	for _, test := range []struct {
		o    align.SharedOptions
		want string
	}{
		{align.SharedOptions{}, "[{0 3} {2 1} {3 0}]"},
		{align.SharedOptions{Exclude: []string{"sat"}}, "[{0 3} {3 0}]"},
		{align.SharedOptions{MinCount: 40}, "[{0 3} {2 1}]"},
		{align.SharedOptions{Top: 1}, "[{0 3}]"}, // ranks 0 and 2; those of "sat" are 2 and 0, and it comes later
		{align.SharedOptions{Top: 2}, "[{0 3} {2 1}]"},
		{align.SharedOptions{Top: 9}, "[{0 3} {2 1} {3 0}]"},
	} {
		pairs, err := align.Shared(a, b, test.o)
		if got := fmt.Sprint(pairs); err != nil || got != test.want {
			t.Errorf("%+v: %v, %v, want %s", test.o, pairs, err, test.want)
		}
	}
	if _, err := align.Shared(a, trial.With(b, func(p *vectors.Parts) { p.Counts = nil }), align.SharedOptions{MinCount: 2}); err == nil {
		t.Error("a least count without counts")
	}
}
