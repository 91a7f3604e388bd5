package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/w2v-go/w2v/internal/plaintext"
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
	c := command("query", cobra.RangeArgs(1, 2), func(c *cobra.Command, args []string) error {
		ctx, stop := untilSignal(c.Context(), s.err)
		defer stop()
		return f.open(ctx, s, args, sourceNames(args), nil)
	})
	f.answers.add(c, "neighbours", "words", 50, func([]string) bool { return true })
	addAnalogyMethod(c, &f.method)
	f.modelFlags.add(c)
	checked(c, func([]string) error { return s.checkScreen(os.Getenv("TERM")) })
	return c
}

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
	names := wording.Map(paths, filepath.Base)
	return either(len(names) == 2 && names[0] == names[1], paths, names)
}

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

// complete goes on as far as all words that begin so agree. If that is no farther, it lists the first of them.
func (e *lineEditor) complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	c, err := e.words.Complete(line[:pos], shown)
	if c.Total == 0 || err != nil { // which the answer to the line says, too
		return line, pos, true
	}
	typed, common := line[c.Start:pos], c.Common
	common += when(c.Total == 1, " ")
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

// together returns how many queries share a pass over a model's vectors: fewer if each has very many answers.
func together(answers int) int {
	const most, answered = 512, 1 << 20
	return max(1, min(most, answered/answers))
}

// batches yields the words of the command line or, without words, the trimmed lines of r, at most most at a time. It never
// waits for input while it holds queries: a batch ends before a read would block, and before a query of more than longest
// bytes, which is passed to tooLong. A read error ends batches.
func batches(words []string, r io.Reader, longest, most int, tooLong func(piece)) iter.Seq2[[]string, error] {
	asked := pieces(r, longest)
	if len(words) > 0 {
		asked = func(yield func(piece, error) bool) {
			for i, word := range words {
				if !yield(piece{text: word[:min(len(word), longest)], size: int64(len(word)), last: i == len(words)-1}, nil) {
					return
				}
			}
		}
	}
	return func(yield func([]string, error) bool) {
		var batch []string
		for p, err := range asked {
			if err != nil {
				if len(batch) == 0 || yield(batch, nil) {
					yield(nil, fmt.Errorf("standard input: %w", err))
				}
				return
			}
			if word := strings.Trim(p.text, white); p.whole() && word != "" {
				batch = append(batch, word)
			}
			if len(batch) > 0 && (len(batch) == most || p.last || !p.whole()) {
				if !yield(batch, nil) {
					return
				}
				batch = batch[:0]
			}
			if !p.whole() {
				tooLong(p)
			}
		}
		if len(batch) > 0 {
			yield(batch, nil)
		}
	}
}

// white separates tokens in a corpus. Other white space, such as no-break spaces, is part of words.
const white = " \t\r\n\v\f\x00"

func isWhite(r rune) bool { return strings.ContainsRune(white, r) }

// fields returns the words of a line: between tabs if these make exactly n words, else between white space.
func fields(line string, n int) []string {
	if tabbed := strings.Split(strings.Trim(line, white), "\t"); len(tabbed) == n {
		for i, word := range tabbed {
			tabbed[i] = strings.Trim(word, white)
		}
		return tabbed
	}
	return strings.FieldsFunc(line, isWhite)
}

func checkLength(words ...string) error {
	for _, word := range words {
		if len(word) > vectors.MaxWord {
			return fmt.Errorf("%.20q… has %d bytes, and no word has more than %d", word, len(word), vectors.MaxWord)
		}
	}
	return nil
}

type piece struct {
	text string
	line int   // from 1
	size int64 // bytes of the line
	last bool  // the next line is not yet available, or there is none
}

// whole tells whether text is all of the line, which was not longer than was asked for.
func (p piece) whole() bool { return p.size == int64(len(p.text)) }

// pieces yields the lines of r, including empty ones, except an empty last line. For a line of more than most
// bytes it yields only the beginning, and holds no more in memory. A byte order mark at the beginning does
// not count. A read error ends pieces.
func pieces(r io.Reader, most int) iter.Seq2[piece, error] {
	return func(yield func(piece, error) bool) {
		in := bufio.NewReaderSize(plaintext.NewReader(r), 64<<10)
		var text []byte
		for p := (piece{line: 1}); ; p.line++ {
			text, p.size = text[:0], 0
			err := bufio.ErrBufferFull
			for errors.Is(err, bufio.ErrBufferFull) {
				var chunk []byte
				chunk, err = in.ReadSlice('\n')
				chunk = bytes.TrimSuffix(chunk, []byte("\n"))
				p.size += int64(len(chunk))
				text = append(text, chunk[:min(len(chunk), most-len(text))]...)
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(piece{}, err)
				return
			}
			if mark := []byte("\ufeff"); p.line == 1 && bytes.HasPrefix(text, mark) { // with which some editors begin a text
				text = text[len(mark):]
				p.size -= int64(len(mark))
			}
			if p.size > 0 || err == nil {
				p.text = string(text)
				read, _ := in.Peek(in.Buffered())
				p.last = !bytes.Contains(read, []byte("\n"))
				if !yield(p, nil) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}

// questions yields so many words of the command line at a time or, without words, those that cut finds in each line of
// r. Where cut says that it wanted others, that is an error, which ends them unless again can take it and another line.
func questions(words []string, together int, r io.Reader, again io.Writer, cut func(line string) (words []string, wanted string)) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for asked := range slices.Chunk(words, together) {
			if !yield(asked, nil) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		number := 0
		for line, err := range inFiles(nil, r, lines) {
			number++
			asked, wanted := cut(line)
			switch {
			case err != nil:
				yield(nil, err)
				return
			case len(asked) == 0:
			case wanted == "":
				if !yield(asked, nil) {
					return
				}
			case again != nil:
				fmt.Fprintf(again, "w2v: standard input, line %d: expected %s, found %d in %.60q\n", number, wanted, len(asked), line)
			default:
				yield(nil, fmt.Errorf("standard input, line %d: expected %s, found %d in %.60q", number, wanted, len(asked), line))
				return
			}
		}
	}
}

// answerEach answers every query, and lets each answer out, because somebody may be waiting for it.
func answerEach[Q any](words *finder, queries iter.Seq2[Q, error], answer func(Q) error) error {
	for query, err := range queries {
		if err != nil {
			return errors.Join(err, words.absent.err())
		}
		if err := errors.Join(answer(query), words.out.Flush()); err != nil {
			return err
		}
	}
	return words.absent.err()
}
