package eval

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// A RelationPair is a word and what is to it as in all pairs of its relation: a country and its
// languages.
type RelationPair struct {
	Word    string
	Answers []string // all are right; the usual one is first
}

// A PairedRelation is a list of pairs between which the same relation holds.
type PairedRelation struct {
	Name  string
	Pairs []RelationPair
}

// A RelationSet is an analogy set of pairs such as BATS (Gladkova, Drozd and Matsuoka 2016).
type RelationSet struct {
	Name      string
	Relations []PairedRelation
}

// ReadRelations reads a relation in the layout of BATS: a line has a word and its answers, which
// slashes separate. A tab or white space stands between the word and the answers. A line of a
// colon and a name starts another relation; the relation before the first such line has the name
// of the set without folder and extensions. Blank lines and lines that start with # are skipped.
// Errors and results call the set by name.
//
// All errors are of type *ParseError and have the line's number. A set without pairs is an error.
func ReadRelations(r io.Reader, name string) (RelationSet, error) {
	set := RelationSet{Name: name}
	pairs := 0
	err := eachLine(r, name, func(line string) error {
		if title, ok := strings.CutPrefix(line, ":"); ok {
			if title = strings.TrimSpace(title); title == "" {
				return errors.New("want the name of a relation after the colon")
			}
			set.Relations = append(set.Relations, PairedRelation{Name: title})
			return nil
		}
		p, ok := readRelationPair(line)
		if !ok {
			return fmt.Errorf("want a word, a tab, and its answers with slashes between them, not %q", excerpt(line))
		}
		if len(set.Relations) == 0 {
			set.Relations = append(set.Relations, PairedRelation{Name: SetName(name)})
		}
		last := &set.Relations[len(set.Relations)-1]
		last.Pairs = append(last.Pairs, p)
		pairs++
		return checkWords(append([]string{p.Word}, p.Answers...)...)
	})
	if err == nil && pairs == 0 {
		err = &ParseError{Set: name, Err: errors.New("no pairs: want lines of a word, a tab, and its answers")}
	}
	return set, err
}

func readRelationPair(line string) (RelationPair, bool) {
	columns := strings.Fields(line)
	if strings.Contains(line, "\t") {
		columns = strings.Split(line, "\t")
	}
	if len(columns) != 2 {
		return RelationPair{}, false
	}
	p := RelationPair{Word: strings.TrimSpace(columns[0]), Answers: alternatives(columns[1])}
	return p, p.Word != "" && len(p.Answers) > 0
}

// sniffRelations recognises lines of a word and its answers. Lines of a word and a category are
// none: several of them have the same category, and no category has slashes.
func sniffRelations(t *text) bool {
	answers, slashes, pairs := make(map[string]bool), 0, 0
	fits := t.most(func(line string) bool {
		if strings.HasPrefix(line, ":") {
			return true
		}
		p, ok := readRelationPair(line)
		if !ok || isNumber(p.Answers[0]) || wordsIn(p.Word) > 3 || wordsIn(p.Answers[0]) > 3 {
			return false
		}
		pairs++
		answers[p.Answers[0]] = true
		if len(p.Answers) > 1 {
			slashes++
		}
		return true
	})
	return fits && pairs > 0 && (slashes > 0 || 2*len(answers) >= pairs) && !sniffCategories(t)
}

// Title returns the set's name.
func (s RelationSet) Title() string { return s.Name }

// Task returns TaskRelation.
func (s RelationSet) Task() Task { return TaskRelation }

// Words returns the words of all pairs, with repetitions.
func (s RelationSet) Words() []string {
	var words []string
	for _, relation := range s.Relations {
		for _, p := range relation.Pairs {
			words = append(append(words, p.Word), p.Answers...)
		}
	}
	return words
}

func (s RelationSet) named(name string) Set { s.Name = name; return s }

// part reports whether the set may be one file of a folder such as BATS.
func (s RelationSet) part() bool { return len(s.Relations) == 1 }

// join returns one set of the relations of several files.
func (s RelationSet) join(name string, others []Set) Set {
	joined := RelationSet{Name: name, Relations: s.Relations}
	for _, other := range others {
		if o, ok := other.(RelationSet); ok {
			joined.Relations = append(joined.Relations[:len(joined.Relations):len(joined.Relations)], o.Relations...)
		}
	}
	return joined
}
