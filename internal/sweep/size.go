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

// size returns what a native file of a model takes, to the byte.
func size(s *vectors.Set) (uint64, error) {
	var n counter
	if err := vectors.Encode(&n, s, vectors.FormatW2V); err != nil {
		return 0, fmt.Errorf("the size of a model: %w", err)
	}
	return uint64(n), nil
}

// A counter counts the bytes that are written to it.
type counter uint64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// measure adds parameters and sizes of a model.
func (s *Scores) measure(set *vectors.Set) error {
	small := lookup(set)
	s.Words, s.Dim = set.Len(), set.Dim()
	s.Parameters, s.TrainedParameters = small.Parameters().Total(), set.Parameters().Total()
	var err error
	if s.Bytes, err = size(small); err != nil {
		return err
	}
	s.TrainedBytes, err = size(set)
	return err
}
