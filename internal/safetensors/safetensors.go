// Package safetensors reads and writes the container of the safetensors format: named
// arrays behind a header in JSON. What the arrays mean is the business of its callers.
//
// A file is the length of the header, 8 bytes little-endian, the header, and the arrays
// without holes between them. Source: github.com/huggingface/safetensors, README.md,
// "Format".
package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// MaxHeader is the size of the longest header that safetensors allows.
const MaxHeader = 100_000_000

// LengthSize is the size of the length of the header, which begins the file.
const LengthSize = 8

// A Tensor is where an array lies and what it is made of.
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

// dtypeSizes are the bytes that an item takes.
var dtypeSizes = map[string]uint64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1,
	"U16": 2, "I16": 2, "F16": 2, "BF16": 2,
	"U32": 4, "I32": 4, "F32": 4,
	"U64": 8, "I64": 8, "F64": 8,
}

// Sniff tells whether head begins with a length and a JSON object.
func Sniff(head []byte) bool {
	return len(head) > LengthSize && head[LengthSize] == '{' &&
		binary.LittleEndian.Uint64(head) <= MaxHeader
}

// Parse returns the tensors of a header, in the order of the file,
// and its metadata. The tensors follow one another without holes.
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

// check compares a tensor's shape with its bytes.
func (t Tensor) check() error {
	if t.Begin < 0 || t.End < t.Begin {
		return fmt.Errorf("data_offsets %d and %d are no range", t.Begin, t.End)
	}
	size, known := dtypeSizes[t.DType]
	if !known {
		return nil // its size is the writer's business
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
