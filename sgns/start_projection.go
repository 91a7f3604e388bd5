package sgns

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// A ProjectionError says that the vectors to start from have no projection, and that narrower
// rows times a projection are to be trained. transform.Factorize makes such rows of them.
type ProjectionError struct {
	Cols int // numbers of a row of the vectors
	Rank int // numbers of a row that is to be trained
}

func (e *ProjectionError) Error() string {
	return fmt.Sprintf("rows of %d numbers, and rows of %d times a projection are to be trained: factorize them to rank %d first, or train without a rank", e.Cols, e.Rank, e.Rank)
}

// findRows finds the set whose input rows are as wide as those of the run: before their
// projection, if the run has one.
func (s *start) findRows() error {
	s.unprojected = s.from
	i := slices.IndexFunc(s.list, func(m params.Matrix) bool { return m.Projects })
	if i < 0 {
		return nil
	}
	rank := s.list[i].Rows
	input, _, ok := s.from.Input().Factors()
	if !ok {
		return &InitError{&ProjectionError{Cols: s.from.Input().Cols, Rank: rank}}
	}
	p := s.from.Parts()
	s.unprojected = set(vectors.Parts{
		Words: p.Words, Input: input, Subword: p.Subword, Composition: p.Composition, WordRows: p.WordRows, BucketRows: p.BucketRows,
		Matrices: slices.DeleteFunc(p.Matrices, func(m vectors.NamedMatrix) bool { return m.Kind().Part != "" }), // but for those of n-grams
	})
	if s.unprojected.Dim() != rank {
		return unfit("rank %d, and rank %d is to be trained: train rank %d", input.Cols, rank, input.Cols)
	}
	return nil
}
