package sweep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/train"
)

// A Setting is a name and a value, as train.Settings.Set takes them.
type Setting struct{ Name, Value string }

// Settings are those that a sweep sets, in the order of its configuration; all others are
// those of Config.Base. In JSON they are an object.
type Settings []Setting

// configure makes settings of a model of names and values, of which none stands there twice.
// It also returns these as they are usually written. The error says why there can be no such
// model.
type configure func(Settings) (train.Settings, Settings, error)

// configured is what the names and values set in Base.
func (c *Config) configured(settings Settings) (train.Settings, Settings, error) {
	if c.configure != nil {
		return c.configure(settings)
	}
	s := c.Base
	for _, set := range settings {
		if err := s.Set(set.Name, set.Value); err != nil {
			return s, nil, train.Spell(err, asKey)
		}
	}
	if err := s.Complete(); err != nil {
		return s, nil, train.Spell(err, asKey)
	}
	usual := make(Settings, len(settings))
	for i, set := range settings {
		usual[i] = Setting{set.Name, s.Value(set.Name)}
	}
	return s, usual, nil
}

// asKey names a setting as a configuration does.
func asKey(name, value string) string { return strings.TrimSpace(name + " " + value) }

// value returns the value of a setting, or nothing.
func (s Settings) value(name string) string {
	for _, set := range s {
		if set.Name == name {
			return set.Value
		}
	}
	return ""
}

// with returns the settings with another value for one of them.
func (s Settings) with(name, value string) Settings {
	t := slices.Clone(s)
	for i := range t {
		if t[i].Name == name {
			t[i].Value = value
			return t
		}
	}
	return append(t, Setting{name, value})
}

// without returns the settings but for those of these names.
func (s Settings) without(names ...string) Settings {
	return slices.DeleteFunc(slices.Clone(s), func(set Setting) bool { return slices.Contains(names, set.Name) })
}

// String returns the settings in words: "dim 100, window 5".
func (s Settings) String() string {
	var parts []string
	for _, set := range s {
		parts = append(parts, set.Name+" "+set.Value)
	}
	return strings.Join(parts, ", ")
}

// sorted returns the settings in an order that does not depend on the configuration's.
func (s Settings) sorted() Settings {
	return slices.SortedFunc(slices.Values(s), func(a, b Setting) int { return strings.Compare(a.Name, b.Name) })
}

// bare is a value that JSON has no quotes around.
var bare = regexp.MustCompile(`^(true|false|-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?)$`)

// MarshalJSON writes an object: numbers, true and false as such, other values as strings.
func (s Settings) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, set := range s {
		name, err := json.Marshal(set.Name)
		if err != nil {
			return nil, err
		}
		value := []byte(set.Value)
		if !bare.MatchString(set.Value) {
			if value, err = json.Marshal(set.Value); err != nil {
				return nil, err
			}
		}
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "%s:%s", name, value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes; the order is that of the names.
func (s *Settings) UnmarshalJSON(data []byte) error {
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		return err
	}
	*s = nil
	for name, value := range all {
		*s = append(*s, Setting{name, fmt.Sprint(value)})
	}
	*s = s.sorted()
	return nil
}
