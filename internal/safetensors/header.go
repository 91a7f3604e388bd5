package safetensors

import (
	"fmt"
	"io"
	"strings"
)

// A Header is what the header of a file says.
type Header struct {
	Tensors  []Tensor // in the order of the file
	Metadata map[string]string
}

// Has tells whether there is a tensor of that name.
func (h Header) Has(name string) bool {
	for _, t := range h.Tensors {
		if t.Name == name {
			return true
		}
	}
	return false
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
