package vectors

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
)

// tensorType returns the name that the type has in a header.
func (d DType) tensorType() string { return strings.ToUpper(string(d)) }

// rowType returns the type of a tensor that can be a matrix's rows.
func rowType(t safetensors.Tensor) (DType, error) {
	for _, d := range []DType{F32, F16, BF16} {
		if t.DType == d.tensorType() {
			return d, nil
		}
	}
	return "", fmt.Errorf("tensor %q: expected dtype F32, F16 or BF16, found %.20q", t.Name, t.DType)
}

// tensorRows reads a tensor of rows. Numbers of types that we do not write become
// float32.
func (in *input) tensorRows(t safetensors.Tensor) (Matrix, error) {
	n, dim, err := t.Matrix()
	if err != nil {
		return Matrix{}, in.failAt(safetensors.LengthSize, "%w", err)
	}
	rows, cols, expected := int64(n), int64(dim), "tensor "+t.Name
	switch t.DType {
	case "F64":
		return in.doubleRows(rows, cols, expected)
	case "I8":
		return in.byteRows(rows, cols, expected)
	}
	d, err := rowType(t)
	if err != nil {
		return Matrix{}, in.failAt(safetensors.LengthSize, "%w", err)
	}
	return in.typedRows(d, rows, cols, expected)
}

// A safetensorsFile is what the header of a file says.
type safetensorsFile struct {
	safetensors.Header
	headerSum uint32 // CRC-32C of the header and its length
}

// safetensorsHeader reads a header, and compares it with what is left of the file.
func (in *input) safetensorsHeader() (safetensorsFile, error) {
	var f safetensorsFile
	var length [safetensors.LengthSize]byte
	if err := in.full(length[:], "the length of the header"); err != nil {
		return f, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > safetensors.MaxHeader {
		return f, in.failAt(0, "expected a header of at most %d bytes, found %d", safetensors.MaxHeader, n)
	}
	header, err := array[byte](in, int64(n), "the header")
	if err != nil {
		return f, err
	}
	f.headerSum = crc32.Update(crc32.Checksum(length[:], castagnoli), castagnoli, header)
	if f.Tensors, f.Metadata, err = safetensors.Parse(header); err != nil {
		return f, in.failAt(safetensors.LengthSize, "%w", err)
	}
	if left, known := in.left(); known {
		if err := f.CheckSize(left); err != nil {
			return f, in.fail("%w", err)
		}
	}
	return f, nil
}

// oneMatrix reads all tensors to the end of the file: the matrix of that name, and
// with others those that are not.
func (in *input) oneMatrix(f safetensorsFile, name string, others func(t safetensors.Tensor) error) (m Matrix, err error) {
	if !f.Has(name) {
		return m, in.failAt(safetensors.LengthSize, "expected a tensor %q, found %s", name, f.Names())
	}
	for _, t := range f.Tensors {
		if t.Name == name {
			m, err = in.tensorRows(t)
		} else {
			err = others(t)
		}
		if err != nil {
			return m, err
		}
	}
	return m, in.end()
}
