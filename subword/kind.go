package subword

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/wording"
)

// A Kind is a kind of indexer: its name, its settings, and its composition.
type Kind struct {
	Name        string      // name in files and on the command line: "fasttext"
	Meaning     string      // short description
	Title       string      // name of its vectors in messages: "hash embeddings"
	Composition Composition // of words trained with this kind; nil means Mean
	Prunes      bool        // some buckets may have no rows: see Encoded.Kept
	Usual       Indexer     // default indexer; nil for a kind that cannot be trained
	// Settings are the settings of this kind, under the names of flags and messages.
	Settings []Setting

	// complete implements Complete; nil if no setting depends on others.
	complete func(ix Indexer, given func(setting string) bool) (Indexer, error)
	// encode adds to e the parts of an indexer that Settings do not cover, and decode adds them to an indexer
	// that has its settings. Both are nil if there are no such parts.
	encode func(ix Indexer, e *Encoded)
	decode func(ix Indexer, d *decoder) Indexer
}

// Setting returns the setting of that name.
func (k Kind) Setting(name string) (s Setting, ok bool) {
	for _, s := range k.Settings {
		if s.Name == name {
			return s, true
		}
	}
	return s, false
}

// Complete derives the settings that are not given from those that are, and returns the indexer with all
// settings. It returns an error if training does not support the settings.
func (k Kind) Complete(indexer Indexer, given func(setting string) bool) (Indexer, error) {
	if k.complete == nil {
		return Value(indexer), Validate(indexer)
	}
	return k.complete(Value(indexer), given)
}

// KindOf returns the kind of an indexer that can be trained. ok is false for nil and for indexers that only
// exist in files of other programs.
func KindOf(indexer Indexer) (Kind, bool) {
	k, ok := kindOf(indexer)
	if !ok || k.Usual == nil || reflect.TypeOf(Value(indexer)) != reflect.TypeOf(k.Usual) {
		return Kind{}, false
	}
	return k, true
}

func kindOf(indexer Indexer) (Kind, bool) {
	if d, ok := indexer.(described); ok {
		return d.kind(), true
	}
	return Kind{}, false
}

// NameOf returns the name of an indexer's kind for messages: "no" for plain words.
func NameOf(indexer Indexer) string {
	if k, ok := kindOf(indexer); ok {
		return k.Name
	}
	if indexer == nil {
		return "no"
	}
	return fmt.Sprintf("%T", indexer)
}

// TitleOf returns the name in messages of vectors composed with an indexer.
func TitleOf(indexer Indexer) string {
	if k, ok := kindOf(indexer); ok {
		return k.Title
	}
	if indexer == nil {
		return "plain words"
	}
	return fmt.Sprintf("n-grams of %T", indexer)
}

// Describe describes in words how an indexer splits words. It is empty for plain words.
func Describe(indexer Indexer) string {
	if indexer == nil {
		return ""
	}
	if own, ok := indexer.(interface{ describe() string }); ok {
		return own.describe()
	}
	return fmt.Sprintf("%s in %s rows", NameOf(indexer), wording.Thousands(indexer.Rows()))
}

// describePieces describes the lengths of pieces, for a kind whose pieces include the whole word.
func describePieces(minn, maxn int) string {
	if maxn == 0 {
		return "whole words alone"
	}
	return fmt.Sprintf("of %d to %d code points, and whole words", minn, maxn)
}

// allKinds are all kinds of indexers. Those that can be trained come first, in the order of the help. A new kind
// is a line here and a file of its own.
var allKinds = []Kind{
	fastTextKind,
	floretKind,
	hashKind,
	finalfusionKind,
	explicitKind,
}

// Kinds returns the kinds of indexers that can be trained. Other kinds only exist in files of other programs.
func Kinds() []Kind {
	return slices.DeleteFunc(slices.Clone(allKinds), func(k Kind) bool { return k.Usual == nil })
}

// A Setting is a field of a kind's indexers.
type Setting struct {
	Name string // "minn"
	Help string // one line
	// Default describes a default that depends on other settings; empty if the default is the value in
	// Kind.Usual.
	Default string

	field int // of the struct
}

// settingsOf returns the fields of an indexer that have a tag "setting", with the help.
func settingsOf(indexer Indexer) (all []Setting) {
	for i, t := 0, reflect.TypeOf(indexer); i < t.NumField(); i++ {
		if name, ok := t.Field(i).Tag.Lookup("setting"); ok {
			all = append(all, Setting{Name: name, Help: t.Field(i).Tag.Get("help"), Default: t.Field(i).Tag.Get("default"), field: i})
		}
	}
	return all
}

// Field returns the value of the setting in an indexer: an int or a bool.
func (s Setting) Field(indexer Indexer) any {
	return reflect.ValueOf(Value(indexer)).Field(s.field).Interface()
}

// With calls change with a pointer to the setting, an *int or a *bool, of a copy of the indexer, and returns
// the copy.
func (s Setting) With(indexer Indexer, change func(field any) error) (Indexer, error) {
	edited := reflect.New(reflect.TypeOf(Value(indexer))).Elem()
	edited.Set(reflect.ValueOf(Value(indexer)))
	if err := change(edited.Field(s.field).Addr().Interface()); err != nil {
		return nil, err
	}
	return edited.Interface().(Indexer), nil
}

// A SettingError says that settings contradict each other although each is valid.
type SettingError struct {
	Format string // format with a verb for each of Settings
	// Settings are names of settings with required values; a value may be empty.
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

// checkMinN clears the length of the shortest n-gram if words are not split. It may not be given then.
func checkMinN(minn *int, maxn int, given func(setting string) bool) error {
	switch {
	case maxn != 0:
		return nil
	case given("minn"):
		return &SettingError{
			Format:   "%s needs n-grams, and %s takes words whole",
			Settings: []struct{ Name, Value string }{{"minn", ""}, {"maxn", "0"}},
		}
	}
	*minn = 0
	return nil
}

// LeastRows returns a lower bound of the number of rows for this many words, before n-grams are numbered.
func LeastRows(indexer Indexer, words int) int {
	switch composition := CompositionOf(indexer); {
	case composition.OwnRows():
		return words
	case composition.Learned(indexer).Any():
		return indexer.Rows()
	}
	return 0
}

// CountPieces estimates the total number of rows of the pieces of words. It is 0 if the number is unknown
// before words are split.
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

// countRuns returns the number of runs of minn to maxn code points in a word of this many code points between
// two marks.
func countRuns(minn, maxn, runes int) (n int) {
	length := runes + len("<>")
	for k := max(minn, 1); k <= min(maxn, length); k++ {
		n += length - k + 1
	}
	return n
}

// Encoded is an indexer as text and lists, for storage in files.
type Encoded struct {
	Kind     string            // name
	Settings map[string]string // by name, with "_" instead of "-"

	// Only some kinds have lists.
	Ngrams    []string // n-grams that have rows
	NgramRows []uint32 // the row of each n-gram
	Kept      []uint32 // buckets that have rows, if some have none
}

// Encode encodes an indexer. It is an error if the indexer is not of this package.
func Encode(indexer Indexer) (Encoded, error) {
	kind, ok := kindOf(indexer)
	if !ok {
		return Encoded{}, fmt.Errorf("subword: n-grams of %T cannot be stored", indexer)
	}
	indexer = Value(indexer)
	e := Encoded{Kind: kind.Name, Settings: map[string]string{}}
	if p, ok := indexer.(*Pruned); ok {
		indexer, e.Kept = p.whole, p.buckets
	}
	for _, s := range kind.Settings {
		if value := s.Field(indexer); value != false {
			e.Settings[encodedName(s.Name)] = fmt.Sprint(value)
		}
	}
	if kind.encode != nil {
		kind.encode(indexer, &e)
	}
	return e, nil
}

func encodedName(setting string) string { return strings.ReplaceAll(setting, "-", "_") }

func (e *Encoded) put(name string, n int) { e.Settings[name] = strconv.Itoa(n) }

// Indexer decodes the indexer. The result keeps the lists.
func (e Encoded) Indexer() (Indexer, error) {
	kind, err := e.kind()
	if err != nil {
		return nil, err
	}
	if e.Kept != nil && !kind.Prunes {
		return nil, fmt.Errorf("subword: a list of buckets that were kept, and no %s n-grams are ever dropped", kind.Name)
	}
	d := &decoder{values: e.Settings, lists: e}
	indexer := kind.Usual
	for _, s := range kind.Settings {
		indexer, _ = s.With(indexer, func(field any) error {
			switch field := field.(type) {
			case *int:
				*field = d.number(encodedName(s.Name))
			case *bool:
				*field = d.values[encodedName(s.Name)] == "true"
			}
			return nil
		})
	}
	if kind.decode != nil {
		indexer = kind.decode(indexer, d)
	}
	if d.err == nil {
		d.check(Readable(indexer))
	}
	if d.err != nil {
		return nil, fmt.Errorf("subword: %s", strings.TrimPrefix(d.err.Error(), "subword: "))
	}
	return indexer, nil
}

func (e Encoded) kind() (Kind, error) {
	var names []string
	for _, kind := range allKinds {
		if kind.Name == e.Kind {
			return kind, nil
		}
		names = append(names, fmt.Sprintf("%q", kind.Name))
	}
	last := len(names) - 1
	return Kind{}, fmt.Errorf("subword: metadata %q: expected %s or %s, found %.20q", "subword", strings.Join(names[:last], ", "), names[last], e.Kind)
}

// A decoder reads the settings and lists of an indexer, and keeps the first error.
type decoder struct {
	values map[string]string
	lists  Encoded
	err    error
}

func (d *decoder) number(name string) int {
	n, err := strconv.ParseInt(d.values[name], 10, 32)
	d.parsed(name, err)
	return int(n)
}

func (d *decoder) seed(name string) uint32 {
	n, err := strconv.ParseUint(d.values[name], 10, 32)
	d.parsed(name, err)
	return uint32(n)
}

func (d *decoder) parsed(name string, err error) {
	if err != nil {
		d.check(fmt.Errorf("metadata %q: %w", name, errors.Unwrap(err)))
	}
}

func (d *decoder) check(err error) {
	if d.err == nil {
		d.err = err
	}
}
