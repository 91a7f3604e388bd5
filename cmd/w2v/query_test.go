package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// typed is a terminal on which somebody types, and what it shows.
type typed struct {
	io.Reader
	shown bytes.Buffer
}

func (t *typed) Write(p []byte) (int, error) { return t.shown.Write(p) }

func paris(t *testing.T) *query.Finder {
	t.Helper()
	words := vectors.NewWords("paris", "parish", "parliament", "rome", "männer", "männlich")
	set, err := vectors.New(vectors.Parts{Words: words, Input: vectors.NewMatrix(words.Len(), 2)})
	if err != nil {
		t.Fatal(err)
	}
	finder, err := query.New(set, vectors.CaseAuto)
	if err != nil {
		t.Fatal(err)
	}
	return finder
}

// Lines are edited, brought back and completed before anybody reads them.
func TestLineEditor(t *testing.T) {
	const up, left = "\x1b[A", "\x1b[D"
	for _, test := range []struct{ name, keys, want, shows string }{
		{"a line", "rome\r", "rome\n", "> rome"},
		{"a mistake", "romm\x7fe\r", "rome\n", ""},
		{"two lines, and the first again", "rome\rparis\r" + up + up + "\r", "rome\nparis\nrome\n", ""},
		{"the only word that begins so", "ro\t+ x\r", "rome + x\n", ""},
		{"as far as words agree", "pa\ti\t\tsh\r", "parissh\n", ""},
		{"a list of words", "par\t\r", "par\n", "paris  parish  parliament"},
		{"a word of an expression", "rome - 0.5*parl\t\r", "rome - 0.5*parliament \n", ""},
		{"within a line", "ro x" + left + left + "\t\r", "rome  x\n", ""},
		{"letters of several bytes", "m\t\r", "männ\n", ""},
		{"nothing to complete", "\tzzz\t\r", "zzz\n", ""},
		{"Ctrl-D", "rome\r\x04paris\r", "rome\n", ""},
		{"Ctrl-C", "ro\x03paris\r", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			terminal := &typed{Reader: strings.NewReader(test.keys)}
			e := newLineEditor(terminal, paris(t))
			depth := 0
			e.raw = func() (func(), error) {
				depth++
				return func() { depth-- }, nil
			}
			got, err := io.ReadAll(e)
			if err != nil || string(got) != test.want || depth != 0 {
				t.Errorf("read %q, %v, raw %d, want %q", got, err, depth, test.want)
			}
			if !strings.Contains(terminal.shown.String(), test.shows) {
				t.Errorf("shown %q, want %q in it", terminal.shown.String(), test.shows)
			}
		})
	}
}

// Standard input is read as it is unless somebody types on a terminal and sees what is said.
func TestQueriesAreEditedOnTerminalsAlone(t *testing.T) {
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	terminal := streams{in: in, err: io.Discard, inTerminal: true, errTerminal: true}
	for _, test := range []struct {
		name   string
		change func(*streams)
		words  []string
		edited bool
	}{
		{"a terminal", func(*streams) {}, nil, true},
		{"words on the command line", func(*streams) {}, []string{"rome"}, false},
		{"a file", func(s *streams) { s.inTerminal = false }, nil, false},
		{"messages in a file", func(s *streams) { s.errTerminal = false }, nil, false},
	} {
		s := terminal
		test.change(&s)
		if edited := s.edited(s.queries(paris(t), test.words)) != nil; edited != test.edited {
			t.Errorf("%s: lines are edited: %t, want %t", test.name, edited, test.edited)
		}
	}
}
