package corpus

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// characters reads a text and returns its characters, each followed by a space, and its newlines.
// A character is a grapheme cluster of UAX #29: a letter with its marks is one. White space and
// control characters are left out, with the marks on them. The reader holds little more than
// MaxToken bytes of a character, and passes on a longer one in parts.
type characters struct {
	src      io.Reader
	in       []byte
	pos, end int // the part of in that has not been passed on
	err      error
	within   bool // a part of the character at pos was passed on, or left out, already
	skipped  bool // it was left out

	out []byte
	buf []byte
}

func newCharacters(src io.Reader, size int) *characters {
	return &characters{src: src, in: make([]byte, max(size, 4*utf8.UTFMax))}
}

func (c *characters) Read(p []byte) (int, error) {
	if len(c.out) == 0 {
		c.buf = c.buf[:0]
		for len(c.buf) < len(p) && c.next() {
		}
		if c.out = c.buf; len(c.out) == 0 {
			return 0, c.err
		}
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

// next passes on the next character or a part of it, or reads more. It returns false at the end.
func (c *characters) next() bool {
	text := c.in[c.pos:c.end]
	n, cluster, _ := graphemes.SplitFunc(text, c.err != nil) // has no errors of its own
	switch {
	case n > 0:
		c.pass(cluster, true)
		c.pos += n
		return true
	case c.err != nil:
		return false
	case len(text) > MaxToken: // all but its last two characters, on which it depends where it ends
		_, last := utf8.DecodeLastRune(text)
		_, before := utf8.DecodeLastRune(text[:len(text)-last])
		c.pass(text[:len(text)-last-before], false)
		c.pos += len(text) - last - before
	}
	c.fill()
	return true
}

// pass passes on a character, or a part that is not its end.
func (c *characters) pass(part []byte, whole bool) {
	if !c.within {
		if bytes.IndexByte(part, '\n') >= 0 {
			c.buf = append(c.buf, '\n')
			return
		}
		r, _ := utf8.DecodeRune(part)
		c.skipped = unicode.IsSpace(r) || unicode.IsControl(r)
	}
	if !c.skipped {
		c.buf = append(c.buf, part...)
		if whole {
			c.buf = append(c.buf, ' ')
		}
	}
	c.within = !whole
}

// fill reads more of the source.
func (c *characters) fill() {
	c.end = copy(c.in, c.in[c.pos:c.end])
	c.pos = 0
	if c.end == len(c.in) {
		c.in = append(c.in, make([]byte, c.end)...)
	}
	n, err := readSome(c.src, c.in[c.end:])
	c.end += n
	c.err = err
}

// readSome reads at least one byte, or returns an error.
func readSome(src io.Reader, into []byte) (int, error) {
	for range 100 {
		if n, err := src.Read(into); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
