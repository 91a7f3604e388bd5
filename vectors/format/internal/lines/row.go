package lines

import (
	"bytes"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// A row of text is a word and D numbers, set apart by any number of spaces and
// tabs. It is split from the right, so that a word may hold spaces, and every
// other byte but a newline. Spaces and tabs around the line and a carriage
// return at its end do not count, unless a line begins with them and has
// nothing but numbers: then they are the word, but for the last.

// longestNumber is more than any program prints of a number.
const longestNumber = 512

// A Reader reads rows of text.
type Reader struct {
	In  *source.Input
	Dim int // numbers of a row
}

// Next returns the next line. The error at the end is io.EOF.
func (r *Reader) Next() ([]byte, error) {
	return r.In.Text(int(min(source.MaxWord+int64(r.Dim)*longestNumber, math.MaxInt)))
}

// Trim returns a line without what does not count around it.
func Trim(line []byte) []byte { return bytes.Trim(line, " \t\r") }

// Sequence returns the matrix of the n rows from an offset on, which have been read
// once. The line before them has that number.
func (r *Reader) Sequence(offset, line int64, n int) vectors.Matrix {
	dim := r.Dim
	return rowio.Sequence(r.In, offset, n, dim, 0, func(in *source.Input, dst []float32) error {
		if in.Line == 0 {
			in.Line = line
		}
		r := Reader{In: in, Dim: dim}
		text, err := r.Next()
		if err != nil {
			return err
		}
		_, _, err = r.Row(dst[:0], text)
		return err
	})
}

// Row appends the numbers of a line to data and returns its word.
func (r *Reader) Row(data []float32, line []byte) ([]byte, []float32, error) {
	if blank := len(line) - len(bytes.TrimLeft(line, " \t")); blank > 0 {
		if numbers, ok := AppendFields(data, Trim(line), r.Dim); ok {
			return line[:blank-1], numbers, nil
		}
	}
	line = Trim(line)
	// Most words have no spaces.
	end := EndOfField(line)
	if fast, ok := AppendFields(data, line[end:], r.Dim); ok {
		return line[:end], fast, nil
	}
	// Split from the right.
	rest := line
	for n := range r.Dim {
		i := bytes.LastIndexAny(rest, " \t")
		if i < 0 {
			return nil, nil, r.In.FailLine("expected a word and %d numbers, found %d fields", r.Dim, n+1)
		}
		if _, ok := decimal.Parse(rest[i+1:]); !ok {
			return nil, nil, r.In.FailLine("expected a word and %d numbers, found %.40q for number %d", r.Dim, rest[i+1:], r.Dim-n)
		}
		rest = bytes.TrimRight(rest[:i], " \t")
	}
	data, _ = AppendFields(data, line[len(rest):], r.Dim)
	return rest, data, nil
}

// AppendFields appends the n numbers that fields holds to data, or reports
// false if it holds anything else.
func AppendFields(data []float32, fields []byte, n int) ([]float32, bool) {
	start := len(data)
	data = slices.Grow(data, min(n, len(fields)/2))
	for range n {
		fields = bytes.TrimLeft(fields, " \t")
		end := EndOfField(fields)
		x, ok := decimal.Parse(fields[:end])
		if !ok {
			return data[:start], false
		}
		data = append(data, x)
		fields = fields[end:]
	}
	return data, len(bytes.TrimLeft(fields, " \t")) == 0
}

// EndOfField returns where the field that line begins with ends.
func EndOfField(line []byte) int {
	for i, c := range line {
		if c == ' ' || c == '\t' {
			return i
		}
	}
	return len(line)
}

// Append appends the line of a word and its vector.
func Append(dst []byte, word string, vector []float32) []byte {
	dst = append(dst, word...)
	for _, x := range vector {
		dst = append(dst, ' ')
		dst = decimal.Append(dst, x)
	}
	return append(dst, '\n')
}
