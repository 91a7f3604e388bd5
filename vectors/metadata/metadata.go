// Package metadata reads facts about words from a table, such as the country of a city, and arranges them for
// the words of a set.
//
//	table, err := metadata.ReadFile("cities.tsv") // word, country, population
//	…
//	for _, field := range table.Fields([]string{"paris", "rome"}) {
//		fmt.Println(field.Name, field.Kind) // country category, population number
//	}
package metadata

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/internal/wording"
)

const (
	maxCategories = 100     // of a field: rarer ones are merged into the last one
	maxFields     = 256     // of a table
	maxLine       = 1 << 20 // bytes of a line
)

// A Table is facts about words: each row is a word, and each column a fact.
type Table struct {
	name     string
	words    []string       // of the rows, as in the file
	lines    []int          // of the rows
	byWord   map[string]int // rows by words as in the file
	rows     map[string]int // rows by words that are asked for
	columns  []column
	repeated []repetition
	known    int // rows whose word is in the model; -1 before For
}

// A repetition is a row that does not count, because another row has the same word.
type repetition struct {
	word        string
	first, line int // lines of the row that counts and of the other
}

// A column has a text for every row; an empty text means unknown.
type column struct {
	Column
	values []string
}

// A Kind is the kind of a column's values.
type Kind string

const (
	Category Kind = "category" // one of a few texts
	Number   Kind = "number"
)

// A Column is the name of a column and the kind of its values.
type Column struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
}

// Columns returns all columns except the words, in the order of the file.
func (t *Table) Columns() []Column {
	list := make([]Column, len(t.columns))
	for i, c := range t.columns {
		list[i] = c.Column
	}
	return list
}

// A Field has the values of a column for a list of words.
type Field struct {
	Column
	Categories []string   // values of a column of categories, the most frequent first
	Merged     int        // how many rare categories were merged into the last of Categories; 0 if none were
	Of         []int      // index of each word's category; -1 if it is unknown
	Numbers    []*float64 // values of a column of numbers, one a word; nil if the value is unknown or not finite
	Known      int        // number of words with a known value
}

// MarshalJSON writes a field as {"name", "kind", "known", "values"}. For categories, it adds "categories"
// and, if some are merged, "merged"; "values" are then indices of categories.
func (f Field) MarshalJSON() ([]byte, error) {
	out := struct {
		Column
		Categories []string `json:"categories,omitempty"`
		Merged     int      `json:"merged,omitempty"`
		Known      int      `json:"known"`
		Values     any      `json:"values"`
	}{f.Column, f.Categories, f.Merged, f.Known, f.Of}
	if f.Kind == Number {
		out.Values = f.Numbers
	}
	return json.Marshal(out)
}

// ReadFile is Read for a file.
func ReadFile(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only reading: Close loses nothing
	return Read(f, path)
}

// Read reads a table of facts about words: columns separated by tabs, a header, and the words in the first
// column, as TensorBoard's Projector has it. If all values of a column are numbers, it is a column of
// numbers; otherwise it is a column of categories. A row may end early. If a word has several rows, the first
// one counts, and Notes names the others. Errors have the name of the file and the line.
func Read(r io.Reader, name string) (*Table, error) {
	t := &Table{name: name, byWord: map[string]int{}, known: -1}
	t.rows = t.byWord
	lines := bufio.NewScanner(plaintext.NewReader(r))
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	n := 0
	for lines.Scan() {
		n++
		text := strings.TrimSuffix(lines.Text(), "\r")
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if !utf8.ValidString(text) {
			return nil, fmt.Errorf("%s, line %d: the text is not UTF-8", name, n)
		}
		cells := strings.Split(text, "\t")
		switch {
		case n == 1:
			if err := t.header(cells); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		case text == "":
		case len(cells) > len(t.columns)+1:
			return nil, fmt.Errorf("%s, line %d: %d columns, and the header has %d", name, n, len(cells), len(t.columns)+1)
		default:
			t.add(n, cells)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s, line %d: longer than %d bytes: the file has columns that are separated by tabs, and a row for each word", name, n+1, maxLine)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case n == 0:
		return nil, fmt.Errorf("%s: the file is empty: it has to have a header and a row for each word", name)
	}
	for i, c := range t.columns {
		if areNumbers(c.values) {
			t.columns[i].Kind = Number
		}
	}
	return t, nil
}

func (t *Table) header(names []string) error {
	switch {
	case len(names) < 2:
		return errors.New("the header has one column: it has to have the word and at least one field, separated by tabs; tables of CSV and JSON lines are not read")
	case len(names)-1 > maxFields:
		return fmt.Errorf("%d fields, and there may be %d", len(names)-1, maxFields)
	}
	seen := map[string]bool{}
	for i, name := range names[1:] {
		if name = strings.TrimSpace(name); name == "" {
			name = "column " + strconv.Itoa(i+2)
		}
		if seen[name] {
			return fmt.Errorf("two fields have the name %q", name)
		}
		seen[name] = true
		t.columns = append(t.columns, column{Column: Column{name, Category}})
	}
	return nil
}

func (t *Table) add(line int, cells []string) {
	if row, ok := t.byWord[cells[0]]; ok {
		t.repeated = append(t.repeated, repetition{t.words[row], t.lines[row], line})
		return
	}
	word := strings.Clone(cells[0])
	t.byWord[word] = len(t.words)
	t.words, t.lines = append(t.words, word), append(t.lines, line)
	for i := range t.columns {
		value := ""
		if i+1 < len(cells) {
			value = strings.Clone(strings.TrimSpace(cells[i+1]))
		}
		t.columns[i].values = append(t.columns[i].values, value)
	}
}

// For returns the table for the words of a model: find returns how the model spells a word, and its id, which is negative
// for a word outside the vocabulary, as query.Finder.Spelling does. The methods of the result take words as the model
// spells them. If the words of several rows are one word of the model, the row with its spelling counts, or else the first.
func (t *Table) For(find func(word string) (spelling string, id int)) *Table {
	of := *t
	of.rows, of.known, of.repeated = make(map[string]int, len(t.words)), 0, slices.Clone(t.repeated)
	for row, word := range t.words {
		spelling, id := find(word)
		if id >= 0 {
			of.known++
		}
		counts, ok := t.byWord[spelling]
		if !ok {
			counts, ok = of.rows[spelling]
		}
		if ok && counts != row {
			of.repeated = append(of.repeated, repetition{spelling, t.lines[counts], t.lines[row]})
			continue
		}
		of.rows[spelling] = row
	}
	return &of
}

// Known returns how many rows there are, and for how many of them For has found the word in the model.
func (t *Table) Known() (known, rows int) { return max(0, t.known), len(t.words) }

// Notes says what is unusual about a table for the words of a model of that name: rows that For has not found there, rows
// that do not count, and texts in columns of numbers.
func (t *Table) Notes(model string) (notes []string) {
	if rows := len(t.words); t.known >= 0 && t.known < rows {
		notes = append(notes, wording.Of(t.known, rows, "word of "+t.name, "words of "+t.name, "is in", "are in")+" "+model)
	}
	if n := len(t.repeated); n > 0 {
		const shown = 3
		text := t.name + ": of several rows of a word the first counts: "
		if t.known >= 0 {
			text = t.name + ": of several rows of a word that with its spelling counts, or else the first: "
		}
		for i, r := range t.repeated[:min(n, shown)] {
			if i > 0 {
				text += ", "
			}
			text += fmt.Sprintf("%.40q in line %d, not %d", r.word, r.first, r.line)
		}
		if n > shown {
			text += fmt.Sprintf(" and %s more", wording.Thousands(n-shown))
		}
		notes = append(notes, text)
	}
	for _, c := range t.columns {
		if c.Kind != Category {
			continue
		}
		numbers, known, text := 0, 0, -1
		for row, v := range c.values {
			if v == "" {
				continue
			}
			known++
			if _, err := decimal.Float(v); err == nil {
				numbers++
			} else if text < 0 {
				text = row
			}
		}
		if 2*numbers > known {
			notes = append(notes, fmt.Sprintf("%s: the column %q has texts: %.40q in line %d is no number, and %s of %s values are",
				t.name, c.Name, c.values[text], t.lines[text], wording.Thousands(numbers), wording.Thousands(known)))
		}
	}
	return notes
}

// areNumbers reports whether all known values are numbers, and at least one is known.
func areNumbers(values []string) (some bool) {
	for _, v := range values {
		if _, err := decimal.Float(v); err != nil && v != "" {
			return false
		}
		some = some || v != ""
	}
	return some
}

// Fields returns the values of given words in all columns except the first, in the order of the file. If a
// column has more than 100 categories among these words, the rarest are merged into one.
func (t *Table) Fields(words []string) []Field {
	fields := make([]Field, len(t.columns))
	for i, c := range t.columns {
		f := Field{Column: c.Column}
		values := make([]string, len(words))
		for j, word := range words {
			if row, ok := t.rows[word]; ok && c.values[row] != "" {
				values[j] = c.values[row]
				f.Known++
			}
		}
		if c.Kind == Number {
			f.Numbers = numbersOf(values)
		} else {
			f.Categories, f.Merged, f.Of = categoriesOf(values)
		}
		fields[i] = f
	}
	return fields
}

// numbersOf parses numbers. A value that is not a finite number becomes nil, because JSON cannot express it.
func numbersOf(values []string) []*float64 {
	numbers := make([]*float64, len(values))
	for i, v := range values {
		if x, err := decimal.Float(v); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
			numbers[i] = &x
		}
	}
	return numbers
}

func categoriesOf(values []string) (categories []string, merged int, of []int) {
	counts := map[string]int{}
	for _, v := range values {
		if v != "" {
			counts[v]++
		}
	}
	categories = slices.AppendSeq([]string{}, maps.Keys(counts))
	slices.SortFunc(categories, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	index := map[string]int{"": -1}
	for i, v := range categories {
		index[v] = min(i, maxCategories-1)
	}
	if len(categories) > maxCategories {
		merged = len(categories) - maxCategories + 1
		categories = append(slices.Clone(categories[:maxCategories-1]), fmt.Sprintf("other (%d categories)", merged))
	}
	of = make([]int, len(values))
	for i, v := range values {
		of[i] = index[v]
	}
	return categories, merged, of
}
