package eval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A WordList is a list of words with a name, such as flowers.
type WordList struct {
	Name  string
	Words []string
}

// A BiasTest compares how two lists of target words are associated with two lists of attribute
// words. In the first test of Caliskan, Bryson and Narayanan 2017 the targets X are flowers and Y
// insects, and the attributes A are pleasant and B unpleasant words.
type BiasTest struct {
	Name       string
	X, Y, A, B WordList
}

// lists returns X, Y, A and B.
func (t BiasTest) lists() [4]WordList { return [4]WordList{t.X, t.Y, t.A, t.B} }

// A BiasSet is tests of associations, such as the ten of WEAT.
type BiasSet struct {
	Name  string
	Tests []BiasTest
}

// Title returns the set's name.
func (b BiasSet) Title() string { return b.Name }

// Task returns TaskBias.
func (b BiasSet) Task() Task { return TaskBias }

// Words returns the words of all tests, with repetitions.
func (b BiasSet) Words() []string {
	var words []string
	for _, t := range b.Tests {
		for _, l := range t.lists() {
			words = append(words, l.Words...)
		}
	}
	return words
}

func (b BiasSet) named(name string) Set {
	b.Name = name
	return b
}

// part reports whether the set may be one file of a set that is a folder.
func (b BiasSet) part() bool { return len(b.Tests) == 1 }

// join is one set of the files of a folder.
func (b BiasSet) join(name string, others []Set) Set {
	joined := BiasSet{Name: name}
	for _, other := range append([]Set{b}, others...) {
		if o, ok := other.(BiasSet); ok {
			joined.Tests = append(joined.Tests, o.Tests...)
		}
	}
	return joined
}

// weatTests are the names of the lists X, Y, A and B of the ten tests of Caliskan, Bryson and
// Narayanan 2017, as published files of their lists have them.
var weatTests = [10][4]string{
	{"flowers", "insects", "pleasant_5", "unpleasant_5a"},
	{"instruments", "weapons", "pleasant_5", "unpleasant_5a"},
	{"european_american_names_5", "african_american_names_5", "pleasant_5", "unpleasant_5b"},
	{"european_american_names_7", "african_american_names_7", "pleasant_5", "unpleasant_5b"},
	{"european_american_names_7", "african_american_names_7", "pleasant_9", "unpleasant_9"},
	{"male_names", "female_names", "career", "family"},
	{"math", "arts", "male_terms", "female_terms"},
	{"science", "arts_2", "male_terms_2", "female_terms_2"},
	{"mental_disease", "physical_disease", "temporary", "permanent"},
	{"young_people_names", "old_people_names", "pleasant_9", "unpleasant_9"},
}

// standardTests forms the tests of WEAT whose lists are there.
func standardTests(lists map[string][]string) []BiasTest {
	var tests []BiasTest
	for i, names := range weatTests {
		var found [4]WordList
		for j, name := range names {
			found[j] = WordList{name, lists[name]}
		}
		if slices.ContainsFunc(found[:], func(l WordList) bool { return len(l.Words) == 0 }) {
			continue
		}
		tests = append(tests, BiasTest{
			Name: fmt.Sprintf("WEAT %d: %s and %s, %s and %s", i+1, names[0], names[1], names[2], names[3]),
			X:    found[0], Y: found[1], A: found[2], B: found[3],
		})
	}
	return tests
}

// tidy gives the test a name and removes white space, empty words and repetitions. It returns an error if the
// test is none.
func (t *BiasTest) tidy(number int) error {
	for i, l := range []*WordList{&t.X, &t.Y, &t.A, &t.B} {
		role := "XYAB"[i : i+1]
		if l.Name = strings.TrimSpace(l.Name); l.Name == "" {
			l.Name = role
		}
		kept := []string{}
		for _, word := range l.Words {
			word = strings.Join(strings.Fields(word), "_")
			if word != "" && !slices.Contains(kept, word) {
				kept = append(kept, word)
			}
		}
		if l.Words = kept; len(kept) == 0 {
			return fmt.Errorf("want words in list %s of a test", role)
		}
		if err := checkWords(kept...); err != nil {
			return err
		}
	}
	for _, word := range t.X.Words {
		if slices.Contains(t.Y.Words, word) {
			return fmt.Errorf("want different words in lists X and Y, and both have %q", excerpt(word))
		}
	}
	if t.Name = strings.TrimSpace(t.Name); t.Name == "" {
		t.Name = fmt.Sprintf("test %d: %s and %s, %s and %s", number, t.X.Name, t.Y.Name, t.A.Name, t.B.Name)
	}
	return nil
}

var errNoTests = errors.New("no tests: want lists X and Y of targets and A and B of attributes; see ReadBias")
