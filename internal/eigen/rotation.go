package eigen

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// RotationBytes returns how many bytes Rotation allocates for a matrix of n rows, besides the matrix.
func RotationBytes(n int) float64 { return 8*float64(n)*float64(n) + Bytes(n) }

// Rotation returns the orthogonal matrix that is nearest to m, which has n rows and columns: the
// one whose elementwise product with m has the largest sum. It overwrites m. The result is
// m·(mᵀ·m)^(−½). Directions in which m is zero get arbitrary vectors that are orthogonal to the
// others, the same ones every time. Directions in which m is less than about 10⁻⁷ of its largest
// are not optimal.
func Rotation(ctx context.Context, m []float64, n int, step func(done float64)) ([]float64, error) {
	var largest float64
	for _, x := range m {
		largest = max(largest, math.Abs(x))
	}
	if largest > 0 {
		floats.Scale(1/largest, m)
	}
	gram := make([]float64, n*n)
	if err := Multiply(ctx, gram, m, true, m, false, n, n, n); err != nil {
		return nil, err
	}
	_, right, err := Symmetric(ctx, gram, n, step)
	if err != nil {
		return nil, err
	}
	// Row i of left is m times column i of right.
	left := gram
	if err := Multiply(ctx, left, right, true, m, true, n, n, n); err != nil {
		return nil, err
	}
	if err := orthonormalise(ctx, left, n); err != nil {
		return nil, err
	}
	if err := Multiply(ctx, m, left, true, right, true, n, n, n); err != nil {
		return nil, err
	}
	return m, nil
}

// panel is the number of rows that are made orthogonal to all rows before them at a time.
const panel = 32

// orthonormalise makes each row of a matrix orthogonal to the rows before it, and of length 1.
func orthonormalise(ctx context.Context, rows []float64, n int) error {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	dots, sums := make([]float64, panel*n), make([]float64, panel*n)
	length := math.Sqrt(floats.Dot(rows[:n], rows[:n])) // the first row is the longest
	for first := 0; first < n; first += panel {
		last := min(first+panel, n)
		these, before := rows[first*n:last*n], rows[:first*n]
		for i := first; i < last; i++ {
			row := rows[i*n : (i+1)*n]
			if own := math.Sqrt(floats.Dot(row, row)); own > 1e-13*length && own > 0 {
				floats.Scale(1/own, row)
			} else {
				direction(row, random)
			}
		}
		for range 2 { // twice is enough (Giraud, Langou, Rozložník and van den Eshof 2005)
			if first == 0 {
				break
			}
			if err := Multiply(ctx, dots, these, false, before, true, last-first, n, first); err != nil {
				return err
			}
			if err := Multiply(ctx, sums, dots, false, before, false, last-first, first, n); err != nil {
				return err
			}
			floats.Sub(these, sums[:len(these)])
		}
		for i := first; i < last; i++ {
			if err := orthonormal(ctx, rows, n, i, first, random); err != nil {
				return err
			}
		}
	}
	return nil
}

// orthonormal makes row i orthogonal to the rows first to i-1, and of length 1. If nothing is left
// of the row, it is replaced by a random row that is orthogonal to all of them.
func orthonormal(ctx context.Context, rows []float64, n, i, first int, random *rand.Rand) error {
	row := rows[i*n : (i+1)*n]
	for {
		for range 2 {
			for j := first; j < i; j++ {
				other := rows[j*n : (j+1)*n]
				floats.AddScaled(row, -floats.Dot(row, other), other)
			}
		}
		left := math.Sqrt(floats.Dot(row, row))
		if left > 1e-6 {
			floats.Scale(1/left, row)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		direction(row, random)
		first = 0
	}
}

// direction sets row to a random direction of length 1.
func direction(row []float64, random *rand.Rand) {
	for k := range row {
		row[k] = random.NormFloat64()
	}
	floats.Scale(1/math.Sqrt(floats.Dot(row, row)), row)
}
