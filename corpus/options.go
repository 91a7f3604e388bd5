package corpus

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/wordbreak"
	"golang.org/x/text/unicode/norm"
)

// Options say how text becomes tokens. The zero value splits at white space and leaves
// letters as they are.
//
// Text goes through these steps, in this order: it is cut into sentences, normalized, stripped of
// accents, mapped to lower case, and cut into tokens. Then the tokens lose punctuation and digits.
// Tokens that are passed to Sentences go through all steps except the cutting.
type Options struct {
	Tokenizer Tokenizer
	File      *TokenizerFile // if not nil, replaces Tokenizer
	Lowercase bool           // map every letter to lower case, by Unicode's simple mapping
	// Language, if not empty, makes Lowercase follow the rules of a language, which must be one of Languages:
	// in Turkish, I becomes ı.
	Language string `json:",omitempty"`

	Normalize Normalization
	// StripAccents removes the nonspacing marks (Unicode category Mn) of letters: é becomes e. The text is
	// then in NFC, or in NFKC. In scripts that write vowels as marks, such as Devanagari, Thai, Hebrew and
	// Arabic, StripAccents removes these vowels.
	StripAccents bool
	Digits       Digits
	Punctuation  Punctuation
	Sentences    Breaks

	// TextColumn, if above 0, says that the input is a table, and that its text is in this column, counted
	// from 1. Every row ends a sentence, and so does a newline in a row's text. Names that end in .tsv or
	// .tab are TSV: a line is a row, and there is no quoting. Names that end in .csv are CSV by RFC 4180. For
	// other names, a tab in the first line means TSV. CSV uses semicolons if its first line has semicolons
	// and no commas. A CSV input is one shard.
	TextColumn int
	// Header says that the first row of each input is not text.
	Header bool
	// JSONField, if not empty, says that each line is a JSON value, and names the field with its text: a.b is
	// field b of the object in field a, and "." is the line itself. Text is tokenized as usual. The elements
	// of an array are tokens, as in Sentences; they may be numbers. Null is no text.
	JSONField string
	// Split, if not empty, says that the text is a list, and that this string separates tokens; \t in it is a
	// tab. Without TextColumn and JSONField, each line is a list. White space around tokens is removed, and
	// then tokens are treated as in Sentences. A list ends a sentence.
	Split string `json:",omitempty"`
	// GroupBy, if not empty, makes a sentence of all rows or lines with the same key, in the order of the
	// corpus. It names the key: the number of a column, the name of a column if there is a Header, or a field
	// of JSON lines. Unless the text of a row is a list, the whole text is one token. Rows are sorted by key
	// in bounded memory and a temporary file. The corpus is one shard.
	GroupBy string `json:",omitempty"`
}

// Validate returns an error if an option has an invalid value.
func (o Options) Validate() error {
	if err := o.validateRecords(); err != nil {
		return err
	}
	return errors.Join(o.Tokenizer.Validate(), o.Normalize.validate(), o.Digits.validate(), o.Punctuation.validate(), o.Sentences.validate(), o.validateLanguage(), o.validateFile())
}

// Languages returns the languages with their own rules for lower case.
func Languages() []string { return wordbreak.Languages() }

// validateLanguage reports a language that is unknown or has no effect.
func (o Options) validateLanguage() error {
	switch {
	case o.Language == "":
		return nil
	case !slices.Contains(Languages(), o.Language):
		return fmt.Errorf("corpus: Language is %q, and %s are known: other languages need no rules of their own", o.Language, strings.Join(Languages(), ", "))
	case !o.Lowercase:
		return errors.New("corpus: Language needs Lowercase: it says how letters become lower case")
	}
	return nil
}

// text returns a reader of the text with white space between tokens. size is the size of its buffers.
func (o Options) text(src io.Reader, size int) io.Reader {
	if o.Sentences == UnicodeSentences {
		src = newFilter(src, size, breakSentences)
	}
	src = o.normalized(src, size)
	// Lower-case first and then look for words, as programs do that use an exported tokenizer.
	if o.Lowercase && o.Language != "" {
		src = newFilter(src, size, lowerOf(o.Language))
	} else if o.Lowercase {
		src = newFilter(src, size, wholeRunes(appendLower))
	}
	switch o.Tokenizer {
	case Unicode:
		tokens := &unicodeWords{wordIn: wordbreak.Word}
		if o.Punctuation == KeepPunctuation {
			tokens.wordIn = wordbreak.Visible
		}
		src = newFilter(src, size, tokens.step)
	case Characters:
		src = newFilter(src, size, new(characters).step)
	}
	if o.edits() {
		src = newFilter(src, size, (&tokenEditor{options: o}).step)
	}
	return src
}

// normalized returns a reader of the normalized text, without accents if StripAccents is set.
func (o Options) normalized(src io.Reader, size int) io.Reader {
	if o.Normalize != AsWritten {
		src = newFilter(src, size, mapRunes(withoutFormat))
	}
	if o.StripAccents {
		apart := norm.NFD
		if o.Normalize == NFKC {
			apart = norm.NFKD
		}
		return norm.NFC.Reader(newFilter(apart.Reader(src), size, mapRunes(withoutMark)))
	}
	switch o.Normalize {
	case NFC:
		return norm.NFC.Reader(src)
	case NFKC:
		return norm.NFKC.Reader(src)
	}
	return src
}

// appendToken appends a given token after the options are applied, or nothing if the token is dropped.
func (o Options) appendToken(dst []byte, token string) []byte {
	start := len(dst)
	text := []byte(token)
	if o.Normalize != AsWritten {
		text = appendMapped(nil, text, withoutFormat)
	}
	if o.StripAccents {
		apart := norm.NFD
		if o.Normalize == NFKC {
			apart = norm.NFKD
		}
		text = norm.NFC.Bytes(appendMapped(nil, apart.Bytes(text), withoutMark))
	} else if o.Normalize == NFC {
		text = norm.NFC.Bytes(text)
	} else if o.Normalize == NFKC {
		text = norm.NFKC.Bytes(text)
	}
	if o.Lowercase && o.Language != "" {
		text = wordbreak.LowerText(o.Language, text)
	} else if o.Lowercase {
		text = appendLower(nil, text)
	}
	return append(dst[:start], o.edited(text)...)
}

// plain reports whether appendToken only lower-cases.
func (o Options) plain() bool {
	return o.Normalize == AsWritten && !o.StripAccents && o.Language == "" && !o.edits()
}

// withoutFormat appends a character, unless it is invisible and separates nothing. Such characters would only
// make different words of the same word: the soft hyphen, direction marks, the word joiner and byte order
// marks. Joiners, non-joiners and the zero-width space stay, because they have a meaning in some scripts.
func withoutFormat(dst []byte, r rune) []byte {
	switch {
	case r == '\u00ad', r == '\u061c', r == '\u200e', r == '\u200f', r == '\u2060', r == '\ufeff',
		'\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
		return dst
	}
	return utf8.AppendRune(dst, r)
}

// withoutMark appends a character, unless it is a nonspacing mark.
func withoutMark(dst []byte, r rune) []byte {
	if unicode.Is(unicode.Mn, r) {
		return dst
	}
	return utf8.AppendRune(dst, r)
}

// A Normalization is a Unicode normal form.
type Normalization int

const (
	// AsWritten leaves characters as they are.
	AsWritten Normalization = iota
	// NFC joins letters and their marks where Unicode has a character for both.
	NFC
	// NFKC is NFC and also replaces variants of characters: "ﬁ" by "fi", "²" by "2", full width by
	// half width, no-break spaces by spaces.
	NFKC
)

// Digits say how numbers are changed.
type Digits int

const (
	// KeepDigits leaves digits as they are.
	KeepDigits Digits = iota
	// ZeroDigits makes every decimal digit of any script a 0, so that 1987 becomes 0000.
	ZeroDigits
	// DropNumbers leaves out tokens that have a number and no letter.
	DropNumbers
)

// Punctuation says how punctuation is handled: the characters of Unicode's category P, and symbols except
// pictographs and the like (category So).
type Punctuation int

const (
	// UsualPunctuation is KeepPunctuation, or DropPunctuation with the Unicode tokenizer.
	UsualPunctuation Punctuation = iota
	// KeepPunctuation leaves punctuation in the text. The Unicode tokenizer turns it into tokens.
	KeepPunctuation
	// DropPunctuation removes punctuation from both ends of tokens, and drops tokens that have nothing else.
	// Punctuation inside tokens stays.
	DropPunctuation
)

// Breaks say where sentences end.
type Breaks int

const (
	// Lines are sentences: each ends at a newline.
	Lines Breaks = iota
	// UnicodeSentences end at a newline and at the sentence boundaries of UAX #29.
	UnicodeSentences
)

var (
	normalizationNames = []string{"none", "nfc", "nfkc"}
	digitsNames        = []string{"keep", "zero", "drop"}
	punctuationNames   = []string{"auto", "keep", "drop"}
	breaksNames        = []string{"line", "unicode"}
)

// String returns the name: none, nfc or nfkc.
func (n Normalization) String() string {
	return choiceName("Normalization", normalizationNames, int(n))
}

// MarshalText returns the name, or an error if the value is invalid.
func (n Normalization) MarshalText() ([]byte, error) { return []byte(n.String()), n.validate() }

// UnmarshalText sets n to the normal form of that name.
func (n *Normalization) UnmarshalText(text []byte) error {
	i, err := choiceNamed("normal form", normalizationNames, text)
	*n = Normalization(i)
	return err
}

func (n Normalization) validate() error {
	return checkChoice("Normalization", normalizationNames, int(n))
}

// String returns the name: keep, zero or drop.
func (d Digits) String() string { return choiceName("Digits", digitsNames, int(d)) }

// MarshalText returns the name, or an error if the value is invalid.
func (d Digits) MarshalText() ([]byte, error) { return []byte(d.String()), d.validate() }

// UnmarshalText sets d to the choice of that name.
func (d *Digits) UnmarshalText(text []byte) error {
	i, err := choiceNamed("choice for digits", digitsNames, text)
	*d = Digits(i)
	return err
}

func (d Digits) validate() error { return checkChoice("Digits", digitsNames, int(d)) }

// String returns the name: auto, keep or drop.
func (p Punctuation) String() string { return choiceName("Punctuation", punctuationNames, int(p)) }

// MarshalText returns the name, or an error if the value is invalid.
func (p Punctuation) MarshalText() ([]byte, error) { return []byte(p.String()), p.validate() }

// UnmarshalText sets p to the choice of that name.
func (p *Punctuation) UnmarshalText(text []byte) error {
	i, err := choiceNamed("choice for punctuation", punctuationNames, text)
	*p = Punctuation(i)
	return err
}

func (p Punctuation) validate() error { return checkChoice("Punctuation", punctuationNames, int(p)) }

// String returns the name: line or unicode.
func (b Breaks) String() string { return choiceName("Breaks", breaksNames, int(b)) }

// MarshalText returns the name, or an error if the value is invalid.
func (b Breaks) MarshalText() ([]byte, error) { return []byte(b.String()), b.validate() }

// UnmarshalText sets b to the choice of that name.
func (b *Breaks) UnmarshalText(text []byte) error {
	i, err := choiceNamed("end of sentences", breaksNames, text)
	*b = Breaks(i)
	return err
}

func (b Breaks) validate() error { return checkChoice("Breaks", breaksNames, int(b)) }

func choiceName(kind string, names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, i)
	}
	return names[i]
}

func checkChoice(kind string, names []string, i int) error {
	if i < 0 || i >= len(names) {
		return fmt.Errorf("corpus: %s is invalid: the choices are 0 to %d", choiceName(kind, names, i), len(names)-1)
	}
	return nil
}

func choiceNamed(what string, names []string, text []byte) (int, error) {
	i := slices.Index(names, string(text))
	if i < 0 {
		return 0, fmt.Errorf("unknown %s %q: %s are known", what, text, strings.Join(names, ", "))
	}
	return i, nil
}

// A Tokenizer is a way to cut text into tokens.
type Tokenizer int

const (
	// Whitespace cuts text at white space and changes nothing else.
	Whitespace Tokenizer = iota
	// Unicode cuts text at Unicode's word boundaries (UAX #29) and keeps the segments with a
	// letter, a number or a pictograph. It drops white space and punctuation. Bytes that are
	// not UTF-8 stay, as tokens.
	Unicode
	// Characters makes a token of every character that is not white space, where a letter and its marks are
	// one character: a grapheme cluster of UAX #29. It is for scripts without spaces between words.
	Characters
)

// Tokenizers returns all tokenizers.
func Tokenizers() []Tokenizer { return []Tokenizer{Whitespace, Unicode, Characters} }

// String returns the tokenizer's name.
func (t Tokenizer) String() string {
	switch t {
	case Whitespace:
		return "whitespace"
	case Unicode:
		return "unicode"
	case Characters:
		return "characters"
	}
	return fmt.Sprintf("Tokenizer(%d)", int(t))
}

// Validate returns an error if t is not one of the tokenizers.
func (t Tokenizer) Validate() error {
	if t < Whitespace || t > Characters {
		return fmt.Errorf("corpus: %v is not a tokenizer: use Whitespace (0), Unicode (1) or Characters (2)", t)
	}
	return nil
}

// MarshalText returns the tokenizer's name, or an error if t is invalid.
func (t Tokenizer) MarshalText() ([]byte, error) { return []byte(t.String()), t.Validate() }

// UnmarshalText sets t to the tokenizer with the name text.
func (t *Tokenizer) UnmarshalText(text []byte) error {
	for _, known := range Tokenizers() {
		if string(text) == known.String() {
			*t = known
			return nil
		}
	}
	return fmt.Errorf("unknown tokenizer %q: whitespace, unicode and characters are known", text)
}
