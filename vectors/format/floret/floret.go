package vectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/subword"
)

// A floret table is a line "buckets dimensions minn maxn hashes seed BOW EOW" and,
// for each bucket in order, its number and D numbers. There are no words: the
// vector of every word is the mean of its pieces' rows. spaCy takes fields that one
// space separates, and splits rows from the right.

// floretFields is how many fields the first line has.
const floretFields = 8

// longestFloretHeader is more than the longest first line that could be meant.
const longestFloretHeader = 1 << 10

// parseFloretHeader reads the first line of a table.
func parseFloretHeader(line []byte) (sub subword.Floret, dim int, err error) {
	fields := strings.Fields(string(line))
	if len(line) > longestFloretHeader || len(fields) != floretFields {
		return sub, 0, fmt.Errorf("expected \"buckets dimensions minn maxn hashes seed BOW EOW\", found %.40q", line)
	}
	for i, to := range []*int{&sub.Buckets, &dim, &sub.MinN, &sub.MaxN, &sub.Hashes} {
		n, err := strconv.ParseUint(fields[i], 10, 31)
		if err != nil {
			return sub, 0, fmt.Errorf("expected a number from 0 to %d as field %d, found %.40q", math.MaxInt32, i+1, fields[i])
		}
		*to = int(n)
	}
	seed, err := strconv.ParseUint(fields[5], 10, 32)
	if err != nil {
		return sub, 0, fmt.Errorf("expected a seed of 32 bits as field 6, found %.40q", fields[5])
	}
	sub.Seed, sub.BOW, sub.EOW = uint32(seed), fields[6], fields[7]
	if dim == 0 {
		return sub, 0, errors.New("expected at least 1 dimension, found 0")
	}
	return sub, dim, sub.Validate()
}

// sniffFloret takes what begins with the line of a table, and a row that has as
// many numbers as that says.
func sniffFloret(head []byte) bool {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	_, dim, err := parseFloretHeader(line)
	if err != nil {
		return false
	}
	row, _, whole := bytes.Cut(rest, []byte{'\n'})
	if number, _, _ := bytes.Cut(row, []byte{' '}); string(number) != "0" && len(row) > 0 {
		return false
	}
	if len(row) == 0 {
		return true // it is cut short, which its reader can say
	}
	// A row of GloVe's that looks like the first line has seven numbers.
	return dim != floretFields-1 || looksLikeRow(row, dim, whole || len(head) < sniffLen)
}

func readFloret(in *input) (*Set, error) {
	line, err := in.text(longestFloretHeader)
	if errors.Is(err, io.EOF) {
		line, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	sub, dim, err := parseFloretHeader(line)
	if err != nil {
		return nil, in.failLine("%w", err)
	}
	t := textReader{in: in, words: sub.Buckets, dim: dim}
	start, startLine := in.offset, in.line
	var data []float32
	if in.reopen == nil {
		// A row has at least a digit, and a space and a digit a number.
		data = make([]float32, 0, in.backed(int64(sub.Buckets), 2*int64(dim)+1)*int64(dim))
	}
	for row := range sub.Buckets {
		if in.reopen != nil {
			data = data[:0] // only to see that the row is one
		}
		if data, err = t.numbered(data, row); err != nil {
			return nil, err
		}
	}
	if err := t.onlyEmptyLines(); err != nil {
		return nil, err
	}
	s := &Set{subword: sub, composition: ComposePieces}
	if in.reopen != nil {
		s.input = t.sequence(start, startLine, sub.Buckets)
		return s, nil
	}
	s.input = Matrix{Data: data, Rows: sub.Buckets, Cols: dim, Stride: dim}
	return s, s.checkSizes()
}

// numbered appends the numbers of the next line, which begins with that of the row.
func (t *textReader) numbered(data []float32, row int) ([]float32, error) {
	line, err := t.next()
	if errors.Is(err, io.EOF) {
		return nil, t.in.failLine("expected %d rows, as the first line says, but the file ends after %d: %w",
			t.words, row, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return nil, err
	}
	word, data, err := t.row(data, bytes.Trim(line, " \t\r"))
	if err != nil {
		return nil, err
	}
	if n, err := strconv.Atoi(string(word)); err != nil || n != row {
		return nil, t.in.failLine("expected row %d, found row %.40q", row, word)
	}
	return data, nil
}

// onlyEmptyLines is an error if anything else follows.
func (t *textReader) onlyEmptyLines() error {
	for {
		line, err := t.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if line = bytes.Trim(line, " \t\r"); len(line) > 0 {
			return t.in.failLine("expected the end of the file after the %d rows of the first line, found %.40q", t.words, line)
		}
	}
}

// checkFloretSubword says why a set with such n-grams cannot be written as a table.
func checkFloretSubword(sub subword.Indexer, c Composition) error {
	if sub == nil {
		return fmt.Errorf("%s holds tables of n-grams, and the set has none: write %s", FormatFloret, FormatText)
	}
	if _, ok := subword.Value(sub).(subword.Hash); ok {
		return fmt.Errorf("%s has no place for the weights of hash embeddings: write %s, or %s for the words alone", FormatFloret, FormatW2V, FormatText)
	}
	f, ok := subword.Value(sub).(subword.Floret)
	if !ok {
		return fmt.Errorf("%s holds n-grams that are hashed as floret does, and in another way (%s) they have other rows: write %s or %s",
			FormatFloret, subword.NameOf(sub), FormatW2V, FormatFinalfusion)
	}
	if c != ComposePieces {
		return fmt.Errorf("%s has no place for words' own rows: write %s, or %s for the words alone", FormatFloret, FormatW2V, FormatText)
	}
	for _, mark := range []string{f.BOW, f.EOW} {
		if fields := strings.Fields(mark); len(fields) != 1 || fields[0] != mark {
			return fmt.Errorf("the mark %.20q of the beginning or end of a word is empty or holds white space, which %s cannot hold: write %s",
				mark, FormatFloret, FormatFinalfusion)
		}
	}
	return nil
}

// writeFloret writes the table of a set. Its words are not in it, for they have no
// rows.
func writeFloret(w *bufio.Writer, s *Set) error {
	sub, _ := subword.Value(s.subword).(subword.Floret) // as has been checked
	_, err := fmt.Fprintf(w, "%d %d %d %d %d %d %s %s\n",
		sub.Buckets, s.Dim(), sub.MinN, sub.MaxN, sub.Hashes, sub.Seed, sub.BOW, sub.EOW)
	if err != nil {
		return err
	}
	row := 0
	var line []byte
	return s.EachBucket(sub.Buckets, func(numbers []float32) error {
		line = appendLine(line[:0], strconv.Itoa(row), numbers)
		row++
		_, err := w.Write(line)
		return err
	})
}
