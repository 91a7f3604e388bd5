package eval

import (
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

// lists returns X, Y, A and B.
func (t BiasTest) lists() [4]WordList { return [4]WordList{t.X, t.Y, t.A, t.B} }

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

// standardTests forms the WEAT tests whose lists are all present.
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

// tidy gives the test a name and removes white space, empty words and repetitions. It returns an
// error if the test is invalid.
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

// readBias reads tests of associations. There are these layouts:
//
//   - JSON with a list of tests, whose x, y, a and b are lists of words, or names of lists:
//     {"lists": {"flowers": ["…"]}, "tests": [{"name": "…", "x": "flowers", "y": ["…"], …}]},
//     or one such test by itself;
//   - JSON of one test as in SEAT (May et al. 2019): targ1, targ2, attr1 and attr2, each
//     {"category": "flowers", "examples": ["…"]};
//   - JSON with lists only: {"flowers": ["…"], "insects": ["…"], …}. The ten tests of Caliskan,
//     Bryson and Narayanan 2017 are formed from the lists that are present, by the names that WEFE
//     gives them: pleasant_5, unpleasant_5a, …;
//   - text, whose lines are shown below. A line of a colon and a name begins a test.
//
// The lines of a test in text:
//
//	: flowers and insects
//	X flowers: aster clover
//	Y insects: ant, flea
//	A pleasant: caress freedom
//	B unpleasant: abuse crash
//
// A word that is listed twice counts once. All errors are of type *ParseError. It is an error if
// there are no tests, if a list has no words, or if a word is in both X and Y.
func readBias(raw []byte, name string) (Set, error) {
	lines := numberedLines(raw)
	set := Set{Name: name, Task: TaskBias}
	var err error
	switch {
	case len(lines) == 0:
		err = &ParseError{Set: name, Err: errNoTests}
	case isJSON(lines[0].text):
		set.Tests, err = biasJSON(lines, name)
	default:
		set.Tests, err = biasText(lines, name)
	}
	return set, err
}

// wanted describes the JSON of a test, for errors.
const wanted = `{"name": "…", "x": ["…"], "y": ["…"], "a": ["…"], "b": ["…"]}`

func biasJSON(lines []numbered, name string) ([]BiasTest, error) {
	objects, at, err := jsonValues[map[string]json.RawMessage](lines, name, wanted)
	if err != nil {
		return nil, err
	}
	var tests []BiasTest
	for i, object := range objects {
		found, err := biasTests(object)
		for j := range found {
			if err == nil {
				err = found[j].tidy(len(tests) + 1)
			}
			if err == nil {
				tests = append(tests, found[j])
			}
		}
		if err == nil && len(found) == 0 {
			err = errNoTests
		}
		if err != nil {
			return nil, &ParseError{Set: name, Line: at[i], Err: err}
		}
	}
	return tests, nil
}

// biasTests returns the tests of an object of JSON.
func biasTests(object map[string]json.RawMessage) ([]BiasTest, error) {
	_, isTest := object["x"]
	if _, ok := object["X"]; ok {
		isTest = true
	}
	_, isSEAT := object["targ1"]
	raw, hasTests := object["tests"]
	switch {
	case isSEAT:
		return seatTest(object)
	case isTest:
		t, err := biasTest(object, nil)
		return []BiasTest{t}, err
	}
	lists := make(map[string][]string)
	from := object
	if given, ok := object["lists"]; ok {
		from = nil // a separate map
		if err := json.Unmarshal(given, &from); err != nil {
			return nil, fmt.Errorf("want lists of words by their names in lists: %w", err)
		}
	}
	for _, list := range slices.Sorted(maps.Keys(from)) { // a fixed order, so that the same error comes first
		words := from[list]
		if hasTests && list == "tests" || hasTests && list == "name" {
			continue
		}
		var of []string
		if err := json.Unmarshal(words, &of); err != nil {
			return nil, fmt.Errorf("want words in list %q: %w", excerpt(list), err)
		}
		lists[list] = of
	}
	if !hasTests {
		return standardTests(lists), nil
	}
	var given []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, fmt.Errorf("want a list of tests %s in tests: %w", wanted, err)
	}
	var tests []BiasTest
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
	for _, key := range slices.Sorted(maps.Keys(object)) {
		raw := object[key]
		var to *WordList
		switch strings.ToLower(key) {
		case "name":
			if err := json.Unmarshal(raw, &t.Name); err != nil {
				return t, fmt.Errorf("want a name in name: %w", err)
			}
			continue
		case "x":
			to = &t.X
		case "y":
			to = &t.Y
		case "a":
			to = &t.A
		case "b":
			to = &t.B
		default:
			return t, fmt.Errorf("want %s, not the key %q", wanted, excerpt(key))
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

// seatTest returns a test in the layout of SEAT.
func seatTest(object map[string]json.RawMessage) ([]BiasTest, error) {
	var t BiasTest
	for i, to := range []*WordList{&t.X, &t.Y, &t.A, &t.B} {
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

func biasText(lines []numbered, name string) ([]BiasTest, error) {
	var tests []BiasTest
	var current BiasTest
	var begun bool
	finish := func(line int) error {
		if !begun {
			return nil
		}
		if err := current.tidy(len(tests) + 1); err != nil {
			return &ParseError{Set: name, Line: line, Err: fmt.Errorf("the test ends here: %w", err)}
		}
		tests, current, begun = append(tests, current), BiasTest{}, false
		return nil
	}
	for _, l := range lines {
		if l.text == "" {
			continue
		}
		head, rest, ok := strings.Cut(l.text, ":")
		role, title, _ := strings.Cut(strings.TrimSpace(head), " ")
		to := map[string]*WordList{"X": &current.X, "Y": &current.Y, "A": &current.A, "B": &current.B}[role]
		switch {
		case ok && head == "":
			if err := finish(l.number); err != nil {
				return nil, err
			}
			current.Name, begun = rest, true
		case !ok || to == nil:
			return nil, &ParseError{Set: name, Line: l.number, Err: fmt.Errorf("want a colon and the name of a test, or X, Y, A or B, a colon and words, not %q", excerpt(l.text))}
		case len(to.Words) > 0:
			return nil, &ParseError{Set: name, Line: l.number, Err: errors.New("want a list once in a test: a line of a colon and a name begins another test")}
		default:
			begun = true
			*to = WordList{title, strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })}
		}
	}
	return tests, finish(lines[len(lines)-1].number)
}
