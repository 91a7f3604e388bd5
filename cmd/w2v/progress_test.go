package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// How often there is a report is what docs/reliability.md says.
func TestReportsAreAsFrequentAsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "Once a second, or five times a second while there is a progress bar, and at the end.") {
		t.Error("docs/reliability.md does not say how often there is a progress event")
	}
	for progress, want := range map[string]time.Duration{progressNever: time.Second, progressAlways: time.Second / 5} {
		if r := newReporter(streams{err: io.Discard}, progress); r.every() != want {
			t.Errorf("--progress %s: every %v, want %v", progress, newReporter(streams{err: io.Discard}, progress).every(), want)
		}
	}
}

// What is written in pieces is one event a line, and a reader that goes away is not an error.
func TestMessages(t *testing.T) {
	var out bytes.Buffer
	m := &messages{w: &out, json: true}
	for _, piece := range []string{"note: one", " line\ntwo", "\n", "w2v: three\nrest"} {
		if n, err := m.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("%q: %d, %v", piece, n, err)
		}
	}
	m.failed("in the \"end\"")
	const want = `{"event":"note","kind":"","text":"one line"}
{"event":"note","kind":"","text":"two"}
{"event":"note","kind":"","text":"three"}
{"event":"failed","error":"in the \"end\""}
`
	if out.String() != want {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
	m.w = failing{syscall.EPIPE}
	if err := m.Encode(noteEvent{"note", "", ""}); err != nil && runtime.GOOS != "windows" { // which has other errors
		t.Errorf("nobody reads: %v", err)
	}
	m.w = failing{syscall.ENOSPC}
	if err := m.Encode(noteEvent{"note", "", ""}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Only what is wrong besides a reader that has gone is an error.
func TestUnlessClosed(t *testing.T) {
	other := errors.New("other")
	wrapped := &usageError{"w2v", errClosed}
	for _, test := range []struct{ err, want error }{
		{nil, nil},
		{other, other},
		{errClosed, nil},
		{wrapped, nil},
		{errors.Join(errClosed, errors.Join(wrapped)), nil},
	} {
		if got := unlessClosed(test.err); got != test.want {
			t.Errorf("%v: %v, want %v", test.err, got, test.want)
		}
	}
	if got := unlessClosed(errors.Join(errClosed, other)); got == nil || got.Error() != "other" {
		t.Errorf("both: %v", got)
	}
}
