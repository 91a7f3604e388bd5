package corpus

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Fields say where the text of a row is, and where its labels are. The zero value is the layout of fastText: a line is
// a row, and those of its tokens that begin with Prefix are labels.
type Fields struct {
	// Prefix begins labels in lines of text; empty means DefaultPrefix. In tables and JSON, labels get it: it is put before
	// each.
	Prefix string
	// TextColumn and LabelColumn are columns of a table, by number from 1, or by name if there is a Header; several are
	// separated by commas, and a name with a comma is in double quotes. Several text columns are one text. Tables are
	// Parquet, TSV or CSV, as for Options.TextColumn. In
	// Parquet a label is a text, a whole number, true or false, or a list of these, and columns have names without a Header.
	TextColumn, LabelColumn string
	// Header says that the first row of each input has the names of columns.
	Header bool
	// TextField and LabelField are fields of JSON lines, of which several are separated as columns are; a.b is field b of the
	// object in field a. A text is a text or a list of texts, a label is a text, a number, true or false, or a list of
	// these; null is none.
	TextField, LabelField string
	// LabelSplit, if not empty, separates several labels in one column or field.
	LabelSplit string
	// Unlabelled says that lines of text have no labels: all of a line is its text, whatever its tokens begin with.
	Unlabelled bool
	// Apart says that several text columns or fields are texts of their own: see Row.Texts.
	Apart bool
}

// DefaultPrefix begins labels in lines of text, unless Fields say otherwise.
const DefaultPrefix = "__label__"

// Validate returns an error if the fields do not fit together. Labelled says that labels are needed too.
func (f Fields) Validate(labelled bool) error {
	table, fields := f.TextColumn != "" || f.LabelColumn != "", f.TextField != "" || f.LabelField != ""
	switch {
	case table && fields:
		return errors.New("corpus: text and labels are in columns or in JSON fields, not in both")
	case table && f.TextColumn == "" || labelled && table && f.LabelColumn == "":
		return errors.New("corpus: the column of the text and that of the labels must both be given")
	case fields && f.TextField == "" || labelled && fields && f.LabelField == "":
		return errors.New("corpus: the JSON field of the text and that of the labels must both be given")
	case f.Apart && f.TextColumn == "" && f.TextField == "":
		return errors.New("corpus: texts that are apart are in columns or in JSON fields: say in which")
	case f.Header && !table:
		return errors.New("corpus: a header is one of a table: give the column of the text")
	case f.Unlabelled && (f.Prefix != "" || f.LabelColumn != "" || f.LabelField != ""):
		return errors.New("corpus: either there are no labels, or something says where they are")
	case f.LabelSplit != "" && f.LabelColumn == "" && f.LabelField == "":
		return errors.New("corpus: labels are split in a column or a JSON field; in lines of text each is a token with the prefix")
	case !table && !fields && strings.ContainsAny(f.Prefix, fastTextBlanks):
		return fmt.Errorf("corpus: the prefix of labels %q has a blank", f.Prefix)
	}
	return nil
}

// fastTextBlanks separate the tokens of a line, as in fastText.
const fastTextBlanks = " \n\r\t\v\f\x00"

// A layout is where the text and the labels are in the rows of one input.
type layout struct {
	input  string
	prefix string
	split  string
	apart  bool // see Fields.Apart
	// comma separates the columns of a table, which are numbered from 0; it is 0 for other rows.
	comma        rune
	table        bool // Parquet
	text, labels []int
	// textPaths and labelPaths lead to fields of JSON lines.
	textPaths, labelPaths [][]string
	head                  []byte // the row with the names of columns
}

func (f Fields) layout(input string, comma rune, header []string) (l *layout, err error) {
	l = &layout{input: input, prefix: f.Prefix, split: f.LabelSplit, apart: f.Apart}
	switch {
	case f.TextColumn != "":
		l.comma = comma
		if l.text, err = numbered(f.TextColumn, header); err == nil && f.LabelColumn != "" {
			l.labels, err = numbered(f.LabelColumn, header)
		}
	case f.TextField != "":
		l.textPaths = paths(f.TextField)
		if f.LabelField != "" {
			l.labelPaths = paths(f.LabelField)
		}
	case f.Unlabelled:
		l.prefix = ""
	case f.Prefix == "":
		l.prefix = DefaultPrefix
	}
	return l, err
}

// numbered returns columns that are given by name or number, from 0. Without a header, names are nil.
func numbered(columns string, names []string) (all []int, err error) {
	for _, column := range listed(columns) {
		i := slices.IndexFunc(names, func(name string) bool { return strings.Trim(name, blanks) == column })
		if i < 0 {
			n, err := strconv.Atoi(column)
			switch {
			case err == nil && n > 0:
				i = n - 1
			case names == nil:
				return nil, fmt.Errorf("column %q is not a number from 1, and the first row is not said to be a header with names", column)
			default:
				return nil, fmt.Errorf("no column is called %q: the header has %.200q", column, strings.Join(names, ", "))
			}
		}
		all = append(all, i)
	}
	return all, nil
}

func paths(fields string) (all [][]string) {
	for _, field := range listed(fields) {
		all = append(all, strings.Split(field, "."))
	}
	return all
}

// listed returns the names of a list, which commas separate as in a row of CSV: a name with a comma is quoted.
func listed(list string) []string {
	row := csv.NewReader(strings.NewReader(list))
	row.LazyQuotes, row.TrimLeadingSpace = true, true
	names, err := row.Read()
	if err != nil { // a quote without an end
		names = strings.Split(list, ",")
	}
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	return names
}

// ofLine sets the text and labels of a line in fastText's layout.
func (l *layout) ofLine(row *Row, line, buffer []byte) []byte {
	buffer = CutLabels(buffer[:0], line, l.prefix, func(label []byte) { row.Labels = append(row.Labels, string(label)) })
	if row.Text = line; len(row.Labels) > 0 {
		row.Text = buffer
	}
	return buffer
}

// CutLabels calls each with the labels of a line: tokens between fastText's blanks that begin with prefix. It appends what
// is left of the line, with the blanks around labels, to text. An empty prefix begins no label.
func CutLabels(text, line []byte, prefix string, each func(label []byte)) []byte {
	kept := 0 // of the line
	for at := 0; prefix != ""; {
		next := bytes.Index(line[at:], []byte(prefix))
		if next < 0 {
			break
		}
		next += at
		if next > 0 && strings.IndexByte(fastTextBlanks, line[next-1]) < 0 {
			at = next + len(prefix)
			continue
		}
		end := len(line)
		if n := bytes.IndexAny(line[next:], fastTextBlanks); n >= 0 {
			end = next + n
		}
		each(line[next:end])
		text = append(text, line[kept:next]...)
		kept, at = end, end
	}
	return append(text, line[kept:]...)
}

// ofColumns sets the text and labels of a row of a table, which has so many columns.
func (l *layout) ofColumns(row *Row, has int, column func(i int) []byte, buffer []byte) (_ []byte, err error) {
	buffer = buffer[:0]
	for n, i := range l.text {
		if i >= has {
			return buffer, missing(has, "the text is", i+1)
		}
		if l.apart {
			row.Texts = append(row.Texts, [][]byte{bytes.Clone(column(i))})
			continue
		}
		if row.Text = column(i); len(l.text) == 1 {
			break
		}
		if n > 0 {
			buffer = append(buffer, ' ')
		}
		buffer = append(buffer, row.Text...)
		row.Text = buffer
	}
	for _, i := range l.labels {
		if i >= has {
			what := "the label is"
			if l.apart {
				what = "the score is" // of a pair of texts
			}
			return buffer, missing(has, what, i+1)
		}
		row.Labels = l.appendLabels(row.Labels, string(column(i)))
	}
	return buffer, nil
}

// appendLabels appends the labels in a text; none if it is empty.
func (l *layout) appendLabels(labels []string, text string) []string {
	for more := true; more; {
		label := text
		if more = false; l.split != "" {
			label, text, more = strings.Cut(text, l.split)
		}
		if label = strings.TrimSpace(label); label != "" {
			labels = append(labels, l.prefix+label)
		}
	}
	return labels
}

// ofJSON sets the text and labels of a line of JSON.
func (l *layout) ofJSON(row *Row, line, buffer []byte) (_ []byte, err error) {
	if !json.Valid(line) {
		_, err := invalidJSON(line)
		return buffer, err
	}
	buffer = buffer[:0]
	for _, path := range l.textPaths {
		value, err := find(line, path)
		if err != nil {
			return buffer, err
		}
		called := strings.Join(path, ".")
		var apart [][]byte
		add := func(value []byte) error {
			if value[0] != '"' {
				return fmt.Errorf("%q is %s, and must be a text", called, kindOf(value))
			}
			if l.apart {
				apart = append(apart, appendUnescaped(nil, value[1:len(value)-1]))
				return nil
			}
			if len(buffer) > 0 {
				buffer = append(buffer, ' ')
			}
			buffer = appendUnescaped(buffer, value[1:len(value)-1])
			return nil
		}
		switch value[0] {
		case 'n':
		case '[':
			for element := range elements(value) {
				if err := add(element); err != nil {
					return buffer, fmt.Errorf("an element of %w", err)
				}
			}
		default:
			if err := add(value); err != nil {
				return buffer, err
			}
		}
		if l.apart {
			row.Texts = append(row.Texts, apart)
		}
	}
	row.Text = buffer
	for _, path := range l.labelPaths {
		value, err := find(line, path)
		if err != nil {
			return buffer, err
		}
		add := func(value []byte) error {
			switch value[0] {
			case 'n':
			case '{', '[':
				return fmt.Errorf("%q has %s, and a label must be a text, a number, true or false", strings.Join(path, "."), kindOf(value))
			case '"':
				row.Labels = l.appendLabels(row.Labels, string(appendUnescaped(nil, value[1:len(value)-1])))
			default:
				row.Labels = l.appendLabels(row.Labels, string(value))
			}
			return nil
		}
		if value[0] != '[' {
			err = add(value)
		} else {
			for element := range elements(value) {
				err = errors.Join(err, add(element))
			}
		}
		if err != nil {
			return buffer, err
		}
	}
	return buffer, nil
}

// names returns the columns that the first row of a table names, or nil.
func (l *layout) names() ([]string, error) {
	if l.head == nil {
		return nil, nil
	}
	if l.comma == '\t' {
		return strings.Split(string(trimLine(l.head)), "\t"), nil
	}
	r := csv.NewReader(bytes.NewReader(l.head))
	r.Comma = l.comma
	return r.Read()
}

// An Added is a column or a field that is put behind those of a row.
type Added struct {
	Name string
	Text string
	JSON []byte // the value in JSON lines
}

// A TakenError says that a row has a column or a field with the name of one that would be added.
type TakenError struct {
	What string // "column" or "field"
	Name string
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("there is a %s %q already: the new one needs another name", e.What, e.Name)
}

// appendHead appends the first row of a table with more names behind it, and a newline; nothing if no row names columns.
func (l *layout) appendHead(out []byte, more []Added) ([]byte, error) {
	names, err := l.names()
	if err != nil || names == nil {
		return out, err
	}
	for i, a := range more {
		if slices.Contains(names, a.Name) {
			return out, &TakenError{"column", a.Name}
		}
		more[i].Text = a.Name
	}
	return l.appendColumns(out, l.head, more)
}

// Append appends the row to out, with more columns or fields behind it, and a newline; those of a line of text stand before
// it. An error says that an object has such a field already, or that a column cannot hold a text.
func (r *Row) Append(out []byte, more []Added) ([]byte, error) {
	l := r.of
	switch {
	case l.table:
		return out, errors.New("a row of a Parquet table is not written as text")
	case l.comma != 0:
		return l.appendColumns(out, r.Raw, more)
	case l.textPaths == nil:
		for _, a := range more {
			if out = append(append(out, a.Text...), '\t'); strings.ContainsAny(a.Text, "\t\r\n") {
				return out, errTab(a.Text)
			}
		}
		return append(append(out, trimLine(r.Raw)...), '\n'), nil
	}
	line := bytes.TrimLeft(bytes.Trim(r.Raw, jsonSpace), byteOrderMark)
	for _, a := range more {
		if _, taken := member(line, a.Name); taken {
			return out, &TakenError{"field", a.Name}
		}
	}
	inner := bytes.TrimRight(line[:len(line)-1], jsonSpace)
	out = append(out, inner...)
	for i, a := range more {
		if i > 0 || out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		name, err := json.Marshal(a.Name)
		if err != nil {
			return out, err
		}
		out = append(append(append(out, name...), ':'), a.JSON...)
	}
	return append(append(out, line[len(inner):]...), '\n'), nil
}

func (l *layout) appendColumns(out, row []byte, more []Added) ([]byte, error) {
	out = append(out, trimLine(row)...)
	for _, a := range more {
		out = append(out, byte(l.comma))
		switch {
		case !strings.ContainsAny(a.Text, "\"\r\n"+string(l.comma)):
			out = append(out, a.Text...)
		case l.comma != '\t':
			out = append(append(append(out, '"'), strings.ReplaceAll(a.Text, `"`, `""`)...), '"')
		case strings.ContainsAny(a.Text, "\t\r\n"):
			return out, errTab(a.Text)
		default:
			out = append(out, a.Text...)
		}
	}
	return append(out, '\n'), nil
}

func errTab(text string) error {
	return fmt.Errorf("%q has a tab or a newline, and would not be one column: write JSON lines or CSV", text)
}

// trimLine removes the end of a line.
func trimLine(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
}
