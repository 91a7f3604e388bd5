package convert

import (
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Writable returns the set of the words of s that a file in format f can hold, in their
// order, and the others. It is s if there are no others. Rows are read when they are asked
// for, and n-grams stay. Words are not changed, so that no word gets the vector of another
// one. It is an error if no word is left.
func Writable(s *vectors.Set, f vectors.Format) (writable *vectors.Set, others []*vectors.UnwritableWord, err error) {
	others, err = s.Unwritable(f)
	switch {
	case err != nil:
		return nil, nil, err
	case len(others) == 0:
		return s, nil, nil
	case len(others) == s.Len():
		return nil, others, fmt.Errorf("the format %s can hold none of the %d words: %w", f, len(others), others[0])
	}
	left := make(map[int]bool, len(others))
	for _, word := range others {
		left[word.ID] = true
	}
	ids := make([]uint32, 0, s.Len()-len(others))
	for id := range s.Len() {
		if !left[id] {
			ids = append(ids, uint32(id))
		}
	}
	err = s.Guard(func() error {
		writable = transform.Pick(s, ids)
		return nil
	})
	return writable, others, err
}
