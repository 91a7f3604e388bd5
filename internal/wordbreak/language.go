package wordbreak

import (
	"bytes"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/w2v-go/w2v/internal/wordlimit"
)

// languages are those with rules for lower case beyond Lower, as golang.org/x/text/cases has them: the
// dots of i and j in Azerbaijani, Lithuanian and Turkish, and the sigma at the end of Greek words.
// Afrikaans and Dutch have rules for titles, and the lower case of Unicode as a whole.
var languages = map[string]language.Tag{
	"af": language.Afrikaans, "az": language.Azerbaijani, "el": language.Greek, "lt": language.Lithuanian, "nl": language.Dutch, "tr": language.Turkish,
}

// Languages returns the codes of the languages that LowerText knows.
func Languages() []string {
	var codes []string
	for code := range languages {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

// LowerText returns a text in lower case by the rules of a language, which depend on neighbouring
// letters. Bytes that are not UTF-8 stay as they are.
func LowerText(of string, text []byte) []byte {
	lower := cases.Lower(languages[of]).Bytes(text)
	if !bytes.ContainsFunc(lower, func(r rune) bool { return Lower(r) != r }) {
		return lower
	}
	var all []byte // with letters that are newer than those of package cases
	for len(lower) > 0 {
		r, size := utf8.DecodeRune(lower)
		if r == utf8.RuneError && size == 1 {
			all = append(all, lower[0])
		} else {
			all = utf8.AppendRune(all, Lower(r))
		}
		lower = lower[size:]
	}
	return all
}

// A LowerReader reads a text and turns it into lower case by the rules of a language.
type LowerReader struct {
	src  io.Reader
	of   string
	in   []byte
	kept int // bytes at the front of in, of a word that may go on
	out  []byte
	err  error
}

// NewLowerReader returns a reader with a buffer of the given size.
func NewLowerReader(of string, src io.Reader, size int) *LowerReader {
	return &LowerReader{src: src, of: of, in: make([]byte, max(size, 4*utf8.UTFMax))}
}

func (l *LowerReader) Read(p []byte) (int, error) {
	for len(l.out) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		if l.kept == len(l.in) {
			l.in = append(l.in, make([]byte, l.kept)...)
		}
		n, err := l.src.Read(l.in[l.kept:])
		text := l.in[:l.kept+n]
		end := len(text)
		if l.err = err; err == nil {
			end = apart(text, l.kept)
		}
		l.out = LowerText(l.of, text[:end])
		l.kept = copy(l.in, text[end:])
	}
	n := copy(p, l.out)
	l.out = l.out[n:]
	return n, nil
}

// apart returns how much of a text has a lower case that does not depend on what follows, nor does
// what follows depend on it: up to the last white space or, in a long text without, up to the last
// letter that has no case. A token that is longer is left out, in any case. The first bytes are known to
// have no white space.
func apart(text []byte, known int) int {
	for at := len(text); at > known; at-- {
		if text[at-1] <= ' ' {
			return at
		}
	}
	if len(text) <= 2*wordlimit.Bytes {
		return 0
	}
	const firstEast = 0x2e80 // from here on, no such letter has a case
	at := bytes.LastIndexFunc(text[:len(text)-utf8.UTFMax], func(r rune) bool { return r >= firstEast && unicode.Is(unicode.Lo, r) })
	if at < 0 {
		at = len(text) - 2*utf8.UTFMax
	}
	for at++; at < len(text)-1 && !utf8.RuneStart(text[at]); {
		at++
	}
	return at
}
