package vectors

// scaled is rows of which the first have been divided by their lengths, and are
// given back as they were: finalfusion keeps words so.
type scaled struct {
	rows  Matrix
	norms []float32
}

func (s *scaled) Read(dst []float32, r int) {
	s.rows.Read(dst, r)
	if r < len(s.norms) {
		norm := s.norms[r]
		for k := range dst {
			dst[k] *= norm
		}
	}
}
