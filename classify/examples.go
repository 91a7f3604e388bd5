package classify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/corpus"
)

// An Example is a text with its labels.
type Example struct {
	Text   string
	Labels []string
}

// A Corpus is labelled texts. Files and Examples make one. Its zero value has none.
type Corpus struct {
	names    []string
	stdin    io.Reader
	examples iter.Seq2[Example, error]
}

// Files is the labelled texts of files, folders and globs, in the order given; "-" is stdin. Compressed files are
// recognised by their content.
func Files(stdin io.Reader, names ...string) Corpus { return Corpus{names: names, stdin: stdin} }

// Examples is the labelled texts of an iterator, which is called once. Its first error ends the reading.
func Examples(of iter.Seq2[Example, error]) Corpus { return Corpus{examples: of} }

// Fields say where the text and the labels are in files. The zero value is the layout of fastText: a line is a text, and
// those of its tokens that begin with Prefix are labels.
type Fields struct {
	// Prefix begins labels in lines of text; empty means "__label__". Labels in columns and JSON have none.
	Prefix string
	// TextColumn and LabelColumn are columns of a table, by number from 1 or by name if there is a Header. Several text
	// columns, separated by commas, are one text.
	TextColumn, LabelColumn string
	// Header says that the first row of each file has the names of columns.
	Header bool
	// TextField and LabelField are fields of JSON lines; a.b is field b of the object in field a. A label is a text, a
	// number, true or false, or a list of these; null is none.
	TextField, LabelField string
	// LabelSplit, if not empty, separates several labels in one column or field.
	LabelSplit string
}

// Validate returns an error if the fields do not fit together.
func (f Fields) Validate() error {
	table, fields := f.TextColumn != "" || f.LabelColumn != "", f.TextField != "" || f.LabelField != ""
	switch {
	case table && fields:
		return errors.New("classify: text and labels are in columns or in JSON fields, not in both")
	case table && (f.TextColumn == "" || f.LabelColumn == ""):
		return errors.New("classify: the column of the text and that of the labels must both be given")
	case fields && (f.TextField == "" || f.LabelField == ""):
		return errors.New("classify: the JSON field of the text and that of the labels must both be given")
	case f.Header && !table:
		return errors.New("classify: a header is one of a table: give the columns of the text and of the labels")
	case f.LabelSplit != "" && !table && !fields:
		return errors.New("classify: labels are split in a column or a JSON field; in lines of text each is a token with the prefix")
	case f.Prefix != "" && (table || fields):
		return errors.New("classify: labels in columns and JSON fields have no prefix")
	case strings.ContainsAny(f.Prefix, blanks):
		return fmt.Errorf("classify: the prefix of labels %q has a blank", f.Prefix)
	}
	return nil
}

// blanks separate the tokens of a line, as in fastText.
const blanks = " \n\r\t\v\f\x00"

// read yields the examples of the corpus.
func (c Corpus) read(ctx context.Context, f Fields) iter.Seq2[Example, error] {
	if c.examples != nil {
		return c.examples
	}
	return func(yield func(Example, error) bool) {
		src, err := corpus.Files(c.names, c.stdin, corpus.Options{})
		if err != nil {
			yield(Example{}, err)
			return
		}
		for i := range src.Inputs() {
			if !c.readInput(ctx, src, i, f, yield) {
				return
			}
		}
	}
}

func (c Corpus) readInput(ctx context.Context, src *corpus.Source, i int, f Fields, yield func(Example, error) bool) bool {
	raw, err := src.Open(ctx, i)
	if err != nil {
		return yield(Example{}, err) && false
	}
	defer raw.Close()
	line, more := 0, true
	fail := func(err error) bool {
		return yield(Example{}, fmt.Errorf("%s: line %d: %w", raw.Name(), line, err)) && false
	}
	give := func(e Example, err error) bool {
		if err != nil {
			more = fail(err)
		} else {
			more = yield(e, nil)
		}
		return more
	}
	if f.TextColumn != "" {
		rows := f.tableOf(raw)
		for line = 1; ; line++ {
			row, err := rows()
			switch {
			case errors.Is(err, io.EOF):
				return true
			case err != nil:
				return fail(err)
			case line == 1 && f.Header:
				if f, err = f.named(row); err != nil {
					return fail(err)
				}
				continue
			}
			if !give(f.ofRow(row)) {
				return false
			}
		}
	}
	of := f.ofLine
	if f.TextField != "" {
		of = f.ofJSON
	}
	lines := bufio.NewReaderSize(raw, 1<<16)
	for line = 1; ; line++ {
		text, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil {
			return fail(err)
		}
		if len(text) > 0 && !give(of(text)) {
			return false
		}
	}
}

// maxLine is the largest size of a line in bytes: a file may be in another format.
const maxLine = 64 << 20

// readLine returns the next line without its newline.
func readLine(r *bufio.Reader) (string, error) {
	text, err := r.ReadSlice('\n')
	if err == nil {
		return string(text[:len(text)-1]), nil
	}
	all := bytes.Clone(text)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(all) > maxLine {
			return "", fmt.Errorf("more than %d MB without a newline", maxLine>>20)
		}
		text, err = r.ReadSlice('\n')
		all = append(all, text...)
	}
	if errors.Is(err, io.EOF) && len(all) > 0 {
		return string(all), nil
	}
	return string(bytes.TrimSuffix(all, []byte("\n"))), err
}

// ofLine returns the example of a line in fastText's layout.
func (f Fields) ofLine(line string) (e Example, _ error) {
	prefix := f.Prefix
	if prefix == "" {
		prefix = labelPrefix
	}
	if !strings.Contains(line, prefix) {
		return Example{Text: line}, nil
	}
	var text strings.Builder
	kept := 0 // of the line
	for at := 0; at < len(line); {
		next := strings.Index(line[at:], prefix)
		if next < 0 {
			break
		}
		next += at
		if next > 0 && !isBlank(line[next-1]) {
			at = next + len(prefix)
			continue
		}
		end := next
		for end < len(line) && !isBlank(line[end]) {
			end++
		}
		e.Labels = append(e.Labels, line[next:end])
		text.WriteString(line[kept:next])
		kept, at = end, end
	}
	if text.Len() == 0 {
		e.Text = line[kept:]
	} else {
		text.WriteString(line[kept:])
		e.Text = text.String()
	}
	return e, nil
}

// tableOf returns what reads the rows of a table: CSV if the name or the first line says so, otherwise TSV.
func (f Fields) tableOf(raw *corpus.Raw) func() ([]string, error) {
	comma := raw.Comma()
	if comma == 0 {
		lines := bufio.NewReaderSize(raw, 1<<16)
		return func() ([]string, error) {
			line, err := readLine(lines)
			return strings.Split(strings.TrimSuffix(line, "\r"), "\t"), err
		}
	}
	r := csv.NewReader(raw)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = comma, -1, true
	return r.Read
}

// named returns the fields with the numbers of columns in place of names.
func (f Fields) named(header []string) (Fields, error) {
	for _, column := range []*string{&f.TextColumn, &f.LabelColumn} {
		var numbers []string
		for _, name := range strings.Split(*column, ",") {
			if i := slices.IndexFunc(header, func(h string) bool { return strings.TrimSpace(h) == name }); i >= 0 {
				name = strconv.Itoa(i + 1)
			} else if _, err := strconv.Atoi(name); err != nil {
				return f, fmt.Errorf("no column is called %q: the header has %.200q", name, strings.Join(header, ", "))
			}
			numbers = append(numbers, name)
		}
		*column = strings.Join(numbers, ",")
	}
	return f, nil
}

func (f Fields) ofRow(row []string) (e Example, err error) {
	texts, err := columnsOf(row, f.TextColumn)
	if err != nil {
		return e, err
	}
	labels, err := columnsOf(row, f.LabelColumn)
	if err != nil {
		return e, err
	}
	for _, label := range labels {
		e.Labels = append(e.Labels, f.split(label)...)
	}
	e.Text = strings.Join(texts, " ")
	return e, nil
}

// columnsOf returns the columns of a row whose numbers are given.
func columnsOf(row []string, numbers string) (all []string, err error) {
	for _, number := range strings.Split(numbers, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(number))
		switch {
		case err != nil || n < 1:
			return nil, fmt.Errorf("column %q is not a number from 1, and there is no header with names", number)
		case n > len(row):
			return nil, fmt.Errorf("there is no column %d: the row has %d", n, len(row))
		}
		all = append(all, row[n-1])
	}
	return all, nil
}

// split returns the labels in a text; none in an empty one.
func (f Fields) split(text string) (labels []string) {
	parts := []string{text}
	if f.LabelSplit != "" {
		parts = strings.Split(text, f.LabelSplit)
	}
	for _, label := range parts {
		if label = strings.TrimSpace(label); label != "" {
			labels = append(labels, label)
		}
	}
	return labels
}

func (f Fields) ofJSON(line string) (e Example, err error) {
	text, err := member([]byte(line), f.TextField)
	if err != nil {
		return e, err
	}
	if string(text) != "null" {
		if err := json.Unmarshal(text, &e.Text); err != nil {
			return e, fmt.Errorf("the field %q is not a text", f.TextField)
		}
	}
	of, err := member([]byte(line), f.LabelField)
	if err != nil {
		return e, err
	}
	var list []json.RawMessage
	if of[0] != '[' {
		list = append(list, of)
	} else if err := json.Unmarshal(of, &list); err != nil {
		return e, err
	}
	for _, value := range list {
		var label string
		switch value[0] {
		case 'n':
			continue
		case '{', '[':
			return e, fmt.Errorf("a label in the field %q is not a text, a number, true or false", f.LabelField)
		case '"':
			if err := json.Unmarshal(value, &label); err != nil {
				return e, err
			}
		default:
			label = string(value)
		}
		e.Labels = append(e.Labels, f.split(label)...)
	}
	return e, nil
}

// member returns the value at a path of field names, without white space around it.
func member(value []byte, path string) ([]byte, error) {
	if !json.Valid(value) {
		return nil, errors.New("the line is not one JSON value")
	}
	for _, name := range strings.Split(path, ".") {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(value, &object); err != nil || object == nil {
			return nil, fmt.Errorf("there is no field %q: the line, or a field in it, is not an object", path)
		}
		of, ok := object[name]
		if !ok {
			return nil, fmt.Errorf("there is no field %q", path)
		}
		value = of
	}
	return value, nil
}
