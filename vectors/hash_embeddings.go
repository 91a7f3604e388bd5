package vectors

import (
	"fmt"

	"github.com/w2v-go/w2v/subword"
)

// MatrixImportance names the learned weights of hash embeddings, in a set whose Subword is a
// subword.Hash: a row of Hashes numbers for each of its Importances.
const MatrixImportance = "importance"

func importanceKind() MatrixKind {
	return MatrixKind{Name: MatrixImportance, Label: "weights of pieces", Table: true}
}

// checkHash reports what hash embeddings cannot be made of.
func (s *Set) checkHash() error {
	hash, ok := subword.Value(s.subword).(subword.Hash)
	switch weights := s.Matrix(MatrixImportance); {
	case ok != (s.composition == ComposeWeighted):
		return fmt.Errorf("composition %q with %s n-grams: %q is that of %s n-grams alone", string(s.composition), subword.NameOf(s.subword), string(ComposeWeighted), "hash")
	case !ok && weights.Rows > 0:
		return fmt.Errorf("weights of %d pieces in a set without hash embeddings", weights.Rows)
	case !ok:
	case s.wordRows != nil || s.bucketRows != nil:
		return fmt.Errorf("rows of %d words and %d buckets in hash embeddings, which have none of their own", len(s.wordRows), len(s.bucketRows))
	case weights.Rows != hash.Importances || weights.Cols != hash.Hashes:
		return fmt.Errorf("weights of pieces of %d×%d, must be %d×%d", weights.Rows, weights.Cols, hash.Importances, hash.Hashes)
	}
	if ok {
		return hash.Validate()
	}
	return nil
}
