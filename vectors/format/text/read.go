package text

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/lines"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// longestFirstRow bounds the line that says how many numbers a row has, in
// a text without a header.
const longestFirstRow = 1 << 28

func readHeaded(in *source.Input) (*vectors.Set, error) {
	line, err := in.Text(lines.LongestHeader)
	if err != nil {
		return nil, err
	}
	words, dim, ok := lines.ParseHeader(line)
	if !ok {
		return nil, in.FailLine("expected \"words dimensions\", up to %d each and at least 1 dimension, found %.40q", math.MaxInt32, line)
	}
	r := reader{Reader: lines.Reader{In: in, Dim: dim}, rows: words}
	return r.read(nil, codec.Text)
}

func readGloVe(in *source.Input) (*vectors.Set, error) {
	start := in.Offset()
	line, err := in.Text(longestFirstRow)
	if err != nil {
		return nil, err
	}
	dim := lines.CountNumbers(line, math.MaxInt, true)
	if dim == 0 {
		return nil, in.FailLine("expected a word and its numbers, found %.40q", line)
	}
	r := reader{lines.Reader{In: in, Dim: dim}, -1, start}
	return r.read(line, codec.GloVe)
}

// A reader reads a text of rows, after which empty lines may follow.
type reader struct {
	lines.Reader
	rows  int   // -1 where there is no header
	start int64 // of the first row, where that was read to see what it is
}

func isFraction(x float32) bool { return x != float32(math.Trunc(float64(x))) }

// read makes a set of first, if it is not nil, and the lines that follow.
func (r *reader) read(first []byte, format string) (*vectors.Set, error) {
	in := r.In
	start, startLine := in.Offset(), in.Line
	if first != nil {
		start, startLine = r.start, 0
	}
	var words vectors.WordsBuilder
	var data []float32
	if r.rows > 0 {
		// A row has at least a letter, and a space and a digit a number.
		room := in.Backed(int64(r.rows), 2*int64(r.Dim)+1)
		words.Grow(room)
		if !in.Rereads() {
			data = make([]float32, 0, room*int64(r.Dim))
		}
	}
	var notFinite vectors.NotFinite
	empty := int64(0) // the first empty line after the last row
	wider := 0        // rows whose word ends in what seems to be a number of theirs
	whole := 0        // rows whose word ends in a number, and all of whose numbers are whole
	for {
		line := first
		if first = nil; line == nil {
			var err error
			if line, err = r.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
		}
		if len(lines.Trim(line)) == 0 {
			if empty == 0 {
				empty = in.Line
			}
			continue
		}
		if empty > 0 {
			in.Line = empty
			return nil, in.FailLine("expected a word and %d numbers, found an empty line", r.Dim)
		}
		if words.Len() == r.rows {
			return nil, in.FailLine("expected the end of the file after the %d rows of the header, found %.40q", r.rows, lines.Trim(line))
		}
		if in.Rereads() {
			data = data[:0] // only to see that the row is one
		}
		var word []byte
		var err error
		if word, data, err = r.Row(data, line); err != nil {
			return nil, err
		}
		number, fraction := lines.EndsInNumber(word)
		if fraction {
			wider++
		}
		if number && !slices.ContainsFunc(data[len(data)-r.Dim:], isFraction) {
			whole++
		}
		if len(word) > source.MaxWord {
			return nil, in.FailLine("expected a word of at most %d bytes, found one of %d", source.MaxWord, len(word))
		}
		text := string(word)
		notFinite.Look(words.Len(), text, data[len(data)-r.Dim:])
		words.Add(text)
	}
	n := words.Len()
	if 2*wider > n && r.rows < 0 { // which is not written
		in.Line = 1
		return nil, in.FailLine("expected rows of %d numbers, as the first one has, but most rows have more", r.Dim)
	}
	var notes []string
	if 2*wider > n || 2*whole > n {
		notes = append(notes, fmt.Sprintf("most words end in a number after a space: if that belongs to their vectors, rows have more than %d numbers", r.Dim))
	}
	if n < r.rows {
		return nil, in.FailLine("expected %d rows, as the header says, but the file ends after %d: %w",
			r.rows, n, io.ErrUnexpectedEOF)
	}
	input := vectors.Matrix{Data: data, Rows: n, Cols: r.Dim, Stride: r.Dim}
	if in.Rereads() && n > 0 {
		input = r.Sequence(start, startLine, n)
	}
	return vectors.New(vectors.Parts{
		Words: words.Words(), Input: input, NotFinite: &notFinite,
		File: in.Behind(), Origin: vectors.Origin{Format: format, Notes: notes},
	})
}
