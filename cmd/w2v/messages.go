package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/terminal"
)

// messages is standard error. With --log-json -, each of its lines is a JSON object: messages to people
// become events, too.
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

func (m *messages) text() io.Writer {
	if m.shown != nil {
		return m.shown
	}
	return m.w
}

// drawing returns the writer for progress bars and edited lines, which move the cursor on standard error
// themselves.
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

// logsToStderr reports whether a command line has --log-json -. It looks at the words before
// they are parsed, because errors of parsing are printed as JSON, too.
func logsToStderr(root *cobra.Command, args []string) bool {
	c, words, err := root.Find(args)
	if err != nil || c.Flags().Lookup("log-json") == nil {
		return false
	}
	asked := false
	for i, word := range words {
		if word == "--" {
			break
		}
		if value, ok := strings.CutPrefix(word, "--log-json="); ok {
			asked = value == "-"
		} else if word == "--log-json" && i+1 < len(words) {
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

// ending returns the line to print for the error that ends the program. interrupted says that an interruption
// is the only error.
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

// oneLine puts several errors on one line. It omits an error with which another one already ends, for example
// when a file fails again on closing.
func oneLine(err error) string {
	var parts []string
	for part := range strings.SplitSeq(err.Error(), "\n") {
		if !slices.ContainsFunc(parts, func(said string) bool { return strings.HasSuffix(said, ": "+part) }) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// besides returns the errors besides an interruption, with the text that err puts
// around it. A closed standard output counts as part of the interruption: Ctrl-C in a
// pipeline ends all its programs.
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
