package vectors

import "slices"

// newSet is New of parts that fit together.
func newSet(p Parts) *Set {
	return NewUnchecked(p)
}

// with returns s with some of its parts changed.
func with(s *Set, change func(p *Parts)) *Set {
	p := s.Parts()
	change(&p)
	return newSet(p)
}

// put gives the parts a matrix, in the place of the one of that name.
func (p *Parts) put(name string, m Matrix) {
	p.Matrices = slices.DeleteFunc(slices.Clone(p.Matrices), func(m NamedMatrix) bool { return m.Name == name })
	p.Matrices = append(p.Matrices, NamedMatrix{name, m})
}

func (p *Parts) matrix(name string) Matrix {
	for _, m := range p.Matrices {
		if m.Name == name {
			return m.Matrix
		}
	}
	return Matrix{}
}
