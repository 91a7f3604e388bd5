package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/w2v-go/w2v/internal/plaintext"
)

// A piece is what stands between two separators.
type piece struct {
	text string
	line int   // in which it ends, from 1
	size int64 // bytes that it has
	last bool  // the next one is not at hand: it has to be waited for, or there is none
}

// whole tells whether text is all of the piece, which was not longer than was asked for.
func (p piece) whole() bool { return p.size == int64(len(p.text)) }

// pieces yields the pieces of r, empty ones too, but for an empty one at the end. Of one
// with more than most bytes there is only its beginning, and no more is held in memory. A
// byte order mark at the beginning does not count. A read error ends them and is left in err.
func pieces(r io.Reader, separators string, most int, err *error) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		in := bufio.NewReaderSize(plaintext.NewReader(r), 64<<10)
		first := true
		var text []byte
		p := piece{line: 1}
		for {
			c, readErr := in.ReadByte()
			if readErr != nil && !errors.Is(readErr, io.EOF) {
				*err = readErr
				return
			}
			if readErr == nil && strings.IndexByte(separators, c) < 0 {
				if p.size++; len(text) < most {
					text = append(text, c)
				}
				continue
			}
			if mark := "\ufeff"; first && strings.HasPrefix(string(text), mark) { // with which some editors begin a text
				text = text[len(mark):]
				p.size -= int64(len(mark))
			}
			first = false
			if p.size > 0 || readErr == nil {
				p.text = string(text)
				read, _ := in.Peek(in.Buffered())
				p.last = !bytes.ContainsAny(read, separators)
				if !yield(p) {
					return
				}
			}
			if readErr != nil {
				return
			}
			if c == '\n' {
				p.line++
			}
			text, p.size = text[:0], 0
		}
	}
}
