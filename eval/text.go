package eval

import (
	"bytes"
	"strings"
)

// A text is the content of a file whose layout is to be recognised.
type text struct {
	raw   []byte
	lines []string // without white space around them and without comments; blank lines are ""
	full  []string // the lines that are not blank
}

func newText(raw []byte) *text {
	t := &text{raw: bytes.TrimPrefix(raw, []byte("\ufeff"))}
	for line := range bytes.Lines(t.raw) {
		decoded := strings.TrimSpace(decode(line))
		switch {
		case decoded == "":
			t.lines = append(t.lines, "")
		case decoded[0] != '#':
			t.lines = append(t.lines, decoded)
			t.full = append(t.full, decoded)
		}
	}
	return t
}

// binary reports whether the content is no text.
func (t *text) binary() bool { return bytes.IndexByte(t.raw, 0) >= 0 }

// most reports whether at least four fifths of the lines that are not blank fit. So a file with a
// few wrong lines is recognised, and its reader says which line is wrong.
func (t *text) most(fits func(line string) bool) bool {
	n := 0
	for _, line := range t.full {
		if fits(line) {
			n++
		}
	}
	return n > 0 && 5*n >= 4*len(t.full)
}
