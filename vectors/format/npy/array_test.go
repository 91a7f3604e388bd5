package npy_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/w2v-go/w2v/vectors/format/npy"
)

// file is a .npy file of version 1.0 with a header and the bytes of numbers.
func file(header string, numbers ...byte) []byte {
	f := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(f[8:], uint16(len(header)))
	return append(append(f, header...), numbers...)
}

// FuzzArray reads matrices of any bytes. What is read is read again from a file of float32.
func FuzzArray(f *testing.F) {
	f.Add(file("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n", 0, 0, 128, 63, 0, 0, 0, 192))
	f.Add(file("{'descr': '>f8', 'fortran_order': False, 'shape': (2, 1), }\n", 63, 240, 0, 0, 0, 0, 0, 0, 127, 240, 0, 0, 0, 0, 0, 0))
	f.Add(file("{'descr': '<f2', 'fortran_order': False, 'shape': (3, 1), }\n", 0, 60, 1, 0, 0, 124))
	f.Add(file("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4), }\n"))
	f.Add(file("{'descr': '<f4', 'fortran_order': True, 'shape': (9223372036854775807, 3), }\n", 1))
	f.Add([]byte("\x93NUMPY\x03\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := npy.NewArray(bytes.NewReader(data), int64(len(data)))
		if err != nil || a.Rows == 0 {
			return
		}
		if a.Rows < 0 || a.Dim < 1 || a.Rows > int64(len(data)) || a.Dim > len(data) {
			t.Fatalf("%d rows of %d numbers in %d bytes", a.Rows, a.Dim, len(data))
		}
		all := make([]float32, int(a.Rows)*a.Dim)
		if err := a.Read(all, 0); err != nil {
			t.Fatal(err)
		}
		written := file(fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }\n", a.Rows, a.Dim))
		for _, x := range all {
			written = binary.LittleEndian.AppendUint32(written, math.Float32bits(x))
		}
		b, err := npy.NewArray(bytes.NewReader(written), int64(len(written)))
		if err != nil || b.Rows != a.Rows || b.Dim != a.Dim {
			t.Fatalf("%d × %d is read again as %+v: %v", a.Rows, a.Dim, b, err)
		}
		row := make([]float32, a.Dim)
		for i := range a.Rows {
			if err := b.Read(row, i); err != nil {
				t.Fatal(err)
			}
			for k, x := range row {
				if math.Float32bits(x) != math.Float32bits(all[int(i)*a.Dim+k]) {
					t.Fatalf("row %d has %v, expected %v", i, row, all[int(i)*a.Dim:][:a.Dim])
				}
			}
		}
	})
}
