package vectors

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// This file knows safetensors and nothing of what the tensors mean. Source:
// github.com/huggingface/safetensors, README.md, "Format".

// maxHeader is the size of the longest header that safetensors allows.
const maxHeader = 100_000_000

// lengthSize is the size of the length of the header, which begins the file.
const lengthSize = 8

// A tensor is where an array lies and what it is made of.
type tensor struct {
	name       string
	dtype      string
	shape      []uint64
	begin, end int64 // in bytes after the header
}

// size returns the tensor's size in bytes.
func (t tensor) size() int64 { return t.end - t.begin }

// dtypeSizes are the bytes that an item takes.
var dtypeSizes = map[string]uint64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1,
	"U16": 2, "I16": 2, "F16": 2, "BF16": 2,
	"U32": 4, "I32": 4, "F32": 4,
	"U64": 8, "I64": 8, "F64": 8,
}

// sniffSafetensors tells whether head begins with a length and a JSON object.
func sniffSafetensors(head []byte) bool {
	return len(head) > lengthSize && head[lengthSize] == '{' &&
		binary.LittleEndian.Uint64(head) <= maxHeader
}

// parseSafetensors returns the tensors of a header, in the order of the file,
// and its metadata. The tensors follow one another without holes.
func parseSafetensors(header []byte) ([]tensor, map[string]string, error) {
	var tensors []tensor
	var metadata map[string]string
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(header))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, errors.New("expected a JSON object as header")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, fmt.Errorf("header: %w", err)
		}
		name, _ := key.(string) // the decoder allows no other key
		if seen[name] {
			return nil, nil, fmt.Errorf("header: %.40q stands there twice", name)
		}
		seen[name] = true
		if name == "__metadata__" {
			if err := d.Decode(&metadata); err != nil {
				return nil, nil, fmt.Errorf("header: metadata: %w", err)
			}
			continue
		}
		var info struct {
			DType   string   `json:"dtype"`
			Shape   []uint64 `json:"shape"`
			Offsets []int64  `json:"data_offsets"`
		}
		if err := d.Decode(&info); err != nil {
			return nil, nil, fmt.Errorf("header: tensor %.40q: %w", name, err)
		}
		if len(info.Offsets) != 2 {
			return nil, nil, fmt.Errorf("header: tensor %.40q: expected two data_offsets, found %d", name, len(info.Offsets))
		}
		t := tensor{name, info.DType, info.Shape, info.Offsets[0], info.Offsets[1]}
		if err := t.check(); err != nil {
			return nil, nil, fmt.Errorf("header: tensor %.40q: %w", name, err)
		}
		tensors = append(tensors, t)
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	if rest := bytes.TrimLeft(header[d.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, nil, fmt.Errorf("header: expected spaces after the JSON object, found %.20q", rest)
	}
	slices.SortFunc(tensors, func(a, b tensor) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.name, b.name))
	})
	var end int64
	for _, t := range tensors {
		if t.begin != end {
			return nil, nil, fmt.Errorf("header: tensor %.40q begins at byte %d of the data, expected %d", t.name, t.begin, end)
		}
		end = t.end
	}
	return tensors, metadata, nil
}

// check compares a tensor's shape with its bytes.
func (t tensor) check() error {
	if t.begin < 0 || t.end < t.begin {
		return fmt.Errorf("data_offsets %d and %d are no range", t.begin, t.end)
	}
	size, known := dtypeSizes[t.dtype]
	if !known {
		return nil // its size is the writer's business
	}
	for _, n := range t.shape {
		var over uint64
		if over, size = bits.Mul64(size, n); over != 0 {
			return fmt.Errorf("the shape %v is too large", t.shape)
		}
	}
	if size != uint64(t.size()) {
		return fmt.Errorf("%s of shape %v takes %d bytes, data_offsets give it %d", t.dtype, t.shape, size, t.size())
	}
	return nil
}

// appendSafetensorsHeader appends the length and the header of a file with
// these tensors, whose begin and end it sets from their order and shapes. It is
// padded with spaces so that the tensor called aligned begins at a multiple of
// align bytes of the file.
func appendSafetensorsHeader(dst []byte, tensors []tensor, metadata map[string]string, aligned string, align int64) ([]byte, error) {
	header := map[string]any{"__metadata__": metadata} // its keys are written in order
	var end, shift int64
	for i := range tensors {
		t := &tensors[i]
		size := dtypeSizes[t.dtype]
		for _, n := range t.shape {
			size *= n
		}
		t.begin, t.end = end, end+int64(size)
		end = t.end
		if t.name == aligned {
			shift = t.begin
		}
		header[t.name] = map[string]any{
			"dtype": t.dtype, "shape": t.shape, "data_offsets": []int64{t.begin, t.end},
		}
	}
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	for (lengthSize+int64(len(text))+shift)%align != 0 {
		text = append(text, ' ')
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(text)))
	return append(dst, text...), nil
}

// A section is a tensor and how its bytes are written.
type section struct {
	tensor
	write func(w *bufio.Writer) error
}

// arrayWriter writes the numbers of a tensor.
func arrayWriter[T number](numbers []T) func(w *bufio.Writer) error {
	return func(w *bufio.Writer) error { return writeArray(w, numbers) }
}

// writeSafetensors writes a file of these tensors, see appendSafetensorsHeader.
func writeSafetensors(w *bufio.Writer, sections []section, metadata map[string]string, aligned string, align int64) error {
	tensors := make([]tensor, len(sections))
	for i, s := range sections {
		tensors[i] = s.tensor
	}
	header, err := appendSafetensorsHeader(nil, tensors, metadata, aligned, align)
	if err != nil {
		return err
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	for _, s := range sections {
		if err := s.write(w); err != nil {
			return err
		}
	}
	return nil
}

// safetensors returns the name that the type has in a header.
func (d DType) safetensors() string { return strings.ToUpper(string(d)) }

// rowType returns the type of a tensor that can be a matrix's rows.
func (t tensor) rowType() (DType, error) {
	for _, d := range []DType{F32, F16, BF16} {
		if t.dtype == d.safetensors() {
			return d, nil
		}
	}
	return "", fmt.Errorf("tensor %q: expected dtype F32, F16 or BF16, found %.20q", t.name, t.dtype)
}

// matrixShape returns the shape of a tensor that has rows and columns.
func (t tensor) matrixShape() (rows, cols int, err error) {
	if len(t.shape) != 2 || t.shape[0] > math.MaxInt32 || t.shape[1] > math.MaxInt32 {
		return 0, 0, fmt.Errorf("tensor %q: expected a shape of rows and columns, found %v", t.name, t.shape)
	}
	return int(t.shape[0]), int(t.shape[1]), nil
}

// tensorRows reads a tensor of rows. Numbers of types that we do not write become
// float32.
func (in *input) tensorRows(t tensor) (Matrix, error) {
	n, dim, err := t.matrixShape()
	if err != nil {
		return Matrix{}, in.failAt(lengthSize, "%w", err)
	}
	rows, cols, expected := int64(n), int64(dim), "tensor "+t.name
	switch t.dtype {
	case "F64":
		return in.doubleRows(rows, cols, expected)
	case "I8":
		return in.byteRows(rows, cols, expected)
	}
	d, err := t.rowType()
	if err != nil {
		return Matrix{}, in.failAt(lengthSize, "%w", err)
	}
	return in.typedRows(d, rows, cols, expected)
}

// A safetensorsFile is what the header of a file says.
type safetensorsFile struct {
	tensors   []tensor // in the order of the file
	metadata  map[string]string
	headerSum uint32 // CRC-32C of the header and its length
}

func (f safetensorsFile) has(name string) bool {
	for _, t := range f.tensors {
		if t.name == name {
			return true
		}
	}
	return false
}

// names lists the first tensors, for errors.
func (f safetensorsFile) names() string {
	if len(f.tensors) == 0 {
		return "none"
	}
	const shown = 5
	var names []string
	for _, t := range f.tensors[:min(len(f.tensors), shown)] {
		names = append(names, fmt.Sprintf("%.40q", t.name))
	}
	if len(f.tensors) > shown {
		names = append(names, fmt.Sprintf("and %d more", len(f.tensors)-shown))
	}
	return strings.Join(names, ", ")
}

// safetensorsHeader reads a header, and compares it with what is left of the file.
func (in *input) safetensorsHeader() (safetensorsFile, error) {
	var f safetensorsFile
	var length [lengthSize]byte
	if err := in.full(length[:], "the length of the header"); err != nil {
		return f, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader {
		return f, in.failAt(0, "expected a header of at most %d bytes, found %d", maxHeader, n)
	}
	header, err := array[byte](in, int64(n), "the header")
	if err != nil {
		return f, err
	}
	f.headerSum = crc32.Update(crc32.Checksum(length[:], castagnoli), castagnoli, header)
	if f.tensors, f.metadata, err = parseSafetensors(header); err != nil {
		return f, in.failAt(lengthSize, "%w", err)
	}
	if left, known := in.left(); known {
		if err := f.checkSize(left); err != nil {
			return f, in.fail("%w", err)
		}
	}
	return f, nil
}

// checkSize compares the tensors with the bytes that follow the header.
func (f safetensorsFile) checkSize(left int64) error {
	var want int64
	if n := len(f.tensors); n > 0 {
		want = f.tensors[n-1].end
	}
	switch {
	case left < want:
		return fmt.Errorf("expected %d bytes of tensors, but %d are left: %w", want, left, io.ErrUnexpectedEOF)
	case left > want:
		return fmt.Errorf("expected %d bytes of tensors and the end of the file, found %d bytes", want, left)
	}
	return nil
}

// oneMatrix reads all tensors to the end of the file: the matrix of that name, and
// with others those that are not.
func (in *input) oneMatrix(f safetensorsFile, name string, others func(t tensor) error) (m Matrix, err error) {
	if !f.has(name) {
		return m, in.failAt(lengthSize, "expected a tensor %q, found %s", name, f.names())
	}
	for _, t := range f.tensors {
		if t.name == name {
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
