package transform

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
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

// times returns v·rotation.
func times(v, rotation []float64) []float64 {
	d := len(v)
	out := make([]float64, d)
	for i, x := range v {
		for k := range out {
			out[k] += x * rotation[i*d+k]
		}
	}
	return out
}

// Every word, known or composed, has its vector rotated, whatever vectors are made of.
func TestRotateVariants(t *testing.T) {
	for name, s := range trial.Variants() {
		by := orthogonal(s.Dim(), 7)
		r, err := Rotate(s, by)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		words := s.Words().Strings()
		if r.Subword() != nil {
			words = append(words, trial.Unknown()...)
		}
		for _, word := range words {
			want := trial.Definition(s, word)
			got, ok := trial.Vector(r, word)
			if ok != (want != nil) {
				t.Errorf("%s: %q has a vector: %t", name, word, ok)
			} else if ok {
				trial.Near(t, name+": "+word, got, trial.Narrow(times(want, by)))
			}
		}
		if appended := name == "hash, appended" || name == "cbow, appended"; (r.Subword() == nil) != (s.Subword() == nil || appended) {
			t.Errorf("%s: n-grams %v", name, r.Subword())
		}
		for id := range min(s.Output().Rows, r.Output().Rows) {
			wide := make([]float64, s.Dim())
			for k, x := range s.Output().Row(id) {
				wide[k] = float64(x)
			}
			trial.Near(t, name+": context", r.Output().Row(id), trial.Narrow(times(wide, by)))
		}
		for _, m := range []string{vectors.MatrixNodes, vectors.MatrixPositionOutput, vectors.MatrixWordNgrams} {
			if r.Subword() != nil && r.Matrix(m).Rows != s.Matrix(m).Rows {
				t.Errorf("%s: %s has %d rows, want %d", name, m, r.Matrix(m).Rows, s.Matrix(m).Rows)
			}
		}
		if err := r.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		back := make([]float64, len(by)) // the inverse is the transpose
		d := s.Dim()
		for i := range d {
			for k := range d {
				back[k*d+i] = by[i*d+k]
			}
		}
		again, err := Rotate(r, back)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for id := range s.Len() {
			trial.Near(t, name+": there and back", trial.WordVector(again, id), trial.WordVector(s, id))
		}
	}
}

// Codes stay codes: the rotation is a projection that they are multiplied by.
func TestRotateCodes(t *testing.T) {
	s, err := Quantize(t.Context(), trial.Quantizable(60, 40, 8), QuantizeOptions{Method: QuantizeInt8})
	if err != nil {
		t.Fatal(err)
	}
	by := orthogonal(8, 3)
	r, err := Rotate(s, by)
	if err != nil {
		t.Fatal(err)
	}
	if r.Input().Encoding() != vectors.EncodingInt8 {
		t.Errorf("rows are %s", r.Input().Encoding())
	}
	for _, word := range append(s.Words().Strings(), "theatre") {
		v, _ := trial.Vector(s, word)
		wide := make([]float64, len(v))
		for k, x := range v {
			wide[k] = float64(x)
		}
		got, _ := trial.Vector(r, word)
		trial.Near(t, word, got, trial.Narrow(times(wide, by)))
	}
}

func TestRotateRefuses(t *testing.T) {
	s := trial.Plain(5, 2)
	for want, rotation := range map[string][]float64{
		"a rotation of 3 numbers for vectors of 2 dimensions, must have 4":   {1, 0, 0},
		"the rotation is not orthogonal: its columns 0 and 0 are off by 3":   {2, 0, 0, 1},
		"the rotation is not orthogonal: its columns 0 and 1 are off by 1":   {1, 1, 0, 1},
		"the rotation is not orthogonal: its columns 0 and 0 are off by NaN": {math.NaN(), 0, 0, 1},
		"the rotation is not orthogonal: its columns 0 and 0 are off by -1":  {0, 0, 0, 1},
	} {
		if _, err := Rotate(s, rotation); err == nil || err.Error() != want {
			t.Errorf("%v: error %v, want %s", rotation, err, want)
		}
	}
}
