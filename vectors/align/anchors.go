package align

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/vectors"
)

// A Pair is the ids of two words of the same meaning: A in the set that is rotated, B in the set that A is
// rotated onto.
type Pair struct{ A, B int }

// SharedOptions restrict which shared words are anchors. The zero value takes all words that both sets have.
type SharedOptions struct {
	// Top takes only the most frequent shared words, this many; 0 takes all. A word's rank is the larger of
	// its ranks in the two sets.
	Top int
	// MinCount leaves out words that either set has seen less often; 0 takes all. Other values need counts of
	// both sets.
	MinCount uint64
	Exclude  []string // words that must not be anchors, such as the words under study
}

// Shared returns the words that both sets spell alike, in the order of a. Special tokens are left out.
func Shared(a, b *vectors.Set, o SharedOptions) (pairs []Pair, err error) {
	switch {
	case o.Top < 0:
		return nil, fmt.Errorf("align: Top is %d, must be 0 (all) or more", o.Top)
	case o.MinCount > 0 && (a.Counts() == nil || b.Counts() == nil):
		return nil, &CountsError{First: a.Counts() == nil}
	}
	exclude := make(map[string]bool, len(o.Exclude))
	for _, word := range o.Exclude {
		exclude[word] = true
	}
	err = guarded(a, b, func() error {
		for id := a.SharedParts().Specials; id < a.Len(); id++ {
			word := a.Words().At(id)
			first, _ := a.ID(word)
			other, ok := b.ID(word)
			switch {
			case exclude[word] || first != id || !ok || other < b.SharedParts().Specials:
			case o.MinCount > 0 && min(a.Counts()[id], b.Counts()[other]) < o.MinCount:
			default:
				pairs = append(pairs, Pair{id, other})
			}
		}
		if o.Top > 0 && len(pairs) > o.Top {
			rankA, rankB := ranks(a), ranks(b)
			slices.SortStableFunc(pairs, func(x, y Pair) int {
				return cmp.Compare(max(rankA[x.A], rankB[x.B]), max(rankA[y.A], rankB[y.B]))
			})
			pairs = slices.Clone(pairs[:o.Top])
			slices.SortFunc(pairs, func(x, y Pair) int { return x.A - y.A })
		}
		return nil
	})
	return pairs, err
}

// A CountsError says that an option needs counts that a set does not have.
type CountsError struct {
	First bool // the first set has no counts; otherwise the second
}

func (e *CountsError) Error() string {
	which := "second"
	if e.First {
		which = "first"
	}
	return fmt.Sprintf("align: a least count is asked for, and the %s set does not know how often words were seen", which)
}

func ranks(s *vectors.Set) []int {
	rank := make([]int, s.Len())
	for r, id := range s.ByFrequency() {
		rank[id] = r
	}
	return rank
}

func guarded(a, b *vectors.Set, read func() error) error {
	return a.Guard(func() error { return b.Guard(read) })
}

func within[T any](a, b *vectors.Set, work func() (*T, error)) (result *T, err error) {
	if err = guarded(a, b, func() (err error) { result, err = work(); return err }); err != nil {
		return nil, err
	}
	return result, nil
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// An Entry of a dictionary is a word and one translation of it.
type Entry struct{ Word, Translation string }

// A Dictionary is words and their translations. A word with several translations has several entries.
type Dictionary struct {
	Name    string
	Entries []Entry
}

const maxLine = 1 << 20

// ReadDictionary reads a dictionary of lines with a word and a translation. A tab separates them or, in a
// line without tabs, the only run of white space: the layout of MUSE (Conneau et al. 2018). It skips blank
// lines, lines that start with # and a space, a byte order mark and duplicate entries. Errors and results use
// name for the dictionary.
//
// All errors are of type *DictionaryError and have the line's number. A dictionary without entries is an
// error.
func ReadDictionary(r io.Reader, name string) (Dictionary, error) {
	d := Dictionary{Name: name}
	scanner := bufio.NewScanner(plaintext.NewReader(r))
	scanner.Buffer(nil, maxLine)
	seen := make(map[Entry]bool)
	line := 0
	for scanner.Scan() {
		line++
		raw := scanner.Bytes()
		if line == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		}
		e, ok, err := readEntry(raw)
		if err != nil {
			if scanner.Err() != nil {
				break // the line is incomplete, because reading the file failed
			}
			return d, &DictionaryError{Name: name, Line: line, Err: err}
		}
		if ok && !seen[e] {
			seen[e] = true
			d.Entries = append(d.Entries, e)
		}
	}
	if err := scanner.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("line of more than %d bytes: is this a dictionary?", maxLine)
		}
		return d, &DictionaryError{Name: name, Line: line + 1, Err: err}
	}
	if len(d.Entries) == 0 {
		return d, &DictionaryError{Name: name, Err: errors.New("no entries: want lines of a word, a tab and a translation")}
	}
	return d, nil
}

func readEntry(raw []byte) (e Entry, ok bool, err error) {
	if !utf8.Valid(raw) {
		return e, false, fmt.Errorf("want UTF-8, not %q", plaintext.Excerpt(string(raw)))
	}
	line := string(bytes.TrimSpace(raw))
	if line == "" || line == "#" || strings.HasPrefix(line, "# ") {
		return e, false, nil
	}
	columns := strings.Split(line, "\t")
	if len(columns) == 1 {
		columns = strings.Fields(line)
	}
	for i := range columns {
		columns[i] = strings.TrimSpace(columns[i])
	}
	if len(columns) != 2 || columns[0] == "" || columns[1] == "" {
		return e, false, fmt.Errorf("want a word, a tab and a translation, not %q", plaintext.Excerpt(line))
	}
	for _, word := range columns {
		if len(word) > vectors.MaxWord {
			return e, false, fmt.Errorf("want words of at most %d bytes, not one of %d, %q", vectors.MaxWord, len(word), plaintext.Excerpt(word))
		}
	}
	return Entry{columns[0], columns[1]}, true, nil
}

// A DictionaryError names the line of a dictionary that could not be read, and what was expected there. Line
// is 0 for an error of the whole file.
type DictionaryError = plaintext.LineError

// Missing lists the words of a dictionary that are not in the vocabularies, each once, in the order of the
// dictionary.
type Missing struct {
	Entries      int      // number of entries without a pair
	Words        []string // not in A
	Translations []string // not in B
}

// Pairs returns the ids of the entries whose two words are both in the vocabularies, in the order of a, and
// what is missing. The rule says how the case of words is looked up.
func (d Dictionary) Pairs(a, b *vectors.Set, rule vectors.Case) ([]Pair, Missing, error) {
	var missing Missing
	inA, errA := a.Lookup(rule)
	inB, errB := b.Lookup(rule)
	if err := cmp.Or(errA, errB); err != nil {
		return nil, missing, err
	}
	var pairs []Pair
	noteA, noteB := noter(&missing.Words), noter(&missing.Translations)
	err := guarded(a, b, func() error {
		for _, e := range d.Entries {
			var p Pair
			_, p.A = inA.Find(e.Word)
			_, p.B = inB.Find(e.Translation)
			if p.A >= 0 && p.B >= 0 {
				pairs = append(pairs, p)
				continue
			}
			missing.Entries++
			if p.A < 0 {
				noteA(e.Word)
			}
			if p.B < 0 {
				noteB(e.Translation)
			}
		}
		return nil
	})
	return inOrder(pairs), missing, err
}

func noter(list *[]string) func(word string) {
	noted := make(map[string]bool)
	return func(word string) {
		if !noted[word] {
			noted[word] = true
			*list = append(*list, word)
		}
	}
}

func inOrder(pairs []Pair) []Pair {
	slices.SortFunc(pairs, func(x, y Pair) int {
		return cmp.Or(x.A-y.A, x.B-y.B)
	})
	return slices.Compact(pairs)
}
