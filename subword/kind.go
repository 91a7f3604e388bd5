package subword

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/absent"
)

// A Kind is a kind of indexers: what it is called, what it can be told, and what words are
// made of.
type Kind struct {
	Name        string // in files, and on the command line
	Help        string // half a line: "of character n-grams"; empty for a kind that is not trained, but read from files of other programs
	Title       string // what messages call vectors of that kind: "hash embeddings"
	Composition Composition
	Settings    []Setting
	Prunes      bool // rows of some buckets may be left out: see Encoded.Kept

	// prepare completes the values of all settings, with defaults, to what training goes by.
	// It may be nil.
	prepare func(values map[string]string) error
	decode  func(d *decoder) Indexer
}

// A Setting is something that indexers of a kind are told.
type Setting struct {
	Name    string // in files; flags have "-" for "_"
	Help    string // half a line; empty for what there is no flag for
	Default string // empty if it depends on other settings
	Bool    bool   // "true" or "false"; others are whole numbers
}

// Settings that several kinds have.
var (
	minNSetting = Setting{Name: "minn", Help: "shortest n-gram, in code points", Default: "3"}
	maxNSetting = Setting{Name: "maxn", Help: "longest n-gram, in code points", Default: "6"}
	hashSetting = Setting{Name: "hashes", Help: "rows of each n-gram, from 1 to 4", Default: "2"}
)

// bucketSetting is the setting of how many buckets there are.
func bucketSetting(usual string) Setting {
	return Setting{Name: "buckets", Help: "hash buckets of the n-grams", Default: usual}
}

// Trained reports whether training offers the kind.
func (k *Kind) Trained() bool { return k.Help != "" }

// Setting returns the setting of that name, if the kind has it.
func (k *Kind) Setting(name string) (Setting, bool) {
	for _, s := range k.Settings {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}

// New returns the indexer of these values of settings, by name. Those that are not given
// have their defaults; those that the kind does not have are passed over.
func (k *Kind) New(values map[string]string) (Indexer, error) {
	all := map[string]string{}
	for _, s := range k.Settings {
		if s.Default != "" {
			all[s.Name] = s.Default
		}
	}
	maps.Copy(all, values)
	if k.prepare != nil {
		if err := k.prepare(all); err != nil {
			return nil, err
		}
	}
	d := &decoder{values: all}
	indexer := k.decode(d)
	if d.err != nil {
		return nil, fmt.Errorf("subword: %w", d.err)
	}
	return indexer, Validate(indexer)
}

// wholeWords sets the least length of n-grams to 0 where there are to be none.
func wholeWords(values map[string]string) error {
	if values["maxn"] == "0" {
		values["minn"] = "0"
	}
	return nil
}

// KindNamed returns the kind of that name, nil if there is none.
func KindNamed(name string) *Kind {
	for _, kind := range Kinds() {
		if kind.Name == name {
			return kind
		}
	}
	return nil
}

// KindOf returns the kind of an indexer, nil for plain words and for indexers that are not
// of this package.
func KindOf(indexer Indexer) *Kind {
	if d, ok := indexer.(described); ok && !absent.Is(indexer) {
		return d.kind()
	}
	return nil
}

// NameOf returns the name of the kind of an indexer for messages: "no" for plain words.
func NameOf(indexer Indexer) string {
	switch kind := KindOf(indexer); {
	case indexer == nil:
		return "no"
	case kind == nil:
		return fmt.Sprintf("%T", indexer)
	default:
		return kind.Name
	}
}

// Describe says how an indexer cuts words, for people. It is empty for plain words.
func Describe(indexer Indexer) string {
	if d, ok := indexer.(described); ok {
		return d.describe()
	}
	if indexer == nil {
		return ""
	}
	return fmt.Sprintf("as %T cuts them, in %s rows", indexer, grouped(indexer.Rows()))
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

// A decoder reads the settings and lists of an indexer, and keeps the first error.
type decoder struct {
	values map[string]string
	lists  Encoded
	err    error
}

// number returns a setting that is a whole number.
func (d *decoder) number(name string) int { return int(d.parsed(name, strconv.ParseInt)) }

// parsed returns a number of 32 bits.
func (d *decoder) parsed(name string, parse func(text string, base, bits int) (int64, error)) int64 {
	n, err := parse(d.values[name], 10, 32)
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("metadata %q: %w", name, errors.Unwrap(err))
	}
	return n
}

// seed returns a setting of 32 bits without a sign.
func (d *decoder) seed(name string) uint32 {
	return uint32(d.parsed(name, func(text string, base, bits int) (int64, error) {
		n, err := strconv.ParseUint(text, base, bits)
		return int64(n), err
	}))
}

// check keeps an error, if there is none yet.
func (d *decoder) check(err error) {
	if d.err == nil {
		d.err = err
	}
}
