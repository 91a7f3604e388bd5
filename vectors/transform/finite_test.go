package transform

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

const huge = math.MaxFloat32

// What makes numbers that are not finite of finite ones fails, in every format, and leaves nothing behind.
// Numbers that are not finite before stay so.
func TestNotFiniteIsNotMade(t *testing.T) {
	nan := float32(math.NaN())
	large := trial.OfRows([]float32{1, 2, 0}, []float32{huge, 0.9 * huge, -huge}, []float32{-0.8 * huge, huge, 3})
	large = trial.With(large, func(p *vectors.Parts) { p.Output = p.Input })
	spoilt := trial.OfRows([]float32{1, 2, 0}, []float32{nan, 1, 1}, []float32{3, 1, 1})
	spoilt = trial.With(spoilt, func(p *vectors.Parts) { p.Output = p.Input })
	for name, test := range map[string]struct {
		do   func(s *vectors.Set) (*vectors.Set, error)
		want string // in the error
	}{
		"std": {func(s *vectors.Set) (*vectors.Set, error) { return Scaled(s, "std=1e308") },
			"the vectors cannot have a standard deviation of 1e+308: their largest number, 3.4028235e+38, would be 1.44e+308, which is beyond those of float32"},
		"sqrt-dim": {func(s *vectors.Set) (*vectors.Set, error) { return Scaled(s, ScaleSqrtDim) },
			`the vector of word 1, "b", has numbers beyond those of float32 when it is scaled`},
		"sum": {func(s *vectors.Set) (*vectors.Set, error) { return WordVectors(s, KindSum) },
			`the context vector of word 1, "b", has numbers beyond those of float32 when it is added to the input vector`},
		"reduce": {func(s *vectors.Set) (*vectors.Set, error) {
			r, _, err := Reduce(t.Context(), s, 2, Computation{})
			return r, err
		},
			`has numbers beyond those of float32 when it is mapped to principal components`},
		"factorize": {func(s *vectors.Set) (*vectors.Set, error) {
			r, _, err := Factorize(t.Context(), s, FactorizeOptions{Rank: 2})
			return r, err
		}, `has numbers beyond those of float32 when it is mapped to factors`},
	} {
		for _, to := range slices.DeleteFunc(format.All(), func(f format.Format) bool { return f == format.Floret }) { // of n-grams alone
			folder := t.TempDir()
			made, err := test.do(large)
			if err == nil {
				err = format.Write(t.Context(), filepath.Join(folder, "out"), made, to)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, %s: error %v, want %s", name, to, err, test.want)
			}
			if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
				t.Errorf("%s, %s: left behind %q", name, to, left)
			}
		}
		if made, err := test.do(spoilt); name != "std" && name != "factorize" { // these refuse it
			if err == nil {
				err = format.Write(t.Context(), filepath.Join(t.TempDir(), "out"), made, format.W2V)
			}
			if err != nil {
				t.Errorf("%s of numbers that are not finite: %v", name, err)
			}
		}
	}
	// Lengths become 1 whatever they are.
	unit, err := Scaled(large, ScaleUnit)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*vectors.Set{unit, Normalized(large)} {
		for id := range s.Len() {
			if norm := length(trial.WordVector(s, id)); math.Abs(norm-1) > 1e-6 {
				t.Errorf("word %d has length %v", id, norm)
			}
		}
	}
}

// length returns the length of a vector.
func length(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}
