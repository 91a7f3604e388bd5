package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
)

// What is between these lines of the document is made here.
const (
	beginMarker = "<!-- variants: generated -->\n"
	endMarker   = "<!-- variants: end -->\n"
)

// A document is a file of which a part is made here.
type document struct {
	path          string
	before, after string
}

// readDocument reads a file, in which both markers must be, once each.
func readDocument(path string) (*document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := &document{path: path}
	if d.before, d.after, err = divide(string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// divide returns what is up to the first marker and what is from the last one on.
func divide(text string) (before, after string, err error) {
	before, rest, ok := strings.Cut(text, beginMarker)
	_, after, end := strings.Cut(rest, endMarker)
	if !ok || !end || strings.Contains(rest, beginMarker) || strings.Contains(after, endMarker) {
		return "", "", fmt.Errorf("tables belong between one line %q and one line %q", strings.TrimSpace(beginMarker), strings.TrimSpace(endMarker))
	}
	return before + beginMarker, endMarker + after, nil
}

// replace writes the file with another text between the markers, in which there must be no
// path of this machine.
func (d *document) replace(generated string) error {
	if path := machinePath.FindString(generated); path != "" {
		return fmt.Errorf("%s: %q is a path of this machine and no reader's", d.path, strings.TrimSpace(path))
	}
	return atomicfile.Write(d.path, func(w io.Writer) error {
		_, err := io.WriteString(w, d.before+generated+d.after)
		return err
	})
}
