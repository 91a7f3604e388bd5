package setting

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

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
		if err != nil {
			return explain(err, "is not a whole number")
		}
		v.SetInt(n)
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			return explain(err, "is not a whole number from 0")
		}
		v.SetUint(n)
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return explain(err, "is not a number")
		}
		v.SetFloat(x)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return explain(err, "is neither true nor false")
		}
		v.SetBool(b)
	case reflect.String:
		v.SetString(text)
	default:
		panic(fmt.Sprintf("setting: a %s cannot be set", v.Type()))
	}
	return nil
}

// explain says in plain words what package strconv found wrong.
func explain(err error, syntax string) error {
	if errors.Is(err, strconv.ErrRange) {
		return errors.New("is too large a number")
	}
	return errors.New(syntax)
}

// Format returns what p points to as Parse takes it.
func Format(p any) string {
	switch p := p.(type) {
	case Text:
		return p.String()
	case fmt.Stringer:
		return p.String()
	}
	switch v := deref(p).(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// Type is how a flag's help calls the values that p points to.
func Type(p any) string {
	switch p := p.(type) {
	case Text:
		return p.Type()
	case encoding.TextUnmarshaler:
		return "name"
	}
	kind := reflect.TypeOf(p).Elem().Kind()
	if kind == reflect.String {
		return "name"
	}
	return kind.String()
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
			return errors.New("is no rising list of numbers of dimensions, as 32,64,128 is")
		}
		numbers = append(numbers, n)
	}
	*r = numbers
	return nil
}

// Tokens is a number of tokens, as text 500000, 500k, 10M or 1.5G; 0 is no text.
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
