package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/terminal"
)

// errClosed says that the reader of standard output has closed it. A reader that has seen enough is not a
// failure: the program ends silently with exit code 0, so that "w2v vocab text | head" works under "set -o
// pipefail". A reader that failed reports that by its own exit code.
var errClosed = errors.New("standard output was closed by its reader")

// output is standard output. It remembers the first write error, after which it writes nothing.
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
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var others error
		for _, err := range e.Unwrap() {
			others = errors.Join(others, unlessClosed(err))
		}
		return others
	case interface{ Unwrap() error }:
		return unlessClosed(e.Unwrap())
	}
	return nil
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	if o.ranks.silent() {
		return len(p), nil
	}
	w := either[io.Writer](o.shown != nil, o.shown, o.w)
	n, err := w.Write(p)
	switch {
	case err == nil:
	case closedByReader(err):
		o.err = errClosed
	default:
		o.err = fmt.Errorf("standard output: %w", atomicfile.Cause(err))
	}
	return n, o.err
}

// widest is the width that a terminal cuts longer words of a table to; elsewhere they overflow.
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

func tabulate[T any](w io.Writer, header string, items []T, rows func(t io.Writer, item T)) {
	t := newTable(w)
	fmt.Fprintln(t, header)
	for _, item := range items {
		rows(t, item)
	}
	t.Flush()
}

type buffered struct {
	*bufio.Writer
	to io.Writer
}

// onTerminal reports whether w is standard output, and that a terminal.
func onTerminal(w io.Writer) bool { return terminalOf(w) != nil }

func terminalOf(w io.Writer) *terminal.Writer {
	if b, ok := w.(buffered); ok {
		return terminalOf(b.to)
	}
	if out, ok := w.(*output); ok {
		return out.shown
	}
	return nil
}

// listed is a word in a list that a person reads on a terminal, or a program: always on one line.
func listed(w io.Writer, word string) string {
	word = lineBreaks.Replace(word)
	return either(onTerminal(w), terminal.Cut(word, widest), word)
}

// lineBreaks may be in names of entries and in texts. JSON has them as they are.
var lineBreaks = strings.NewReplacer("\n", `\n`, "\r", `\r`)

// messages is standard error. With --log-json -, each of its lines becomes an event.
type messages struct {
	w     io.Writer
	shown *terminal.Writer // before w, if that is a terminal; else nil
	json  bool
	ranks *membership // only rank 0 speaks, except about failures

	mu   sync.Mutex
	rest []byte // an unfinished line
}

// Write writes text as it is, or each of its lines as an event.
func (m *messages) Write(text []byte) (int, error) {
	if m.ranks.silent() {
		return len(text), nil
	}
	if !m.json {
		return m.text().Write(text)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rest = append(m.rest, text...)
	for {
		line, rest, ended := bytes.Cut(m.rest, []byte("\n"))
		if !ended {
			return len(text), nil
		}
		m.rest = rest
		said := strings.TrimPrefix(strings.TrimPrefix(string(line), "w2v: "), "note: ")
		if err := m.encode(noteEvent{"note", "", said}); err != nil {
			return 0, err
		}
	}
}

func (m *messages) text() io.Writer { return either[io.Writer](m.shown != nil, m.shown, m.w) }

// drawing returns the writer for progress bars and edited lines, which move the cursor themselves.
func drawing(w io.Writer) io.Writer {
	if m, ok := w.(*messages); ok && m.shown != nil {
		return &messages{w: m.w, ranks: m.ranks}
	}
	return w
}

// aloud returns messages that are printed by every rank.
func (m *messages) aloud() *messages { return &messages{w: m.w, shown: m.shown, json: m.json} }

// Encode writes an event. A closed reader is not an error.
func (m *messages) Encode(event any) error {
	if m.ranks.silent() {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.encode(event)
}

// encode writes an event in a single write. The caller has locked m.
func (m *messages) encode(event any) error {
	var line bytes.Buffer
	if err := json.NewEncoder(&line).Encode(event); err != nil {
		return err
	}
	if _, err := m.w.Write(line.Bytes()); err != nil && !closedByReader(err) {
		return err
	}
	return nil
}

// logsToStderr reports whether there is --log-json -, before flags are parsed: errors of that are JSON, too.
func logsToStderr(root *cobra.Command, args []string) (asked bool) {
	c, words, err := root.Find(args)
	if err != nil || c.Flags().Lookup("log-json") == nil {
		return false
	}
	for i, word := range words {
		value, ok := strings.CutPrefix(word, "--log-json=")
		switch {
		case word == "--":
			return asked
		case ok:
			asked = value == "-"
		case word == "--log-json" && i+1 < len(words):
			asked = words[i+1] == "-"
		}
	}
	return asked
}

func (m *messages) failed(why string) {
	if m.ranks.silent() {
		why = fmt.Sprintf("rank %d: %s", m.ranks.rank, why)
	}
	if m.json {
		m.mu.Lock()
		defer m.mu.Unlock()
		_ = m.encode(failedEvent{"failed", why}) // there is nobody else to tell
		return
	}
	_, _ = io.WriteString(m.text(), "w2v: "+why+"\n") // likewise
}

// ending returns the line to print for the error that ends the program. interrupted says that there is no other.
func ending(err error) (line string, interrupted bool) {
	if !errors.Is(err, context.Canceled) {
		return oneLine(err), false
	}
	also := besides(err)
	if len(also) == 0 {
		return "interrupted", true
	}
	return "interrupted; and " + strings.Join(also, "; and "), false
}

// oneLine puts several errors on one line. It omits an error with which another one already ends.
func oneLine(err error) string {
	var parts []string
	for part := range strings.SplitSeq(err.Error(), "\n") {
		if !slices.ContainsFunc(parts, func(said string) bool { return strings.HasSuffix(said, ": "+part) }) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// besides returns the errors besides an interruption, with the text that err puts around them. A closed standard output
// is part of it: Ctrl-C in a pipeline ends all its programs.
func besides(err error) []string {
	if !errors.Is(err, context.Canceled) {
		if errors.Is(err, errClosed) {
			return nil
		}
		return []string{oneLine(err)}
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var all []string
		for _, part := range e.Unwrap() {
			all = append(all, besides(part)...)
		}
		return all
	case interface{ Unwrap() error }:
		inner := e.Unwrap()
		all := besides(inner)
		if before, after, ok := strings.Cut(oneLine(err), oneLine(inner)); ok {
			for i := range all {
				all[i] = before + all[i] + after
			}
		}
		return all
	}
	return nil
}

func either[T any](cond bool, a, b T) T {
	if cond {
		return a
	}
	return b
}

func when(cond bool, format string, args ...any) string {
	if !cond {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func (s streams) noteIf(cond bool, format string, args ...any) {
	if cond {
		s.note(format, args...)
	}
}

func writeFile(s streams, path string, write func(w io.Writer) error) error {
	if path == "" || path == "-" {
		return write(s.out)
	}
	return atomicfile.Write(path, write)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
