package vectors

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
)

// A row of text is a word and D numbers, set apart by any number of spaces and
// tabs. It is split from the right, so that a word may hold spaces, and every
// other byte but a newline. Spaces and tabs around the line and a carriage
// return at its end do not count. Empty lines may follow the last row.

const (
	// longestNumber is more than any program prints of a number.
	longestNumber = 512
	// longestFirstRow bounds the line that says how many numbers a row has, in
	// a text without a header.
	longestFirstRow = 1 << 28
)

func readText(in *input) (*Set, error) {
	line, err := in.text(longestHeader)
	if err != nil {
		return nil, err
	}
	words, dim, ok := parseHeader(line)
	if !ok {
		return nil, in.failLine("expected \"words dimensions\", up to %d each and at least 1 dimension, found %.40q", math.MaxInt32, line)
	}
	t := textReader{in: in, words: words, dim: dim}
	return t.read(nil)
}

func readGloVe(in *input) (*Set, error) {
	start := in.offset
	line, err := in.text(longestFirstRow)
	if err != nil {
		return nil, err
	}
	dim := countNumbers(line, math.MaxInt, true)
	if dim == 0 {
		return nil, in.failLine("expected a word and its numbers, found %.40q", line)
	}
	t := textReader{in: in, words: -1, dim: dim, start: start}
	return t.read(line)
}

type textReader struct {
	in         *input
	words, dim int   // words is -1 where there is no header
	start      int64 // of the first row, where that was read to see what it is
}

// next returns the next line.
func (t *textReader) next() ([]byte, error) {
	return t.in.text(int(min(MaxWord+int64(t.dim)*longestNumber, math.MaxInt)))
}

// read makes a set of first, if it is not nil, and the lines that follow.
func (t *textReader) read(first []byte) (*Set, error) {
	in := t.in
	start, startLine := in.offset, in.line
	if first != nil {
		start, startLine = t.start, 0
	}
	var words WordsBuilder
	var data []float32
	if t.words > 0 {
		// A row has at least a letter, and a space and a digit a number.
		rows := in.backed(int64(t.words), 2*int64(t.dim)+1)
		words.Grow(rows)
		if in.reopen == nil {
			data = make([]float32, 0, rows*int64(t.dim))
		}
	}
	var notFinite NotFinite
	empty := int64(0) // the first empty line after the last row
	for {
		line := first
		if first = nil; line == nil {
			var err error
			if line, err = t.next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
		}
		line = bytes.Trim(line, " \t\r")
		if len(line) == 0 {
			if empty == 0 {
				empty = in.line
			}
			continue
		}
		if empty > 0 {
			in.line = empty
			return nil, in.failLine("expected a word and %d numbers, found an empty line", t.dim)
		}
		if words.Len() == t.words {
			return nil, in.failLine("expected the end of the file after the %d rows of the header, found %.40q", t.words, line)
		}
		if in.reopen != nil {
			data = data[:0] // only to see that the row is one
		}
		var word []byte
		var err error
		if word, data, err = t.row(data, line); err != nil {
			return nil, err
		}
		if len(word) > MaxWord {
			return nil, in.failLine("expected a word of at most %d bytes, found one of %d", MaxWord, len(word))
		}
		text := string(word)
		notFinite.Look(words.Len(), text, data[len(data)-t.dim:])
		words.Add(text)
	}
	n := words.Len()
	if n < t.words {
		return nil, in.failLine("expected %d rows, as the header says, but the file ends after %d: %w",
			t.words, n, io.ErrUnexpectedEOF)
	}
	s := &Set{words: words.Words(), input: Matrix{Data: data, Rows: n, Cols: t.dim, Stride: t.dim}, counted: &notFinite}
	if in.reopen != nil && n > 0 {
		s.input = t.sequence(start, startLine, n)
	}
	return s, nil
}

// sequence returns the matrix of the n rows from an offset on, which has been read
// once.
func (t *textReader) sequence(offset, line int64, n int) Matrix {
	dim := t.dim
	return t.in.sequenceAt(offset, n, dim, 0, func(in *input, dst []float32) error {
		if in.line == 0 {
			in.line = line
		}
		t := textReader{in: in, dim: dim}
		text, err := t.next()
		if err != nil {
			return err
		}
		_, _, err = t.row(dst[:0], bytes.Trim(text, " \t\r"))
		return err
	})
}

// row appends the numbers of a line to data and returns its word.
func (t *textReader) row(data []float32, line []byte) ([]byte, []float32, error) {
	// Most words have no spaces.
	end := endOfField(line)
	if fast, ok := appendFields(data, line[end:], t.dim); ok {
		return line[:end], fast, nil
	}
	// Split from the right.
	rest := line
	for n := range t.dim {
		i := bytes.LastIndexAny(rest, " \t")
		if i < 0 {
			return nil, nil, t.in.failLine("expected a word and %d numbers, found %d fields", t.dim, n+1)
		}
		if _, ok := parseFloat(rest[i+1:]); !ok {
			return nil, nil, t.in.failLine("expected a word and %d numbers, found %.40q for number %d", t.dim, rest[i+1:], t.dim-n)
		}
		rest = bytes.TrimRight(rest[:i], " \t")
	}
	data, _ = appendFields(data, line[len(rest):], t.dim)
	return rest, data, nil
}

// appendFields appends the n numbers that fields holds to data, or reports
// false if it holds anything else.
func appendFields(data []float32, fields []byte, n int) ([]float32, bool) {
	start := len(data)
	data = slices.Grow(data, min(n, len(fields)/2))
	for range n {
		fields = bytes.TrimLeft(fields, " \t")
		end := endOfField(fields)
		x, ok := parseFloat(fields[:end])
		if !ok {
			return data[:start], false
		}
		data = append(data, x)
		fields = fields[end:]
	}
	return data, len(bytes.TrimLeft(fields, " \t")) == 0
}

// endOfField returns where the field that line begins with ends.
func endOfField(line []byte) int {
	for i, c := range line {
		if c == ' ' || c == '\t' {
			return i
		}
	}
	return len(line)
}
