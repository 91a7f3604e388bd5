// Package rowio reads and writes rows of matrices, as binary numbers, as safetensors tensors and as lines of
// text. Rows stay in a file that is mapped or can be read again; other rows are read into memory.
package rowio

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Read reads a matrix of float32: in place if the file is in memory, and lazily if rows can be read again.
// expected names the matrix in errors.
func Read(in *source.Input, rows, cols int64, expected string) vectors.Matrix {
	Fits(in, rows, cols, 4, expected)
	if left, _ := in.Left(); in.Direct != nil && in.Mapped() && rows*cols > 0 && rows*cols <= left/4 {
		m := vectors.Stored(int(rows), int(cols), &fileRows{in.Direct, in.Offset, in.Behind})
		in.Skip(4*rows*cols, expected)
		return m
	}
	if rereads(in, rows, cols) {
		return sequenceOf(in, rows, cols, 4, expected, func(in *source.Input, dst []float32) { Next(in, dst, expected) })
	}
	data := source.Array[float32](in, rows*cols, expected)
	return vectors.Matrix{Data: data, Rows: int(rows), Cols: int(cols), Stride: int(cols)}
}

// Next reads the next float32 row to dst.
func Next(in *source.Input, dst []float32, expected string) {
	in.Full(endian.Bytes(dst), expected)
	endian.Swap(dst)
}

// Typed is Read for a number type.
func Typed(in *source.Input, d vectors.DType, rows, cols int64, expected string) vectors.Matrix {
	if d == vectors.F32 {
		return Read(in, rows, cols, expected)
	}
	return readOthers(in, rows, cols, expected, kindOf(d))
}

// Doubles is Read for 64-bit numbers, which are rounded to float32.
func Doubles(in *source.Input, rows, cols int64, expected string) vectors.Matrix {
	return readOthers(in, rows, cols, expected, kind[float64]{vectors.F32, single})
}

// Bytes is Read for 8-bit integers.
func Bytes(in *source.Input, rows, cols int64, expected string) vectors.Matrix {
	return readOthers(in, rows, cols, expected, kind[int8]{vectors.F32, func(dst []float32, row []int8) error {
		for i, x := range row {
			dst[i] = float32(x)
		}
		return nil
	}})
}

func single(dst []float32, row []float64) error {
	for i, x := range row {
		dst[i] = float32(x)
		if math.IsInf(float64(dst[i]), 0) && !math.IsInf(x, 0) {
			return fmt.Errorf("%v is too large for a float32", x)
		}
	}
	return nil
}

// A kind is a number type in a file other than float32.
type kind[T endian.Number] struct {
	dtype   vectors.DType // type of the matrix: a 16-bit type, or F32 with convert
	convert func(dst []float32, row []T) error
}

func kindOf(d vectors.DType) kind[uint16] {
	return kind[uint16]{d, func(dst []float32, row []uint16) error {
		if d == vectors.F16 {
			for i, h := range row {
				dst[i] = half.FromF16(h)
			}
			return nil
		}
		for i, h := range row {
			dst[i] = half.FromBF16(h)
		}
		return nil
	}}
}

// readOthers is Read for another kind of numbers. 16-bit numbers stay 16-bit in memory.
func readOthers[T endian.Number](in *source.Input, rows, cols int64, expected string, k kind[T]) vectors.Matrix {
	size := int64(unsafe.Sizeof(*new(T)))
	Fits(in, rows, cols, size, expected)
	if rereads(in, rows, cols) {
		var row []T // a sequence reads one row at a time
		m := sequenceOf(in, rows, cols, size, expected, func(in *source.Input, dst []float32) {
			if row == nil { // the first check has shown that the file has the rows
				row = make([]T, cols)
			}
			in.Full(endian.Bytes(row), expected)
			endian.Swap(row)
			if err := k.convert(dst, row); err != nil {
				in.FailAt(in.Offset-size*cols, "%w", err)
			}
		})
		m.Storage = typed{m.Storage, k.dtype}
		return m
	}
	start := in.Offset
	data := source.Array[T](in, rows*cols, expected)
	m := vectors.Matrix{Rows: int(rows), Cols: int(cols), Stride: int(cols)}
	if rows*cols == 0 {
		return m
	}
	failed := func(r int, err error) error {
		return &source.Error{Offset: start + size*int64(r)*cols, Err: err}
	}
	if in.Mapped() || k.dtype != vectors.F32 {
		return vectors.Stored(m.Rows, m.Cols, &stored[T]{data, m.Cols, k, func(r int, err error) {
			in.Behind.Fail(source.WithPath(in.Path, failed(r, err)))
		}})
	}
	m.Data = make([]float32, len(data))
	for r := range m.Rows {
		if err := k.convert(m.Row(r), data[r*m.Cols:][:m.Cols]); err != nil {
			source.Check(failed(r, err))
		}
	}
	return m
}

type stored[T endian.Number] struct {
	data []T
	cols int
	kind kind[T]
	fail func(r int, err error)
}

func (m *stored[T]) Read(dst []float32, r int) {
	if err := m.kind.convert(dst, m.data[r*m.cols:][:m.cols]); err != nil {
		m.fail(r, err)
		clear(dst)
	}
}

// DType returns the type of the numbers.
func (m *stored[T]) DType() vectors.DType { return m.kind.dtype }

type typed struct {
	vectors.Storage
	d vectors.DType
}

// DType returns the type of the numbers.
func (s typed) DType() vectors.DType { return s.d }

// Arranged is Read for floating-point numbers of size bytes in the given byte order, stored by row or by
// column. They are read into memory.
func Arranged(in *source.Input, size int64, order binary.ByteOrder, byColumn bool, rows, cols int64, expected string) vectors.Matrix {
	Fits(in, rows, cols, size, expected)
	start := in.Offset
	data := source.Array[byte](in, rows*cols*size, expected)
	m := vectors.Matrix{Rows: int(rows), Cols: int(cols), Stride: int(cols)}
	if rows*cols == 0 {
		return m
	}
	var small []uint16
	if size == 2 {
		small = make([]uint16, rows*cols)
		m = vectors.Stored(m.Rows, m.Cols, &stored[uint16]{data: small, cols: m.Cols, kind: kindOf(vectors.F16)})
	} else {
		m.Data = make([]float32, rows*cols)
	}
	for i := range rows * cols {
		number, at := data[i*size:], i
		if byColumn {
			at = i%rows*cols + i/rows
		}
		switch size {
		case 2:
			small[at] = order.Uint16(number)
		case 4:
			m.Data[at] = math.Float32frombits(order.Uint32(number))
		default:
			if err := single(m.Data[at:at+1], []float64{math.Float64frombits(order.Uint64(number))}); err != nil {
				in.FailAt(start+i*size, "%w", err)
			}
		}
	}
	return m
}

func rereads(in *source.Input, rows, cols int64) bool {
	return in.Rereads() && !in.Mapped() && rows*cols > 0
}

// sequenceOf returns a Sequence of numbers of that size, and skips them in the input.
func sequenceOf(in *source.Input, rows, cols, size int64, expected string, next func(in *source.Input, dst []float32)) vectors.Matrix {
	m := Sequence(in, in.Offset, int(rows), int(cols), size*cols, next)
	in.Skip(rows*size*cols, expected)
	return m
}

// Fits ends reading if rows × cols numbers of that size cannot be a matrix.
func Fits(in *source.Input, rows, cols, size int64, expected string) {
	if rows < 0 || cols < 0 || rows > math.MaxInt32 || cols > math.MaxInt32 || cols > 0 && rows > endian.MaxBytes/size/cols {
		in.Fail("expected %s, found %d rows of %d, more than fit into memory", expected, rows, cols)
	}
}

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

// Sequence returns a matrix whose rows next reads one after the other, from an offset of an input that
// Rereads. size is the size of a row in bytes, or 0 if rows differ in size.
func Sequence(in *source.Input, offset int64, rows, cols int, size int64, next func(in *source.Input, dst []float32)) vectors.Matrix {
	reopen := in.Reopen
	s := &sequence{
		open:   func() (*source.Input, error) { return reopen(offset) },
		next:   next,
		size:   size,
		behind: in.Behind,
	}
	s.behind.Sequential = true
	s.behind.OnClose(s.Close)
	return vectors.Stored(rows, cols, s)
}

// A sequence is rows in a file that stay out of memory: they are read on use, one after the other. Going back
// starts again.
type sequence struct {
	open func() (*source.Input, error)
	next func(in *source.Input, dst []float32)
	// size is the size of a row in bytes, or 0 if rows differ in size.
	size   int64
	behind *backing.File

	mu  sync.Mutex
	in  *source.Input
	row int   // row at which in is
	err error // why rows can no longer be read
}

func (s *sequence) Read(dst []float32, r int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = source.Try(func() { s.read(dst, r) })
		if s.err != nil && s.in != nil && s.in.Path != "" {
			s.err = source.WithPath(s.in.Path, s.err)
		}
	}
	if s.err != nil {
		s.behind.Fail(s.err)
		clear(dst)
	}
}

func (s *sequence) read(dst []float32, r int) {
	if s.in == nil || r < s.row {
		source.Check(s.close())
		s.in, s.row = source.Must(s.open()), 0
	}
	if s.size > 0 && r > s.row {
		s.in.Skip(int64(r-s.row)*s.size, "rows")
		s.row = r
	}
	for ; s.row <= r; s.row++ {
		s.next(s.in, dst)
	}
}

func (s *sequence) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = fs.ErrClosed
	return s.close()
}

func (s *sequence) close() error {
	if s.in == nil {
		return nil
	}
	in := s.in
	s.in = nil
	return in.Close()
}

// fileRows are float32 rows in a plain file, which are read on use, in any order. Mapping the file would work
// too, but a random walk over the map loads most of the file into memory, or much of it repeatedly.
type fileRows struct {
	file   *os.File
	offset int64 // offset of row 0
	behind *backing.File
}

func (f *fileRows) Read(dst []float32, r int) {
	b := endian.Bytes(dst)
	if err := f.readAt(b, int64(r)*int64(len(b))); err != nil {
		f.behind.Fail(err)
		clear(dst)
	}
}

// Unmapped says that reading rows loads no pages of a mapped file.
func (f *fileRows) Unmapped() {}

func (f *fileRows) readAt(b []byte, at int64) error {
	_, err := f.file.ReadAt(b, f.offset+at)
	if err == io.EOF { //nolint:errorlint // ReadAt returns it as it is
		err = source.Cut("rows")
	}
	return atomicfile.Cause(err)
}

const copyBuffer = 1 << 20

// copy writes the first bytes of the rows to w. Only read errors count as errors of the file.
func (f *fileRows) copy(w io.Writer, size int64) error {
	buffer := make([]byte, min(size, copyBuffer))
	for at := int64(0); at < size; at += int64(len(buffer)) {
		buffer = buffer[:min(size-at, copyBuffer)]
		if err := f.readAt(buffer, at); err != nil {
			f.behind.Fail(err)
			return f.behind.Located(err)
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}
