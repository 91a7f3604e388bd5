package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/w2v-go/w2v/internal/half"
)

// An Array is the matrix of a .npy file, of which rows are read where they stand, without words and without the others.
type Array struct {
	Rows int64
	Dim  int

	from  io.ReaderAt
	at    int64 // of the first number
	size  int64 // of a number in bytes
	order binary.ByteOrder
	raw   []byte
}

// NewArray reads the header of a .npy file of so many bytes. The matrix must have float32, float16 or float64 numbers, row
// after row, and the file must have all of them.
func NewArray(from io.ReaderAt, size int64) (*Array, error) {
	var start [len(magic) + 2 + 4]byte
	if n, err := from.ReadAt(start[:], 0); n < len(magic)+2+2 || !sniff(start[:]) {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, errors.New("expected a numpy matrix, which a .npy file has")
	}
	major := start[len(magic)]
	digits := int64(2)
	switch major {
	case 1:
	case 2, 3:
		digits = 4
	default:
		return nil, fmt.Errorf("expected version 1.0 to 3.0 of numpy's format, found %d.%d", major, start[len(magic)+1])
	}
	var length [4]byte
	copy(length[:digits], start[len(magic)+2:])
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > maxHeader {
		return nil, fmt.Errorf("expected a header of at most %d bytes, found %d", maxHeader, n)
	}
	text := make([]byte, n)
	at := int64(len(magic)) + 2 + digits
	if _, err := from.ReadAt(text, at); err != nil {
		return nil, errors.New("the file ends within its header")
	}
	of, err := parseHeader(string(text))
	switch {
	case err != nil:
		return nil, fmt.Errorf("header: %w", err)
	case of.byColumn:
		return nil, errors.New("the matrix is in Fortran's order, column after column: save numpy.ascontiguousarray of it")
	case of.shape[1] > math.MaxInt32:
		return nil, fmt.Errorf("rows have %d numbers, at most %d are possible", of.shape[1], math.MaxInt32)
	}
	a := &Array{Rows: of.shape[0], Dim: int(of.shape[1]), from: from, at: at + n, size: int64(of.descr[2] - '0'), order: binary.LittleEndian}
	if of.descr[0] == '>' {
		a.order = binary.BigEndian
	}
	if have := max(0, size-a.at); a.Rows > 0 && have/a.size/int64(a.Dim) < a.Rows {
		return nil, fmt.Errorf("expected %d × %d numbers of %d bytes, and the file has %d bytes of them: it is not complete", a.Rows, a.Dim, a.size, have)
	}
	return a, nil
}

// Read sets dst, whose length is a multiple of Dim, to the rows from first on. Numbers of 64 bits are rounded to 32.
func (a *Array) Read(dst []float32, first int64) error {
	n := int64(len(dst)) * a.size
	if int64(cap(a.raw)) < n {
		a.raw = make([]byte, n)
	}
	raw := a.raw[:n]
	if _, err := a.from.ReadAt(raw, a.at+first*int64(a.Dim)*a.size); err != nil {
		return err
	}
	switch a.size {
	case 2:
		for i := range dst {
			dst[i] = half.FromF16(a.order.Uint16(raw[2*i:]))
		}
	case 4:
		for i := range dst {
			dst[i] = math.Float32frombits(a.order.Uint32(raw[4*i:]))
		}
	default:
		for i := range dst {
			dst[i] = float32(math.Float64frombits(a.order.Uint64(raw[8*i:])))
		}
	}
	return nil
}
