package train

import (
	"reflect"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/sgns"
)

// Settings are all that decides which vectors come out of a text: the same settings and the
// same text give the same vectors (with one thread, or Model.Deterministic, to the bit).
//
// The zero Settings stand for Defaults(), and a zero Model for that of Defaults(). A Go program
// begins with Defaults and changes fields; one that has
// names and texts instead, from a command line or a configuration file, calls Set. Table
// lists the names. docs/settings.md is that list.
type Settings struct {
	Model    sgns.Config    // what is trained, and how
	Text     corpus.Options // how text becomes tokens
	Phrases  Phrases        // which of them are joined
	MinCount int            // tokens seen less often are left out
	MaxVocab int            // at most so many tokens, the most frequent; 0 for no limit

	named named
}

// Defaults returns the settings that w2v train has without flags.
func Defaults() Settings {
	s := Settings{Model: sgns.Defaults(), MinCount: 5}
	s.Model.Arch, s.Model.Loss = sgns.Archs()[0], sgns.Losses()[0]
	return s
}

// orDefaults returns the settings, with what is usual in place of zero Settings and of a zero
// Model.
func (s Settings) orDefaults() Settings {
	switch usual := Defaults(); {
	case reflect.ValueOf(s).IsZero():
		return usual
	case reflect.ValueOf(s.Model).IsZero():
		s.Model = usual.Model
	}
	return s
}

// The groups of settings, beside those of package sgns.
const (
	GroupSubwords = "subwords" // how words are cut
	GroupText     = "text"     // how text becomes tokens, and which of them words
)

// afterSubwords is the first setting of the model that help has after those of subwords.
const afterSubwords = "rank"

// A Setting describes a setting, for the flags of a program and for documentation.
type Setting struct {
	Name    string // that Set takes
	Group   string // of settings that belong together: one of the constants
	Help    string // one line; a value between backquotes is what the help of a flag calls it
	Type    string // of a value: int, uint64, float64, bool, name, numbers or tokens
	Default string // what it is if it is not set
	Choices []Choice
	// OfDimensions says that the setting is about some of the dimensions of vectors, and may
	// make no sense where there are fewer.
	OfDimensions bool
}

// A Choice is a value of a setting that has few, and what it means.
type Choice struct{ Value, Meaning string }

// Table returns all settings, in the order of help and documentation.
func Table() []Setting {
	usual := Defaults()
	var all []Setting
	for _, row := range table() {
		s := Setting{Name: row.Name, Group: row.Group, Help: row.Help, Type: setting.Type(row.At(&usual)), Default: row.Default(&usual), OfDimensions: row.OfDimensions}
		for _, c := range row.Choices {
			s.Choices = append(s.Choices, Choice(c))
		}
		all = append(all, s)
	}
	return all
}

// table is Table with access to the fields.
func table() setting.Table[Settings] {
	model := setting.Of(func(s *Settings) *sgns.Config { return &s.Model }, sgns.Settings())
	at := slices.IndexFunc(model, func(s setting.Setting[Settings]) bool { return s.Name == afterSubwords })
	return slices.Concat(model[:at], subwordSettings(), model[at:], textSettings())
}

func textSettings() setting.Table[Settings] {
	return slices.Concat(inputSettings(), setting.Table[Settings]{
		{
			Name: "lowercase", Group: GroupText, Help: "turn tokens into lower case",
			At:     func(s *Settings) any { return &s.Text.Lowercase },
			Record: func(s *Settings) any { return s.Text.Lowercase },
		},
		{
			Name: "tokenizer", Group: GroupText, Help: "how text is cut into tokens",
			At:      func(s *Settings) any { return &s.Text.Tokenizer },
			Choices: tokenizers(),
			Record:  func(s *Settings) any { return s.Text.Tokenizer.String() },
		},
		{
			Name: "min-count", Group: GroupText, Help: "drop tokens that occur less often",
			At:     func(s *Settings) any { return &s.MinCount },
			Bounds: &setting.Bounds{Least: 0, Most: unlimited},
			Record: func(s *Settings) any { return s.MinCount },
		},
		{
			Name: "max-vocab", Group: GroupText, Help: "keep only the `N` most frequent tokens; 0 keeps all",
			At:     func(s *Settings) any { return &s.MaxVocab },
			Bounds: &setting.Bounds{Least: 0, Most: unlimited},
		},
	}, phraseSettings())
}

// unlimited is more than any number of tokens.
const unlimited = 1 << 63

func tokenizers() []setting.Choice {
	meanings := map[corpus.Tokenizer]string{
		corpus.Whitespace: "tokens separated by white space",
		corpus.Unicode:    "words by UAX #29, without punctuation",
	}
	var all []setting.Choice
	for _, t := range corpus.Tokenizers() {
		all = append(all, setting.Choice{Value: t.String(), Meaning: meanings[t]})
	}
	return all
}
