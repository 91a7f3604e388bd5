package rowio

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Castagnoli is the polynomial of checksums. Processors have an instruction for it.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

// TensorType returns the name of a type in a header.
func TensorType(d vectors.DType) string { return strings.ToUpper(string(d)) }

// Section returns the section of a matrix that belongs to s, as numbers of type d.
func Section(name string, s *vectors.Set, m vectors.Matrix, d vectors.DType) safetensors.Section {
	shape := []uint64{uint64(m.Rows), uint64(m.Cols)}
	return safetensors.Written(name, TensorType(d), shape, func(w *bufio.Writer) error { return WriteTyped(w, s, m, d) })
}

// RowType returns the type of a tensor that can hold a matrix's rows.
func RowType(t safetensors.Tensor) (vectors.DType, error) {
	for _, d := range vectors.DTypes() {
		if t.DType == TensorType(d) {
			return d, nil
		}
	}
	return "", fmt.Errorf("tensor %q: expected dtype F32, F16 or BF16, found %.20q", t.Name, t.DType)
}

// TensorRows reads a tensor of rows. Numbers of types that w2v does not write become float32.
func TensorRows(in *source.Input, t safetensors.Tensor) vectors.Matrix {
	n, dim, err := t.Matrix()
	Header(in, err)
	r, c, expected := int64(n), int64(dim), "tensor "+t.Name
	switch t.DType {
	case "F64":
		return Doubles(in, r, c, expected)
	case "I8":
		return Bytes(in, r, c, expected)
	}
	d, err := RowType(t)
	Header(in, err)
	return Typed(in, d, r, c, expected)
}

// Header ends reading with an error of the header of a file of tensors, unless err is nil.
func Header(in *source.Input, err error) { in.CheckAt(safetensors.LengthSize, err) }

// A TensorFile is the header of a file.
type TensorFile struct {
	safetensors.Header
	Sum uint32 // CRC-32C of the header and its length
}

// TensorHeader reads a header and compares it with the size of the file.
func TensorHeader(in *source.Input) (f TensorFile) {
	var length [safetensors.LengthSize]byte
	in.Full(length[:], "the length of the header")
	n := binary.LittleEndian.Uint64(length[:])
	if n > safetensors.MaxHeader {
		in.FailAt(0, "expected a header of at most %d bytes, found %d", safetensors.MaxHeader, n)
	}
	header := source.Array[byte](in, int64(n), "the header")
	f.Sum = crc32.Update(crc32.Checksum(length[:], Castagnoli), Castagnoli, header)
	var err error
	f.Tensors, f.Metadata, err = safetensors.Parse(header)
	Header(in, err)
	if left, known := in.Left(); known {
		in.CheckAt(in.Offset, f.CheckSize(left))
	}
	return f
}

// OneTensor reads all tensors up to the end of the file: it returns the matrix with that name, and calls
// others with all other tensors.
func OneTensor(in *source.Input, f TensorFile, name string, others func(t safetensors.Tensor)) (m vectors.Matrix) {
	if !f.Has(name) {
		Header(in, fmt.Errorf("expected a tensor %q, found %s", name, f.Names()))
	}
	for _, t := range f.Tensors {
		if t.Name == name {
			m = TensorRows(in, t)
		} else {
			others(t)
		}
	}
	in.End()
	return m
}
