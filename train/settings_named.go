package train

import (
	"fmt"
	"maps"

	"github.com/w2v-go/w2v/internal/setting"
)

// named is what of settings was set by name. A Settings that is copied shares it, so that it is
// never changed but replaced.
type named struct {
	given   map[string]bool   // by Set
	taken   map[string]bool   // by adopt or startFrom
	kind    string            // of subwords; empty for that of Model.Subword
	subword map[string]string // settings of that kind
}

// with returns the set of names with one more.
func with[V any](all map[string]V, name string, value V) map[string]V {
	more := maps.Clone(all)
	if more == nil {
		more = make(map[string]V)
	}
	more[name] = value
	return more
}

// Set sets the setting of that name to what a text says. Complete is to be called when all are
// set. It is an error that there is no such setting, or a *ValueError that it has no such
// value.
func (s *Settings) Set(option, text string) error {
	row, ok := table().Find(option)
	if !ok {
		return fmt.Errorf("train: no setting is called %q", option)
	}
	if err := row.Set(s, text); err != nil {
		return &ValueError{option, text, err}
	}
	s.named.given = with(s.named.given, option, true)
	return nil
}

// A ValueError says that a setting cannot have a value.
type ValueError struct {
	Setting string // its name
	Text    string // the value
	Err     error  // why not: "is not a whole number"
}

func (e *ValueError) Error() string { return e.Spell(field) }

// Spell returns the text with the setting as spell names it: see Message.Spell.
func (e *ValueError) Spell(spell func(name, value string) string) string {
	return fmt.Sprintf("%s: %q %v", spell(e.Setting, ""), e.Text, e.Err)
}

// Unwrap returns Err.
func (e *ValueError) Unwrap() error { return e.Err }

// Given reports whether a setting was set: by Set, or because its field is not what Defaults
// says. Unknown names were not.
func (s *Settings) Given(name string) bool {
	if s.named.given[name] || s.named.taken[name] {
		return s.named.given[name]
	}
	row, ok := table().Find(name)
	usual := Defaults()
	switch {
	case !ok:
		return false
	case row.Group == GroupSubwords:
		return s.Model.Subword != nil && name == subwordsName
	}
	return !setting.Equal(row.At(s), row.At(&usual))
}

// Value returns the value of a setting as Set takes it, nothing of one that there is not.
func (s *Settings) Value(name string) string {
	row, ok := table().Find(name)
	if !ok {
		return ""
	}
	return row.Text(s)
}
