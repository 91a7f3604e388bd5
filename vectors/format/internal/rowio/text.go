package rowio

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math"
	"regexp"
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
	In       *source.Input
	Dim      int  // number of dimensions
	Wordless bool // rows have numbers alone

	start, line int64  // offset of the first row, and the number of the line before it
	first       []byte // the first row, if it has been read
}

// NewTextReader reads rows from here on.
func NewTextReader(in *source.Input) *TextReader {
	return &TextReader{In: in, start: in.Offset, line: in.Line}
}

// First returns the first line, from which Dim is to be set, and nil at the end of the file.
func (r *TextReader) First(longest int) []byte {
	r.first, _ = r.In.Text(longest)
	return r.first
}

// TrimLine removes insignificant characters around a line.
func TrimLine(line []byte) []byte { return bytes.Trim(line, " \t\r") }

// Rows reads the rest of the file: rows, of which use is called with each, and then empty lines. want is their
// number, which the header of that name has said, or -1. Rows stay in a file that can be read again.
func (r *TextReader) Rows(want int, header string, use func(word []byte, row []float32)) vectors.Matrix {
	in, n, empty := r.In, 0, int64(0) // empty is the first empty line after the last row
	var data []float32
	if want > 0 && !in.Rereads() {
		// A row has at least a letter, and a space and a digit per number.
		data = make([]float32, 0, in.Backed(int64(want), 2*int64(r.Dim)+1)*int64(r.Dim))
	}
	add := func(line []byte) {
		switch trimmed := TrimLine(line); {
		case len(trimmed) == 0:
			if empty == 0 {
				empty = in.Line
			}
			return
		case empty > 0:
			in.Line = empty
			in.FailLine("expected %s, found an empty line", r.expected())
		case n == want:
			in.FailLine("expected the end of the file after the %d rows of the %s, found %.40q", want, header, trimmed)
		case n == math.MaxInt32:
			in.FailLine("expected at most %d rows, found more", math.MaxInt32)
		}
		if in.Rereads() {
			data = data[:0] // parsing only validates the row
		}
		var word []byte
		word, data = r.row(data, line)
		use(word, data[len(data)-r.Dim:])
		n++
	}
	if r.first != nil {
		add(r.first)
	}
	for line := range in.Lines(r.longest()) {
		add(line)
	}
	if n < want {
		in.FailLine("expected %d rows, as the %s says, but the file ends after %d: %w", want, header, n, io.ErrUnexpectedEOF)
	}
	if n == 0 || !in.Rereads() {
		return vectors.Matrix{Data: data, Rows: n, Cols: r.Dim, Stride: r.Dim}
	}
	again := TextReader{Dim: r.Dim, Wordless: r.Wordless, line: r.line}
	return Sequence(in, r.start, n, r.Dim, 0, func(in *source.Input, dst []float32) {
		if in.Line == 0 {
			in.Line = again.line
		}
		again.In = in
		text, ok := in.Text(again.longest())
		if !ok {
			source.Check(io.EOF)
		}
		again.row(dst[:0], text)
	})
}

func (r *TextReader) longest() int {
	return int(min(source.MaxWord+int64(r.Dim)*longestNumber, math.MaxInt))
}

func (r *TextReader) expected() string {
	if r.Wordless {
		return fmt.Sprintf("%d numbers", r.Dim)
	}
	return fmt.Sprintf("a word and %d numbers", r.Dim)
}

func (r *TextReader) row(data []float32, line []byte) ([]byte, []float32) {
	if blank := len(line) - len(bytes.TrimLeft(line, " \t")); blank > 0 || r.Wordless {
		if numbers, ok := AppendFields(data, TrimLine(line), r.Dim); ok {
			return line[:max(blank-1, 0)], numbers
		}
	}
	line = TrimLine(line)
	if r.Wordless {
		r.In.FailLine("expected %s, found %.40q", r.expected(), line)
	}
	end := endOfField(line)
	if fast, ok := AppendFields(data, line[end:], r.Dim); ok {
		return line[:end], fast
	}
	rest := line
	for n := range r.Dim {
		i := bytes.LastIndexAny(rest, " \t")
		if i < 0 {
			r.In.FailLine("expected %s, found %d fields", r.expected(), n+1)
		}
		if _, ok := decimal.Parse(rest[i+1:]); !ok {
			r.In.FailLine("expected %s, found %.40q for number %d", r.expected(), rest[i+1:], r.Dim-n)
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
	fields := bytes.Fields(line)
	if len(line) > LongestHeader || len(fields) != 2 {
		return 0, 0, false
	}
	w, err := strconv.ParseUint(string(fields[0]), 10, 31)
	d, err2 := strconv.ParseUint(string(fields[1]), 10, 31)
	if err != nil || err2 != nil || d == 0 {
		return 0, 0, false
	}
	return int(w), int(d), true
}

var twoIntegers = regexp.MustCompile(`^\s*[-+]?\d+\s+[-+]?\d+\s*$`)

// ClaimsHeader reports whether a line is two integers of any value, so that it is meant as "words
// dimensions".
func ClaimsHeader(line []byte) bool { return len(line) <= LongestHeader && twoIntegers.Match(line) }

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
	return !bytes.ContainsFunc(head, func(c rune) bool { return c < ' ' && (c < '\t' || c > '\r') || c == 0x7f })
}
