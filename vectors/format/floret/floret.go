// Package floret reads and writes the text of floret's tables: a line "buckets dimensions minn maxn hashes
// seed BOW EOW" and, for each bucket in order, its number and D numbers. There are no words: every word's
// vector is the mean of the rows of its n-grams. spaCy expects single spaces between fields, and splits rows
// from the right. Source: saveFloretVectors in floret's fasttext.cc.
package floret

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Codec is the format.
var Codec = codec.Codec{
	Name:       codec.Floret,
	Extensions: []codec.Extension{{Name: ".floret", Sets: codec.AnySets}},
	Sniff:      sniff,
	Decode:     read,
	Write:      write,
	Size:       func(s vectors.Shape) float64 { return 2*float64(s.Buckets) + codec.DecimalSize(s, s.Buckets) },
	Subword:    checkSubword,
	DTypes:     []vectors.DType{},
	Keeps:      codec.Kept{Subwords: true},
	Programs:   "spaCy, finalfusion",
}

const headerFields = 8

const longestHeader = 1 << 10

func parseHeader(line []byte) (sub subword.Floret, dim int, err error) {
	fields := strings.Fields(string(line))
	if len(line) > longestHeader || len(fields) != headerFields {
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

// sniff accepts a file that begins with a table's header and a row with as many numbers as the header says.
func sniff(head []byte) bool {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	_, dim, err := parseHeader(line)
	if err != nil {
		return false
	}
	row, _, whole := bytes.Cut(rest, []byte{'\n'})
	if number, _, _ := bytes.Cut(row, []byte{' '}); string(number) != "0" && len(row) > 0 {
		return false
	}
	if len(row) == 0 {
		return true // the file is truncated, which the reader reports
	}
	// A GloVe row that looks like the header has seven numbers.
	return dim != headerFields-1 || rowio.LooksLikeRow(row, dim, whole || len(head) < source.SniffLen)
}

func read(in *source.Input) *vectors.Set {
	line, _ := in.Text(longestHeader)
	sub, dim, err := parseHeader(line)
	if err != nil {
		in.FailLine("%w", err)
	}
	t, row := rowio.NewTextReader(in), 0
	t.Dim = dim
	input := t.Rows(sub.Buckets, "first line", func(word []byte, _ []float32) {
		if n, err := strconv.Atoi(string(word)); err != nil || n != row {
			in.FailLine("expected row %d, found row %.40q", row, word)
		}
		row++
	})
	s := codec.Unchecked(vectors.Parts{
		Subword: sub, Input: input,
		Source: in.Behind, Origin: vectors.Origin{Format: codec.Floret},
	})
	source.Check(s.CheckSizes())
	return s
}

func checkSubword(sub subword.Indexer, c subword.Composition) error {
	if sub == nil {
		return fmt.Errorf("%s holds tables of n-grams, and there are none: write %s", codec.Floret, codec.Text)
	}
	if c.Learned(sub).Any() {
		return fmt.Errorf("%s has no place for the weights of %s: write %s, or %s for the words alone", codec.Floret, subword.TitleOf(sub), codec.W2V, codec.Text)
	}
	f, ok := subword.Value(sub).(subword.Floret)
	if !ok {
		return fmt.Errorf("%s holds n-grams that are hashed as floret does, and in another way (%s) they have other rows: write %s or %s",
			codec.Floret, subword.NameOf(sub), codec.W2V, codec.Finalfusion)
	}
	if c.OwnRows() {
		return fmt.Errorf("%s has no place for words' own rows: write %s, or %s for the words alone", codec.Floret, codec.W2V, codec.Text)
	}
	for _, mark := range []string{f.BOW, f.EOW} {
		if fields := strings.Fields(mark); len(fields) != 1 || fields[0] != mark {
			return fmt.Errorf("the mark %.20q of the beginning or end of a word is empty or holds white space, which %s cannot hold: write %s",
				mark, codec.Floret, codec.Finalfusion)
		}
	}
	return nil
}

func write(w *bufio.Writer, s *vectors.Set) error {
	sub, _ := subword.Value(s.Subword()).(subword.Floret) // checked by checkSubword
	fmt.Fprintf(w, "%d %d %d %d %d %d %s %s\n",
		sub.Buckets, s.Dim(), sub.MinN, sub.MaxN, sub.Hashes, sub.Seed, sub.BOW, sub.EOW)
	var line []byte
	for row, numbers := range s.Buckets(sub.Buckets) {
		line = rowio.AppendLine(line[:0], strconv.Itoa(row), numbers)
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return s.Err()
}
