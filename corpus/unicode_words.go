package corpus

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// unicodeWords is a text's words with a space behind each, lines kept. However long a
// segment of the text is, no more than MaxToken bytes of it are held besides what one read
// of the source gave: of one that is longer, parts are passed on as they come.
type unicodeWords struct {
	src      io.Reader
	in       []byte
	pos, end int // of what in holds and has not been passed on
	err      error

	long bool   // the segment at pos has begun before
	word bool   // that beginning is that of a word, and has been passed on
	held []byte // the first bytes of a beginning that is not yet

	out []byte // words that have not been read yet
	buf []byte
}

func newUnicodeWords(src io.Reader, size int) *unicodeWords {
	return &unicodeWords{src: src, in: make([]byte, max(size, 4*utf8.UTFMax))}
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

// next passes on the next segment or a part of it, or reads more. It returns false when
// there is nothing more.
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

// pass passes on a segment if it is a word or the end of a line, or what there is of one
// that is too long if that is a word so far.
func (u *unicodeWords) pass(segment []byte) {
	switch {
	case !u.long && bytes.IndexByte(segment, '\n') >= 0:
		u.buf = append(u.buf, '\n')
	case !u.long:
		if word := wordbreak.Word(segment); len(word) > 0 {
			u.buf = append(append(u.buf, word...), ' ')
		}
	case u.word:
		u.buf = append(u.buf, segment...)
	case len(wordbreak.Word(segment)) > 0:
		u.buf = append(append(u.buf, u.held...), segment...)
		u.word = true
	default: // longer than MaxToken with what follows, or no word at all
		u.held = append(u.held, segment[:min(len(segment), MaxToken+1-len(u.held))]...)
	}
}

// passBeginning passes on so much of text, which begins with an unfinished segment, that
// the segment goes on in the rest as it would have. The rules of UAX #29 look back to the
// last base, a character that is no accent or the like, and the two characters before the
// next one.
func (u *unicodeWords) passBeginning(text []byte) {
	u.long = true
	_, last := utf8.DecodeLastRune(text)
	_, before := utf8.DecodeLastRune(text[:len(text)-last])
	cut := len(text) - last - before
	base, size := lastBase(text[:cut])
	if size > 0 { // what is between the base and the rest is passed on before it
		letter := string(text[base : base+size])
		cut -= size
		u.pass(text[:cut])
		copy(text[cut:], letter)
	} else {
		u.pass(text[:cut])
	}
	u.pos += cut
}

// lastBase returns where the last letter, digit or joining mark of text is, and its length, 0
// if there is none.
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

// fill reads more of the source behind what is held.
func (u *unicodeWords) fill() {
	u.end = copy(u.in, u.in[u.pos:u.end])
	u.pos = 0
	if u.end == len(u.in) {
		u.in = append(u.in, make([]byte, u.end)...)
	}
	for range 100 {
		n, err := u.src.Read(u.in[u.end:])
		u.end += n
		if err != nil {
			u.err = err
			return
		}
		if n > 0 {
			return
		}
	}
	u.err = io.ErrNoProgress
}
