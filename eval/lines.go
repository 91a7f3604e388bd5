package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/absent"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/vectors"
)

// maxLine is the largest length of a line in an evaluation set, in bytes. Lines of real sets are
// much shorter. The limit makes files of other kinds fail early and clearly.
const maxLine = 1 << 20

// A ParseError says which line of an evaluation set could not be read and what
// was expected there.
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

// eachLine calls read with every line of r that is neither blank nor a comment, without white
// space around it. It turns the errors of read into ParseErrors, and reads lines as scanLines does.
func eachLine(r io.Reader, name string, read func(line string) error) error {
	return scanLines(r, name, func(_ int, line string) error {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			return nil
		}
		return read(line)
	})
}

// scanLines calls read with every line of r and its number, from 1. It turns the errors of read
// into ParseErrors. A byte order mark is dropped. A line that is not UTF-8 is read as ISO 8859-1,
// in which some sets of the 2000s were published.
func scanLines(r io.Reader, name string, read func(number int, line string) error) error {
	if absent.Is(r) {
		return &ParseError{Set: name, Err: errors.New("there is no reader of the set: it is nil")}
	}
	scanner := bufio.NewScanner(plaintext.NewReader(r))
	scanner.Buffer(nil, maxLine)
	number := 0
	for scanner.Scan() {
		number++
		raw := scanner.Bytes()
		raw = bytes.TrimPrefix(raw, []byte("\ufeff")) // in the middle where files were joined
		if err := read(number, decode(raw)); err != nil {
			if scanner.Err() != nil {
				break // the line is incomplete, because reading the file failed
			}
			return &ParseError{Set: name, Line: number, Err: err}
		}
	}
	if err := scanner.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("line of more than %d bytes: is this an evaluation set?", maxLine)
		}
		return &ParseError{Set: name, Line: number + 1, Err: err}
	}
	return nil
}

// checkWords returns an error if a word is longer than any word of a model can be.
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
