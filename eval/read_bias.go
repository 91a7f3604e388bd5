package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// ReadBias reads tests of associations. Errors and results call the set by name. There are these
// layouts:
//
//   - JSON with a list of tests, whose x, y, a and b are lists of words, or names of lists:
//     {"lists": {"flowers": ["…"]}, "tests": [{"name": "…", "x": "flowers", "y": ["…"], …}]},
//     or one such test by itself;
//   - JSON of one test as in SEAT (May et al. 2019): targ1, targ2, attr1 and attr2, each
//     {"category": "flowers", "examples": ["…"]};
//   - JSON with lists only: {"flowers": ["…"], "insects": ["…"], …}. The ten tests of Caliskan, Bryson
//     and Narayanan 2017 are formed of the lists, as far as they are there, by the names that WEFE
//     has for them: pleasant_5, unpleasant_5a, …;
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
func ReadBias(r io.Reader, name string) (BiasSet, error) {
	var lines []numbered
	err := scanLines(r, name, func(number int, line string) error {
		lines = append(lines, numbered{number, strings.TrimSpace(line)})
		return nil
	})
	set := BiasSet{Name: name}
	if err != nil {
		return set, err
	}
	lines = trimBlank(lines)
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

// wanted is how a test looks in JSON.
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
		from = nil // a map of its own
		if err := json.Unmarshal(given, &from); err != nil {
			return nil, fmt.Errorf("want lists of words by their names in lists: %w", err)
		}
	}
	for _, list := range slices.Sorted(maps.Keys(from)) { // one order, so that one error comes first
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

// biasTest returns a test, whose lists are words or have names of lists.
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

// seatTest returns a test as SEAT has it.
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
