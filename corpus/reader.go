package corpus

import (
	"errors"
	"io"
)

// A Reader reads the tokens of a shard. Tokens are what stands between
// fastText's separators: space, \n, \r, \t, \v, \f and \0. A newline ends a
// sentence. Every other byte is passed through, valid UTF-8 or not.
type Reader struct {
	name    string
	src     io.Reader
	closers []io.Closer
	buf     []byte
	pos     int // next unread byte of buf
	end     int // end of what buf holds
	eof     bool
}

// bufferSize is what a reader takes from its source at a time. A token longer
// than that makes the buffer grow.
const bufferSize = 1 << 18

func newReader(name string, src io.Reader, options Options, closers ...io.Closer) *Reader {
	if options.Tokenizer == Unicode {
		src = newUnicodeWords(src)
	}
	if options.Lowercase {
		src = newLowercase(src)
	}
	return &Reader{name: name, src: src, closers: closers, buf: make([]byte, bufferSize)}
}

// separator is true for the bytes that end a token.
var separator = [256]bool{' ': true, '\n': true, '\r': true, '\t': true, '\v': true, '\f': true, 0: true}

// Next returns the next token, which is valid until the next call. An empty
// token ends a sentence; io.EOF ends the shard, and with it the sentence. Other
// errors name the input.
func (r *Reader) Next() ([]byte, error) {
	for {
		buf, pos := r.buf[:r.end], r.pos
		for pos < len(buf) && separator[buf[pos]] {
			pos++
			if buf[pos-1] == '\n' {
				r.pos = pos
				return nil, nil
			}
		}
		start := pos
		for pos < len(buf) && !separator[buf[pos]] {
			pos++
		}
		if pos < len(buf) || (r.eof && pos > start) {
			r.pos = pos
			return buf[start:pos], nil
		}
		if r.eof {
			return nil, io.EOF
		}
		if err := r.fill(start); err != nil {
			return nil, err
		}
	}
}

// fill moves the unfinished token at start to the front and reads on behind it.
func (r *Reader) fill(start int) error {
	r.end = copy(r.buf, r.buf[start:r.end])
	r.pos = 0
	if r.end == len(r.buf) {
		r.buf = append(r.buf, make([]byte, len(r.buf))...)
	}
	for {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		switch {
		case errors.Is(err, io.EOF):
			r.eof = true
			return nil
		case err != nil:
			return named(r.name, err)
		case n > 0:
			return nil
		}
	}
}

// Close closes what the reader reads from.
func (r *Reader) Close() error {
	var errs []error
	for _, c := range r.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
