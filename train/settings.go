package train

import (
	"reflect"
	"slices"
	"sync"

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
	Open    bool // there are other values besides the choices
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
		s := Setting{Name: row.Name, Group: row.Group, Help: row.Help, Type: setting.Type(row.At(&usual)), Default: row.Default(&usual), Open: row.Open, OfDimensions: row.OfDimensions}
		for _, c := range row.Choices {
			s.Choices = append(s.Choices, Choice(c))
		}
		all = append(all, s)
	}
	return all
}

// table is Table with access to the fields. It is made once, because every flag looks into it.
var table = sync.OnceValue(func() setting.Table[Settings] {
	model := setting.Of(func(s *Settings) *sgns.Config { return &s.Model }, sgns.Settings())
	at := slices.IndexFunc(model, func(s setting.Setting[Settings]) bool { return s.Name == afterSubwords })
	return slices.Concat(model[:at], subwordSettings(), model[at:], textSettings())
})

func textSettings() setting.Table[Settings] {
	return slices.Concat(inputSettings(), setting.Table[Settings]{
		{
			Name: "lowercase", Group: GroupText, Help: "turn tokens into lower case",
			Choices: lowercases(), Open: true,
			At:     func(s *Settings) any { return &lowercase{&s.Text} },
			Record: func(s *Settings) any { return s.Text.Lowercase }, // and its language: see Describe
		},
		{
			Name: "tokenizer", Group: GroupText, Help: "how text is cut into tokens, or the path of a tokenizer.json",
			At:      func(s *Settings) any { return &cutting{&s.Text} },
			Choices: tokenizers(), Open: true,
			Record: func(s *Settings) any { return (&cutting{&s.Text}).String() },
		},
		{
			Name: "normalize", Group: GroupText, Help: "Unicode normal form that text is brought into", OmitZero: true,
			At:      func(s *Settings) any { return &s.Text.Normalize },
			Choices: normalForms(),
			Record:  unlessUsual(func(s *Settings) corpus.Normalization { return s.Text.Normalize }),
		},
		{
			Name: "strip-accents", Group: GroupText, Help: "remove accents and other marks from letters", OmitZero: true,
			At:     func(s *Settings) any { return &s.Text.StripAccents },
			Record: func(s *Settings) any { return s.Text.StripAccents },
		},
		{
			Name: "digits", Group: GroupText, Help: "what to do with numbers", OmitZero: true,
			At: func(s *Settings) any { return &s.Text.Digits },
			Choices: []setting.Choice{
				{Value: corpus.KeepDigits.String(), Meaning: "leave them"},
				{Value: corpus.ZeroDigits.String(), Meaning: "make each decimal digit a 0"},
				{Value: corpus.DropNumbers.String(), Meaning: "drop tokens that have a number and no letter"},
			},
			Record: unlessUsual(func(s *Settings) corpus.Digits { return s.Text.Digits }),
		},
		{
			Name: "punctuation", Group: GroupText, Help: "what to do with punctuation", OmitZero: true,
			At: func(s *Settings) any { return &s.Text.Punctuation },
			Choices: []setting.Choice{
				{Value: corpus.UsualPunctuation.String(), Meaning: "drop it with the tokenizer unicode, else keep it"},
				{Value: corpus.KeepPunctuation.String(), Meaning: "leave it; the tokenizer unicode makes tokens of it"},
				{Value: corpus.DropPunctuation.String(), Meaning: "take it off both ends of tokens"},
			},
			Record: unlessUsual(func(s *Settings) corpus.Punctuation { return s.Text.Punctuation }),
		},
		{
			Name: "sentences", Group: GroupText, Help: "where sentences end", OmitZero: true,
			At: func(s *Settings) any { return &s.Text.Sentences },
			Choices: []setting.Choice{
				{Value: corpus.Lines.String(), Meaning: "at newlines"},
				{Value: corpus.UnicodeSentences.String(), Meaning: "at newlines and sentence boundaries by UAX #29"},
			},
			Record: unlessUsual(func(s *Settings) corpus.Breaks { return s.Text.Sentences }),
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
		corpus.Characters: "characters, for scripts without spaces",
	}
	var all []setting.Choice
	for _, t := range corpus.Tokenizers() {
		all = append(all, setting.Choice{Value: t.String(), Meaning: meanings[t]})
	}
	return all
}

func lowercases() []setting.Choice {
	meanings := map[string]string{
		"az": "Azerbaijani, as Turkish", "el": "Greek, with ς at the end of words", "lt": "Lithuanian, whose i keeps its dot below accents", "tr": "Turkish: I is ı, and İ is i",
	}
	all := []setting.Choice{{Value: "false", Meaning: "leave them"}, {Value: "true", Meaning: "letter by letter"}}
	for _, language := range corpus.Languages() {
		all = append(all, setting.Choice{Value: language, Meaning: meanings[language]})
	}
	return all
}

func normalForms() []setting.Choice {
	return []setting.Choice{
		{Value: corpus.AsWritten.String(), Meaning: "leave text as it is"},
		{Value: corpus.NFC.String(), Meaning: "join letters and marks, drop soft hyphens and marks of direction"},
		{Value: corpus.NFKC.String(), Meaning: "also replace variants of characters"},
	}
}

// unlessUsual returns what a model says of a choice: its name, or nothing for the usual one.
func unlessUsual[T interface {
	comparable
	String() string
}](of func(*Settings) T) func(*Settings) any {
	return func(s *Settings) any {
		var usual T
		if of(s) == usual {
			return ""
		}
		return of(s).String()
	}
}
