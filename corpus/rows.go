package corpus

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// A Row is a line, a row of a table, or a line of JSON. Of a Parquet table it has no Raw, and Line is its number.
type Row struct {
	Line   uint64 // on which it begins, from 1
	Raw    []byte // as it stands, without the newline
	Text   []byte // without labels; valid until the next row
	Labels []string
	// Texts has the texts of each column or field, in the order of Fields, if these are Apart; Text is empty then. A field
	// that is a list has several, and one that is null has none.
	Texts [][][]byte
	// Blank says that nothing stands on the line. In a table and in JSON lines it is no row, and cannot be appended to.
	Blank bool

	of *layout
}

// IsLine reports whether the row is a line of text.
func (r *Row) IsLine() bool { return r.of.comma == 0 && r.of.textPaths == nil && !r.of.table }

// IsJSON reports whether the row is a line of JSON.
func (r *Row) IsJSON() bool { return r.of.textPaths != nil }

// Input is the name of the input that has the row; empty if it has none.
func (r *Row) Input() string { return r.of.input }

// Error returns an error with the input and the line of the row before it.
func (r *Row) Error(err error) error { return r.of.failed(r.Line, err) }

func (l *layout) failed(line uint64, err error) error {
	if l.table {
		err = fmt.Errorf("row %d: %w", line, err)
	} else {
		err = inLine(line, err)
	}
	if l.input == "" {
		return err
	}
	return named(l.input, err)
}

// Rows reads the rows of a corpus, in blocks that can be parsed at the same time.
type Rows struct {
	ctx    context.Context
	src    *Source
	fields Fields
	next   int // input
	of     *layout
	raw    *Raw
	cut    *cutter
	table  *tableCutter // in place of raw and cut
	held   *Block
	alike  *layout // whose layout all inputs must have; nil for any

	done atomic.Int64 // bytes of inputs that were read, as they are on the disk
}

// Fraction returns which part of the bytes of all files was read, from 0 to 1; NaN if an input is a stream. Other goroutines may call
// it while rows are read.
func (r *Rows) Fraction() float64 {
	var all int64
	for _, in := range r.src.inputs {
		if !in.isRegular() {
			return math.NaN()
		}
		all += in.info.Size()
	}
	if all == 0 {
		return math.NaN()
	}
	return min(1, float64(r.done.Load())/float64(all))
}

// A meter counts the bytes of an input.
type meter struct {
	io.ReadCloser
	n *atomic.Int64
}

// metered returns open with a meter of what it opens.
func metered(open func(context.Context) (io.ReadCloser, error), n *atomic.Int64) func(context.Context) (io.ReadCloser, error) {
	return func(ctx context.Context) (io.ReadCloser, error) {
		of, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return meter{of, n}, nil
	}
}

func (m meter) Read(b []byte) (int, error) {
	n, err := m.ReadCloser.Read(b)
	m.n.Add(int64(n))
	return n, err
}

// Rows returns the rows of the corpus. Of the options of the corpus none counts: the fields say what a row is.
func (s *Source) Rows(ctx context.Context, f Fields) *Rows { return &Rows{ctx: ctx, src: s, fields: f} }

// RowsOf returns the lines of r, which may have any bytes and have no labels. A stream that is compressed is not recognised.
func RowsOf(r io.Reader) *Rows {
	return &Rows{ctx: context.Background(), src: &Source{}, of: &layout{}, cut: &cutter{r: r}}
}

// A Block is some rows of one input, one after another.
type Block struct {
	data  []byte
	first uint64 // line on which the first row begins
	of    *layout
	rows  []Row      // of Parquet, in place of data
	spare *sync.Pool // takes the memory of data
}

// Head returns the first row of a table with more names behind it, and a newline; nothing if no row names columns. Since
// Head is for programs that write all rows as one table, Next returns an error at an input that has another layout than
// the first. Head must be called before Next.
func (r *Rows) Head(more []Added) ([]byte, error) {
	b, err := r.Next()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.held, r.alike = &b, b.of
	out, err := b.of.appendHead(nil, more)
	if err != nil {
		err = named(b.of.input, err)
	}
	return out, err
}

// Next returns the next block; io.EOF after the last. A block of a table may have no row.
func (r *Rows) Next() (Block, error) {
	if b := r.held; b != nil {
		r.held = nil
		return *b, nil
	}
	for {
		if r.table != nil {
			b, err := r.table.block()
			r.table.passed(r.table.rows)
			if !errors.Is(err, io.EOF) {
				return b, err
			}
		} else if r.cut == nil {
			if r.next >= r.src.Inputs() {
				return Block{}, io.EOF
			}
			b, err := r.open()
			if !errors.Is(err, io.EOF) {
				return b, err
			}
		} else {
			b, err := r.cut.block()
			b.of = r.of
			if err == nil {
				return b, nil
			}
			if !errors.Is(err, io.EOF) {
				return b, r.failed(err)
			}
		}
		r.cut, r.table = nil, nil
		if err := r.Close(); err != nil {
			return Block{}, err
		}
	}
}

// open opens the next input, and returns its first block; io.EOF if the input is empty.
func (r *Rows) open() (b Block, err error) {
	if in := r.src.inputs[r.next]; in.parquet {
		return r.openTable(in)
	}
	raw, err := r.src.openMetered(r.ctx, r.next, &r.done)
	if err != nil {
		return b, err
	}
	r.next++
	r.raw = raw
	comma := rune(0)
	if r.fields.TextColumn != "" {
		comma = raw.separator()
	}
	r.cut = &cutter{r: raw, quotes: comma != 0 && comma != '\t'}
	of := &layout{input: raw.name, comma: comma}
	r.of = of
	if b, err = r.cut.block(); errors.Is(err, io.EOF) {
		return b, err
	} else if err != nil {
		return b, r.failed(err)
	}
	var names []string
	if r.fields.Header {
		of.head, b = b.head(of)
		if names, err = of.names(); err != nil {
			return b, named(raw.name, fmt.Errorf("line 1: the header is not CSV: %w", err))
		}
	}
	head := of.head
	if of, err = r.fields.layout(raw.name, comma, names); err != nil {
		return b, named(raw.name, fmt.Errorf("line 1: %w", err))
	}
	of.head = head
	if first := r.alike; first != nil && (first.comma != comma || !bytes.Equal(trimLine(first.head), trimLine(of.head))) {
		return b, fmt.Errorf("%s: the columns are not those of %s, and what is written would be one table: take them one by one", raw.name, first.input)
	}
	r.of, b.of = of, of
	return b, nil
}

// failed returns an error of reading the input, with its place.
func (r *Rows) failed(err error) error {
	if r.raw == nil {
		return err
	}
	if r.raw.unpacked {
		err = inLine(r.cut.lines+1, err)
	}
	return named(r.raw.name, err)
}

// Close closes what is open.
func (r *Rows) Close() error {
	raw, table := r.raw, r.table
	r.raw, r.table = nil, nil
	switch {
	case table != nil:
		return table.file.Close()
	case raw != nil:
		return raw.Close()
	}
	return nil
}

// All yields all rows. The first error ends them.
func (r *Rows) All() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for {
			b, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for row, err := range b.Rows() {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// Data returns the rows as they stand.
func (b Block) Data() []byte { return b.data }

// Release gives the memory of the block to those that follow. Neither the block nor its rows may be used afterwards.
func (b Block) Release() {
	if b.spare != nil {
		b.spare.Put(&b.data)
	}
}

// head takes the first row off a block.
func (b Block) head(of *layout) ([]byte, Block) {
	end := bytes.IndexByte(b.data, '\n') + 1
	if of.comma != '\t' {
		r := csv.NewReader(bytes.NewReader(b.data))
		r.Comma = of.comma
		_, _ = r.Read() // what is wrong with it is found when it is read again
		end = int(r.InputOffset())
	}
	if end == 0 {
		end = len(b.data)
	}
	head := b.data[:end]
	return head, Block{data: b.data[end:], first: b.first + uint64(bytes.Count(head, []byte{'\n'})), of: b.of}
}

// Rows yields the rows of the block. A row is valid until the next, but for Raw, Labels and Texts. The first error, which names
// the input and the line, ends them.
func (b Block) Rows() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for i := range b.rows {
			if !yield(&b.rows[i], nil) {
				return
			}
		}
		read := b.lines
		if l := b.of; l.comma != 0 && l.comma != '\t' {
			read = b.csv
		}
		at, err := read(func(row *Row) bool { return yield(row, nil) })
		if err != nil {
			yield(nil, b.of.failed(at, err))
		}
	}
}

// lines calls use with each line, until it returns false. An error is one of the line that is returned with it.
func (b Block) lines(use func(*Row) bool) (line uint64, err error) {
	l := b.of
	var buffer []byte
	var fields [][]byte
	line = b.first
	for data := b.data; len(data) > 0; line++ {
		raw, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		row := &Row{Line: line, Raw: raw, Blank: isBlankLine(raw), of: l}
		switch {
		case row.IsLine():
			buffer = l.ofLine(row, raw, buffer)
		case row.Blank:
		case l.textPaths != nil:
			buffer, err = l.ofJSON(row, bytes.TrimLeft(raw, byteOrderMark), buffer)
		default:
			fields = fields[:0]
			for rest, more := trimLine(raw), true; more; {
				var field []byte
				field, rest, more = bytes.Cut(rest, []byte{'\t'})
				fields = append(fields, field)
			}
			buffer, err = l.ofColumns(row, len(fields), func(i int) []byte { return fields[i] }, buffer)
		}
		if err != nil || !use(row) {
			return line, err
		}
	}
	return line, nil
}

func isBlankLine(line []byte) bool { return len(bytes.Trim(line, " \t\r\v\f")) == 0 }

// csv is lines for rows of RFC 4180, which may have newlines in quotation marks.
func (b Block) csv(use func(*Row) bool) (line uint64, err error) {
	l := b.of
	rows := csv.NewReader(bytes.NewReader(b.data))
	rows.Comma, rows.FieldsPerRecord, rows.ReuseRecord = l.comma, -1, true
	var buffer []byte
	for at := int64(0); ; {
		fields, err := rows.Read()
		if errors.Is(err, io.EOF) {
			if rest := b.data[at:]; len(rest) > 0 { // blank lines behind the last row
				use(&Row{Line: b.first + uint64(bytes.Count(b.data[:at], []byte{'\n'})), Raw: trimLine(rest), Blank: true, of: l})
			}
			return 0, nil
		}
		if e, ok := errors.AsType[*csv.ParseError](err); ok {
			return b.first + uint64(e.StartLine) - 1, errors.New(notCSV(e))
		}
		if err != nil {
			return b.first, err
		}
		first, _ := rows.FieldPos(0)
		line = b.first + uint64(first) - 1
		raw := b.data[at:rows.InputOffset()]
		at += int64(len(raw))
		row := &Row{Line: line, Raw: trimLine(raw), of: l}
		buffer, err = l.ofColumns(row, len(fields), func(i int) []byte { return []byte(fields[i]) }, buffer)
		if err != nil || !use(row) {
			return line, err
		}
	}
}

// A cutter cuts a stream behind whole rows.
type cutter struct {
	r      io.Reader
	quotes bool   // newlines between quotation marks do not end a row
	rest   []byte // behind the last whole row
	open   bool   // a quotation mark before the end of rest is not closed
	err    error
	lines  uint64    // so far
	spare  sync.Pool // memory of blocks
}

const rowsSize = 1 << 17

// maxRow is the largest size of a row in bytes, as in training: a file may be in another format, and a quotation mark never closed.
const maxRow = maxRecord

// block returns what can be read at once up to the end of the last row, or more if no row ends; io.EOF after the last.
func (c *cutter) block() (b Block, err error) {
	b.first = c.lines + 1
	b.data, err = c.whole()
	b.spare = &c.spare
	c.lines += uint64(bytes.Count(b.data, []byte{'\n'}))
	return b, err
}

func (c *cutter) whole() ([]byte, error) {
	var data []byte
	if spare, ok := c.spare.Get().(*[]byte); ok {
		data = (*spare)[:0]
	}
	data = append(data, c.rest...)
	c.rest = c.rest[:0]
	for c.err == nil {
		if len(data) > maxRow {
			c.err = inLine(c.lines+1, fmt.Errorf("the row has more than %d MB: look for a quotation mark that is never closed, or for another format", maxRow>>20))
			break
		}
		data = slices.Grow(data, max(rowsSize, len(data))) // twice as much for a row that goes on
		fresh := len(data)
		var n int
		n, c.err = c.r.Read(data[fresh:min(cap(data), fresh+max(rowsSize, fresh))])
		data = data[:fresh+n]
		if end := c.end(data[fresh:]); end > 0 && c.err == nil {
			cut := fresh + end
			c.rest = append(c.rest, data[cut:]...)
			return data[:cut], nil
		}
	}
	if len(data) > 0 && errors.Is(c.err, io.EOF) {
		return data, nil
	}
	return nil, c.err
}

// end returns the end of the last whole row in data, or 0.
func (c *cutter) end(data []byte) (end int) {
	if !c.quotes {
		return bytes.LastIndexByte(data, '\n') + 1
	}
	for at := 0; ; c.open = !c.open {
		quote := bytes.IndexByte(data[at:], '"')
		next := at + quote
		if quote < 0 {
			next = len(data)
		}
		if i := bytes.LastIndexByte(data[at:next], '\n'); i >= 0 && !c.open {
			end = at + i + 1
		}
		if quote < 0 {
			return end
		}
		at = next + 1
	}
}
