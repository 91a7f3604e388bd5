package vectors

// Encoding returns what rows, of a product those that are multiplied, are stored as: the name of a DType, or int8, pq or opq as
// Quantize made them; other quantised rows count as pq.
func (m Matrix) Encoding() string {
	switch s := m.Storage.(type) {
	case *int8s:
		return string(QuantizeInt8)
	case *quantised:
		if s.rotation != nil {
			return string(QuantizeOPQ)
		}
		return string(QuantizePQ)
	case *normed:
		return s.rows.Encoding()
	case *product:
		return s.rows.Encoding()
	}
	return string(m.DType())
}

// RowBytes returns how many bytes a row takes where it is stored.
func (m Matrix) RowBytes() int {
	switch s := m.Storage.(type) {
	case *int8s:
		return m.Cols + 4 // the scale
	case *quantised:
		n := s.book.Parts()
		switch {
		case s.normCodes != nil:
			n++
		case s.norms != nil:
			n += 4
		}
		return n
	case *normed:
		return s.rows.RowBytes()
	case *product:
		return s.rows.RowBytes()
	}
	return int(m.DType().bytes()) * max(m.Cols, m.Stride)
}
