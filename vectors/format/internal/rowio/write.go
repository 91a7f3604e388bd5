package rowio

import (
	"bufio"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Write writes the rows of m, which belongs to s, without their padding.
func Write(w *bufio.Writer, s *vectors.Set, m vectors.Matrix) error {
	if m.Storage == nil && m.Stride == m.Cols && m.Rows > 0 && !endian.Big {
		file := backing.Behind(s.SharedParts().Source)
		for data := m.Data[:m.Rows*m.Cols]; len(data) > 0; {
			n := min(len(data), backing.EvictAfter/4)
			if err := endian.Write(w, data[:n]); err != nil {
				return err
			}
			data = data[n:]
			file.Saw(4 * int64(n))
		}
		return nil
	}
	if f, ok := m.Storage.(*fileRows); ok {
		return f.copy(w, 4*int64(m.Rows)*int64(m.Cols))
	}
	return WriteAll(w, s, s.RowsOf(m))
}

// WriteAll writes rows of s as float32.
func WriteAll(w *bufio.Writer, s *vectors.Set, rows iter.Seq2[int, []float32]) error {
	for _, row := range rows {
		if err := endian.Write(w, row); err != nil {
			return err
		}
	}
	return s.Err()
}

// WriteTyped writes the rows of m, which belongs to s, as numbers of type d.
func WriteTyped(w *bufio.Writer, s *vectors.Set, m vectors.Matrix, d vectors.DType) error {
	if d == vectors.F32 {
		return Write(w, s, m)
	}
	// Rounding for the file happens here, so that numbers that are too large are reported. Numbers that
	// already have 16 bits do not change.
	m = m.Exact(d)
	narrowed := make([]uint16, m.Cols)
	for r, row := range s.RowsOf(m) {
		if err := narrow(narrowed, row, d); err != nil {
			return fmt.Errorf("row %d: %w", r, err)
		}
		if err := endian.Write(w, narrowed); err != nil {
			return err
		}
	}
	return s.Err()
}

// WriteVectors writes the vectors of all words as numbers of type d.
func WriteVectors(w *bufio.Writer, s *vectors.Set, d vectors.DType) error {
	if d == vectors.F32 {
		return WriteAll(w, s, s.All())
	}
	s = s.Exact(d) // round only once, here
	return WriteTyped(w, s, s.Rows(), d)
}

// DType returns the number type for s in a format with the known types: the type of s if it is known,
// otherwise F32.
func DType(s *vectors.Set, known []vectors.DType) vectors.DType {
	if d := s.Input().DType(); slices.Contains(known, d) {
		return d
	}
	return vectors.F32
}

func narrow(dst []uint16, row []float32, d vectors.DType) error {
	to := half.ToBF16
	if d == vectors.F16 {
		to = half.ToF16
	}
	infinite := to(float32(math.Inf(1)))
	for i, x := range row {
		h := to(x)
		if h&0x7fff == infinite && !math.IsInf(float64(x), 0) {
			return fmt.Errorf("%v is more than the type %s can hold: choose another type, or scale the vectors", x, d)
		}
		dst[i] = h
	}
	return nil
}
