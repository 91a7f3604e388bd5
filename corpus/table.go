package corpus

import (
	"context"
	"errors"
	"io"
	"math/bits"
	"os"
	"strings"

	"github.com/w2v-go/w2v/internal/parquet"
)

// A table is a Parquet file. It is divided by rows: an offset between input.text and input.size stands for a row, so that
// parts of a corpus and shards are parts of about equal size, whatever the rows are.
type table struct {
	rows int64
	size int64 // bytes of the column of text without compression, at least 1
}

// row returns the row that an offset stands for.
func (t *table) row(offset int64) int64 {
	high, low := bits.Mul64(uint64(offset), uint64(t.rows))
	row, _ := bits.Div64(high, low, uint64(t.size)) // offset is at most size
	return int64(row)
}

// asTable returns the input of a Parquet file.
func (in input) asTable(f *os.File, o Options) (input, error) {
	in.parquet = true
	if o.TextColumn == "" { // it has no shards, but may have Rows
		return in, nil
	}
	of, err := in.columnsOf(f, o)
	if err != nil {
		return in, named(in.name, err)
	}
	in.table = &table{of.file.Rows(), max(of.text.Bytes(), 1)}
	if in.size = in.table.size; in.table.rows == 0 {
		in.size = 0
	}
	return in, nil
}

// refuseTable returns the error of a Parquet table that cannot be read as text.
func (in input) refuseTable() error {
	e := &ForeignError{Name: in.name, Is: "is a Parquet table", advice: "it is read from a file, not from a stream or within a compressed file"}
	if !in.file || !in.isRegular() {
		return e
	}
	if f, err := os.Open(in.name); err == nil {
		defer f.Close()
		if of, err := parquet.Open(f, in.info.Size()); err == nil {
			e.Is += ", whose columns are " + of.List()
			e.Table, e.advice = true, "name the column of the text"
		}
	}
	return e
}

// tableColumns are the columns of a Parquet file that the options ask for.
type tableColumns struct {
	file      *parquet.File
	text, key *parquet.Column // key is nil without GroupBy
}

func (in input) columnsOf(f *os.File, o Options) (of tableColumns, err error) {
	if of.file, err = parquet.Open(f, in.info.Size()); err != nil {
		return of, err
	}
	if of.text, err = of.file.Column(string(o.TextColumn)); err != nil {
		return of, err
	}
	if !of.text.Text() && !of.text.List && !o.lists() {
		return of, errors.New("column " + of.text.Name + " has numbers, and must have texts or lists of tokens")
	}
	if o.GroupBy != "" {
		if of.key, err = of.file.Column(o.GroupBy); err == nil && of.key.List {
			err = errors.New("column " + of.key.Name + " has lists, and rows are grouped by texts and numbers")
		}
	}
	return of, err
}

// openTable returns a reader of the rows of a shard.
func (s Shard) openTable(ctx context.Context) (*Reader, error) {
	in := s.input
	file, err := in.openFile()
	if err != nil {
		return nil, named(in.name, err)
	}
	of, err := in.columnsOf(file, s.options)
	if err == nil && of.file.Rows() != in.table.rows {
		err = errReplaced
	}
	if err != nil {
		return nil, errors.Join(named(in.name, err), file.Close())
	}
	first, end := in.table.row(s.first), in.table.row(s.end)
	rows := &tableRows{text: of.text.Read(first, end), lists: of.text.List, ended: func() error { return in.checkSame(file) }}
	if of.key != nil {
		rows.key, rows.keyName = of.key.Read(first, end), of.key.Name
	}
	rr := &recordReader{ctx: ctx, name: in.name, options: s.options, size: bufferSize, records: rows,
		origin: origin{0, func() (uint64, error) { return uint64(first), nil }}}
	return &Reader{name: in.name, from: rr, closers: []io.Closer{file}, counted: new(counted)}, nil
}

// tableRows reads the rows of a Parquet file.
type tableRows struct {
	text, key *parquet.Reader // key is nil without GroupBy
	keyName   string
	lists     bool
	tokens    []string // of the last row
	ended     func() error
	n         uint64 // rows so far
}

func (t *tableRows) line() uint64 { return t.n }

func (t *tableRows) fail(what string) error { return &placeError{t.n, onlyRow, what} }

func (t *tableRows) next() (rec record, err error) {
	cell, err := t.text.Next()
	if errors.Is(err, io.EOF) {
		if err := t.ended(); err != nil {
			return rec, err
		}
		return rec, io.EOF
	}
	t.n++
	switch {
	case err != nil:
		return rec, t.fail(err.Error())
	case cell.Nulls > 0:
		return rec, t.fail("an item of the list is null, and must be a text or a number")
	}
	if t.lists {
		items, first := string(cell.Text), 0
		t.tokens = t.tokens[:0]
		for _, end := range cell.Ends {
			t.tokens, first = append(t.tokens, items[first:end]), end
		}
		rec.isList, rec.tokens = true, t.tokens
	} else {
		rec.text = cell.Text
	}
	if t.key == nil {
		return rec, nil
	}
	key, err := t.key.Next()
	if err != nil {
		return rec, t.fail(err.Error())
	}
	if rec.key = []byte(strings.Trim(string(key.Text), blanks)); len(rec.key) == 0 {
		return rec, t.fail("there is nothing in " + t.keyName + ", by which rows are grouped")
	}
	return rec, nil
}

// addTable adds lines of the text of a Parquet file: from its beginning and, of a long one, from its middle.
func (s *Sample) addTable(in input, o Options) error {
	places, most := []int64{in.text}, sampledBytes
	if in.size-in.text > 4*sampledBytes {
		places, most = append(places, in.text+(in.size-in.text)/2), sampledBytes/2
	}
	for _, at := range places {
		r, err := Shard{input: in, first: at, end: in.size, options: o, counted: new(counted)}.openTable(context.Background())
		if err != nil {
			return err
		}
		rr := r.from.(*recordReader)
		for size := 0; size < most; {
			rec, err := rr.take()
			if err != nil {
				break
			}
			text := string(rec.text)
			if rec.isList {
				text = strings.Join(rec.tokens, " ")
			}
			text = text[:min(len(text), most)]
			size += len(text) + 1
			s.Lines = append(s.Lines, strings.Split(text, "\n")...)
		}
		if err := r.Close(); err != nil {
			return err
		}
	}
	return nil
}
