package interop

import "github.com/w2v-go/w2v/vectors"

// newSet is vectors.New of parts that fit together.
func newSet(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(err)
	}
	return s
}

// with returns s with some of its parts changed.
func with(s *vectors.Set, change func(p *vectors.Parts)) *vectors.Set {
	p := s.Parts()
	change(&p)
	return newSet(p)
}
