package corpus

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/w2v-go/w2v/internal/parquet"
)

// A tableCutter makes blocks of the rows of a Parquet file.
type tableCutter struct {
	file          *os.File
	texts, labels []tableColumn
	of            *layout
	ended         func() error // is called at the end and may return an error
	rows          uint64       // so far
	passed        func(rows uint64)
}

type tableColumn struct {
	*parquet.Reader
	name        string
	texts, list bool
}

// columnsNamed returns all rows of columns whose names are separated by commas.
func columnsNamed(table *parquet.File, names string) (all []tableColumn, err error) {
	for _, name := range listed(names) {
		column, err := table.Column(name)
		if err != nil {
			return nil, err
		}
		all = append(all, tableColumn{column.Read(0, table.Rows()), column.Name, column.Text(), column.List})
	}
	return all, nil
}

// openTable opens an input that is a Parquet file.
func (r *Rows) openTable(in input) (b Block, err error) {
	of := &layout{input: in.name, prefix: r.fields.Prefix, split: r.fields.LabelSplit, apart: r.fields.Apart, table: true}
	if r.fields.TextColumn == "" {
		return b, in.refuseTable()
	}
	if first := r.alike; first != nil {
		return b, fmt.Errorf("%s: is a Parquet table, and %s is not: what is written would be one table", in.name, first.input)
	}
	file, err := in.openFile()
	if err != nil {
		return b, named(in.name, err)
	}
	c := &tableCutter{file: file, of: of, ended: func() error { return in.checkSame(file) }}
	table, err := parquet.Open(file, in.info.Size())
	if err == nil {
		c.texts, err = columnsNamed(table, r.fields.TextColumn)
	}
	for _, column := range c.texts {
		if err == nil && !column.texts {
			err = fmt.Errorf("column %q has no texts", column.name)
		}
	}
	if err == nil && r.fields.LabelColumn != "" {
		c.labels, err = columnsNamed(table, r.fields.LabelColumn)
	}
	if err != nil {
		return b, errors.Join(named(in.name, err), file.Close())
	}
	r.next++
	r.table, r.of = c, of
	before, all := r.done.Load(), max(1, float64(table.Rows()))
	c.passed = func(rows uint64) { r.done.Store(before + int64(float64(in.info.Size())*float64(rows)/all)) }
	return c.block()
}

// The maximum sizes of a text and of the labels of a row, in bytes. A small table may have the same large text in all rows,
// and programs have some blocks in memory for each processor.
const (
	mostText   = 16 << 20
	mostLabels = 1 << 20
)

// block returns the next rows; io.EOF after the last.
func (c *tableCutter) block() (b Block, err error) {
	b = Block{first: c.rows + 1, of: c.of}
	var texts []byte
	var ends []int
	labels, size := 0, 0 // bytes of labels, and of texts that are apart
	for len(texts)+labels+size < rowsSize && len(b.rows) < rowsSize/16 {
		row := Row{Line: c.rows + 1, of: c.of}
		begin := len(texts)
		for _, column := range c.texts {
			cell, err := column.Next()
			if errors.Is(err, io.EOF) {
				if err := c.ended(); err != nil || len(b.rows) == 0 {
					return b, cmp.Or(err, io.EOF)
				}
				return b.withTexts(texts, ends), nil
			}
			if err != nil {
				return b, c.of.failed(row.Line, err)
			}
			if len(cell.Text) > mostText {
				return b, c.of.failed(row.Line, fmt.Errorf("column %q has a text of more than %d MB", column.name, mostText>>20))
			}
			if c.of.apart {
				var apart [][]byte
				each(cell, column.list, func(text []byte) { apart = append(apart, bytes.Clone(text)) })
				row.Texts = append(row.Texts, apart)
				size += len(cell.Text)
				continue
			}
			each(cell, column.list, func(text []byte) {
				if len(texts) > begin {
					texts = append(texts, ' ')
				}
				texts = append(texts, text...)
			})
		}
		for _, column := range c.labels {
			cell, err := column.Next()
			if err != nil {
				return b, c.of.failed(row.Line, err)
			}
			if len(cell.Text)+len(cell.Ends) > mostLabels {
				return b, c.of.failed(row.Line, fmt.Errorf("column %q has more than %d MB, and labels are short", column.name, mostLabels>>20))
			}
			labels += len(cell.Text)
			each(cell, column.list, func(label []byte) { row.Labels = c.of.appendLabels(row.Labels, string(label)) })
		}
		c.rows++
		b.rows, ends = append(b.rows, row), append(ends, len(texts))
	}
	return b.withTexts(texts, ends), nil
}

// withTexts gives the rows their texts.
func (b Block) withTexts(texts []byte, ends []int) Block {
	first := 0
	for i, end := range ends {
		b.rows[i].Text, first = texts[first:end:end], end
	}
	return b
}

// each calls use with a value, or with each item of a list; not at all for a null.
func each(cell parquet.Cell, list bool, use func(text []byte)) {
	if !list {
		if !cell.Null {
			use(cell.Text)
		}
		return
	}
	first := 0
	for _, end := range cell.Ends {
		use(cell.Text[first:end])
		first = end
	}
}

// A Table writes the Parquet file that rows are of, with columns added: pairs of a text and a number.
type Table struct {
	file   *os.File
	name   string
	from   *parquet.File
	to     *parquet.Writer
	pairs  int
	number map[string]int32
	values []parquet.Values
	texts  []string
	group  int
	rows   int64 // of the row group so far
}

// Table returns what writes a copy of the Parquet file that the rows are of, with these columns behind its own, by turns of
// texts and of numbers in 32 bits. It is nil if the rows are not of Parquet. The columns that the file has are copied as they
// are. Memory is that of the added columns of a row group. Table must be called before Next.
func (r *Rows) Table(w io.Writer, columns []string) (*Table, error) {
	if len(r.src.inputs) == 0 || !r.src.inputs[0].parquet {
		return nil, nil
	}
	in := r.src.inputs[0]
	if r.fields.TextColumn == "" {
		return nil, in.refuseTable()
	}
	if len(r.src.inputs) > 1 {
		return nil, fmt.Errorf("%s: is a Parquet table, and what is written is one table: take files one by one", in.name)
	}
	file, err := in.openFile()
	if err != nil {
		return nil, named(in.name, err)
	}
	t := &Table{file: file, name: in.name, pairs: len(columns) / 2, number: map[string]int32{}}
	fields := make([]parquet.Field, len(columns))
	for i, name := range columns {
		fields[i] = parquet.Field{Name: name, Numbers: i%2 == 1}
	}
	if t.from, err = parquet.Open(file, in.info.Size()); err == nil {
		t.to, err = parquet.NewWriter(w, t.from, fields)
	}
	if err != nil {
		return nil, errors.Join(named(in.name, err), file.Close())
	}
	t.values = make([]parquet.Values, len(columns))
	return t, nil
}

// Add adds the values of the next row: pair returns those of each pair of columns, or false for nulls.
func (t *Table) Add(pair func(i int) (text string, number float32, ok bool)) error {
	if err := t.flush(); err != nil {
		return err
	}
	for i := range t.pairs {
		text, number, ok := pair(i)
		at := int32(-1)
		if !ok {
			number = float32(math.NaN())
		} else if known, ok := t.number[text]; ok {
			at = known
		} else {
			at = int32(len(t.texts))
			t.number[text], t.texts = at, append(t.texts, text)
		}
		t.values[2*i].Rows = append(t.values[2*i].Rows, at)
		t.values[2*i+1].Numbers = append(t.values[2*i+1].Numbers, number)
	}
	t.rows++
	return nil
}

// flush writes the row groups of which all rows are known.
func (t *Table) flush() error {
	for ; t.group < t.from.Groups(); t.group++ {
		if first, end := t.from.Group(t.group); end-first != t.rows {
			return nil
		}
		for i := range t.values {
			t.values[i].Texts = t.texts
		}
		if err := t.to.Group(t.values); err != nil {
			return named(t.name, err)
		}
		for i := range t.values {
			t.values[i].Rows, t.values[i].Numbers = t.values[i].Rows[:0], t.values[i].Numbers[:0]
		}
		t.rows = 0
	}
	return nil
}

// Close writes what is left, unless rows are missing.
func (t *Table) Close() error {
	err := t.flush()
	if err == nil {
		err = t.to.Close()
	}
	return errors.Join(err, t.file.Close())
}
