package setting

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// A Table is the settings of a struct, in the order in which help and documentation have them.
type Table[T any] []Setting[T]

// Find returns the setting of that name.
func (t Table[T]) Find(name string) (s Setting[T], ok bool) {
	i := slices.IndexFunc(t, func(s Setting[T]) bool { return s.Name == name })
	if i < 0 {
		return s, false
	}
	return t[i], true
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

// Marshal returns v as a JSON object: first the settings with these keys, then all others in
// the order of the table. A setting that files have had for long keeps its place by that.
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

// Unmarshal reads what Marshal wrote into v. Settings that are not in it stay what they
// are, and keys that are no setting's are passed over.
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

// ordered returns the settings with these keys, in their order, and then all others.
func (t Table[T]) ordered(first []string) []Setting[T] {
	rank := func(s Setting[T]) int {
		if i := slices.Index(first, s.JSONKey()); i >= 0 {
			return i
		}
		return len(first)
	}
	return slices.SortedStableFunc(slices.Values(t), func(a, b Setting[T]) int { return rank(a) - rank(b) })
}

// Records yields what v says of each setting, by its JSON key, where it says anything. What a
// setting needs and does not have makes it say nothing.
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

// Of returns the settings of a part of a larger struct as settings of that.
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
