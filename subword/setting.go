package subword

import "fmt"

// A Setting is a field of the indexers of a kind.
type Setting struct {
	Name string // "minn"
	Help string // one line
	// Default says in words what is usual if that depends on other settings; empty if it is
	// what Kind.Usual has.
	Default string

	edit func(Indexer) (field any, edited func() Indexer)
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
	Format:   "%s needs n-grams, and %s takes words whole",
	Settings: []struct{ Name, Value string }{{"minn", ""}, {"maxn", "0"}},
}

// field returns the setting of an indexer of type T that at points to.
func field[T Indexer](name, help string, at func(*T) any) Setting {
	return Setting{Name: name, Help: help, edit: func(indexer Indexer) (any, func() Indexer) {
		ix := indexer.(T)
		return at(&ix), func() Indexer { return ix }
	}}
}

// The help of settings that several kinds have.
const (
	helpMinN    = "shortest n-gram, in code points"
	helpMaxN    = "longest n-gram, in code points"
	helpBuckets = "hash buckets of the n-grams"
	helpHashes  = "rows of each n-gram"
)
