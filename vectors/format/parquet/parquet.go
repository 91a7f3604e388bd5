// Package parquet reads and writes vectors as a table in Apache Parquet: a column "word" of texts, and a column
// "vector" of lists of float32, all as long. A table of another program may call its columns otherwise if it has
// one column of texts and one of lists of fractions. Arrow's schema in the metadata says that lists have a fixed
// size. Source: https://github.com/apache/parquet-format.
package parquet

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/parquet"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// The columns.
const (
	wordColumn   = "word"
	vectorColumn = "vector"
)

// groupSize is about how many bytes a row group has.
const groupSize = 16 << 20

// Codec is the format.
var Codec = codec.Codec{
	Name:       codec.Parquet,
	Extensions: []codec.Extension{{Name: ".parquet", Sets: codec.AnySets}},
	Sniff:      parquet.Begins,
	Decode:     read,
	Write:      write,
	Size:       func(s vectors.Shape) float64 { return codec.WordSize(s, 4) + codec.FullSize(s, s.Words) },
	Word:       codec.Rules("a column of texts", codec.Rule{Is: func(word string) bool { return !utf8.ValidString(word) }, Text: "is not UTF-8"}),
	Programs:   "pandas, DuckDB, Spark, Polars, whatever reads Parquet",
}

func write(w *bufio.Writer, s *vectors.Set) error {
	dim := s.Dim()
	table, err := parquet.NewWriter(w, nil, []parquet.Field{
		{Name: wordColumn, Distinct: true},
		{Name: vectorColumn, Lists: parquet.Float32, Fixed: dim},
	})
	if err != nil {
		return err
	}
	var words, rows parquet.Values
	rows.Size = 4 * dim
	flush := func() error {
		if len(words.Rows) == 0 {
			return nil
		}
		err := table.Group([]parquet.Values{words, rows})
		words.Texts, words.Rows, rows.Lists, rows.Rows = words.Texts[:0], words.Rows[:0], rows.Lists[:0], rows.Rows[:0]
		return err
	}
	for id, vector := range s.All() {
		row := int32(len(words.Rows))
		words.Texts, words.Rows = append(words.Texts, s.Words().At(id)), append(words.Rows, row)
		rows.Rows = append(rows.Rows, row)
		for _, x := range vector {
			rows.Lists = binary.LittleEndian.AppendUint32(rows.Lists, math.Float32bits(x))
		}
		if len(rows.Lists) >= groupSize {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(s.Err(), flush()); err != nil {
		return err
	}
	return table.Close()
}

const (
	// mostBytes is how large a file may be that has to be in memory, because it comes as a stream.
	mostBytes = 8 << 30
	// mostPacking is how many times as large as the file its numbers may be: a small file may not take much memory.
	mostPacking = 256
	looseBytes  = 1 << 20
)

// open returns the table of an input, which is read whole if it is not a plain file.
func open(in *source.Input) (table *parquet.File, size int64) {
	at, size := in.At, int64(0)
	if at != nil {
		size, _ = in.Left()
	} else {
		file := in.Rest("a Parquet table", mostBytes)
		at, size = bytes.NewReader(file), int64(len(file))
	}
	end := make([]byte, len(parquet.Magic))
	if _, err := at.ReadAt(end, max(size-int64(len(end)), 0)); err != nil && !errors.Is(err, io.EOF) {
		source.Check(err)
	}
	if string(end) != parquet.Magic {
		check(fmt.Errorf("the Parquet table is damaged or not complete: its metadata is missing at the end: %w", io.ErrUnexpectedEOF))
	}
	table, err := parquet.Open(at, size)
	check(err)
	return table, size
}

// check ends reading with an Error, unless err is nil.
func check(err error) {
	if err != nil {
		source.Check(&source.Error{Offset: -1, Err: err})
	}
}

func fail(format string, args ...any) { check(fmt.Errorf(format, args...)) }

func read(in *source.Input) *vectors.Set {
	table, size := open(in)
	wordName, vectorName, err := columns(table)
	check(err)
	if table.Rows() > size { // distinct words take a byte and more
		fail("expected at most %d rows in a table of so many bytes, found %d", size, table.Rows())
	}
	column, err := table.Column(wordName)
	check(err)
	words := readWords(column, table.Rows())
	first, err := table.Vectors(vectorName)
	check(err)
	rows, cols := words.Len(), 0
	p := vectors.Parts{Words: words, Source: in.Behind, Origin: vectors.Origin{Format: codec.Parquet}}
	for _, name := range table.Names() {
		if name != wordName && name != vectorName {
			p.Origin.Unread = append(p.Origin.Unread, fmt.Sprintf("the column %.80q", name))
		}
	}
	if rows == 0 {
		return source.Must(vectors.New(p))
	}
	row, err := first.Next()
	check(err)
	if cols = len(row); cols == 0 {
		fail("row 1: the word %.40q has no vector", words.At(0))
	}
	if most := looseBytes + mostPacking*size; int64(cols) > most/4/int64(rows) || cols > math.MaxInt32 {
		fail("expected at most %d bytes of numbers in a table of %d, found %d rows of %d", most, size, rows, cols)
	}
	if in.Rereads() {
		p.Input = rowsLater(in, rows, cols, vectorName)
		return codec.Checked(p, nil)
	}
	var notFinite vectors.NotFinite
	p.Input = vectors.NewMatrix(rows, cols)
	for r := range rows {
		if r > 0 {
			row, err = first.Next()
		}
		check(fits(r, row, cols, err))
		copy(p.Input.Row(r), row)
		notFinite.Look(r, words.At(r), row)
	}
	return codec.Checked(p, &notFinite)
}

// fits returns why a row is none of the matrix.
func fits(r int, row []float32, cols int, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("row %d: %w", r+1, err)
	case len(row) != cols:
		return fmt.Errorf("row %d: expected %d numbers, as the first row has, found %d", r+1, cols, len(row))
	}
	return nil
}

// columns returns the names of the columns of words and of vectors.
func columns(table *parquet.File) (word, vector string, err error) {
	texts, lists := table.Kinds()
	if word, err = choose(wordColumn, "texts, one a row,", texts); err == nil {
		vector, err = choose(vectorColumn, "lists of fractions", lists)
	}
	if err != nil {
		err = fmt.Errorf("%w, and the table has %s: a set of vectors has the columns %q and %q", err, table.List(), wordColumn, vectorColumn)
	}
	return word, vector, err
}

func choose(name, kind string, of []string) (string, error) {
	for _, column := range of {
		if column == name {
			return name, nil
		}
	}
	switch len(of) {
	case 1:
		return of[0], nil
	case 0:
		return "", fmt.Errorf("no column has %s", kind)
	}
	return "", fmt.Errorf("%d columns have %s and none of them is called %q", len(of), kind, name)
}

func readWords(column *parquet.Column, rows int64) vectors.Words {
	var words vectors.WordsBuilder
	for of := column.Read(0, rows); ; {
		cell, err := of.Next()
		if errors.Is(err, io.EOF) {
			return words.Words()
		}
		check(err)
		if cell.Null {
			fail("row %d: the word is null", of.Row())
		}
		words.Add(string(cell.Text))
	}
}

// rowsLater returns rows that stay in the file, and are read one after the other.
func rowsLater(in *source.Input, rows, cols int, column string) vectors.Matrix {
	var from *source.Input // of which rows reads
	var of *parquet.Vectors
	r := 0
	return rowio.Sequence(in, 0, rows, cols, 0, func(in *source.Input, dst []float32) {
		if in != from {
			table, _ := open(in)
			first, err := table.Vectors(column)
			check(err)
			from, of, r = in, first, 0
		}
		row, err := of.Next()
		check(fits(r, row, cols, err))
		copy(dst, row)
		r++
	})
}
