package eval

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/vectors"
)

// maxLine is the largest length of a line in an evaluation set, in bytes. Lines of real sets are
// much shorter. The limit makes files of other kinds fail early and clearly.
const maxLine = 1 << 20

// A ParseError names the line of an evaluation set that could not be read, and what was expected
// there. Line is 0 for an error of the whole file.
type ParseError = plaintext.LineError

// at adds the number of a line to an error, unless the error is nil or has one. parse adds the name
// of the set.
func at(number int, err error) error {
	if _, ok := err.(*ParseError); ok || err == nil {
		return err
	}
	return &ParseError{Line: number, Err: err}
}

type text struct {
	name  string
	raw   []byte
	lines []numbered // without white space around them, without comments, and without blank lines at both ends
	full  []numbered // the lines that are not blank
}

type numbered struct {
	number int
	text   string
}

func newText(raw []byte, name string) *text {
	t := &text{name: name, raw: raw}
	for number, line := range linesOf(raw) {
		if line = strings.TrimSpace(line); line == "" && len(t.full) > 0 {
			t.lines = append(t.lines, numbered{number, line})
		} else if line != "" && line[0] != '#' {
			t.lines = append(t.lines, numbered{number, line})
			t.full = append(t.full, numbered{number, line})
		}
	}
	for len(t.lines) > 0 && t.lines[len(t.lines)-1].text == "" {
		t.lines = t.lines[:len(t.lines)-1]
	}
	return t
}

// linesOf yields the lines of a set with their numbers, from 1, without line endings. It drops byte
// order marks, also in the middle, where files were joined. A line that is not UTF-8 is read as ISO
// 8859-1, in which some sets of the 2000s were published.
func linesOf(raw []byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range bytes.Lines(raw) {
			number++
			line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
			if !yield(number, decode(bytes.TrimPrefix(line, []byte("\ufeff")))) {
				return
			}
		}
	}
}

func decode(raw []byte) string {
	if utf8.Valid(raw) {
		return string(raw)
	}
	runes := make([]rune, len(raw))
	for i, b := range raw {
		runes[i] = rune(b)
	}
	return string(runes)
}

func (t *text) eachLine(read func(line string) error) error {
	for _, l := range t.full {
		if err := read(l.text); err != nil {
			return at(l.number, err)
		}
	}
	return nil
}

// most reports whether at least four fifths of the non-blank lines fit. So a file with a few wrong
// lines is recognised, and its reader names the wrong line.
func (t *text) most(fits func(line string) bool) bool {
	n := 0
	for _, line := range t.full {
		if fits(line.text) {
			n++
		}
	}
	return n > 0 && 5*n >= 4*len(t.full)
}

func checkWords(words ...string) error {
	for _, word := range words {
		if len(word) > vectors.MaxWord {
			return fmt.Errorf("want words of at most %d bytes, not one of %d, %q", vectors.MaxWord, len(word), excerpt(word))
		}
	}
	return nil
}

func excerpt(line string) string { return plaintext.Excerpt(line) }

func tidied(words []string) []string {
	tidy := []string{}
	for _, word := range words {
		if word = strings.Join(strings.Fields(word), "_"); word != "" {
			tidy = append(tidy, word)
		}
	}
	return tidy
}

func (t *text) json() bool {
	return len(t.full) > 0 && strings.IndexByte("{[", t.full[0].text[0]) >= 0
}

func (t *text) hasKeys(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool {
		return !slices.ContainsFunc(t.full, func(line numbered) bool {
			_, rest, ok := strings.Cut(line.text, `"`+key+`"`)
			rest = strings.TrimSpace(rest)
			return ok && (rest == "" || rest[0] == ':')
		})
	})
}

// eachJSON calls read with the values of a set in JSON: a sequence of objects, or a list of objects.
// Want describes an object, for errors.
func eachJSON[T any](t *text, want string, read func(T) error) error {
	var all strings.Builder
	number := 1
	for _, l := range t.full {
		fmt.Fprintf(&all, "%s%s\n", strings.Repeat("\n", l.number-number), l.text)
		number = l.number + 1
	}
	content := all.String()
	line := func(offset int) int { return 1 + strings.Count(content[:min(max(0, offset), len(content))], "\n") }
	decoder := json.NewDecoder(strings.NewReader(content))
	fail := func(offset int64, err error) error {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the file ends within it")
		}
		return at(line(int(offset)), fmt.Errorf("want %s: %w", want, err))
	}
	if t.full[0].text[0] == '[' {
		if _, err := decoder.Token(); err != nil {
			return fail(0, err)
		}
	}
	var values []T
	var lines []int
	for decoder.More() {
		start := int(decoder.InputOffset())
		start = len(content) - len(strings.TrimLeft(content[start:], " \t\r\n,"))
		var v T
		if err := decoder.Decode(&v); err != nil {
			if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
				start = int(syntax.Offset) - 1
			}
			return fail(int64(start), err)
		}
		values, lines = append(values, v), append(lines, line(start))
	}
	if _, err := decoder.Token(); err != nil && !errors.Is(err, io.EOF) {
		return fail(int64(len(content)-1), err)
	}
	if len(values) == 0 {
		return fmt.Errorf("want %s", want)
	}
	for i, v := range values {
		if err := read(v); err != nil {
			return at(lines[i], err)
		}
	}
	return nil
}

// A row is a line of a table: its number and its columns.
type row struct {
	number  int
	columns []string
}

// table reads the lines as a table, without blank lines and comments. The first line decides the
// separator.
func (t *text) table() (rows []row, err error) {
	var split func(string) ([]string, error)
	for number, line := range linesOf(t.raw) {
		line = strings.Trim(line, " \r")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		if split == nil {
			split = splitter(line)
		}
		columns, err := split(line)
		if err != nil {
			return rows, at(number, err)
		}
		rows = append(rows, row{number, trimmed(columns)})
	}
	return rows, nil
}

// splitter returns the function that splits the lines of a table with this first line: at tabs, else
// commas (with quotation marks as in CSV), semicolons, or white space.
func splitter(first string) func(line string) ([]string, error) {
	for _, separator := range []string{"\t", ",", ";"} {
		switch {
		case !strings.Contains(first, separator):
		case separator == ",":
			return splitCSV
		default:
			return func(line string) ([]string, error) { return strings.Split(line, separator), nil }
		}
	}
	return func(line string) ([]string, error) { return strings.Fields(line), nil }
}

func splitCSV(line string) ([]string, error) {
	reader := csv.NewReader(strings.NewReader(line))
	reader.LazyQuotes = true
	columns, err := reader.Read()
	if err != nil {
		return nil, fmt.Errorf("want values separated by commas, not %q", excerpt(line))
	}
	return columns, nil
}

// columnNamed returns the index of the first column that has one of names, tried in order and
// regardless of case, or -1.
func columnNamed(header []string, names ...string) int {
	for _, name := range names {
		if i := slices.IndexFunc(header, func(column string) bool { return strings.EqualFold(column, name) }); i >= 0 {
			return i
		}
	}
	return -1
}
