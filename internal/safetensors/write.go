package safetensors

import (
	"bufio"
	"encoding/binary"
	"encoding/json"

	"github.com/w2v-go/w2v/internal/endian"
)

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
	tensors := make([]Tensor, len(sections))
	for i, s := range sections {
		tensors[i] = s.Tensor
	}
	header, err := appendHeader(nil, tensors, metadata, aligned, align)
	if err != nil {
		return err
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	for _, s := range sections {
		if err := s.Write(w); err != nil {
			return err
		}
	}
	return nil
}

// appendHeader appends the length and the header of a file with these tensors, whose Begin
// and End it sets from their order and shapes. See Write for aligned and align.
func appendHeader(dst []byte, tensors []Tensor, metadata map[string]string, aligned string, align int64) ([]byte, error) {
	header := map[string]any{"__metadata__": metadata} // its keys are written in order
	var end, shift int64
	for i := range tensors {
		t := &tensors[i]
		t.Begin, t.End = end, end+t.ShapedSize()
		end = t.End
		if t.Name == aligned {
			shift = t.Begin
		}
		header[t.Name] = map[string]any{
			"dtype": t.DType, "shape": t.Shape, "data_offsets": []int64{t.Begin, t.End},
		}
	}
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	for (LengthSize+int64(len(text))+shift)%align != 0 {
		text = append(text, ' ')
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(text)))
	return append(dst, text...), nil
}
