package sweep

import (
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// lookup returns the parts of a model that word vectors are made of. A program that only looks
// words up needs no others.
func lookup(s *vectors.Set) (*vectors.Set, error) {
	return vectors.New(vectors.Parts{
		Words:       s.Words(),
		Counts:      s.Counts(),
		Input:       s.Input(),
		Subword:     s.Subword(),
		Composition: s.Composition(),
		WordRows:    s.WordRows(),
		BucketRows:  s.BucketRows(),
		Matrices:    []vectors.NamedMatrix{{Name: vectors.MatrixImportance, Matrix: s.Matrix(vectors.MatrixImportance)}},
	})
}

// measure adds parameters and sizes of a model.
func (s *Scores) measure(set *vectors.Set) error {
	small, err := lookup(set)
	if err != nil {
		return err
	}
	s.Words, s.Dim = set.Len(), set.Dim()
	s.Parameters, s.TrainedParameters = small.Parameters().Total(), set.Parameters().Total()
	if s.Bytes, err = format.EncodedSize(small, format.W2V); err == nil {
		s.TrainedBytes, err = format.EncodedSize(set, format.W2V)
	}
	if err != nil {
		return fmt.Errorf("the size of a model: %w", err)
	}
	return nil
}
