package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A WordList is a named list of words, such as flowers.
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

func (t *BiasTest) lists() [4]*WordList { return [4]*WordList{&t.X, &t.Y, &t.A, &t.B} }

// weatTests names the lists X, Y, A and B of the ten tests of Caliskan, Bryson and Narayanan 2017,
// as in published files of these lists.
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

func standardTests(lists map[string][]string) (tests []BiasTest) {
	for i, names := range weatTests {
		if slices.ContainsFunc(names[:], func(name string) bool { return len(lists[name]) == 0 }) {
			continue
		}
		t := BiasTest{Name: fmt.Sprintf("WEAT %d: %s and %s, %s and %s", i+1, names[0], names[1], names[2], names[3])}
		for k, list := range t.lists() {
			*list = WordList{names[k], lists[names[k]]}
		}
		tests = append(tests, t)
	}
	return tests
}

// add adds a test. It gives the test a name, and removes white space, empty words and repetitions. It
// returns an error if the test is invalid.
func (s *Set) add(t BiasTest) error {
	for i, l := range t.lists() {
		role := "XYAB"[i : i+1]
		l.Name = cmp.Or(strings.TrimSpace(l.Name), role)
		var kept []string
		for _, word := range tidied(l.Words) {
			if !slices.Contains(kept, word) {
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
		t.Name = fmt.Sprintf("test %d: %s and %s, %s and %s", len(s.Tests)+1, t.X.Name, t.Y.Name, t.A.Name, t.B.Name)
	}
	s.Tests = append(s.Tests, t)
	return nil
}

var errNoTests = errors.New("no tests: want lists X and Y of targets and A and B of attributes; see ReadBias")

// readBias reads tests of associations: JSON with a list of tests, whose x, y, a and b are lists of words
// or names of lists, or one such test by itself; JSON of one test as in SEAT (May et al. 2019); JSON with
// lists only, of which the tests of Caliskan, Bryson and Narayanan 2017 are formed by the names that WEFE
// gives them; or text:
//
//	: flowers and insects
//	X flowers: aster clover
//	Y insects: ant, flea
//	A pleasant: caress freedom
//	B unpleasant: abuse crash
func readBias(t *text, set *Set) error {
	if !t.json() {
		return readBiasLines(t, set)
	}
	return eachJSON(t, wanted, func(object map[string]json.RawMessage) error {
		tests, err := biasTests(object)
		if err == nil && len(tests) == 0 {
			err = errNoTests
		}
		for _, test := range tests {
			if err == nil {
				err = set.add(test)
			}
		}
		return err
	})
}

const wanted = `{"name": "…", "x": ["…"], "y": ["…"], "a": ["…"], "b": ["…"]}`

func biasTests(object map[string]json.RawMessage) (tests []BiasTest, err error) {
	has := func(key string) bool { _, ok := object[key]; return ok }
	if has("targ1") {
		return seatTest(object)
	}
	given := []map[string]json.RawMessage{object}
	lists := make(map[string][]string)
	if !has("x") && !has("X") {
		from := object
		if raw, ok := object["lists"]; ok {
			from = nil // a separate map
			if err := json.Unmarshal(raw, &from); err != nil {
				return nil, fmt.Errorf("want lists of words by their names in lists: %w", err)
			}
		}
		for _, list := range slices.Sorted(maps.Keys(from)) { // a fixed order, so that the same error comes first
			if has("tests") && (list == "tests" || list == "name") {
				continue
			}
			var words []string
			if err := json.Unmarshal(from[list], &words); err != nil {
				return nil, fmt.Errorf("want words in list %q: %w", excerpt(list), err)
			}
			lists[list] = words
		}
		if !has("tests") {
			return standardTests(lists), nil
		}
		given = nil
		if err := json.Unmarshal(object["tests"], &given); err != nil {
			return nil, fmt.Errorf("want a list of tests %s in tests: %w", wanted, err)
		}
	}
	for _, g := range given {
		t, err := biasTest(g, lists)
		if err != nil {
			return nil, err
		}
		tests = append(tests, t)
	}
	return tests, nil
}

// biasTest returns a test. Its lists are words, or names of lists.
func biasTest(object map[string]json.RawMessage, lists map[string][]string) (BiasTest, error) {
	var t BiasTest
	roles := map[string]*WordList{"x": &t.X, "y": &t.Y, "a": &t.A, "b": &t.B}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		raw, to := object[key], roles[strings.ToLower(key)]
		if to == nil {
			if strings.ToLower(key) != "name" {
				return t, fmt.Errorf("want %s, not the key %q", wanted, excerpt(key))
			}
			if err := json.Unmarshal(raw, &t.Name); err != nil {
				return t, fmt.Errorf("want a name in name: %w", err)
			}
			continue
		}
		if err := json.Unmarshal(raw, &to.Name); err == nil {
			words, ok := lists[to.Name]
			if !ok {
				return t, fmt.Errorf("there is no list %q", excerpt(to.Name))
			}
			to.Words = words
		} else if err := json.Unmarshal(raw, &to.Words); err != nil {
			return t, fmt.Errorf("want words, or the name of a list, in %s: %w", key, err)
		}
	}
	return t, nil
}

func seatTest(object map[string]json.RawMessage) ([]BiasTest, error) {
	var t BiasTest
	for i, to := range t.lists() {
		key := []string{"targ1", "targ2", "attr1", "attr2"}[i]
		var list struct {
			Category string
			Examples []string
		}
		if raw, ok := object[key]; !ok {
			return nil, fmt.Errorf("want targ1, targ2, attr1 and attr2, and there is no %s", key)
		} else if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf(`want {"category": "…", "examples": ["…"]} in %s: %w`, key, err)
		}
		*to = WordList{list.Category, list.Examples}
	}
	return []BiasTest{t}, nil
}

func readBiasLines(t *text, set *Set) error {
	var current BiasTest
	var begun bool
	finish := func() error {
		if !begun {
			return nil
		}
		if err := set.add(current); err != nil {
			return fmt.Errorf("the test ends here: %w", err)
		}
		current, begun = BiasTest{}, false
		return nil
	}
	roles := map[string]*WordList{"X": &current.X, "Y": &current.Y, "A": &current.A, "B": &current.B}
	err := t.eachLine(func(line string) error {
		head, rest, ok := strings.Cut(line, ":")
		role, title, _ := strings.Cut(strings.TrimSpace(head), " ")
		to := roles[role]
		switch {
		case ok && head == "":
			if err := finish(); err != nil {
				return err
			}
			current.Name = rest
		case !ok || to == nil:
			return fmt.Errorf("want a colon and the name of a test, or X, Y, A or B, a colon and words, not %q", excerpt(line))
		case len(to.Words) > 0:
			return errors.New("want a list once in a test: a line of a colon and a name begins another test")
		default:
			*to = WordList{title, strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })}
		}
		begun = true
		return nil
	})
	if err != nil || len(t.full) == 0 {
		return err
	}
	return at(t.full[len(t.full)-1].number, finish())
}
