package corpus

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/wordbreak"
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
	// Characters makes a token of every character that is no white space: of each letter with its
	// marks, by the grapheme clusters of UAX #29. It is for scripts without spaces between words.
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
		return fmt.Errorf("corpus: %v is no tokenizer: Whitespace, which is 0, Unicode, which is 1, and Characters, which is 2, are", t)
	}
	return nil
}

// MarshalText returns the tokenizer's name, or an error if it has none.
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

// lowercase reads a text and turns its letters into lower case. Bytes that are not UTF-8 stay
// as they are.
type lowercase struct {
	src  io.Reader
	in   []byte
	kept int // bytes at the front of in that start an unfinished code point
	out  []byte
	buf  []byte
	err  error
}

func newLowercase(src io.Reader, size int) *lowercase {
	return &lowercase{src: src, in: make([]byte, size)}
}

func (l *lowercase) Read(p []byte) (int, error) {
	for len(l.out) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		n, err := l.src.Read(l.in[l.kept:])
		l.err = err
		text := l.in[:l.kept+n]
		l.buf = l.buf[:0]
		for len(text) > 0 {
			if c := text[0]; c < utf8.RuneSelf {
				if 'A' <= c && c <= 'Z' {
					c += 'a' - 'A'
				}
				l.buf = append(l.buf, c)
				text = text[1:]
				continue
			}
			if err == nil && !utf8.FullRune(text) {
				break
			}
			r, size := utf8.DecodeRune(text)
			if r == utf8.RuneError && size == 1 {
				l.buf = append(l.buf, text[0])
			} else {
				l.buf = utf8.AppendRune(l.buf, wordbreak.Lower(r))
			}
			text = text[size:]
		}
		l.kept = copy(l.in, text)
		l.out = l.buf
	}
	n := copy(p, l.out)
	l.out = l.out[n:]
	return n, nil
}
