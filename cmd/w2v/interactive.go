package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"golang.org/x/term"

	"github.com/w2v-go/w2v/internal/terminal"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors/query"
)

// interactiveHelp is the part of a command's help about terminals.
const interactiveHelp = `If standard input is a terminal, lines can be edited, the up key brings back earlier
ones, Tab completes a word of the vocabulary, and Ctrl-D ends.`

// queries returns what queries are read from if none are on the command line: standard input, or
// lines that are edited on a terminal.
func (s streams) queries(words *query.Finder, asked []string) io.Reader {
	if len(asked) > 0 || !s.inTerminal || !s.errTerminal {
		return s.in
	}
	file, ok := s.in.(*os.File)
	if !ok {
		return s.in
	}
	e := newLineEditor(struct {
		io.Reader
		io.Writer
	}{file, drawing(s.err)}, words)
	fd := int(file.Fd())
	e.raw = func() (func(), error) {
		state, err := term.MakeRaw(fd)
		if err != nil {
			return nil, err
		}
		if width, height, err := term.GetSize(fd); err == nil && width > 0 {
			_ = e.terminal.SetSize(width, height) // else the lines are cut at another width
		}
		restore := func() { _ = term.Restore(fd, state) }
		stop := beforeSignals(restore)
		return func() { stop(); restore() }, nil
	}
	fmt.Fprintf(s.err, "%s. Tab completes a word, Ctrl-D ends.\n", wording.Count(words.Set().Len(), "word", "words"))
	return e
}

// beforeSignals calls restore before a signal ends the program, until stop is called.
func beforeSignals(restore func()) (stop func()) {
	heard, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(heard, endingSignals()...)
	go func() {
		select {
		case <-done:
		case s := <-heard:
			restore()
			signal.Reset(s)
			if p, err := os.FindProcess(os.Getpid()); err != nil || p.Signal(s) != nil {
				os.Exit(exitInterrupted) // where a process cannot signal itself
			}
		}
	}()
	return func() {
		signal.Stop(heard)
		close(done)
	}
}

// edited returns where a line is complained of that makes no sense, if somebody edits lines and can
// write another one; nil where such a line is an error.
func (s streams) edited(in io.Reader) io.Writer {
	if _, ok := in.(*lineEditor); ok {
		return s.err
	}
	return nil
}

// prompt stands before every line that is edited.
const prompt = "> "

// A lineEditor reads lines from a terminal, with history and completion.
type lineEditor struct {
	terminal *term.Terminal
	words    *query.Finder
	raw      func() (restore func(), err error) // makes the terminal report every key; nil where it does already
	out      io.Writer
	line     []byte // what was read and not yet asked for
}

func newLineEditor(rw io.ReadWriter, words *query.Finder) *lineEditor {
	e := &lineEditor{terminal: term.NewTerminal(rw, prompt), words: words, out: rw}
	e.terminal.AutoCompleteCallback = e.complete
	return e
}

// Read reads a line, or what is left of it. The terminal is raw only while somebody types, so that
// what is printed in between looks as everywhere, and Ctrl-C works.
func (e *lineEditor) Read(p []byte) (int, error) {
	if len(e.line) == 0 {
		restore := func() {}
		if e.raw != nil {
			var err error
			if restore, err = e.raw(); err != nil {
				return 0, fmt.Errorf("the terminal: %w", err)
			}
		}
		line, err := func() (string, error) {
			defer restore() // whatever happens
			return e.terminal.ReadLine()
		}()
		if err != nil {
			fmt.Fprintln(e.out) // the next prompt, of the shell, has a line of its own
			return 0, err
		}
		e.line = append([]byte(line), '\n')
	}
	n := copy(p, e.line)
	e.line = e.line[n:]
	return n, nil
}

// shown is how many words are listed of those that go on from what was typed.
const shown = 20

// complete goes on from the word before the cursor as far as all words of the vocabulary agree that
// begin so. If that is no farther, it lists the first of them.
func (e *lineEditor) complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	c, err := e.words.Complete(line[:pos], shown)
	if c.Total == 0 || err != nil { // which the answer to the line says, too
		return line, pos, true
	}
	typed, common := line[c.Start:pos], c.Common
	if c.Total == 1 {
		common += " "
	}
	if common != typed && len(common) >= len(typed) && terminal.Escape(common) == common {
		return line[:c.Start] + common + line[pos:], c.Start + len(common), true
	}
	found := c.Words
	if c.Total > len(found) {
		found = append(found, fmt.Sprintf("… and %s more", wording.Thousands(c.Total-len(found))))
	}
	for i, word := range found {
		found[i] = terminal.Cut(terminal.Escape(word), widest)
	}
	fmt.Fprintf(e.terminal, "%s\n", strings.Join(found, "  "))
	return line, pos, true
}
