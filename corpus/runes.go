package corpus

import (
	"io"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// A runeReader reads a text and replaces each of its characters. Bytes that are not UTF-8 stay as
// they are.
type runeReader struct {
	src  io.Reader
	to   func(dst []byte, r rune) []byte
	in   []byte
	kept int // bytes at the front of in that start an unfinished code point
	out  []byte
	buf  []byte
	err  error
}

// newRuneReader returns a reader of a text whose characters are replaced.
func newRuneReader(src io.Reader, size int, to func(dst []byte, r rune) []byte) *runeReader {
	return &runeReader{src: src, in: make([]byte, max(size, utf8.UTFMax)), to: to}
}

func (f *runeReader) Read(p []byte) (int, error) {
	for len(f.out) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		n, err := f.src.Read(f.in[f.kept:])
		f.err = err
		text := f.in[:f.kept+n]
		end := len(text)
		if err == nil {
			end = completeRunes(text)
		}
		f.buf = appendMapped(f.buf[:0], text[:end], f.to)
		f.kept = copy(f.in, text[end:])
		f.out = f.buf
	}
	n := copy(p, f.out)
	f.out = f.out[n:]
	return n, nil
}

// completeRunes returns how many bytes of text are whole characters, or no UTF-8 whatever follows.
func completeRunes(text []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}

// appendMapped appends a text with its characters replaced. Bytes that are not UTF-8 stay.
func appendMapped(dst, text []byte, to func(dst []byte, r rune) []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, text[0])
		} else {
			dst = to(dst, r)
		}
		text = text[size:]
	}
	return dst
}

func appendRune(dst []byte, r rune) []byte { return utf8.AppendRune(dst, r) }

// lowered appends a character in lower case.
func lowered(dst []byte, r rune) []byte { return utf8.AppendRune(dst, wordbreak.Lower(r)) }
