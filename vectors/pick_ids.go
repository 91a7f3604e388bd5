package vectors

// Pick returns the set of the words of these ids, in their order.
func (s *Set) Pick(ids []uint32) *Set { return s.pick(ids) }
