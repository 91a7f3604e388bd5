package subword

import (
	"fmt"
	"slices"
)

// A Kind is a way to compose words of n-grams that models are trained with, and its settings.
type Kind struct {
	Name    string // "fasttext"
	Meaning string // in a few words
	Usual   Indexer
	// Settings are those that differ between indexers of the kind, by the names that flags
	// and messages have for them.
	Settings []Setting

	is       func(Indexer) bool
	complete func(ix Indexer, given func(setting string) bool) (Indexer, error)
}

// A Setting is a field of the indexers of a kind.
type Setting struct {
	Name string // "minn"
	Help string // one line
	// Default says in words what is usual if that depends on other settings; empty if it is
	// what Kind.Usual has.
	Default string

	edit func(Indexer) (field any, edited func() Indexer)
}

// Kinds returns all kinds. A new one is a line here.
func Kinds() []Kind { return []Kind{fastTextKind(), floretKind(), hashKind()} }

// KindOf returns the kind of an indexer. There is none of indexers that no model is trained
// with, but read from files of other programs, and none of nil.
func KindOf(indexer Indexer) (Kind, bool) {
	indexer = Value(indexer)
	for _, k := range Kinds() {
		if k.is(indexer) {
			return k, true
		}
	}
	return Kind{}, false
}

// Setting returns the setting of that name.
func (k Kind) Setting(name string) (s Setting, ok bool) {
	i := slices.IndexFunc(k.Settings, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return s, false
	}
	return k.Settings[i], true
}

// Complete returns the indexer with what follows from its other settings, for settings that
// are not given, or why it is none that a model is trained with.
func (k Kind) Complete(indexer Indexer, given func(setting string) bool) (Indexer, error) {
	return k.complete(Value(indexer), given)
}

// Field returns the value of the setting in an indexer of the kind, an int or a bool.
func (s Setting) Field(indexer Indexer) any {
	field, _ := s.edit(Value(indexer))
	switch field := field.(type) {
	case *int:
		return *field
	default:
		return *field.(*bool)
	}
}

// With returns the indexer as change makes it: it gets a pointer to the setting, an *int or a
// *bool.
func (s Setting) With(indexer Indexer, change func(field any) error) (Indexer, error) {
	field, edited := s.edit(Value(indexer))
	if err := change(field); err != nil {
		return nil, err
	}
	return edited(), nil
}

// A SettingError says why settings, that each mean something, mean nothing together.
type SettingError struct {
	Format string // with a verb for each of Settings
	// Settings are names, with the values that they need to have, or none.
	Settings []struct{ Name, Value string }
}

func (e *SettingError) Error() string {
	args := make([]any, len(e.Settings))
	for i, s := range e.Settings {
		args[i] = s.Name
		if s.Value != "" {
			args[i] = s.Name + " " + s.Value
		}
	}
	return "subword: " + fmt.Sprintf(e.Format, args...)
}

// errWholeWords is the complaint about a shortest n-gram where there are none.
var errWholeWords = &SettingError{
	Format:   "%s has a meaning only with n-grams, and %s takes words whole",
	Settings: []struct{ Name, Value string }{{"minn", ""}, {"maxn", "0"}},
}

// field returns the setting of an indexer of type T that at points to.
func field[T Indexer](name, help string, at func(*T) any) Setting {
	return Setting{Name: name, Help: help, edit: func(indexer Indexer) (any, func() Indexer) {
		ix := indexer.(T)
		return at(&ix), func() Indexer { return ix }
	}}
}

// is reports whether an indexer is a T.
func is[T Indexer](indexer Indexer) bool {
	_, ok := indexer.(T)
	return ok
}

// The help of settings that several kinds have.
const (
	helpMinN    = "shortest n-gram, in code points"
	helpMaxN    = "longest n-gram, in code points"
	helpBuckets = "hash buckets of the n-grams"
	helpHashes  = "rows of each n-gram"
)
