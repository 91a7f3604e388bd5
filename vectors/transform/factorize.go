package transform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// FactorizeOptions say how much Factorize keeps. Set either Rank or Energy.
type FactorizeOptions struct {
	Rank        int     // columns of the first factor, from 1 to the number of dimensions
	Energy      float64 // chooses the smallest rank that keeps this share, above 0, of the squares of all numbers
	Computation Computation
}

// Validate returns an error unless exactly one of Rank and Energy is set, to a valid value.
func (o FactorizeOptions) Validate() error {
	switch {
	case o.Rank != 0 && o.Energy != 0:
		return errors.New("a rank and an energy to keep exclude each other")
	case o.Energy == 0 && o.Rank < 1:
		return fmt.Errorf("the rank must be at least 1, is %d", o.Rank)
	case o.Energy != 0 && !(o.Energy > 0 && o.Energy <= 1):
		return fmt.Errorf("the energy to keep must be above 0 and at most 1, is %v", o.Energy)
	}
	return nil
}

// A Factorization describes how Factorize replaced the matrix W of all rows by the product W_H of rank H.
type Factorization struct {
	Rank int `json:"rank"` // H
	Dim  int `json:"dim"`  // columns of W
	Rows int `json:"rows"` // rows of W
	// Error is ‖W − W_H‖, the square root of the sum of squared differences between the original rows and the
	// products of the factors, in float32, as files store them. Every row was compared.
	Error          float64   `json:"error"`
	RelativeError  float64   `json:"relative_error"`  // Error divided by ‖W‖, or 0 if ‖W‖ is 0
	EnergyKept     float64   `json:"energy_kept"`     // share of the first H singular values in the squares of all
	SingularValues []float64 `json:"singular_values"` // of W, the largest first
	// Dropped are the SingularValues after the first H. The square of Error is the sum of their squares, and
	// no matrix of that rank has a smaller one (Eckart and Young 1936).
	Dropped []float64 `json:"dropped"`
}

// Bound is the square root of the sum of the squares of Dropped. Error equals Bound up to rounding.
func (f Factorization) Bound() float64 {
	var sum float64
	for _, s := range f.Dropped {
		sum += s * s
	}
	return math.Sqrt(sum)
}

// Factorize returns s with input rows of Rank numbers times a Rank × Dim projection: the truncated singular
// value decomposition of the matrix of all input rows, the best approximation of this rank. Input rows
// include the rows of character and word n-grams, so other words and sentences are composed as before.
// Untrained buckets stay zeros.
//
// The decomposition is computed in float64 from the Dim × Dim matrix of the products of columns, and does not
// depend on the number of cores. Singular values are exact to about 10⁻⁸ of the largest one, errors to the
// precision of float32. Context vectors and all else that only training uses are left out. Factorize returns
// an error if a row has a number that is not finite.
func Factorize(ctx context.Context, s *vectors.Set, o FactorizeOptions) (*vectors.Set, Factorization, error) {
	rows := s.Input()
	for _, part := range partVectors(s) {
		rows = stacked(rows, part.Matrix)
	}
	done := Factorization{Dim: rows.Cols, Rows: rows.Rows}
	if err := o.Validate(); err != nil {
		return nil, done, err
	}
	switch {
	case s.Dim() > s.Input().Cols:
		return nil, done, errors.New("the last dimensions are weights of hash embeddings, of which no row is made: a model without appended weights can be factorised")
	case o.Rank > done.Dim:
		return nil, done, fmt.Errorf("a rank of %d asked for, there are %d dimensions", o.Rank, done.Dim)
	case done.Dim > MaxReduced:
		return nil, done, fmt.Errorf("%d dimensions, at most %d can be factorised: reduce them, or take the first ones", done.Dim, MaxReduced)
	}
	what, how := fmt.Sprintf("factors of %d dimensions", done.Dim), o.Computation
	if err := how.affords(axesBytes(done.Dim)+distanceBytes(done.Dim, cmp.Or(o.Rank, done.Dim)), what, "reduce the dimensions, or take the first ones, before"); err != nil {
		return nil, done, err
	}
	if err := s.Check(); err != nil {
		return nil, done, err
	}
	if done.Rows == 0 {
		return nil, done, errors.New("there are no rows to factorise")
	}
	origin := make([]float64, done.Dim)
	gram, _, notFinite, err := scatter(ctx, behind(s), rows, origin, how.step(what, 0, 0.4))
	if err != nil {
		return nil, done, err
	}
	if notFinite >= 0 {
		return nil, done, fmt.Errorf("%s has a number that is not finite, and nothing is near such a row: leave it out first", s.RowName(vectors.MatrixInput, notFinite))
	}
	axes, energies, err := principal(ctx, gram, how.step(what, 0.4, 0.8))
	if err != nil {
		return nil, done, err
	}
	done.Rank = o.Rank
	if o.Energy > 0 {
		done.Rank = rankFor(energies, o.Energy)
	}
	for _, e := range energies {
		done.SingularValues = append(done.SingularValues, math.Sqrt(e))
	}
	done.Dropped = append([]float64{}, done.SingularValues[done.Rank:]...)
	done.EnergyKept = share(energies, done.Rank)
	axes.Cols = done.Rank

	projection := vectors.NewMatrix(done.Rank, done.Dim)
	for h := range done.Rank {
		for k := range projection.Row(h) {
			projection.Row(h)[k] = float32(axes.Data[k*axes.Stride+h])
		}
	}
	var norm float64
	if done.Error, norm, err = distance(ctx, s, rows, axes, projection, how.step(what, 0.8, 1)); err != nil {
		return nil, done, err
	}
	if norm > 0 {
		done.RelativeError = done.Error / norm
	}
	to, behind := affineMap{origin, done.Rank, onto(axes), "mapped to factors"}, errorsOf(s)
	input := to.rows(s, behind, vectors.MatrixInput, s.Input(), s.Input().Rows)
	f := withMatrices(s, vectors.Product(input, projection), vectors.Matrix{})
	f.OneMatrix, f.Source = false, behind
	f.Matrices = matricesOf(s, func(k vectors.MatrixKind) bool { return k.Table && !k.RowSpace && !k.Output })
	for _, part := range partVectors(s) {
		f.Put(part.Name, to.rows(s, behind, part.Name, part.Matrix, part.Rows))
	}
	factored, err := vectors.New(f)
	return factored, done, err
}

func rankFor(energies []float64, wanted float64) int {
	for rank := 1; rank < len(energies); rank++ {
		if share(energies, rank) >= wanted {
			return rank
		}
	}
	return len(energies)
}

// distanceBytes is about the memory of distance, including the projection.
func distanceBytes(dim, rank int) float64 {
	d, h := float64(dim), float64(rank)
	return (8+4)*d*h + 8*blockRows*(d+h)
}

// distance returns the norm of the differences of rows from their reconstructions in float32, and of the rows.
func distance(ctx context.Context, s *vectors.Set, of vectors.Matrix, axes blas64.General, projection vectors.Matrix, step func(done float64)) (distance, norm float64, err error) {
	rank, d := axes.Cols, axes.Rows
	back := general(rank, d)
	for h := range rank {
		for k, x := range projection.Row(h) {
			back.Data[h*d+k] = float64(x)
		}
	}
	most := min(blockRows, of.Rows)
	rows, places, sums := make([]float64, most*d), make([]float64, most*rank), make([][2]float64, most)
	err = eachBlock(ctx, behind(s), of, blockRows, step, func(_ int, block vectors.Matrix) error {
		size := min(32, max(1, 1<<28/(d*rank))) // limits a step to about a second of products
		err := eigen.InBands(ctx, block.Rows, size, func(first, last int) {
			n := last - first
			row := blas64.General{Rows: n, Cols: d, Stride: d, Data: rows[first*d:]}
			place := blas64.General{Rows: n, Cols: rank, Stride: rank, Data: places[first*rank:]}
			for r := range n {
				sums[first+r] = [2]float64{}
				for k, x := range block.Row(first + r) {
					row.Data[r*d+k] = float64(x)
					sums[first+r][1] += float64(x) * float64(x)
				}
			}
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, row, axes, 0, place)
			for i, x := range place.Data[:n*rank] {
				place.Data[i] = float64(float32(x))
			}
			blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, place, back, 1, row)
			for r := range n {
				for _, x := range row.Data[r*d : (r+1)*d] {
					sums[first+r][0] += x * x
				}
			}
		})
		if err != nil {
			return err
		}
		for _, sum := range sums[:block.Rows] {
			distance += sum[0]
			norm += sum[1]
		}
		return nil
	})
	return math.Sqrt(distance), math.Sqrt(norm), err
}

// Whole returns s with each word's row replaced by the whole word vector, including n-grams, as in
// finalfusion: n-grams then only compose other words. Factors are multiplied out. Whole returns s itself if
// there are no factors and no words with both own rows and n-grams.
func Whole(s *vectors.Set) *vectors.Set {
	if _, _, factored := s.Input().Factors(); factored {
		input := vectors.Stored(s.Input().Rows, s.Dim(), firstColumns{s.Input()}) // of all columns: without the factors
		runs := partVectors(s)
		p := withMatrices(s, input, s.Output())
		drop(&p, func(k vectors.MatrixKind) bool { return k.RowSpace })
		for _, m := range runs {
			p.Put(m.Name, m.Matrix)
		}
		s = made(p)
	}
	if !s.Composes() || !s.OwnRows() || s.Len() == 0 {
		return s
	}
	w := plainWith(s, stacked(s.Rows(), s.Input()), s.Output())
	w.Subword, w.Composition = s.Subword(), wholeRows
	w.Matrices = s.Matrices()
	w.BucketRows = make([]int32, s.Subword().Rows())
	for b := range w.BucketRows {
		w.BucketRows[b] = -1
		if r := s.BucketRow(uint32(b)); r >= 0 {
			w.BucketRows[b] = int32(s.Len() + r)
		}
	}
	return made(w)
}

func stacked(first, second vectors.Matrix) vectors.Matrix {
	return vectors.Stored(first.Rows+second.Rows, first.Cols, coded.Func(func(dst []float32, r int) {
		if r < first.Rows {
			first.Read(dst, r)
		} else {
			second.Read(dst, r-first.Rows)
		}
	}))
}
