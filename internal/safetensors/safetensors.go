// Package safetensors reads and writes the container of the safetensors format: named arrays after a header
// in JSON. It does not interpret the arrays.
//
// A file is the length of the header in 8 bytes, little-endian, the header, and the arrays without gaps
// between them. Source: github.com/huggingface/safetensors, README.md, "Format".
package safetensors

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/endian"
)

// MaxHeader is the size of the longest header that safetensors allows.
const MaxHeader = 100_000_000

// LengthSize is the size of the length of the header, which begins the file.
const LengthSize = 8

// A Tensor is the position and the type of an array.
type Tensor struct {
	Name       string
	DType      string // of its items, as "F32"
	Shape      []uint64
	Begin, End int64 // in bytes after the header
}

// Size returns the tensor's size in bytes.
func (t Tensor) Size() int64 { return t.End - t.Begin }

// ShapedSize returns the bytes that the tensor's shape and type stand for.
func (t Tensor) ShapedSize() int64 {
	size := dtypeSizes[t.DType]
	for _, n := range t.Shape {
		size *= n
	}
	return int64(size)
}

// ItemSize returns the bytes that an item of the tensor takes, 0 if its type is not known.
func (t Tensor) ItemSize() uint64 { return dtypeSizes[t.DType] }

// Matrix returns the shape of a tensor that has rows and columns.
func (t Tensor) Matrix() (rows, cols int, err error) {
	if len(t.Shape) != 2 || t.Shape[0] > math.MaxInt32 || t.Shape[1] > math.MaxInt32 {
		return 0, 0, fmt.Errorf("tensor %q: expected a shape of rows and columns, found %v", t.Name, t.Shape)
	}
	return int(t.Shape[0]), int(t.Shape[1]), nil
}

var dtypeSizes = map[string]uint64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1,
	"U16": 2, "I16": 2, "F16": 2, "BF16": 2,
	"U32": 4, "I32": 4, "F32": 4,
	"U64": 8, "I64": 8, "F64": 8,
}

// Sniff reports whether head begins with a length and a JSON object.
func Sniff(head []byte) bool {
	return len(head) > LengthSize && head[LengthSize] == '{' &&
		binary.LittleEndian.Uint64(head) <= MaxHeader
}

// Parse returns the tensors of a header, in the order of the file and without holes, and its metadata.
func Parse(header []byte) ([]Tensor, map[string]string, error) {
	var tensors []Tensor
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
		t := Tensor{name, info.DType, info.Shape, info.Offsets[0], info.Offsets[1]}
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
	slices.SortFunc(tensors, func(a, b Tensor) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End), cmp.Compare(a.Name, b.Name))
	})
	var end int64
	for _, t := range tensors {
		if t.Begin != end {
			return nil, nil, fmt.Errorf("header: tensor %.40q begins at byte %d of the data, expected %d", t.Name, t.Begin, end)
		}
		end = t.End
	}
	return tensors, metadata, nil
}

func (t Tensor) check() error {
	if t.Begin < 0 || t.End < t.Begin {
		return fmt.Errorf("data_offsets %d and %d are not a range", t.Begin, t.End)
	}
	size, known := dtypeSizes[t.DType]
	if !known {
		return nil // the writer decides the size of unknown types
	}
	for _, n := range t.Shape {
		var over uint64
		if over, size = bits.Mul64(size, n); over != 0 {
			return fmt.Errorf("the shape %v is too large", t.Shape)
		}
	}
	if size != uint64(t.Size()) {
		return fmt.Errorf("%s of shape %v takes %d bytes, data_offsets give it %d", t.DType, t.Shape, size, t.Size())
	}
	return nil
}

// A Header is what the header of a file says.
type Header struct {
	Tensors  []Tensor // in the order of the file
	Metadata map[string]string
}

// Tensor returns the tensor of that name.
func (h Header) Tensor(name string) (t Tensor, ok bool) {
	i := slices.IndexFunc(h.Tensors, func(t Tensor) bool { return t.Name == name })
	if i < 0 {
		return t, false
	}
	return h.Tensors[i], true
}

// Has reports whether there is a tensor of that name.
func (h Header) Has(name string) bool {
	_, ok := h.Tensor(name)
	return ok
}

// Names lists the first tensors, for errors.
func (h Header) Names() string {
	if len(h.Tensors) == 0 {
		return "none"
	}
	const shown = 5
	var names []string
	for _, t := range h.Tensors[:min(len(h.Tensors), shown)] {
		names = append(names, fmt.Sprintf("%.40q", t.Name))
	}
	if len(h.Tensors) > shown {
		names = append(names, fmt.Sprintf("and %d more", len(h.Tensors)-shown))
	}
	return strings.Join(names, ", ")
}

// CheckSize compares the tensors with the bytes that follow the header.
func (h Header) CheckSize(left int64) error {
	var want int64
	if n := len(h.Tensors); n > 0 {
		want = h.Tensors[n-1].End
	}
	switch {
	case left < want:
		return fmt.Errorf("expected %d bytes of tensors, but %d are left: %w", want, left, io.ErrUnexpectedEOF)
	case left > want:
		return fmt.Errorf("expected %d bytes of tensors and the end of the file, found %d bytes", want, left)
	}
	return nil
}

// A Section is a tensor and how its bytes are written. Its Begin and End do not count.
type Section struct {
	Tensor
	Write func(w *bufio.Writer) error
}

// Written returns the section of a tensor that write writes.
func Written(name, dtype string, shape []uint64, write func(w *bufio.Writer) error) Section {
	return Section{Tensor{Name: name, DType: dtype, Shape: shape}, write}
}

// Array returns the section of an array of numbers.
func Array[T endian.Number](name, dtype string, shape []uint64, numbers []T) Section {
	return Written(name, dtype, shape, func(w *bufio.Writer) error { return endian.Write(w, numbers) })
}

// List returns the section of an array of one dimension.
func List[T endian.Number](name, dtype string, numbers []T) Section {
	return Array(name, dtype, []uint64{uint64(len(numbers))}, numbers)
}

// Size returns how many bytes the tensors have.
func Size(sections []Section) int64 {
	var sum int64
	for _, s := range sections {
		sum += s.ShapedSize()
	}
	return sum
}

// Write writes a file of these tensors, one after the other. The header is padded with
// spaces so that the tensor called aligned begins at a multiple of align bytes of the file.
func Write(w *bufio.Writer, sections []Section, metadata map[string]string, aligned string, align int64) error {
	header := map[string]any{"__metadata__": metadata} // its keys are written in order
	var end, shift int64
	for _, s := range sections {
		if s.Name == aligned {
			shift = end
		}
		begin := end
		end += s.ShapedSize()
		header[s.Name] = map[string]any{"dtype": s.DType, "shape": s.Shape, "data_offsets": []int64{begin, end}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	for (LengthSize+int64(len(text))+shift)%align != 0 {
		text = append(text, ' ')
	}
	w.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
	w.Write(text)
	for _, s := range sections {
		if err := s.Write(w); err != nil {
			return err
		}
	}
	return nil
}
