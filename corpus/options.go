package corpus

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/w2v-go/w2v/internal/wordbreak"
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
	// StripAccents removes the nonspacing marks (Unicode category Mn) of letters: é becomes e. The text is then
	// in NFC, or in NFKC. Devanagari, Thai, Hebrew and Arabic lose vowels, which are marks.
	StripAccents bool
	Digits       Digits
	Punctuation  Punctuation
	Sentences    Breaks

	// TextColumn, if not empty, is the column of a table that has the text. A row, and a newline in its text, ends
	// a sentence. Parquet files are recognized by their content; a.b is field b of the struct in column a, and the
	// elements of a list are tokens, as in Sentences. Names that end in .tsv or .tab are TSV, without quoting, and in
	// .csv CSV by RFC 4180. For other names, a tab in the first line means TSV. CSV uses semicolons if its first line
	// has semicolons and no commas. A CSV input is one shard.
	TextColumn Column
	// Header says that the first row of each input has the names of columns, and is not text. Parquet has no such row.
	Header bool
	// JSONField, if not empty, names the field with the text of each line of JSON: a.b is field b of the object
	// in field a, and "." is the line itself. The elements of an array are tokens, as in Sentences; they may be
	// numbers. Null is not text.
	JSONField string
	// Split, if not empty, separates the tokens of a text that is a list; \t in it is a tab. White space around
	// tokens is removed, and then they are treated as in Sentences. A list ends a sentence.
	Split string `json:",omitempty"`
	// GroupBy, if not empty, names a key: a column by its number, or by its name if there is a Header or in Parquet, or a
	// field of JSON lines. All rows with the same key are a sentence, in the order of the corpus. Unless the
	// text of a row is a list, it is one token. Rows are sorted in bounded memory. The corpus is one shard.
	GroupBy string `json:",omitempty"`
}

// Validate returns an error if an option has an invalid value.
func (o Options) Validate() error {
	err := cmp.Or(tokenizers.check(int(o.Tokenizer)), normalizations.check(int(o.Normalize)), digits.check(int(o.Digits)),
		punctuations.check(int(o.Punctuation)), breaks.check(int(o.Sentences)))
	switch {
	case o.TextColumn != "" && o.JSONField != "":
		return errors.New("corpus: TextColumn and JSONField both say where the text is: only one of them is possible")
	case o.Header && o.TextColumn == "":
		return errors.New("corpus: Header needs TextColumn: only tables have one")
	case o.GroupBy != "" && o.TextColumn == "" && o.JSONField == "":
		return errors.New("corpus: GroupBy needs TextColumn or JSONField, which say what the tokens of a row are")
	case o.GroupBy != "" && o.TextColumn.Number() > 0 && !o.Header && keyColumn(o.GroupBy) == 0:
		return fmt.Errorf("corpus: GroupBy is %q, and must be the number of a column: without a header, columns have no names", o.GroupBy)
	case err != nil:
		return err
	case o.lists() && (o.Tokenizer != Whitespace || o.File != nil || o.Sentences != Lines):
		return errors.New("corpus: Split and GroupBy take tokens as they are: no tokenizer cuts them, and no boundary of sentences")
	case o.Language != "" && !slices.Contains(Languages(), o.Language):
		return fmt.Errorf("corpus: Language is %q, and %s are known: other languages need no rules of their own", o.Language, strings.Join(Languages(), ", "))
	case o.Language != "" && !o.Lowercase:
		return errors.New("corpus: Language needs Lowercase: it says how letters become lower case")
	case o.File != nil && (o.Tokenizer != Whitespace || o.Lowercase || !o.plain() || o.Punctuation != UsualPunctuation):
		return errors.New("corpus: a tokenizer.json says itself how text is normalized and cut: no other option goes with it but where sentences end")
	}
	return nil
}

// A Column is a column of a table: its number, counted from 1, or its name. It is empty for none.
type Column string

// Number returns the number of the column, or 0 if it is named.
func (c Column) Number() int {
	if n := keyColumn(string(c)); strconv.Itoa(n) == string(c) {
		return n
	}
	return 0
}

// UnmarshalText sets a number or a name. 0 is none.
func (c *Column) UnmarshalText(text []byte) error {
	switch n, err := strconv.Atoi(string(text)); {
	case err == nil && n < 0:
		return errors.New("is not a column: columns are counted from 1")
	case err == nil && n == 0:
		text = nil
	}
	*c = Column(text)
	return nil
}

// MarshalJSON returns a number, or a name as a string. None is 0.
func (c Column) MarshalJSON() ([]byte, error) {
	if n := c.Number(); n > 0 || c == "" {
		return json.Marshal(n)
	}
	return json.Marshal(string(c))
}

// UnmarshalJSON sets the column from what MarshalJSON returns.
func (c *Column) UnmarshalJSON(data []byte) error {
	var name string
	if json.Unmarshal(data, &name) != nil {
		name = string(data)
		if _, err := strconv.Atoi(name); err != nil {
			return fmt.Errorf("%s is not the number or the name of a column", data)
		}
	}
	return c.UnmarshalText([]byte(name))
}

// Languages returns the languages with their own rules for lower case.
func Languages() []string { return wordbreak.Languages() }

// A change is a step from text to other text, for a stream and for a token.
type change struct {
	stream func(src io.Reader, size int) io.Reader // size is that of buffers
	token  func(token []byte) []byte
}

func characterwise(to func(dst []byte, r rune) []byte) change {
	return change{
		func(src io.Reader, size int) io.Reader {
			return newFilter(src, size, wholeRunes(func(dst, text []byte) []byte { return appendMapped(dst, text, to) }))
		},
		func(token []byte) []byte { return appendMapped(nil, token, to) },
	}
}

func normalForm(f norm.Form) change {
	return change{func(src io.Reader, _ int) io.Reader { return f.Reader(src) }, f.Bytes}
}

func (o Options) changes() (all []change) {
	if o.Normalize != AsWritten {
		all = append(all, characterwise(withoutFormat))
	}
	joined, apart := norm.NFC, norm.NFD
	if o.Normalize == NFKC {
		joined, apart = norm.NFKC, norm.NFKD
	}
	if o.StripAccents {
		all = append(all, normalForm(apart), characterwise(withoutMark), normalForm(norm.NFC))
	} else if o.Normalize != AsWritten {
		all = append(all, normalForm(joined))
	}
	if o.Lowercase && o.Language != "" {
		all = append(all, change{
			func(src io.Reader, size int) io.Reader { return newFilter(src, size, lowerOf(o.Language)) },
			func(token []byte) []byte { return wordbreak.LowerText(o.Language, token) },
		})
	} else if o.Lowercase {
		all = append(all, change{
			func(src io.Reader, size int) io.Reader {
				return newFilter(src, size, wholeRunes(wordbreak.AppendLower))
			},
			func(token []byte) []byte { return wordbreak.AppendLower(nil, token) },
		})
	}
	return all
}

// text returns a reader of the text with white space between tokens. size is the size of its buffers.
func (o Options) text(src io.Reader, size int) io.Reader {
	if o.Sentences == UnicodeSentences {
		src = newFilter(src, size, breakSentences)
	}
	// Lower-case first and then look for words, as programs do that use an exported tokenizer.
	for _, c := range o.changes() {
		src = c.stream(src, size)
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

// plain reports whether tokens only become lower case.
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

// choices are the names of a setting's values, which are counted from 0.
type choices struct {
	kind, what string // what messages call an invalid value, and an unknown name
	names      []string
}

var (
	tokenizers     = choices{"Tokenizer", "tokenizer", []string{"whitespace", "unicode", "characters"}}
	normalizations = choices{"Normalization", "normal form", []string{"none", "nfc", "nfkc"}}
	digits         = choices{"Digits", "choice for digits", []string{"keep", "zero", "drop"}}
	punctuations   = choices{"Punctuation", "choice for punctuation", []string{"auto", "keep", "drop"}}
	breaks         = choices{"Breaks", "end of sentences", []string{"line", "unicode"}}
)

func (c choices) name(i int) string {
	if i < 0 || i >= len(c.names) {
		return fmt.Sprintf("%s(%d)", c.kind, i)
	}
	return c.names[i]
}

func (c choices) check(i int) error {
	if i < 0 || i >= len(c.names) {
		return fmt.Errorf("corpus: %s is invalid: the choices are 0 to %d", c.name(i), len(c.names)-1)
	}
	return nil
}

func (c choices) marshal(i int) ([]byte, error) { return []byte(c.name(i)), c.check(i) }

func unmarshal[T ~int](c choices, value *T, name []byte) error {
	i := slices.Index(c.names, string(name))
	if i < 0 {
		return fmt.Errorf("unknown %s %q: %s are known", c.what, name, strings.Join(c.names, ", "))
	}
	*value = T(i)
	return nil
}

// String returns the name: whitespace, unicode or characters.
func (t Tokenizer) String() string { return tokenizers.name(int(t)) }

// MarshalText returns the name, or an error if the value is invalid.
func (t Tokenizer) MarshalText() ([]byte, error) { return tokenizers.marshal(int(t)) }

// UnmarshalText sets the value by its name.
func (t *Tokenizer) UnmarshalText(name []byte) error { return unmarshal(tokenizers, t, name) }

// String returns the name: none, nfc or nfkc.
func (n Normalization) String() string { return normalizations.name(int(n)) }

// MarshalText returns the name, or an error if the value is invalid.
func (n Normalization) MarshalText() ([]byte, error) { return normalizations.marshal(int(n)) }

// UnmarshalText sets the value by its name.
func (n *Normalization) UnmarshalText(name []byte) error { return unmarshal(normalizations, n, name) }

// String returns the name: keep, zero or drop.
func (d Digits) String() string { return digits.name(int(d)) }

// MarshalText returns the name, or an error if the value is invalid.
func (d Digits) MarshalText() ([]byte, error) { return digits.marshal(int(d)) }

// UnmarshalText sets the value by its name.
func (d *Digits) UnmarshalText(name []byte) error { return unmarshal(digits, d, name) }

// String returns the name: auto, keep or drop.
func (p Punctuation) String() string { return punctuations.name(int(p)) }

// MarshalText returns the name, or an error if the value is invalid.
func (p Punctuation) MarshalText() ([]byte, error) { return punctuations.marshal(int(p)) }

// UnmarshalText sets the value by its name.
func (p *Punctuation) UnmarshalText(name []byte) error { return unmarshal(punctuations, p, name) }

// String returns the name: line or unicode.
func (b Breaks) String() string { return breaks.name(int(b)) }

// MarshalText returns the name, or an error if the value is invalid.
func (b Breaks) MarshalText() ([]byte, error) { return breaks.marshal(int(b)) }

// UnmarshalText sets the value by its name.
func (b *Breaks) UnmarshalText(name []byte) error { return unmarshal(breaks, b, name) }

func (o Options) hasRecords() bool { return o.TextColumn != "" || o.JSONField != "" || o.Split != "" }

func (o Options) lists() bool { return o.Split != "" || o.GroupBy != "" }

// keyColumn returns the column number in groupBy, or 0 if groupBy is not a number.
func keyColumn(groupBy string) int {
	n, err := strconv.Atoi(groupBy)
	if err != nil || n < 1 {
		return 0
	}
	return n
}

func (o Options) edits() bool { return o.Digits != KeepDigits || o.Punctuation == DropPunctuation }
