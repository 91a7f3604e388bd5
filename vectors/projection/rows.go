package projection

import (
	"context"

	"github.com/w2v-go/w2v/vectors"
)

// A table is the vectors of those words of a set that can be placed, in memory: a set may be mapped
// from a file that changes, and what is computed from it takes many passes.
type table struct {
	rows vectors.Matrix
	ids  []int32 // of the words, rising
}

// readRows reads the vectors of s: of length 1, without those that have no direction, or as they
// are, without those that are not finite.
func readRows(ctx context.Context, s *vectors.Set, unit bool) (table, error) {
	t := table{rows: vectors.NewMatrix(s.Len(), s.Dim())}
	err := s.EachVector(func(id int, v []float32) error {
		if id%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		to := t.rows.Row(len(t.ids))
		if unit {
			if !isDirection(v) || !vectors.Unit(to, v) {
				return nil
			}
		} else if !vectors.Finite(v) {
			return nil
		} else {
			copy(to, v)
		}
		t.ids = append(t.ids, int32(id))
		return nil
	})
	t.rows = t.rows.First(len(t.ids))
	return t, err
}
