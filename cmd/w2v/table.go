package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/terminal"
)

// widest is how many characters a column of a table has at most. A longer word is cut on a terminal, and
// elsewhere stands out of its column.
const widest = 60

// A cellTable is lines of cells with tabs between them, which Flush aligns. It is for people.
type cellTable struct {
	w     io.Writer
	flags uint
	text  bytes.Buffer
}

func newTable(w io.Writer) *cellTable { return &cellTable{w: w} }

func (t *cellTable) Write(text []byte) (int, error) { return t.text.Write(text) }

// Flush writes the table. A cell that is too long is aligned as a shorter one that stands for it.
func (t *cellTable) Flush() error {
	var aligned bytes.Buffer
	columns := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', t.flags)
	var long []string // what stands for a cell, and the cell, in turn
	for line := range strings.Lines(t.text.String()) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
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
		if strings.HasSuffix(line, "\n") {
			io.WriteString(columns, "\n")
		}
	}
	t.text.Reset()
	if err := columns.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(t.w, strings.NewReplacer(long...).Replace(aligned.String()))
	return err
}

// A buffered is a buffer before another writer.
type buffered struct {
	*bufio.Writer
	to io.Writer
}

func newBuffered(to io.Writer) buffered { return buffered{bufio.NewWriter(to), to} }

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
