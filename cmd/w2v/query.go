package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/w2v-go/w2v/internal/terminal"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

type queryRun struct {
	modelFlags
	answers answerFlags
	method  vectors.AnalogyMethod
}

func newQuery(s streams) *cobra.Command {
	var f queryRun
	c := &cobra.Command{
		Use:   "query [flags] MODEL [MODEL2]",
		Short: "Explore a model on the terminal: neighbours as one types",
		Long: `Show the nearest words of what is typed, on the whole terminal. With two models the
lists stand side by side, and words that both have are marked.

A text is a word, an expression such as "king - man + woman", or an analogy: three words
such as "man king woman", or "man:king::woman:?". Words outside the vocabulary are composed
from n-grams if the model has them; a list shows what each n-gram contributes.

Tab completes a word, the most frequent one first. The up key brings back earlier texts;
no file keeps them. Enter pins a text, so that all others are compared with it. The down
key goes to the list, where Enter follows a word, and Esc or Alt-Left goes back. F1 shows
all keys, and Ctrl-C ends.

Standard input and output must be a terminal. w2v nn answers in pipelines. With NO_COLOR
in the environment there are no colours.

` + caseHelp + `

` + answerHelp + `

` + postHelp,
		Example: `  w2v query model.w2v
  w2v query model.w2v -k 50 --restrict 20000
  w2v query before.w2v after.w2v
  w2v query model.w2v --abtt 2`,
		Args: usage(cobra.RangeArgs(1, 2)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.checkScreen(os.Getenv("TERM")); err != nil {
				return misuse(err)
			}
			ctx, stop := untilSignal(c.Context(), s.err)
			defer stop()
			return f.open(ctx, s, args, sourceNames(args), nil)
		},
	}
	f.answers.add(c, "neighbours", 50, func([]string) bool { return true })
	addAnalogyMethod(c, &f.method)
	f.modelFlags.add(c)
	return c
}

// checkScreen returns an error if nothing can be typed or drawn.
func (s streams) checkScreen(kind string) error {
	_, file := s.in.(*os.File)
	return broken(
		rule{!s.inTerminal || !file, "standard input is not a terminal; use w2v nn, which answers what it reads"},
		rule{s.screen == nil, "standard output is not a terminal; use w2v nn, which prints answers"},
		rule{kind == "dumb", "the terminal cannot place the cursor (TERM is dumb); use w2v nn, which asks line by line"},
	)
}

// sourceNames are the names of models: those of their files, with the folder if they are the same otherwise.
func sourceNames(paths []string) []string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = filepath.Base(path)
	}
	if len(names) == 2 && names[0] == names[1] {
		return paths
	}
	return names
}

// open opens the models one by one, and asks them when all are open.
func (f *queryRun) open(ctx context.Context, s streams, paths, names []string, open []terminal.Source) error {
	if len(paths) == 0 {
		err := terminal.Run(ctx, terminal.Options{In: s.in, Out: s.screen, Environment: os.Environ()}, open...)
		return errors.Join(err, ctx.Err())
	}
	return s.open(ctx, paths[0], f.answers.opening(&f.modelFlags), func(words *finder) error {
		from, err := f.answers.answerer(s, words)
		if err != nil {
			return err
		}
		source := &terminal.Set{Name: names[0], Finder: words.Finder, From: from.set, K: from.k, Threshold: from.threshold, Method: f.method}
		return f.open(ctx, s, paths[1:], names[1:], append(open, source))
	})
}

const interactiveHelp = `If standard input is a terminal, lines can be edited, the up key brings back earlier
ones, Tab completes a word of the vocabulary, and Ctrl-D ends.`

// queries returns the reader of queries: standard input, or lines that are edited on a terminal.
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
		stop := beforeSignals(func() bool { restore(); return true })
		return func() { stop(); restore() }, nil
	}
	fmt.Fprintf(s.err, "%s. Tab completes a word, Ctrl-D ends.\n", wording.Count(words.Set().Len(), "word", "words"))
	return e
}

// beforeSignals calls do before a signal, until stop is called. The signal then ends the program if do says so.
func beforeSignals(do func() bool) (stop func()) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, endingSignals()...)
	go func() {
		for s := range heard {
			if do() {
				sendAgain(s)
			}
		}
	}()
	return func() {
		signal.Stop(heard)
		close(heard)
	}
}

// edited returns where to complain of a line if somebody can write another one; nil where it is an error.
func (s streams) edited(in io.Reader) io.Writer {
	if _, ok := in.(*lineEditor); ok {
		return s.err
	}
	return nil
}

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

// Read reads a line, or what is left of it. The terminal is raw only while somebody types.
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
