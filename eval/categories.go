package eval

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Member is a word and the category that people put it in.
type Member struct {
	Word, Category string
}

// A CategorySet is a set of words in categories such as AP, BLESS, Battig or ESSLLI 2008.
type CategorySet struct {
	Name    string
	Members []Member // in the order of the file; a word may be in several categories
}

// Title returns the set's name.
func (c CategorySet) Title() string { return c.Name }

// Task returns TaskCategorization.
func (c CategorySet) Task() Task { return TaskCategorization }

// Words returns the words of all categories, with repetitions.
func (c CategorySet) Words() []string {
	words := make([]string, len(c.Members))
	for i, m := range c.Members {
		words[i] = m.Word
	}
	return words
}

// ReadCategories reads words and their categories. Errors and results call the set by name.
//
// A line has a word and a category in columns, separated by tabs, commas, semicolons or white
// space as in the first line. These layouts are known, in this order:
//
//   - a header names the columns: word, concept, noun or verb; and category or class;
//   - the file of BLESS: concept, class, relation, relatum. A concept is read once;
//   - other columns. Those of numbers are skipped. The words are the column with the most
//     different entries. The categories are, of the others, the column with the most
//     different entries in which an entry occurs twice, so the finest of several levels;
//   - one word a line: all words are of one category, which has the set's name. Such files are the
//     parts of a set that is a folder.
//
// If every word ends with the tag of a part of speech, as in alligator-n or owl_N, the tags are
// removed. A word that is listed twice in a category counts once. A line without a word is skipped,
// as are blank lines and lines that start with #.
//
// All errors are of type *ParseError and have the line's number. A set without words is an error.
func ReadCategories(r io.Reader, name string) (CategorySet, error) {
	set := CategorySet{Name: name}
	rows, err := readTable(r, name)
	if err != nil {
		return set, err
	}
	if len(rows) == 0 {
		return set, &ParseError{Set: name, Err: errNoMembers}
	}
	layout := categoryLayoutOf(rows)
	seen := make(map[Member]bool)
	if layout.header {
		rows = rows[1:]
	}
	for _, row := range rows {
		m, err := layout.member(row.columns, SetName(name))
		if err == nil {
			err = checkWords(m.Word)
		}
		if err != nil {
			return set, &ParseError{Set: name, Line: row.number, Err: err}
		}
		if m.Word != "" && !seen[m] {
			seen[m] = true
			set.Members = append(set.Members, m)
		}
	}
	if len(set.Members) == 0 {
		return set, &ParseError{Set: name, Err: errNoMembers}
	}
	untag(set.Members)
	return set, nil
}

var errNoMembers = errors.New("no words: want lines of a word and its category")

// categoryLayout says in which columns words and categories are.
type categoryLayout struct {
	header         bool // the first line is one
	named          bool // which names the columns
	word, category int  // columns; category is -1 if all words are of one
	columns        int  // of a line
}

func (l categoryLayout) member(columns []string, whole string) (Member, error) {
	if len(columns) <= max(l.word, l.category) || l.category < 0 && len(columns) != l.columns {
		return Member{}, fmt.Errorf("want a word and its category in %d columns, not %q", max(2, l.columns), excerpt(strings.Join(columns, " ")))
	}
	m := Member{Word: columns[l.word], Category: whole}
	if l.category >= 0 {
		m.Category = columns[l.category]
	}
	if m.Word != "" && m.Category == "" {
		return m, fmt.Errorf("want a category for %q", excerpt(m.Word))
	}
	return m, nil
}

// categoryLayoutOf finds the layout of rows, of which there is at least one.
func categoryLayoutOf(rows []row) categoryLayout {
	first := rows[0].columns
	l := categoryLayout{header: true, named: true, columns: len(first)}
	l.word = columnNamed(first, "word", "concept", "noun", "verb", "target")
	l.category = columnNamed(first, "category", "class", "cluster", "label")
	switch {
	case l.word >= 0 && l.category >= 0:
		return l
	case isBLESS(rows):
		return categoryLayout{word: 0, category: 1, columns: len(first)}
	}
	return columnsByEntries(rows)
}

// isBLESS reports whether most rows have a relation of BLESS in their third column.
func isBLESS(rows []row) bool {
	relations := 0
	for _, row := range rows {
		if len(row.columns) == 4 {
			switch row.columns[2] {
			case "attri", "coord", "event", "hyper", "mero", "random-n", "random-j", "random-v":
				relations++
			}
		}
	}
	return 2*relations > len(rows)
}

// columnsByEntries finds the columns of words and of categories by their entries. The first line is
// a header if it has no number where all others have one.
func columnsByEntries(rows []row) categoryLayout {
	l := categoryLayout{columns: len(rows[0].columns)}
	different, entries := make([]map[string]bool, l.columns), make([]int, l.columns)
	numbers := make([]bool, l.columns)
	for c := range l.columns {
		different[c], numbers[c] = make(map[string]bool), len(rows) > 1
		for i, row := range rows {
			if c >= len(row.columns) || row.columns[c] == "" {
				continue
			}
			entries[c]++
			different[c][row.columns[c]] = true
			if _, number := parseScore(row.columns[c]); !number && i > 0 {
				numbers[c] = false
			}
		}
		if _, number := parseScore(rows[0].columns[c]); numbers[c] && !number {
			l.header = true
		}
	}
	most := func(skip int, repeats bool) int {
		best := -1
		for c := range l.columns {
			if c == skip || numbers[c] || repeats && len(different[c]) == entries[c] {
				continue
			}
			// Most published files begin with the category, so of equal columns the last has
			// the words.
			if best < 0 || len(different[c]) > len(different[best]) || skip < 0 && len(different[c]) == len(different[best]) {
				best = c
			}
		}
		return best
	}
	l.word = max(0, most(-1, false))
	if l.category = most(l.word, true); l.category < 0 {
		l.category = most(l.word, false) // each category has one word
	}
	return l
}

// untag removes tags of parts of speech if all words have one.
func untag(members []Member) {
	for _, m := range members {
		if untagged(m.Word) == m.Word {
			return
		}
	}
	for i := range members {
		members[i].Word = untagged(members[i].Word)
	}
}

// untagged returns a word without the tag of a part of speech at its end.
func untagged(word string) string {
	n := len(word)
	if n > 2 && (word[n-2] == '-' || word[n-2] == '_') && strings.IndexByte("nvjarNVJAR", word[n-1]) >= 0 {
		return word[:n-2]
	}
	return word
}

func (c CategorySet) named(name string) Set {
	c.Name = name
	return c
}

// part reports whether the set is one category of a set that is a folder.
func (c CategorySet) part() bool {
	for _, m := range c.Members {
		if m.Category != c.Members[0].Category {
			return false
		}
	}
	return true
}

// join is one set of the files of a folder.
func (c CategorySet) join(name string, others []Set) Set {
	joined := CategorySet{Name: name}
	for _, other := range append([]Set{c}, others...) {
		if o, ok := other.(CategorySet); ok {
			joined.Members = append(joined.Members, o.Members...)
		}
	}
	return joined
}
