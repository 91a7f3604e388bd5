package vectors

import (
	"fmt"

	"github.com/w2v-go/w2v/subword"
)

// MatrixImportance names the learned weights of hash embeddings, in a set whose Subword is a
// subword.Weigher: a row for each piece of a word.
const MatrixImportance = "importance"

func importanceKind() MatrixKind {
	return MatrixKind{Name: MatrixImportance, Label: "weights of pieces", Table: true}
}

// checkHash reports what hash embeddings cannot be made of.
func (s *Set) checkHash() error {
	weigher, ok := s.subword.(subword.Weigher)
	var rows, cols int
	if ok {
		rows, cols = weigher.ImportanceShape()
	}
	switch weights := s.Matrix(MatrixImportance); {
	case ok != (s.composition == subword.Weighted):
		return fmt.Errorf("composition %q with %s n-grams: %q is that of %s n-grams alone", string(s.composition), subword.NameOf(s.subword), string(subword.Weighted), "hash")
	case !ok && weights.Rows > 0:
		return fmt.Errorf("weights of %d pieces in a set without hash embeddings", weights.Rows)
	case !ok:
	case s.wordRows != nil || s.bucketRows != nil:
		return fmt.Errorf("rows of %d words and %d buckets in hash embeddings, which have none of their own", len(s.wordRows), len(s.bucketRows))
	case weights.Rows != rows || weights.Cols != cols:
		return fmt.Errorf("weights of pieces of %d×%d, must be %d×%d", weights.Rows, weights.Cols, rows, cols)
	}
	return nil
}
