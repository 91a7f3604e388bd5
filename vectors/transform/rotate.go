package transform

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// orthogonalTo is the tolerance for numbers of rotationᵀ·rotation, compared with the identity.
const orthogonalTo = 1e-6

// Rotate returns s with every vector v replaced by v·rotation, computed on demand in float64. The rotation is
// an orthogonal matrix of Dim × Dim numbers, row by row; reflections are possible. Lengths, cosines and dot
// products stay, up to rounding. Context vectors are rotated alike.
//
// The rotation is linear, so Rotate applies it to the rows whose sums or means are vectors, and n-grams stay.
// In a factorized set Rotate rotates the projection; quantised rows stay unchanged and are multiplied by the
// rotation. Hash embeddings with appended weights become plain words, because their last dimensions are not
// those of rows. Position weights multiply single dimensions, so they are left out, except in a factorized
// set, where they belong to its rows.
func Rotate(s *vectors.Set, rotation []float64) (*vectors.Set, error) {
	d := s.Dim()
	if err := checkRotation(rotation, d); err != nil {
		return nil, err
	}
	if s.Learned().Appended > 0 {
		s = s.Plain()
	}
	by := blas64.General{Rows: d, Cols: d, Stride: d, Data: rotation}
	behind := errorsOf(s)
	rotated := affineMap{make([]float64, d), d, onto(by), "rotated"}
	rotate := func(name string, m vectors.Matrix) vectors.Matrix {
		if m.Rows == 0 {
			return m
		}
		return rotated.rows(s, behind, name, m, m.Rows)
	}
	p := s.MapRows(func(m vectors.Matrix) vectors.Matrix { return rotate(vectors.MatrixOutput, m) }).SharedParts()
	p.Source = behind
	p.Training.Set("nested", "") // the first dimensions are new
	rows, projection, factored := s.Input().Factors()
	switch {
	case factored:
		p.Input = vectors.Product(rows, rotate(vectors.MatrixInput, projection))
	case !slices.Contains(vectors.DTypes(), vectors.DType(s.Input().Encoding())): // codes, which take less room than numbers
		p.Input, factored = vectors.Product(s.Input(), vectors.Stored(d, d, coded.Func(func(dst []float32, r int) {
			for k, x := range rotation[r*d : (r+1)*d] {
				dst[k] = float32(x)
			}
		}))), true
	default:
		p.Input = rotate(vectors.MatrixInput, s.Input())
	}
	for _, m := range matricesOf(s, func(k vectors.MatrixKind) bool { return k.RowSpace }) {
		switch {
		case factored:
			p.Put(m.Name, m.Matrix)
		case m.Kind().Table:
			p.Put(m.Name, vectors.Matrix{})
		default:
			p.Put(m.Name, rotate(m.Name, m.Matrix))
		}
	}
	if outputIsInput(s) {
		p.Output = p.Input
	}
	return vectors.New(p)
}

func checkRotation(rotation []float64, d int) error {
	if len(rotation) != d*d {
		return fmt.Errorf("a rotation of %d numbers for vectors of %d dimensions, must have %d", len(rotation), d, d*d)
	}
	gram := general(d, d)
	if d > 0 {
		r := blas64.General{Rows: d, Cols: d, Stride: d, Data: rotation}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, r, r, 0, gram)
	}
	for i, x := range gram.Data {
		if i%(d+1) == 0 {
			x--
		}
		if !(math.Abs(x) <= orthogonalTo) { // true for NaN, too
			return fmt.Errorf("the rotation is not orthogonal: its columns %d and %d are off by %.3g", i/d, i%d, x)
		}
	}
	return nil
}
