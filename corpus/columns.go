package corpus

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/wording"
)

// columnSeparator returns the separator of a table's columns: a tab, a comma or a semicolon. The extensions
// .tsv, .tab and .csv decide. For other names, a tab in the first line of head, the beginning of the input,
// means TSV. CSV uses semicolons if its first line has semicolons and no commas.
func columnSeparator(name string, head []byte) rune {
	line := firstLine(head)
	ext := tableExt(name)
	switch {
	case ext == ".tsv" || ext == ".tab", ext != csvExt && bytes.ContainsRune(line, '\t'):
		return '\t'
	case bytes.ContainsRune(line, ';') && !bytes.ContainsRune(line, ','):
		return ';'
	}
	return ','
}

const csvExt = ".csv"

// tableExt returns the extension of a name in lower case. The extension of a compressed file does not count.
func tableExt(name string) string {
	ext := strings.ToLower(path.Ext(filepath.ToSlash(name)))
	if slices.Contains([]string{".gz", ".zst", ".zstd", ".bz2", ".xz"}, ext) {
		return strings.ToLower(path.Ext(filepath.ToSlash(name[:len(name)-len(ext)])))
	}
	return ext
}

type columns struct {
	text   int // 0 for the whole line
	key    int // 0 for none
	header bool
	name   string // name of the key column, as in GroupBy
}

func columnsOf(o Options, text int, header bool) columns {
	return columns{text, keyColumn(o.GroupBy), header, o.GroupBy}
}

// textColumn returns the number of the column of text in a table whose separator is known, or 0 if all is text. head is the
// beginning of the table.
func (o Options) textColumn(separator rune, head []byte) (int, error) {
	n := o.TextColumn.Number()
	if n > 0 || o.TextColumn == "" {
		return n, nil
	}
	if !o.Header {
		return 0, fmt.Errorf("column %q is a name, and without a header, columns have none but in Parquet", o.TextColumn)
	}
	names := strings.Split(string(bytes.TrimRight(firstLine(head), "\r\n")), "\t")
	if separator != '\t' {
		rows := csv.NewReader(bytes.NewReader(head))
		rows.Comma, rows.FieldsPerRecord = separator, -1
		names, _ = rows.Read() // if this is not CSV, there are no names
	}
	for i, name := range names {
		if strings.Trim(name, blanks) == string(o.TextColumn) {
			return i + 1, nil
		}
	}
	return 0, fmt.Errorf("no column is called %q: the header has %.200q", o.TextColumn, strings.Join(names, ", "))
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

func (c *columns) begin(names []string) error {
	c.header = false
	if c.name == "" || c.key > 0 {
		return nil
	}
	for i, name := range names {
		if strings.Trim(name, blanks) == c.name {
			c.key = i + 1
			return nil
		}
	}
	return fmt.Errorf("no column is called %q: the header has %.200q", c.name, strings.Join(names, ", "))
}

// tabbed reads the rows of a table with tabs between columns. There is no quoting: a line is a row.
type tabbed struct {
	lines *lineReader
	columns
}

func newTabbed(size int, src io.Reader, o Options, text int, header bool) *tabbed {
	return &tabbed{newLineReader(size, src), columnsOf(o, text, header)}
}

func (t *tabbed) line() uint64 { return t.lines.n }

func (t *tabbed) next() (record, error) {
	line, err := t.lines.next()
	if err == nil && t.header {
		if err := t.begin(strings.Split(string(line), "\t")); err != nil {
			return record{}, t.lines.fail(0, "%v", err)
		}
		line, err = t.lines.next()
	}
	if err != nil {
		return record{}, err
	}
	rec, err := t.record(func(n int) (field []byte, has int) {
		if n == 0 {
			return line, 1
		}
		for rest, more := line, true; more; has++ {
			if has == n {
				return field, has
			}
			field, rest, more = bytes.Cut(rest, []byte("\t"))
		}
		if has == n {
			return field, has
		}
		return nil, has
	})
	if err != nil {
		err = t.lines.fail(0, "%v", err)
	}
	return rec, err
}

// record returns the record of a row. A column has returns nil and the number of columns if there is none.
func (c *columns) record(column func(n int) (field []byte, has int)) (rec record, err error) {
	var has int
	if rec.text, has = column(c.text); rec.text == nil {
		return record{}, missing(has, "the text is", c.text)
	}
	if c.key > 0 {
		if rec.key, has = column(c.key); rec.key == nil {
			return record{}, missing(has, "rows are grouped by", c.key)
		}
		if rec.key = bytes.Trim(rec.key, blanks); len(rec.key) == 0 {
			return record{}, fmt.Errorf("the row has nothing in column %s, by which rows are grouped", c.name)
		}
	}
	return rec, nil
}

func missing(has int, what string, wanted int) error {
	return fmt.Errorf("the row has %s, and %s column %d", wording.Count(has, "column", "columns"), what, wanted)
}

// csvRows reads the rows of a table by RFC 4180. Quoted fields may contain newlines.
type csvRows struct {
	rows *csv.Reader
	src  *rowLimit
	columns
	first uint64 // line on which the last row begins
	last  uint64 // line on which it ends
}

func newCSV(size int, src io.Reader, separator rune, o Options, text int, header bool) *csvRows {
	limit := &rowLimit{src: src}
	rows := csv.NewReader(bufio.NewReaderSize(limit, size))
	rows.Comma, rows.FieldsPerRecord, rows.ReuseRecord = separator, -1, true
	return &csvRows{rows: rows, src: limit, columns: columnsOf(o, text, header)}
}

func (c *csvRows) line() uint64 { return c.first }

func (c *csvRows) next() (record, error) {
	row, at, err := c.read()
	if err == nil && c.header {
		if err := c.begin(row); err != nil {
			return record{}, &placeError{c.first, at, err.Error()}
		}
		row, at, err = c.read()
	}
	if err != nil {
		return record{}, err
	}
	rec, err := c.record(func(n int) ([]byte, int) {
		if n > len(row) {
			return nil, len(row)
		}
		return []byte(row[n-1]), len(row)
	})
	if err != nil {
		err = &placeError{c.first, at, err.Error()}
	}
	return rec, err
}

// read reads a row and returns the offset of its beginning.
func (c *csvRows) read() ([]string, int64, error) {
	at := c.rows.InputOffset()
	c.src.begins = at
	row, err := c.rows.Read()
	if err == nil {
		row[0] = strings.TrimLeft(row[0], byteOrderMark) // joined files may contain byte order marks
	}
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		return nil, at, &placeError{uint64(e.StartLine), at, notCSV(e)}
	}
	if errors.Is(err, errLongRow) {
		return nil, at, &placeError{c.last + 1, at, fmt.Sprintf("the row has more than %d MB, and no text is read from so long a row: look for a quotation mark that is never closed", maxRecord>>20)}
	}
	if err != nil {
		return nil, at, err
	}
	line, _ := c.rows.FieldPos(0)
	c.first = uint64(line)
	end, _ := c.rows.FieldPos(len(row) - 1)
	c.last = uint64(end + strings.Count(row[len(row)-1], "\n"))
	return row, at, nil
}

// notCSV says why a row is not CSV.
func notCSV(e *csv.ParseError) string {
	if !errors.Is(e.Err, csv.ErrQuote) {
		return "the row is not CSV: a quotation mark stands within a field that does not begin with one"
	}
	what := "the row is not CSV: a field that begins with a quotation mark has one too many, or lacks the one at its end"
	if e.Line != e.StartLine {
		what += fmt.Sprintf(" (it goes on for %s)", wording.Count(e.Line-e.StartLine, "line", "lines"))
	}
	return what
}

type rowLimit struct {
	src    io.Reader
	read   int64
	begins int64 // offset of the current row
}

var errLongRow = errors.New("corpus: the row is too long")

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.read-l.begins > maxRecord {
		return 0, errLongRow
	}
	n, err := l.src.Read(p)
	l.read += int64(n)
	return n, err
}
