package vectors

import (
	"errors"
	"fmt"
)

// A set that was put together by hand may lack rows that its words ask for. To find that out
// row by row would end the program, as rows are read on all cores, in goroutines that no
// caller can recover from. So sets are looked at, once, before that.

// errNoSet is what functions say of a nil set.
var errNoSet = errors.New("vectors: there is no set: it is nil, as what Open and Train return together with an error")

// usable returns why the rows of the set cannot be read: it is nil, or its sizes do not
// fit together. A set of no words has no rows to read.
func (s *Set) usable() error {
	if s == nil {
		return errNoSet
	}
	if s.Len() == 0 {
		return nil
	}
	s.usableOnce.Do(func() { s.unusable = s.CheckSizes() })
	if s.unusable != nil {
		return fmt.Errorf("vectors: the set is not valid: %w", s.unusable)
	}
	return nil
}

// mustBeUsable panics with what usable reports, in methods that return no error.
func (s *Set) mustBeUsable() {
	if err := s.usable(); err != nil {
		panic(err)
	}
}
