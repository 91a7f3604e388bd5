package transform

import (
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// guarded returns m, rows that are made of those of others with the same numbers, such that rows that are not
// finite where the others are become an error of what is behind: what was done has made them so.
// Matrix is the name of m in s, to which the others belong.
func guarded(s *vectors.Set, behind *backing.File, m vectors.Matrix, matrix, done string, of ...vectors.Matrix) vectors.Matrix {
	if m.Rows == 0 {
		return m
	}
	return vectors.Stored(m.Rows, m.Cols, guardedRows{m, of, behind, func(r int) error {
		name := s.RowName(matrix, r)
		return fmt.Errorf("%s has numbers beyond those of float32 when it is %s", name, done)
	}})
}

type guardedRows struct {
	rows   vectors.Matrix
	of     []vectors.Matrix
	behind *backing.File
	made   func(r int) error
}

func (g guardedRows) Read(dst []float32, r int) {
	g.rows.Read(dst, r)
	if vectors.Finite(dst) {
		return
	}
	for _, m := range g.of {
		if r < m.Rows && !vectors.Finite(m.Row(r)) {
			return
		}
	}
	g.behind.Fail(g.made(r))
}
