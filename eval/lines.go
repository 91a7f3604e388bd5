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

	"github.com/w2v-go/w2v/vectors"
)

// maxLine is the largest length of a line in an evaluation set, in bytes. Lines of real sets are
// much shorter. The limit makes files of other kinds fail early and clearly.
const maxLine = 1 << 20

// A ParseError names the line of an evaluation set that could not be read, and what was expected
// there.
type ParseError struct {
	Set  string // name of the set
	Line int    // from 1; 0 for an error of the whole file
	Err  error
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Set, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Set, e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }

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

// eachLine calls read with every line that is neither blank nor a comment, without white space
// around it. It turns the errors of read into ParseErrors.
func eachLine(raw []byte, name string, read func(line string) error) error {
	for number, line := range linesOf(raw) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := read(line); err != nil {
			return &ParseError{Set: name, Line: number, Err: err}
		}
	}
	return nil
}

// numberedLines returns all lines except comments. It trims white space around lines and blank
// lines at both ends.
func numberedLines(raw []byte) []numbered {
	var lines []numbered
	for number, line := range linesOf(raw) {
		lines = append(lines, numbered{number, strings.TrimSpace(line)})
	}
	return trimBlank(lines)
}

// checkWords returns an error if a word is longer than a model's words can be.
func checkWords(words ...string) error {
	for _, word := range words {
		if len(word) > vectors.MaxWord {
			return fmt.Errorf("want words of at most %d bytes, not one of %d, %q", vectors.MaxWord, len(word), excerpt(word))
		}
	}
	return nil
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

// excerpt shortens a line for an error message.
func excerpt(line string) string {
	const most = 60
	if utf8.RuneCountInString(line) > most {
		return string([]rune(line)[:most]) + "…"
	}
	return line
}

// A numbered is a line with its number.
type numbered struct {
	number int
	text   string
}

// trimBlank removes comments, and blank lines at both ends.
func trimBlank(lines []numbered) []numbered {
	lines = slices.DeleteFunc(lines, func(l numbered) bool { return strings.HasPrefix(l.text, "#") })
	for len(lines) > 0 && lines[0].text == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].text == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// isJSON reports whether a set that begins with this line is JSON.
func isJSON(line string) bool { return strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[") }

// jsonValues reads a set in JSON: a sequence of objects, or a list of objects. It also returns the
// line of each object. Want describes an object, for errors.
func jsonValues[T any](lines []numbered, name, want string) (values []T, at []int, err error) {
	var text bytes.Buffer
	var starts []int // offset of each line
	for _, l := range lines {
		starts = append(starts, text.Len())
		text.WriteString(l.text)
		text.WriteByte('\n')
	}
	decoder := json.NewDecoder(bytes.NewReader(text.Bytes()))
	line := func(offset int64) int {
		i, found := slices.BinarySearch(starts, int(offset))
		if !found {
			i--
		}
		return lines[min(max(i, 0), len(lines)-1)].number
	}
	fail := func(offset int64, err error) ([]T, []int, error) {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the file ends within it")
		}
		return nil, nil, &ParseError{Set: name, Line: line(offset), Err: fmt.Errorf("want %s: %w", want, err)}
	}
	list := lines[0].text[0] == '['
	if list {
		if _, err := decoder.Token(); err != nil {
			return fail(0, err)
		}
	}
	for decoder.More() {
		start := decoder.InputOffset()
		for int(start) < text.Len() && strings.IndexByte(" \t\r\n,", text.Bytes()[start]) >= 0 {
			start++
		}
		var v T
		if err := decoder.Decode(&v); err != nil {
			if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
				start = max(0, syntax.Offset-1)
			}
			return fail(start, err)
		}
		values, at = append(values, v), append(at, line(start))
	}
	if _, err := decoder.Token(); err != nil && !errors.Is(err, io.EOF) {
		return fail(int64(text.Len()-1), err)
	}
	if len(values) == 0 {
		return nil, nil, &ParseError{Set: name, Err: fmt.Errorf("want %s", want)}
	}
	return values, at, nil
}

// A row is a line of a table: its number and its columns.
type row struct {
	number  int
	columns []string
}

// readTable reads the lines of a set as a table, without blank lines and comments. The first line
// decides the separator: tabs, else commas (with quotation marks as in CSV), semicolons, or white
// space.
func readTable(raw []byte, name string) ([]row, error) {
	var rows []row
	var split func(string) ([]string, error)
	for number, line := range linesOf(raw) {
		line = strings.Trim(line, " \r")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		if split == nil {
			split = splitter(line)
		}
		columns, err := split(line)
		if err != nil {
			return rows, &ParseError{Set: name, Line: number, Err: err}
		}
		rows = append(rows, row{number, trimmed(columns)})
	}
	return rows, nil
}

// splitter returns the function that splits the lines of a table with this first line.
func splitter(first string) func(line string) ([]string, error) {
	switch {
	case strings.Contains(first, "\t"):
		return func(line string) ([]string, error) { return strings.Split(line, "\t"), nil }
	case strings.Contains(first, ","):
		return splitCSV
	case strings.Contains(first, ";"):
		return func(line string) ([]string, error) { return strings.Split(line, ";"), nil }
	}
	return func(line string) ([]string, error) { return strings.Fields(line), nil }
}

// splitCSV splits a line of comma-separated values, which may be in quotation marks.
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
		for i, column := range header {
			if strings.EqualFold(column, name) {
				return i
			}
		}
	}
	return -1
}
