// Package plaintext recognizes text that readers of lines in UTF-8 cannot read: text in wider encodings,
// and lines that end otherwise. Such text has no error of its own: it is one long line of strange words.
package plaintext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// An Error says what a text is, and which command makes plain text of it.
type Error struct {
	Is      string // as "is in UTF-16, and text is read in UTF-8"
	Command string // prints plain text of the file whose name follows
}

func (e *Error) Error() string {
	return "the text " + e.Is + ": convert it first, as " + strings.TrimSuffix(e.Command, " <") + " does"
}

// marks are the byte order marks of encodings that are refused, the longer ones first.
var marks = []struct{ mark, encoding string }{
	{"\xff\xfe\x00\x00", "UTF-32"},
	{"\x00\x00\xfe\xff", "UTF-32"},
	{"\xff\xfe", "UTF-16"},
	{"\xfe\xff", "UTF-16"},
}

// Check returns an error if a text that begins with head cannot be read line by line in UTF-8; else nil.
func Check(head []byte) *Error {
	if encoding := encodingOf(head); encoding != "" {
		return &Error{"is in " + encoding + ", and text is read in UTF-8", "iconv -f " + encoding + " -t UTF-8"}
	}
	// What head ends with may be the first half of \r\n.
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(bytes.TrimRight(head, "\r"), '\r') >= 0 {
		return &Error{"has carriage returns alone at the ends of lines, as old Macs wrote them", `tr '\r' '\n' <`}
	}
	return nil
}

func encodingOf(head []byte) string {
	for _, m := range marks {
		if bytes.HasPrefix(head, []byte(m.mark)) {
			return m.encoding
		}
	}
	return wideEncoding(head)
}

const fewest = 16

// Without a byte order mark, in UTF-16 nearly every second byte is zero, and in UTF-32 three of four.
func wideEncoding(head []byte) string {
	var zeros [4]int // by place
	for i, c := range head {
		if c == 0 {
			zeros[i%4]++
		}
	}
	places := len(head) / 4
	if places < fewest {
		return ""
	}
	most := func(place int) bool { return zeros[place] > places-places/4 }
	few := func(place int) bool { return zeros[place] < places/16 }
	switch {
	case few(0) && most(1) && most(2) && most(3):
		return "UTF-32LE"
	case most(0) && most(1) && most(2) && few(3):
		return "UTF-32BE"
	case few(0) && most(1) && few(2) && most(3):
		return "UTF-16LE"
	case most(0) && few(1) && most(2) && few(3):
		return "UTF-16BE"
	}
	return ""
}

const headSize = 1 << 16

// NewReader returns a reader of r that fails as Check does of its first line. It waits for no more of r than that.
func NewReader(r io.Reader) io.Reader { return &reader{in: bufio.NewReaderSize(r, headSize)} }

type reader struct {
	in      *bufio.Reader
	checked bool
	err     error // behind what in has buffered
}

func (r *reader) Read(p []byte) (int, error) {
	if !r.checked {
		r.checked = true
		if err := r.check(); err != nil {
			r.in.Reset(nil)
			r.err = err
		}
	}
	if r.err != nil && r.in.Buffered() == 0 {
		return 0, r.err
	}
	return r.in.Read(p)
}

func (r *reader) check() error {
	var head []byte
	for r.err == nil && len(head) < headSize && bytes.IndexByte(head, '\n') < 0 {
		_, r.err = r.in.Peek(len(head) + 1)
		head, _ = r.in.Peek(r.in.Buffered())
	}
	if err := Check(head); err != nil && (r.err == nil || errors.Is(r.err, io.EOF)) {
		return err
	}
	return nil
}

// A LineError names the line of a file that could not be read, and what was expected there.
type LineError struct {
	Name string // of the file
	Line int    // from 1; 0 for an error of the whole file
	Err  error
}

func (e *LineError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

// Excerpt shortens a line for an error message.
func Excerpt(line string) string {
	const most = 60
	if utf8.RuneCountInString(line) > most {
		return string([]rune(line)[:most]) + "…"
	}
	return line
}
