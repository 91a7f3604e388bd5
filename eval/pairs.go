package eval

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
)

// A Pair is two words and a score of how similar or related people judged them to be.
type Pair struct {
	A, B  string
	Score float64 // larger means more similar; the scale is that of the set
}

// A PairSet is a word similarity set such as WordSim-353.
type PairSet struct {
	Name  string
	Pairs []Pair
}

// ReadPairs reads a word similarity set, whose lines have two words and a number. Errors and
// results call the set by name.
//
// Columns are separated by tabs or, in a line without tabs, by semicolons, commas, colons or
// white space: the first of these that gives two words and a number. Columns may be in quotation
// marks. Blank lines, lines that start with #, one header line and further columns are skipped.
// The score is the third column, with two exceptions that published sets need: a header may call
// another column the score, mean, average, gold or human value (in MSimLex999_German the average
// follows the scores of 13 people), and a part of speech may precede the score (SimVerb-3500,
// SimLex-999). The words are the first two columns, unless a header has columns such as word1 and
// word2 further on. If every word ends with the tag of a part of speech, as sun-n in MEN, the tags
// are removed.
//
// All errors are of type *ParseError and have the line's number. A set without pairs is an error.
func ReadPairs(r io.Reader, name string) (PairSet, error) {
	set := PairSet{Name: name}
	layout := pairLayout{score: -1}
	first := true
	err := eachLine(r, name, func(line string) error {
		if first {
			first = false
			if header, ok := readHeader(line); ok {
				layout = header
				return nil
			}
		}
		p, ok := layout.read(line)
		if !ok {
			return fmt.Errorf("want two words and a number, separated by tab, semicolon, comma or space, not %q", excerpt(line))
		}
		set.Pairs = append(set.Pairs, p)
		return checkWords(p.A, p.B)
	})
	untagPairs(set.Pairs)
	if err == nil && len(set.Pairs) == 0 {
		err = &ParseError{Set: name, Err: errors.New("no pairs: want lines of two words and a number")}
	}
	return set, err
}

// pairLayout says in which columns the words and the score of a pair are.
type pairLayout struct {
	first int // column of the first word; the second word follows
	score int // column; -1 for that after the words, or the next one after a part of speech
}

func (l pairLayout) read(line string) (Pair, bool) {
	for columns := range splits(line) {
		if p, ok := l.pair(columns); ok {
			return p, true
		}
	}
	return Pair{}, false
}

func (l pairLayout) pair(columns []string) (Pair, bool) {
	if len(columns) < l.first+3 || columns[l.first] == "" || columns[l.first+1] == "" {
		return Pair{}, false
	}
	at := l.score
	if at < 0 {
		at = l.first + 2
		if isPartOfSpeech(columns[at]) {
			at++
		}
	}
	if at >= len(columns) {
		return Pair{}, false
	}
	score, ok := parseScore(columns[at])
	return Pair{A: columns[l.first], B: columns[l.first+1], Score: score}, ok
}

// splits yields the columns of a line for every separator that it may have.
func splits(line string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		if strings.Contains(line, "\t") {
			// Tabs are never part of a word. Trying other separators too would take
			// "New York\t5" for two words.
			yield(trimmed(strings.Split(line, "\t")))
			return
		}
		for _, separator := range []string{";", ",", ":"} {
			if strings.Contains(line, separator) && !yield(trimmed(strings.Split(line, separator))) {
				return
			}
		}
		yield(trimmed(strings.Fields(line)))
	}
}

// trimmed removes white space and quotation marks around columns.
func trimmed(columns []string) []string {
	for i, c := range columns {
		c = strings.TrimSpace(c)
		if len(c) >= 2 && c[0] == '"' && c[len(c)-1] == '"' {
			c = c[1 : len(c)-1]
		}
		columns[i] = c
	}
	return columns
}

// parseScore reads a finite number, whose decimal point may be a comma.
func parseScore(s string) (float64, bool) {
	x, err := decimal.Float(strings.Replace(s, ",", ".", 1))
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// isPartOfSpeech reports whether s is a tag such as N, v, ADJ or NNS.
func isPartOfSpeech(s string) bool {
	if len(s) == 0 || len(s) > 4 {
		return false
	}
	for _, b := range []byte(s) {
		if (b < 'A' || b > 'Z') && (len(s) > 1 || b < 'a' || b > 'z') {
			return false
		}
	}
	return true
}

// readHeader reports whether the first line is a header, and returns its layout. In a header, no
// column after the first two starts like a number; or the first two columns differ only in a
// final 1 and 2, and not all others are numbers.
func readHeader(line string) (pairLayout, bool) {
	for columns := range splits(line) {
		if len(columns) >= 3 && isHeader(columns) {
			return pairLayout{first: wordColumn(columns), score: scoreColumn(columns)}, true
		}
	}
	return pairLayout{}, false
}

func isHeader(columns []string) bool {
	numbers := 0
	for _, c := range columns[2:] {
		if c != "" && strings.ContainsRune("+-.,0123456789", rune(c[0])) {
			numbers++
		}
	}
	a, one := strings.CutSuffix(columns[0], "1")
	b, two := strings.CutSuffix(columns[1], "2")
	numbered := one && two && strings.EqualFold(a, b)
	return numbers == 0 || numbered && numbers < len(columns)-2
}

// untagPairs removes tags of parts of speech if all words have one.
func untagPairs(pairs []Pair) {
	for _, p := range pairs {
		if untagged(p.A) == p.A || untagged(p.B) == p.B {
			return
		}
	}
	for i, p := range pairs {
		pairs[i].A, pairs[i].B = untagged(p.A), untagged(p.B)
	}
}

// wordColumn returns the first of two neighbouring columns whose names differ in a final 1 and 2,
// such as word1 and word2; 0 if there are none. A number or a topic may be before the words.
func wordColumn(header []string) int {
	for i := range header[:len(header)-2] {
		a, one := strings.CutSuffix(header[i], "1")
		b, two := strings.CutSuffix(header[i+1], "2")
		if one && two && a != "" && strings.EqualFold(a, b) {
			return i
		}
	}
	return 0
}

// scoreColumn returns the column that a header names as the score, or -1.
func scoreColumn(header []string) int {
	for i := 2; i < len(header); i++ {
		name := strings.ToLower(header[i])
		for _, known := range []string{"score", "mean", "average", "gold", "human"} {
			if strings.Contains(name, known) {
				return i
			}
		}
	}
	return -1
}

// Words returns the words of all pairs, with repetitions.
func (p PairSet) Words() []string {
	var words []string
	for _, pair := range p.Pairs {
		words = append(words, pair.A, pair.B)
	}
	return words
}
