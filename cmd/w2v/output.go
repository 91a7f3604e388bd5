package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/terminal"
)

// errClosed says that the reader of standard output has closed it. A reader that has seen enough is not a
// failure: the program ends silently with exit code 0, so that "w2v vocab text | head" works under "set -o
// pipefail". A reader that failed reports that by its own exit code.
var errClosed = errors.New("standard output was closed by its reader")

// output is standard output. It remembers write errors, so commands need not check every line. After an error
// it writes nothing.
type output struct {
	w     io.Writer
	shown *terminal.Writer // before w, if that is a terminal; else nil
	err   error
	ranks *membership // only rank 0 prints results
}

// unlessClosed returns err without errClosed: nil if there is no other error.
func unlessClosed(err error) error {
	if !errors.Is(err, errClosed) {
		return err
	}
	several, ok := err.(interface{ Unwrap() []error })
	if !ok {
		if inner := errors.Unwrap(err); inner != nil {
			return unlessClosed(inner)
		}
		return nil
	}
	var others []error
	for _, err := range several.Unwrap() {
		others = append(others, unlessClosed(err))
	}
	return errors.Join(others...)
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	if o.ranks.silent() {
		return len(p), nil
	}
	w := o.w
	if o.shown != nil {
		w = o.shown
	}
	n, err := w.Write(p)
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		o.err = fmt.Errorf("standard output: %w", err)
		if closedByReader(err) {
			o.err = errClosed
		}
	}
	return n, o.err
}

// widest is the maximum width of a table's column in characters. A terminal shows longer words cut; elsewhere
// they overflow their column.
const widest = 60

type cellTable struct {
	w     io.Writer
	flags uint
	text  bytes.Buffer
}

func newTable(w io.Writer) *cellTable { return &cellTable{w: w} }

func (t *cellTable) Write(text []byte) (int, error) { return t.text.Write(text) }

// Flush writes the table. A cell that is too long is aligned as if it were shorter.
func (t *cellTable) Flush() {
	var aligned bytes.Buffer
	columns := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', t.flags)
	var long []string // what stands for a cell, and the cell, in turn
	for line := range strings.Lines(t.text.String()) {
		line, ended := strings.CutSuffix(line, "\n")
		cells := strings.Split(line, "\t")
		for i, cell := range cells {
			if utf8.RuneCountInString(cell) <= widest || len(cells) == 1 {
				continue
			}
			if onTerminal(t.w) {
				cells[i] = terminal.Cut(cell, widest)
				continue
			}
			cells[i] = fmt.Sprintf("\ue000%0*d\ue001", widest-2, len(long))
			long = append(long, cells[i], cell)
		}
		io.WriteString(columns, strings.Join(cells, "\t"))
		if ended {
			io.WriteString(columns, "\n")
		}
	}
	t.text.Reset()
	columns.Flush()
	io.WriteString(t.w, strings.NewReplacer(long...).Replace(aligned.String())) // standard output remembers errors
}

// A buffered is a buffer before another writer.
type buffered struct {
	*bufio.Writer
	to io.Writer
}

// onTerminal reports whether w is standard output, and that a terminal.
func onTerminal(w io.Writer) bool {
	if b, ok := w.(buffered); ok {
		return onTerminal(b.to)
	}
	out, ok := w.(*output)
	return ok && out.shown != nil
}

// listed is a word in a list that a person reads on a terminal, or a program.
func listed(w io.Writer, word string) string {
	if onTerminal(w) {
		return terminal.Cut(word, widest)
	}
	return word
}
