package subword

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Kind is a kind of indexers: what it is called, what it can be told, and what words are
// made of.
type Kind struct {
	Name        string      // in files, and on the command line: "fasttext"
	Meaning     string      // in a few words
	Title       string      // what messages call vectors of the kind: "hash embeddings"
	Composition Composition // of words that are trained so; nil for Mean
	Prunes      bool        // rows of some buckets may be left out: see Encoded.Kept
	Usual       Indexer     // nil for a kind that no model is trained with
	// Settings are those that differ between indexers of the kind, by the names that flags
	// and messages have for them.
	Settings []Setting

	// complete is Complete; nil for kinds in which nothing follows from anything.
	complete func(ix Indexer, given func(setting string) bool) (Indexer, error)
	// encode adds to e what Settings do not say of an indexer, and decode reads it again into
	// the indexer that Settings have made. Nil for nothing more.
	encode func(ix Indexer, e *Encoded)
	decode func(ix Indexer, d *decoder) Indexer
}

// Setting returns the setting of that name.
func (k Kind) Setting(name string) (s Setting, ok bool) {
	i := slices.IndexFunc(k.Settings, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return s, false
	}
	return k.Settings[i], true
}

// Complete derives the settings that are not given from the others, and returns the indexer
// with all of them. It returns an error if no model can be trained with the settings.
func (k Kind) Complete(indexer Indexer, given func(setting string) bool) (Indexer, error) {
	if k.complete == nil {
		return Value(indexer), Validate(indexer)
	}
	return k.complete(Value(indexer), given)
}

// KindOf returns the kind of an indexer that models are trained with. Ok is false for nil and for
// indexers that only files of other programs have.
func KindOf(indexer Indexer) (Kind, bool) {
	k, ok := kindOf(indexer)
	if !ok || k.Usual == nil || reflect.TypeOf(Value(indexer)) != reflect.TypeOf(k.Usual) {
		return Kind{}, false
	}
	return k, true
}

// kindOf returns the kind of any indexer of this package.
func kindOf(indexer Indexer) (Kind, bool) {
	if d, ok := indexer.(described); ok {
		return d.kind(), true
	}
	return Kind{}, false
}

// NameOf returns the name of the kind of an indexer for messages: "no" for plain words.
func NameOf(indexer Indexer) string {
	if k, ok := kindOf(indexer); ok {
		return k.Name
	}
	if indexer == nil {
		return "no"
	}
	return fmt.Sprintf("%T", indexer)
}

// TitleOf returns what messages call vectors that are composed by an indexer.
func TitleOf(indexer Indexer) string {
	if k, ok := kindOf(indexer); ok {
		return k.Title
	}
	if indexer == nil {
		return "plain words"
	}
	return fmt.Sprintf("n-grams of %T", indexer)
}

// Describe says how an indexer cuts words, for people. It is empty for plain words.
func Describe(indexer Indexer) string {
	if indexer == nil {
		return ""
	}
	if own, ok := indexer.(interface{ describe() string }); ok {
		return own.describe()
	}
	text := fmt.Sprintf("%s in %s rows", NameOf(indexer), grouped(indexer.Rows()))
	k, _ := kindOf(indexer)
	for _, s := range k.Settings {
		text += fmt.Sprintf(", %s %v", s.Name, s.Field(Value(indexer)))
	}
	return text
}

// describePieces says of which lengths pieces are, of a kind that takes whole words too.
func describePieces(minn, maxn int) string {
	if maxn == 0 {
		return "whole words alone"
	}
	return fmt.Sprintf("of %d to %d code points, and whole words", minn, maxn)
}

// grouped writes a number with commas.
func grouped(n int) string {
	text := strconv.Itoa(n)
	var groups []string
	for len(text) > 3 {
		groups = append([]string{text[len(text)-3:]}, groups...)
		text = text[:len(text)-3]
	}
	return strings.Join(append([]string{text}, groups...), ",")
}

// allKinds returns the kinds of indexers, those that can be trained in the order in which they are
// offered. A new kind is a line here and a file of its own.
func allKinds() []Kind {
	return []Kind{
		fastTextKind(),
		floretKind(),
		hashKind(),
		finalfusionKind(),
		explicitKind(),
	}
}

// Kinds returns the kinds of indexers that models are trained with. Others are those of
// files of other programs.
func Kinds() []Kind {
	return slices.DeleteFunc(allKinds(), func(k Kind) bool { return k.Usual == nil })
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

// errWholeWords refuses a shortest n-gram where words are taken whole.
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

// LeastRows returns how many rows the table of so many words has at least, before n-grams are
// numbered.
func LeastRows(indexer Indexer, words int) int {
	switch composition := CompositionOf(indexer); {
	case composition.OwnRows():
		return words
	case composition.Learned(indexer).Any():
		return indexer.Rows()
	}
	return 0
}

// CountPieces returns about how many rows the pieces of words have, each as often as a word
// has it. It is 0 where that is not known before words are cut.
func CountPieces(indexer Indexer, words []string) (n float64) {
	d, ok := indexer.(interface{ count(runes int) int })
	if !ok {
		return 0
	}
	for _, word := range words {
		n += float64(d.count(utf8.RuneCountInString(word)))
	}
	return n
}

// countRuns returns how many runs of minn to maxn code points a word of so many has between
// its two marks.
func countRuns(minn, maxn, runes int) (n int) {
	length := runes + len("<>")
	for k := max(minn, 1); k <= min(maxn, length); k++ {
		n += length - k + 1
	}
	return n
}
