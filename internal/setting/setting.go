// Package setting describes the fields of a struct as settings: a table has each of them once, with
// its name, what it may be and a line of help. Flags, JSON, the comparison of two runs, what a
// model says of its training and the documentation are all made of such a table.
package setting

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Setting is a field of T. Only Name, Help and At are required.
type Setting[T any] struct {
	Name  string // of the flag, and in the configuration of a sweep: "ns-exponent"
	Key   string // in JSON; empty for Name with "_" in place of "-"
	Label string // in messages about bounds; empty for Name
	Group string // group of related settings
	Help  string // one line, as a flag's help has it; a value between backquotes is what the help calls it

	// At returns a pointer to the field: a number, a bool, a kind of string, or a Text.
	At func(*T) any

	Choices []Choice // the values of a setting that has few
	Open    bool     // the setting has other values besides the choices
	Bounds  *Bounds  // of a number; nil for any
	Needs   *Need[T] // condition without which the setting has no effect; nil for none
	// OfDimensions says that the setting is about some dimensions, and may not fit fewer.
	OfDimensions bool

	Usual string // default that the zero value stands for, as text, unless Help mentions it

	OmitZero bool         // JSON leaves the zero value out
	Unsaved  bool         // JSON leaves the setting out
	Record   func(*T) any // value for a model's metadata, which omits a zero value; nil to record nothing
}

// A Choice is a value, and what it means, which may be left out.
type Choice struct{ Value, Meaning string }

// Bounds are the smallest and the largest value of a number.
type Bounds struct {
	Least, Most float64
	Words       string // for messages; empty for "from Least to Most"
	// Elsewhere says that Check ignores the bounds: they are checked with other settings.
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

// A Need is a setting that another setting depends on.
type Need[T any] struct {
	Setting string        // its name
	Values  string        // required values, for messages: "fasttext, floret or hash"
	Met     func(*T) bool // reports whether the need is met
}

// JSONKey returns what JSON calls the setting.
func (s Setting[T]) JSONKey() string { return cmp.Or(s.Key, strings.ReplaceAll(s.Name, "-", "_")) }

// Default returns the setting's value in v, which holds only defaults, for help and documentation.
func (s Setting[T]) Default(v *T) string {
	text := cmp.Or(s.Usual, s.Text(v))
	if text == "" && len(s.Choices) > 0 {
		return s.Choices[0].Value
	}
	return text
}

// Text returns the value of the setting in v, as Set takes it.
func (s Setting[T]) Text(v *T) string { return Format(s.At(v)) }

// Set sets the setting in v. An error says what is wrong with the text: "is not …".
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
		return fmt.Errorf("%s: %v is not %s", cmp.Or(s.Label, s.Name), value, s.Bounds)
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

// A Table is the settings of a struct, in the order in which help and documentation have them.
type Table[T any] []Setting[T]

// Find returns the setting of that name.
func (t Table[T]) Find(name string) (s Setting[T], ok bool) {
	if i := slices.IndexFunc(t, func(s Setting[T]) bool { return s.Name == name }); i >= 0 {
		return t[i], true
	}
	return s, false
}

// Check reports the first setting in v that is not within its bounds.
func (t Table[T]) Check(v *T) error {
	for _, s := range t {
		if err := s.Check(v); err != nil {
			return err
		}
	}
	return nil
}

// Marshal returns v as a JSON object: first the settings with these keys, then all others in the order of the
// table. So settings of older files keep their positions.
func (t Table[T]) Marshal(v *T, first []string) ([]byte, error) {
	out := []byte{'{'}
	for _, s := range t.ordered(first) {
		p := s.At(v)
		if s.Unsaved || s.OmitZero && isZero(deref(p)) {
			continue
		}
		value, err := json.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:%s", s.JSONKey(), value)
	}
	return append(out, '}'), nil
}

// Unmarshal parses the output of Marshal. Missing settings do not change, unknown keys are ignored.
func (t Table[T]) Unmarshal(data []byte, v *T) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	for _, s := range t {
		value, ok := object[s.JSONKey()]
		if !ok || s.Unsaved || bytes.Equal(value, []byte("null")) {
			continue
		}
		if err := json.Unmarshal(value, s.At(v)); err != nil {
			return fmt.Errorf("%s: %w", s.JSONKey(), err)
		}
	}
	return nil
}

func (t Table[T]) ordered(first []string) []Setting[T] {
	rank := func(s Setting[T]) int {
		return slices.Index(append(slices.Clone(first), s.JSONKey()), s.JSONKey())
	}
	return slices.SortedStableFunc(slices.Values(t), func(a, b Setting[T]) int { return rank(a) - rank(b) })
}

// Records yields the recorded values by JSON key, without zeros and settings whose needs are not met.
func (t Table[T]) Records(v *T) func(yield func(key string, value any) bool) {
	return func(yield func(key string, value any) bool) {
		for _, s := range t {
			if s.Record == nil || s.Needs != nil && !s.Needs.Met(v) {
				continue
			}
			if value := s.Record(v); !isZero(value) && !yield(s.JSONKey(), value) {
				return
			}
		}
	}
}

// Of returns the settings of a part of a struct W as settings of W.
func Of[W, T any](part func(*W) *T, table Table[T]) Table[W] {
	whole := make(Table[W], len(table))
	for i, s := range table {
		w := Setting[W]{Name: s.Name, Key: s.Key, Label: s.Label, Group: s.Group, Help: s.Help, Choices: s.Choices, Open: s.Open, Bounds: s.Bounds, Usual: s.Usual, OfDimensions: s.OfDimensions, OmitZero: s.OmitZero, Unsaved: s.Unsaved}
		w.At = func(v *W) any { return s.At(part(v)) }
		if s.Needs != nil {
			w.Needs = &Need[W]{s.Needs.Setting, s.Needs.Values, func(v *W) bool { return s.Needs.Met(part(v)) }}
		}
		if s.Record != nil {
			w.Record = func(v *W) any { return s.Record(part(v)) }
		}
		whole[i] = w
	}
	return whole
}

// A Text is a value that is read and written as text in a way of its own.
type Text interface {
	Set(text string) error
	String() string
	Type() string // as a flag's help calls a value
}

// Parse sets what p points to. An error says what is wrong with the text.
func Parse(p any, text string) error {
	switch p := p.(type) {
	case Text:
		return p.Set(text)
	case encoding.TextUnmarshaler:
		return p.UnmarshalText([]byte(text))
	}
	v := reflect.ValueOf(p).Elem()
	switch v.Kind() {
	case reflect.Int:
		n, err := strconv.ParseInt(text, 0, strconv.IntSize)
		return set(v.SetInt, n, err, "is not a whole number")
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 0, 64)
		return set(v.SetUint, n, err, "is not a whole number from 0")
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		return set(v.SetFloat, x, err, "is not a number")
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		return set(v.SetBool, b, err, "is neither true nor false")
	case reflect.String:
		v.SetString(text)
		return nil
	}
	panic(fmt.Sprintf("setting: a %s cannot be set", v.Type()))
}

// set calls set with a value, or says in plain words what package strconv found wrong.
func set[V any](set func(V), value V, err error, syntax string) error {
	switch {
	case errors.Is(err, strconv.ErrRange):
		return errors.New("is too large a number")
	case err != nil:
		return errors.New(syntax)
	}
	set(value)
	return nil
}

// Format returns what p points to as Parse takes it.
func Format(p any) string {
	switch p := p.(type) {
	case Text:
		return p.String()
	case fmt.Stringer:
		return p.String()
	}
	return fmt.Sprint(deref(p))
}

// Type is how a flag's help calls the values that p points to.
func Type(p any) string {
	switch p := p.(type) {
	case Text:
		return p.Type()
	case encoding.TextUnmarshaler:
		return "name"
	}
	if kind := reflect.TypeOf(p).Elem().Kind(); kind != reflect.String {
		return kind.String()
	}
	return "name"
}

// Equal reports whether two pointers of a type point to the same value.
func Equal(p, q any) bool {
	if p, ok := p.(Copier); ok {
		return Format(p) == Format(q)
	}
	return reflect.DeepEqual(deref(p), deref(q))
}

// A Copier is a value that is more than one field, and takes the value of another of its type.
type Copier interface{ Copy(from any) }

// Copy makes what to points to what from points to, which must be of the same type.
func Copy(to, from any) {
	if to, ok := to.(Copier); ok {
		to.Copy(from)
		return
	}
	reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem())
}

// Value returns what p points to, the text of a list.
func Value(p any) any {
	if l, ok := p.(Text); ok {
		return l.String()
	}
	return deref(p)
}

func deref(p any) any { return reflect.ValueOf(p).Elem().Interface() }

// isZero reports whether a value is the zero of its type, as an empty list is.
func isZero(value any) bool {
	v := reflect.ValueOf(value)
	return !v.IsValid() || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

func number(value any) float64 {
	v := reflect.ValueOf(value)
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	return v.Float()
}

// Rising is a rising list of numbers from 1, as text 32,64,128.
type Rising []int

// Type is how a flag's help calls the list.
func (r *Rising) Type() string { return "numbers" }

func (r *Rising) String() string {
	var parts []string
	for _, n := range *r {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ",")
}

// Set takes a list with commas.
func (r *Rising) Set(text string) error {
	var numbers []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || len(numbers) > 0 && n <= slices.Max(numbers) {
			return errors.New("is not a rising list of numbers of dimensions, as 32,64,128 is")
		}
		numbers = append(numbers, n)
	}
	*r = numbers
	return nil
}

// Tokens is a number of tokens, as text 500000, 500k, 10M or 1.5G; 0 is the empty text.
type Tokens uint64

// Type is how a flag's help calls the number.
func (n *Tokens) Type() string { return "tokens" }

func (n *Tokens) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(*n), 10)
}

// Set takes a number from 1.
func (n *Tokens) Set(text string) error {
	digits, unit := text, 1.0
	for suffix, factor := range map[string]float64{"k": 1e3, "M": 1e6, "G": 1e9} {
		if before, ok := strings.CutSuffix(text, suffix); ok {
			digits, unit = before, factor
		}
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(x*unit >= 1) || x*unit > 1e18 {
		return errors.New("expected a number of tokens from 1, such as 500000, 500k or 10M")
	}
	*n = Tokens(x * unit)
	return nil
}
