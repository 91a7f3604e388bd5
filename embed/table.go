package embed

import (
	"io"

	"github.com/w2v-go/w2v/internal/parquet"
)

// tabular is a Parquet table with a row for each text: its id and the text, if it has them, its vector, and the scale of that.
type tabular struct{ o Options }

// A cell is what a row of a table has beside its vector.
type cell struct {
	id, text string
	hasID    bool
	scale    float32
}

func (tabular) head(uint64) []byte { return nil }

func (f tabular) row(b *block, t *text) error {
	var c cell
	if f.o.hasID() {
		c.id, c.hasID = t.id()
		c.id = string([]rune(c.id))
	}
	if !f.o.NoText {
		c.text = string([]rune(textOf(t.row))) // bytes that are not UTF-8 become U+FFFD, as in JSON
	}
	b.data, c.scale = f.o.Code.append(b.data, t.vector)
	b.cells = append(b.cells, c)
	return nil
}

// groupSize is about how many bytes a row group has. What is in a group depends on rows alone, so that a run that goes on makes the
// same groups. Tests make it smaller.
var groupSize = 32 << 20

// A table writes the rows of blocks as row groups.
type table struct {
	tabular
	to      *parquet.Writer
	columns []column
	values  []parquet.Values
	size    int // bytes of a vector
	bytes   int // of the row group so far
}

// A column adds what a row has.
type column struct {
	parquet.Field
	add func(v *parquet.Values, c *cell, vector []byte)
}

// addTo adds a text to a column, or null.
func addTo(v *parquet.Values, text string, some bool) {
	row := int32(-1)
	if some {
		row = int32(len(v.Texts))
		v.Texts = append(v.Texts, text)
	}
	v.Rows = append(v.Rows, row)
}

func newTable(f tabular, dim int, w io.Writer) (*table, error) {
	t := &table{tabular: f, size: f.o.Code.size(dim)}
	if f.o.hasID() {
		t.columns = append(t.columns, column{parquet.Field{Name: "id", Distinct: true}, func(v *parquet.Values, c *cell, _ []byte) { addTo(v, c.id, c.hasID) }})
	}
	if !f.o.NoText {
		t.columns = append(t.columns, column{parquet.Field{Name: "text", Distinct: true}, func(v *parquet.Values, c *cell, _ []byte) { addTo(v, c.text, true) }})
	}
	numbers := map[Code]parquet.Number{F32: parquet.Float32, F16: parquet.Float16, Int8: parquet.Int8, UBinary: parquet.Uint8}[f.o.Code]
	t.columns = append(t.columns, column{parquet.Field{Name: f.o.As, Lists: numbers}, func(v *parquet.Values, _ *cell, vector []byte) {
		row := int32(-1)
		if vector != nil {
			row = int32(len(v.Lists) / t.size)
			v.Lists = append(v.Lists, vector...)
		}
		v.Size, v.Rows = t.size, append(v.Rows, row)
	}})
	if f.o.Code == Int8 {
		t.columns = append(t.columns, column{parquet.Field{Name: "scale", Numbers: true}, func(v *parquet.Values, c *cell, _ []byte) { v.Numbers = append(v.Numbers, c.scale) }})
	}
	fields := make([]parquet.Field, len(t.columns))
	for i, c := range t.columns {
		fields[i] = c.Field
	}
	t.values = make([]parquet.Values, len(fields))
	var err error
	t.to, err = parquet.NewWriter(w, nil, fields)
	return t, err
}

// add adds row i of a block.
func (t *table) add(b *block, i int) {
	var vector []byte
	if b.some[i] {
		vector = b.data[i*t.size:][:t.size]
	}
	c := &b.cells[i]
	for k := range t.columns {
		t.columns[k].add(&t.values[k], c, vector)
	}
	const beside = 16 // what a row takes at the least
	t.bytes += len(vector) + len(c.id) + len(c.text) + beside
}

// full reports whether the row group has its size.
func (t *table) full() bool { return t.bytes >= groupSize }

// flush writes the row group.
func (t *table) flush() error {
	if t.bytes == 0 {
		return nil
	}
	err := t.to.Group(t.values)
	for i := range t.values {
		v := &t.values[i]
		clear(v.Texts)
		v.Texts, v.Lists, v.Rows, v.Numbers = v.Texts[:0], v.Lists[:0], v.Rows[:0], v.Numbers[:0]
	}
	t.bytes = 0
	return err
}
