// Package setting describes the fields of a struct as settings: a table has each of them once, with
// its name, what it may be and a line of help. Flags, JSON, the comparison of two runs, what a
// model says of its training and the documentation are all made of such a table.
package setting

import (
	"fmt"
	"slices"
	"strings"
)

// A Setting is a field of T. All but Name, Help and At may be left out.
type Setting[T any] struct {
	Name  string // of the flag, and in the configuration of a sweep: "ns-exponent"
	Key   string // in JSON; empty for Name with "_" in place of "-"
	Label string // in messages about bounds; empty for Name
	Group string // of settings that belong together
	Help  string // one line, as a flag's help has it; a value between backquotes is what the help calls it

	// At returns a pointer to the field: to an int, a uint64, a float64, a bool, a kind of
	// string, or something that is a Text.
	At func(*T) any

	Choices []Choice // the values of a setting that has few
	Open    bool     // the setting has other values besides the choices
	Bounds  *Bounds  // of a number; nil for any
	Needs   *Need[T] // without which the setting means nothing; nil for nothing
	// OfDimensions says that the setting is about some of the dimensions of vectors, and may
	// make no sense where there are fewer.
	OfDimensions bool

	Usual string // what is taken for the zero value, as text, if there is such a thing and it is not said in Help

	OmitZero bool         // JSON leaves the zero value out
	Unsaved  bool         // JSON leaves the setting out
	Record   func(*T) any // what a model says of it, whose zero says nothing; nil if it never says anything
}

// A Choice is a value, and what it means, which may be left out.
type Choice struct{ Value, Meaning string }

// Bounds are the least and the most that a number may be.
type Bounds struct {
	Least, Most float64
	Words       string // for messages; empty for "from Least to Most"
	// Elsewhere tells that Check passes over them, and that who uses the setting checks it, with
	// others that it depends on.
	Elsewhere bool
}

// String returns the bounds in words.
func (b Bounds) String() string {
	if b.Words != "" {
		return b.Words
	}
	return fmt.Sprintf("from %.0f to %.0f", b.Least, b.Most)
}

// Within reports whether a number is within the bounds.
func (b Bounds) Within(x float64) bool { return x >= b.Least && x <= b.Most } // NaN is not

// A Need is another setting that a setting has a meaning with.
type Need[T any] struct {
	Setting string        // its name
	Values  string        // what it has to be, for messages: "fasttext, floret or hash"
	Met     func(*T) bool // whether it is
}

// JSONKey returns what JSON calls the setting.
func (s Setting[T]) JSONKey() string {
	if s.Key != "" {
		return s.Key
	}
	return strings.ReplaceAll(s.Name, "-", "_")
}

// Default returns the value that the setting has in v, in which nothing has been set, as help
// and documentation have it.
func (s Setting[T]) Default(v *T) string {
	switch text := s.Text(v); {
	case s.Usual != "":
		return s.Usual
	case text == "" && len(s.Choices) > 0:
		return s.Choices[0].Value
	default:
		return text
	}
}

// Text returns the value of the setting in v, as Set takes it.
func (s Setting[T]) Text(v *T) string { return Format(s.At(v)) }

// Set sets the setting in v. An error says what is wrong with the text, and begins with
// "is not", as a rule.
func (s Setting[T]) Set(v *T, text string) error {
	if len(s.Choices) > 0 && !s.Open && !slices.ContainsFunc(s.Choices, func(c Choice) bool { return c.Value == text }) {
		return fmt.Errorf("is not %s", Or(s.Values()))
	}
	return Parse(s.At(v), text)
}

// Values returns the choices by their values.
func (s Setting[T]) Values() []string {
	values := make([]string, len(s.Choices))
	for i, c := range s.Choices {
		values[i] = c.Value
	}
	return values
}

// Check reports a number that is not within the bounds.
func (s Setting[T]) Check(v *T) error {
	if s.Bounds == nil || s.Bounds.Elsewhere {
		return nil
	}
	if value := deref(s.At(v)); !s.Bounds.Within(number(value)) {
		label := s.Label
		if label == "" {
			label = s.Name
		}
		return fmt.Errorf("%s: %v is not %s", label, value, s.Bounds)
	}
	return nil
}

// Or lists values with "or" before the last.
func Or(values []string) string { return list(values, " or ") }

// And lists values with "and" before the last.
func And(values []string) string { return list(values, " and ") }

func list(values []string, last string) string {
	n := len(values) - 1
	if n < 1 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:n], ", ") + last + values[n]
}
