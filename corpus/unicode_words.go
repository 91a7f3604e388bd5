package corpus

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// unicodeWords reads a text and returns its words, each followed by a space, and its newlines.
// It holds at most MaxToken bytes of a segment besides the result of one read of the source. A
// longer segment is passed on in parts as they come.
type unicodeWords struct {
	src      io.Reader
	in       []byte
	pos, end int // the part of in that has not been passed on
	err      error
	wordIn   func(segment []byte) []byte // what of a segment is a token; nil for nothing

	long bool   // the segment at pos is too long, and its beginning is not in in any more
	word bool   // that beginning was found to be part of a word, and was passed on
	held []byte // the first bytes of that beginning while it is not known to be part of a word

	out []byte // the words that the caller has not read yet
	buf []byte
}

// newUnicodeWords returns the reader of the words of src, and of its punctuation if that is kept.
func newUnicodeWords(src io.Reader, size int, punctuation bool) *unicodeWords {
	u := &unicodeWords{src: src, in: make([]byte, max(size, 4*utf8.UTFMax)), wordIn: wordbreak.Word}
	if punctuation {
		u.wordIn = wordbreak.Visible
	}
	return u
}

func (u *unicodeWords) Read(p []byte) (int, error) {
	if len(u.out) == 0 {
		u.buf = u.buf[:0]
		for len(u.buf) < len(p) && u.next() {
		}
		if u.out = u.buf; len(u.out) == 0 {
			return 0, u.err
		}
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// next passes on the next segment or a part of it, or reads more. It returns false at the end.
func (u *unicodeWords) next() bool {
	text := u.in[u.pos:u.end]
	n, segment, _ := words.SplitFunc(text, u.err != nil) // has no errors of its own
	switch {
	case n > 0:
		u.pos += n
		u.pass(segment)
		if u.long && u.word {
			u.buf = append(u.buf, ' ')
		}
		u.long, u.word, u.held = false, false, u.held[:0]
		return true
	case u.err != nil:
		return false
	case len(text) > MaxToken:
		u.passBeginning(text)
	}
	u.fill()
	return true
}

// pass passes on a segment if it is a word or a newline. It passes on a part of a segment that
// is too long if the segment is known to be a word.
func (u *unicodeWords) pass(segment []byte) {
	switch {
	case !u.long && bytes.IndexByte(segment, '\n') >= 0:
		u.buf = append(u.buf, '\n')
	case !u.long:
		if word := u.wordIn(segment); len(word) > 0 {
			u.buf = append(append(u.buf, word...), ' ')
		}
	case u.word:
		u.buf = append(u.buf, segment...)
	case len(u.wordIn(segment)) > 0:
		u.buf = append(append(u.buf, u.held...), segment...)
		u.word = true
	default: // either it becomes longer than MaxToken, or it is not a word
		u.held = append(u.held, segment[:min(len(segment), MaxToken+1-len(u.held))]...)
	}
}

// passBeginning passes on most of an unfinished segment, which text begins with. It keeps the
// characters that decide where the segment ends: the rules of UAX #29 look back to the last
// base, which is a character that is not an accent or the like, and to the last two
// characters.
func (u *unicodeWords) passBeginning(text []byte) {
	u.long = true
	_, last := utf8.DecodeLastRune(text)
	_, before := utf8.DecodeLastRune(text[:len(text)-last])
	cut := len(text) - last - before
	base, size := lastBase(text[:cut])
	if size > 0 { // characters between the base and the rest are passed on before the base
		letter := string(text[base : base+size])
		cut -= size
		u.pass(text[:cut])
		copy(text[cut:], letter)
	} else {
		u.pass(text[:cut])
	}
	u.pos += cut
}

// lastBase returns the position and the length of the last letter, digit or joining mark in
// text. The length is 0 if there is none.
func lastBase(text []byte) (at, size int) {
	for at := len(text); at > 0; {
		r, size := utf8.DecodeLastRune(text[:at])
		at -= size
		if unicode.In(r, unicode.L, unicode.N, unicode.Pc) {
			return at, size
		}
	}
	return 0, 0
}

// fill reads more of the source.
func (u *unicodeWords) fill() {
	u.end = copy(u.in, u.in[u.pos:u.end])
	u.pos = 0
	if u.end == len(u.in) {
		u.in = append(u.in, make([]byte, u.end)...)
	}
	n, err := readSome(u.src, u.in[u.end:])
	u.end += n
	u.err = err
}
