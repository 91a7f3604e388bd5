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
)

// columnSeparator returns what stands between the columns of a table: a tab, a comma or a
// semicolon. Names that end in .tsv, .tab and .csv decide, and else the first line of head, the
// beginning of the input: a tab in it makes it TSV. CSV has semicolons if its first line has some
// and no commas.
func columnSeparator(name string, head []byte) rune {
	line, _, _ := bytes.Cut(head, []byte("\n"))
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

// tableExt returns the extension of a name, in lower case and without one of a compressed file
// behind it.
func tableExt(name string) string {
	ext := strings.ToLower(path.Ext(filepath.ToSlash(name)))
	if slices.Contains([]string{".gz", ".zst", ".zstd", ".bz2", ".xz"}, ext) {
		return strings.ToLower(path.Ext(filepath.ToSlash(name[:len(name)-len(ext)])))
	}
	return ext
}

// tabbed are the rows of a table with tabs between columns. There is no quoting: a line is a row.
type tabbed struct {
	lines  *lineReader
	column int
	header bool // the next line is one
}

func newTabbed(size int, src io.Reader, column int, header bool) *tabbed {
	return &tabbed{newLineReader(size, src), column, header}
}

func (t *tabbed) line() uint64 { return t.lines.n }

func (t *tabbed) next() (record, error) {
	line, err := t.lines.next()
	if err == nil && t.header {
		t.header = false
		line, err = t.lines.next()
	}
	if err != nil {
		return record{}, err
	}
	for k := 1; ; k++ {
		field, rest, more := bytes.Cut(line, []byte("\t"))
		switch {
		case k == t.column:
			return record{text: field}, nil
		case !more:
			return record{}, t.lines.fail(0, "%s", missingColumn(k, t.column))
		}
		line = rest
	}
}

func missingColumn(has, wanted int) string {
	if has == 1 {
		return fmt.Sprintf("the row has 1 column, and the text is column %d", wanted)
	}
	return fmt.Sprintf("the row has %d columns, and the text is column %d", has, wanted)
}

// csvRows are the rows of a table by RFC 4180, in which a quoted field may have newlines.
type csvRows struct {
	rows   *csv.Reader
	src    *rowLimit
	column int
	header bool   // the next row is one
	first  uint64 // line in which the last row begins
	last   uint64 // and ends
}

func newCSV(size int, src io.Reader, separator rune, column int, header bool) *csvRows {
	limit := &rowLimit{src: src}
	rows := csv.NewReader(bufio.NewReaderSize(limit, size))
	rows.Comma, rows.FieldsPerRecord, rows.ReuseRecord = separator, -1, true
	return &csvRows{rows: rows, src: limit, column: column, header: header}
}

func (c *csvRows) line() uint64 { return c.first }

func (c *csvRows) next() (record, error) {
	row, at, err := c.read()
	if err == nil && c.header {
		c.header = false
		row, at, err = c.read()
	}
	switch {
	case err != nil:
		return record{}, err
	case len(row) < c.column:
		return record{}, &placeError{c.first, at, missingColumn(len(row), c.column)}
	}
	return record{text: []byte(row[c.column-1])}, nil
}

// read reads a row, and returns where it begins.
func (c *csvRows) read() ([]string, int64, error) {
	at := c.rows.InputOffset()
	c.src.begins = at
	row, err := c.rows.Read()
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		what := "the row is not CSV: a quotation mark stands within a field that does not begin with one"
		if errors.Is(e.Err, csv.ErrQuote) {
			what = "the row is not CSV: a field that begins with a quotation mark has one too many, or lacks the one at its end"
			if e.Line != e.StartLine {
				what += fmt.Sprintf(" (it goes on to line %d)", e.Line)
			}
		}
		return nil, at, &placeError{uint64(e.StartLine), at, what}
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

// rowLimit is a source of rows that ends with errLongRow in a row that is too long.
type rowLimit struct {
	src    io.Reader
	read   int64
	begins int64 // where the row begins that is being read
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
