package rowio

import (
	"bytes"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// A row of text is a word and D numbers, separated by any number of spaces and tabs. It is split from the
// right, so that a word may contain spaces and any other byte except a newline. Spaces and tabs around the
// line and a trailing carriage return do not count. Exception: if a line begins with spaces or tabs and has
// only numbers, these characters except the last are the word.

const longestNumber = 512

// A TextReader reads rows of text.
type TextReader struct {
	In  *source.Input
	Dim int // number of dimensions
}

// Lines yields the remaining lines.
func (r *TextReader) Lines() iter.Seq[[]byte] {
	return r.In.Lines(int(min(source.MaxWord+int64(r.Dim)*longestNumber, math.MaxInt)))
}

// TrimLine removes insignificant characters around a line.
func TrimLine(line []byte) []byte { return bytes.Trim(line, " \t\r") }

// Sequence returns the matrix of n rows from an offset, which have been read once. line is the number of the
// line before them.
func (r *TextReader) Sequence(offset, line int64, n int) vectors.Matrix {
	dim := r.Dim
	return Sequence(r.In, offset, n, dim, 0, func(in *source.Input, dst []float32) {
		if in.Line == 0 {
			in.Line = line
		}
		r := TextReader{In: in, Dim: dim}
		for text := range r.Lines() {
			r.Row(dst[:0], text)
			return
		}
		source.Check(io.EOF)
	})
}

// Row appends the numbers of a line to data and returns the line's word.
func (r *TextReader) Row(data []float32, line []byte) ([]byte, []float32) {
	if blank := len(line) - len(bytes.TrimLeft(line, " \t")); blank > 0 {
		if numbers, ok := AppendFields(data, TrimLine(line), r.Dim); ok {
			return line[:blank-1], numbers
		}
	}
	line = TrimLine(line)
	// Most words have no spaces.
	end := endOfField(line)
	if fast, ok := AppendFields(data, line[end:], r.Dim); ok {
		return line[:end], fast
	}
	// Split from the right.
	rest := line
	for n := range r.Dim {
		i := bytes.LastIndexAny(rest, " \t")
		if i < 0 {
			r.In.FailLine("expected a word and %d numbers, found %d fields", r.Dim, n+1)
		}
		if _, ok := decimal.Parse(rest[i+1:]); !ok {
			r.In.FailLine("expected a word and %d numbers, found %.40q for number %d", r.Dim, rest[i+1:], r.Dim-n)
		}
		rest = bytes.TrimRight(rest[:i], " \t")
	}
	data, _ = AppendFields(data, line[len(rest):], r.Dim)
	return rest, data
}

// AppendFields appends the n numbers in fields to data. It returns false if fields holds anything else.
func AppendFields(data []float32, fields []byte, n int) ([]float32, bool) {
	start := len(data)
	data = slices.Grow(data, min(n, len(fields)/2))
	for range n {
		fields = bytes.TrimLeft(fields, " \t")
		end := endOfField(fields)
		x, ok := decimal.Parse(fields[:end])
		if !ok {
			return data[:start], false
		}
		data = append(data, x)
		fields = fields[end:]
	}
	return data, len(bytes.TrimLeft(fields, " \t")) == 0
}

func endOfField(line []byte) int {
	for i, c := range line {
		if c == ' ' || c == '\t' {
			return i
		}
	}
	return len(line)
}

// AppendLine appends the line of a word and its vector.
func AppendLine(dst []byte, word string, vector []float32) []byte {
	dst = append(dst, word...)
	for _, x := range vector {
		dst = append(dst, ' ')
		dst = decimal.Append(dst, x)
	}
	return append(dst, '\n')
}

// LongestHeader is longer than any plausible line "words dimensions".
const LongestHeader = 128

// ParseHeader parses a line "words dimensions", with optional spaces and tabs around and between the numbers.
func ParseHeader(line []byte) (words, dim int, ok bool) {
	if len(line) > LongestHeader {
		return 0, 0, false
	}
	fields := bytes.Fields(line)
	if len(fields) != 2 {
		return 0, 0, false
	}
	w, err := strconv.ParseUint(string(fields[0]), 10, 31)
	if err != nil {
		return 0, 0, false
	}
	d, err := strconv.ParseUint(string(fields[1]), 10, 31)
	if err != nil || d == 0 {
		return 0, 0, false
	}
	return int(w), int(d), true
}

// ClaimsHeader reports whether a line is two integers of any value, so that it is meant as "words
// dimensions".
func ClaimsHeader(line []byte) bool {
	fields := bytes.Fields(line)
	if len(line) > LongestHeader || len(fields) != 2 {
		return false
	}
	for _, f := range fields {
		digits := bytes.TrimLeft(f, "-+")
		if len(digits) == 0 || len(f)-len(digits) > 1 || len(bytes.Trim(digits, "0123456789")) > 0 {
			return false
		}
	}
	return true
}

// CutHeader cuts the line "words dimensions" off head.
func CutHeader(head []byte) (rest []byte, words, dim int, ok bool) {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	words, dim, ok = ParseHeader(line)
	return rest, words, dim, ok
}

// LooksLikeRow reports whether row ends in dim numbers, or in any numbers if it is truncated.
func LooksLikeRow(row []byte, dim int, whole bool) bool {
	n := CountNumbers(row, dim, whole)
	return n == dim || !whole && n > 0
}

// CountNumbers returns how many numbers, up to limit, a line has at its end after the word. The last field of
// a truncated line does not count.
func CountNumbers(line []byte, limit int, whole bool) int {
	if !whole {
		line = line[:max(bytes.LastIndexAny(line, " \t"), 0)]
	}
	line = bytes.Trim(line, " \t\r")
	n := 0
	for n < limit {
		i := bytes.LastIndexAny(line, " \t")
		if i < 0 { // the first field is the word, number or not
			break
		}
		if _, ok := decimal.Parse(line[i+1:]); !ok {
			break
		}
		line = bytes.TrimRight(line[:i], " \t")
		n++
	}
	return n
}

// EndsInNumber reports whether a word ends in a number after a space. fraction reports whether that number
// has a point or an exponent, like numbers of vectors and unlike that of "part 7".
func EndsInNumber(word []byte) (number, fraction bool) {
	i := bytes.LastIndexAny(word, " \t")
	if i < 0 {
		return false, false
	}
	_, number = decimal.Parse(word[i+1:])
	return number, number && bytes.ContainsAny(word[i+1:], ".eE")
}

// Wider reports whether most words end in what looks like a number of a vector, and returns the first of
// these words.
func Wider(words iter.Seq2[int, string]) (first string, most bool) {
	n, wider := 0, 0
	for _, word := range words {
		n++
		if _, fraction := EndsInNumber([]byte(word)); fraction {
			if wider++; wider == 1 {
				first = word
			}
		}
	}
	return first, 2*wider > n
}

// IsText reports whether head has no control characters except those of text.
func IsText(head []byte) bool {
	for _, c := range head {
		if c < ' ' && (c < '\t' || c > '\r') || c == 0x7f {
			return false
		}
	}
	return true
}
