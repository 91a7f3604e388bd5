package corpus

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// Options say how text becomes tokens. The zero value splits at white space and leaves
// letters as they are.
//
// Text goes through these steps, in this order: it is cut into sentences, normalized, stripped of
// accents, mapped to lower case, and cut into tokens. Then the tokens lose punctuation and digits.
// Tokens that are given as such, as to Sentences, go through all steps but the cutting.
type Options struct {
	Tokenizer Tokenizer
	File      *TokenizerFile // if not nil, cuts text in place of Tokenizer
	Lowercase bool           // map every letter to lower case, by Unicode's simple mapping
	// Language, if not empty, makes Lowercase follow the rules of a language, one of Languages: in
	// Turkish, I becomes ı.
	Language string `json:",omitempty"`

	Normalize Normalization
	// StripAccents removes the nonspacing marks (Unicode's category Mn) of letters, so that é
	// becomes e. The text is in NFC then, or in NFKC. In scripts that write vowels as marks, as
	// Devanagari, Thai, Hebrew and Arabic may do, it removes these vowels.
	StripAccents bool
	Digits       Digits
	Punctuation  Punctuation
	Sentences    Breaks

	// TextColumn, if above 0, says that the input is a table whose text is in this column,
	// counted from 1. Every row ends a sentence, and so does a newline within its text. Names
	// that end in .tsv or .tab are TSV: a line is a row, and there is no quoting. Names that
	// end in .csv are CSV by RFC 4180. Of other names, a tab in the first line makes TSV. CSV
	// has semicolons if its first line has some and no commas. An input of CSV is one shard.
	TextColumn int
	// Header says that the first row of each input is not text.
	Header bool
	// JSONField, if not empty, says that each line is a JSON value, and where its text is: in
	// the field of that name, or a.b for field b of the object in field a. "." is the line
	// itself. A text becomes tokens as other text does. The elements of an array are tokens as
	// those of Sentences are; they may be numbers. Null is no text.
	JSONField string
	// Split, if not empty, says that the text is a list, in which this string separates tokens; \t in
	// it is a tab.
	// Without TextColumn and JSONField, each line is a list. White space around tokens goes, and
	// what is left is taken as the tokens of Sentences are. A list ends a sentence.
	Split string `json:",omitempty"`
	// GroupBy, if not empty, says that all rows or lines of the corpus with the same value in this
	// place are a sentence, in the order in which they come: the number of a column, the name of
	// one in the first row if there is a Header, or a field of JSON lines. The text of a row is one
	// token as it is, if it is no list. Rows are sorted by the value, in a bounded part of memory
	// and a temporary file. The corpus is one shard.
	GroupBy string `json:",omitempty"`
}

// Validate returns an error if an option has an invalid value.
func (o Options) Validate() error {
	if err := o.validateRecords(); err != nil {
		return err
	}
	return errors.Join(o.Tokenizer.Validate(), o.Normalize.validate(), o.Digits.validate(), o.Punctuation.validate(), o.Sentences.validate(), o.validateLanguage(), o.validateFile())
}

// Languages returns the languages that have rules for lower case of their own.
func Languages() []string { return wordbreak.Languages() }

// validateLanguage reports a language that is not known, or that has no use.
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

// text returns a reader of a text whose tokens stand between white space. Its buffers have that
// size.
func (o Options) text(src io.Reader, size int) io.Reader {
	if o.Sentences == UnicodeSentences {
		src = newSentenceBreaker(src, size)
	}
	src = o.normalized(src, size)
	// Text is turned into lower case before words are looked for, as in programs that use an
	// exported tokenizer.
	if o.Lowercase && o.Language != "" {
		src = wordbreak.NewLowerReader(o.Language, src, size)
	} else if o.Lowercase {
		src = newLowercase(src, size)
	}
	switch o.Tokenizer {
	case Unicode:
		src = newUnicodeWords(src, size, o.Punctuation == KeepPunctuation)
	case Characters:
		src = newCharacters(src, size)
	}
	if o.edits() {
		src = newTokenEditor(src, size, o)
	}
	return src
}

// normalized returns a reader of text in the normal form, without accents if these are stripped.
func (o Options) normalized(src io.Reader, size int) io.Reader {
	if o.Normalize != AsWritten {
		src = newRuneReader(src, size, withoutFormat)
	}
	if o.StripAccents {
		apart := norm.NFD
		if o.Normalize == NFKC {
			apart = norm.NFKD
		}
		return norm.NFC.Reader(newRuneReader(apart.Reader(src), size, withoutMark))
	}
	switch o.Normalize {
	case NFC:
		return norm.NFC.Reader(src)
	case NFKC:
		return norm.NFKC.Reader(src)
	}
	return src
}

// appendToken appends what becomes of a token that is given as such: nothing if it is left out.
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
		text = appendMapped(nil, text, lowered)
	}
	return append(dst[:start], o.edited(text)...)
}

// plain reports whether appendToken does nothing but lower-casing.
func (o Options) plain() bool {
	return o.Normalize == AsWritten && !o.StripAccents && o.Language == "" && !o.edits()
}

// withoutFormat appends a character, unless it is one that is not seen and separates nothing, so that a word
// with it is another word for no reason: the soft hyphen, marks of direction, the word joiner and byte
// order marks. Joiners and non-joiners of letters, and the space of no width, have a meaning in some scripts.
func withoutFormat(dst []byte, r rune) []byte {
	switch {
	case r == '\u00ad', r == '\u061c', r == '\u200e', r == '\u200f', r == '\u2060', r == '\ufeff',
		'\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
		return dst
	}
	return appendRune(dst, r)
}

// withoutMark appends a character, unless it is a mark that takes no space.
func withoutMark(dst []byte, r rune) []byte {
	if unicode.Is(unicode.Mn, r) {
		return dst
	}
	return appendRune(dst, r)
}
