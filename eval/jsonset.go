package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

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

// jsonValues reads a set of JSON: objects one after the other, or a list of them. It returns the
// line of each, too. Want says how an object looks.
func jsonValues[T any](lines []numbered, name, want string) (values []T, at []int, err error) {
	var text bytes.Buffer
	var starts []int // of each line
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
