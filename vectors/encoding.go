package vectors

import "github.com/w2v-go/w2v/vectors/internal/coded"

// Encodings of rows that are no numbers of a DType.
const (
	EncodingInt8 = "int8" // whole numbers of 8 bits, with a scale a row
	EncodingPQ   = "pq"   // product quantisation
	EncodingOPQ  = "opq"  // product quantisation of rows that are rotated
)

// Encoding returns what rows, of a product those that are multiplied, are stored as: the name of a DType, or int8, pq or opq as
// Quantize made them; other quantised rows count as pq.
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
