package projection

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// A table is the vectors of those words of a set that can be placed, in memory: a set may be mapped
// from a file that changes, and what is computed from it takes many passes.
type table struct {
	rows vectors.Matrix
	ids  []int32 // of the words, rising
}

// readRows reads the vectors of s into rows that keep makes of them. It returns false for a vector that has no row.
func readRows(ctx context.Context, s *vectors.Set, keep func(row, vector []float32) bool) (table, error) {
	t := table{rows: vectors.NewMatrix(s.Len(), s.Dim())}
	err := s.EachVector(func(id int, v []float32) error {
		if id%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if keep(t.rows.Row(len(t.ids)), v) {
			t.ids = append(t.ids, int32(id))
		}
		return nil
	})
	t.rows = t.rows.First(len(t.ids))
	return t, err
}

// asIs keeps finite vectors as they are.
func asIs(row, v []float32) bool {
	copy(row, v)
	return vectors.Finite(v)
}

// unit makes vectors that have a direction as long as 1.
func unit(row, v []float32) bool { return vectors.Unit(row, v) }

// scaled keeps the directions of vectors to the bit: it multiplies them by a power of two, so that their length is from ½ to 1,
// and returns that length. It is 0 for vectors without direction.
func scaled(row, v []float32) float64 {
	length := math.Sqrt(dot(v, v))
	if !(length > 0) || math.IsInf(length, 0) {
		return 0
	}
	fraction, exponent := math.Frexp(length)
	factor := math.Ldexp(1, -exponent)
	for i, x := range v {
		row[i] = float32(float64(x) * factor)
	}
	return fraction
}

// dot returns the product of two rows in float64.
func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
