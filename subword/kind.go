package subword

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/absent"
)

// A Kind is a kind of indexers: what it is called, what it can be told, and what words are
// made of.
type Kind struct {
	Name        string      // in files, and on the command line: "fasttext"
	Meaning     string      // in a few words
	Title       string      // what messages call vectors of the kind: "hash embeddings"
	Composition Composition // of words that are trained so
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

// KindOf returns the kind of an indexer that models are trained with. There is none of
// indexers that are only read from files of other programs, and none of nil.
func KindOf(indexer Indexer) (Kind, bool) {
	k, ok := kindOf(indexer)
	if !ok || k.Usual == nil || reflect.TypeOf(Value(indexer)) != reflect.TypeOf(k.Usual) {
		return Kind{}, false
	}
	return k, true
}

// kindOf returns the kind of any indexer of this package.
func kindOf(indexer Indexer) (Kind, bool) {
	if d, ok := indexer.(described); ok && !absent.Is(indexer) {
		return d.kind(), true
	}
	return Kind{}, false
}

// CompositionOf returns what a run that cuts words by an indexer makes them of.
func CompositionOf(indexer Indexer) Composition {
	k, _ := kindOf(indexer)
	return k.Composition
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
