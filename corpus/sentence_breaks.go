package corpus

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// longestHeld is how much of a sentence is held until its end is found.
const longestHeld = 1 << 20

// A sentenceBreaker reads a text and puts a newline after each of its sentences that has none.
// It holds at most longestHeld bytes of a sentence besides the result of one read.
type sentenceBreaker struct {
	src      io.Reader
	in       []byte
	pos, end int
	err      error
	out      []byte
	buf      []byte
}

func newSentenceBreaker(src io.Reader, size int) *sentenceBreaker {
	return &sentenceBreaker{src: src, in: make([]byte, max(size, 4*utf8.UTFMax))}
}

func (s *sentenceBreaker) Read(p []byte) (int, error) {
	if len(s.out) == 0 {
		s.buf = s.buf[:0]
		for len(s.buf) < len(p) && s.next() {
		}
		if s.out = s.buf; len(s.out) == 0 {
			return 0, s.err
		}
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// next passes on the next sentence or a part of it, or reads more. It returns false at the end.
func (s *sentenceBreaker) next() bool {
	text := s.in[s.pos:s.end]
	n, sentence, _ := sentences.SplitFunc(text, s.err != nil) // has no errors of its own
	// A part that ends where the text so far ends may go on.
	if n > 0 && (n < len(text) || s.err != nil) {
		s.buf = append(s.buf, sentence...)
		if n < len(text) && sentence[n-1] != '\n' {
			s.buf = append(s.buf, '\n')
		}
		s.pos += n
		return true
	}
	if s.err != nil {
		return false
	}
	if len(text) > longestHeld {
		cut := betweenWords(text)
		s.buf = append(s.buf, text[:cut]...)
		s.pos += cut
	}
	s.end = copy(s.in, s.in[s.pos:s.end])
	s.pos = 0
	if s.end == len(s.in) {
		s.in = append(s.in, make([]byte, s.end)...)
	}
	read, err := readSome(s.src, s.in[s.end:])
	s.end += read
	s.err = err
	return true
}

// betweenWords returns the position of the last space behind a letter: the rules of UAX #29 look
// no further back than to that. Without such a space it is the middle of the text.
func betweenWords(text []byte) int {
	for end := len(text); end > 0; {
		at := bytes.LastIndexByte(text[:end], ' ')
		if at <= 0 {
			break
		}
		if r, _ := utf8.DecodeLastRune(text[:at]); unicode.IsLetter(r) {
			return at + 1
		}
		end = at
	}
	return completeRunes(text[:len(text)/2])
}
