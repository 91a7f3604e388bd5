package convert

import (
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Writable returns the set of the words of s that a file in format f can hold, in their
// order, and the others. It is s if there are no others. Rows are read when they are asked
// for, and n-grams stay. Words are not changed, so that no word gets the vector of another
// one. It is an error if no word is left.
func Writable(s *vectors.Set, f format.Format) (writable *vectors.Set, others []*format.UnwritableWord, err error) {
	others, err = format.Unwritable(s, f)
	if err != nil {
		return nil, others, err
	}
	if len(others) == 0 {
		return s, nil, nil
	}
	ids := make([]uint32, 0, s.Len()-len(others))
	next := 0
	for id := range s.Len() {
		if next < len(others) && others[next].ID == id {
			next++
			continue
		}
		ids = append(ids, uint32(id))
	}
	err = s.Guard(func() error {
		writable = transform.Pick(s, ids)
		return nil
	})
	return writable, others, err
}
