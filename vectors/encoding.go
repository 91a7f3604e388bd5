package vectors

import "github.com/w2v-go/w2v/vectors/internal/coded"

// Names of what rows are stored as in fewer bits than numbers have: see Matrix.Encoding.
const (
	EncodingInt8 = "int8" // whole numbers of 8 bits, and a scale a row
	EncodingPQ   = "pq"   // product quantisation
	EncodingOPQ  = "opq"  // the same of rows that were rotated
)

// Encoding returns what rows, of a product those that are multiplied, are stored as: the name of a DType, or EncodingInt8, EncodingPQ or EncodingOPQ.
func (m Matrix) Encoding() string {
	switch s := m.Storage.(type) {
	case *coded.Int8s:
		return EncodingInt8
	case *coded.Quantised:
		if s.Rotation != nil {
			return EncodingOPQ
		}
		return EncodingPQ
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
	case *coded.Int8s:
		return m.Cols + 4 // the scale
	case *coded.Quantised:
		n := s.Book.Parts()
		switch {
		case s.NormCodes != nil:
			n++
		case s.Norms != nil:
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
