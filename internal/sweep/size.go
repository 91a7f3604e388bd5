package sweep

import (
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// lookup returns what of a model its vectors are made of: all that who only looks words up
// has a use for.
func lookup(s *vectors.Set) *vectors.Set {
	return &vectors.Set{
		Words:       s.Words,
		Counts:      s.Counts,
		Input:       s.Input,
		Subword:     s.Subword,
		Composition: s.Composition,
		WordRow:     s.WordRow,
		BucketRow:   s.BucketRow,
		Importance:  s.Importance,
	}
}

// measure adds parameters and sizes of a model.
func (s *Scores) measure(set *vectors.Set) error {
	small := lookup(set)
	s.Words, s.Dim = set.Len(), set.Dim()
	s.Parameters, s.TrainedParameters = small.Parameters().Total(), set.Parameters().Total()
	var err error
	if s.Bytes, err = vectors.EncodedSize(small, vectors.FormatW2V); err == nil {
		s.TrainedBytes, err = vectors.EncodedSize(set, vectors.FormatW2V)
	}
	if err != nil {
		return fmt.Errorf("the size of a model: %w", err)
	}
	return nil
}
