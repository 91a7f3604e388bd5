package corpus

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"unicode/utf8"
)

// A Reader reads the tokens of a shard. Tokens are separated by the bytes that fastText
// separates them by: space, \n, \r, \t, \v, \f and \0. A newline ends a sentence. All other
// bytes belong to tokens, whether they are valid UTF-8 or not.
type Reader struct {
	name    string
	src     io.Reader
	closers []io.Closer
	buf     []byte // with blockSize unused bytes at the end, so that a whole block can be read anywhere
	pos     int    // next unread byte of buf
	end     int    // end of the bytes that have been read into buf
	eof     bool
	// inside says that a line began before the first byte of buf. Shards begin with lines.
	inside bool

	lines   uint64        // newlines read
	tokens  *tokenReader  // of a shard of sentences; else nil
	staged  *stagedReader // of a shard with a stage; else nil
	records *recordReader // of a shard of records; else nil
	dropped uint64        // bytes of the token at pos that have been dropped from buf
	head    string        // the first bytes of that token, if some were dropped
	counted *counted

	// lineOf returns in which line of the input a line of the text stands. Nil means that the text
	// is the input.
	lineOf func(line uint64) uint64
	// unpacked says that the text comes from a compressed input, in which the line is all that is
	// known of a place.
	unpacked bool

	// The reader looks for separators in a block of buf at a time.
	block int    // where the block begins
	next  int    // where the next one begins
	low   uint64 // a bit for every byte of the block that may be a separator and has not been examined
}

// errNoReader is returned by a reader that Shard.Open did not make.
var errNoReader = errors.New("corpus: the reader reads nothing: Shard.Open makes one")

// bufferSize is the number of bytes that a reader takes from its source at a time.
const bufferSize = 1 << 18

// blockSize is the number of bytes in a block: one for each bit of a uint64.
const blockSize = 64

// bufferFor returns the size of a buffer for a text of so many bytes, or of any number below 0. A corpus
// may be 100,000 files of a few bytes.
func bufferFor(length int64) int {
	if length < 0 || length >= bufferSize {
		return bufferSize
	}
	return int(length) + utf8.UTFMax
}

// newReader returns a reader with buffers of the given size.
func newReader(size int, name string, src io.Reader, options Options, closers ...io.Closer) *Reader {
	src = options.text(src, size)
	if options.File != nil {
		return newFileReader(size, name, src, options, closers...)
	}
	return &Reader{name: name, src: src, closers: closers, buf: make([]byte, size+blockSize), counted: new(counted)}
}

// separators has a bit set for every byte that ends a token.
const separators uint64 = 1<<' ' | 1<<'\n' | 1<<'\r' | 1<<'\t' | 1<<'\v' | 1<<'\f' | 1<<0

// Next returns the next token, which stays valid until the next call. An empty token marks
// the end of a sentence. io.EOF marks the end of the shard, and of its last sentence. Other
// errors name the input.
func (r *Reader) Next() ([]byte, error) {
	if r == nil {
		return nil, errNoReader
	}
	for {
		for r.low != 0 {
			at, start := r.block+bits.TrailingZeros64(r.low), r.pos
			switch c := r.buf[at]; {
			case c == ' ': // most of them
			case separators>>c&1 == 0:
				r.low &= r.low - 1
				continue
			case c == '\n' && at > start:
				r.pos = at // the newline is the next to be read
				if at-start > MaxToken {
					r.leaveOut(start, at)
					continue
				}
				if token := r.unmarked(start, at); len(token) > 0 {
					return token, nil
				}
				continue
			case c == '\n':
				r.low &= r.low - 1
				r.pos = at + 1
				r.lines++
				return nil, nil
			}
			r.low &= r.low - 1
			r.pos = at + 1
			if at > start {
				if at-start > MaxToken {
					r.leaveOut(start, at)
					continue
				}
				if token := r.unmarked(start, at); len(token) > 0 {
					return token, nil
				}
			}
		}
		if r.next == r.end {
			switch {
			case r.tokens != nil:
				return r.nextToken()
			case r.records != nil:
				return r.nextOfRecords()
			case r.staged != nil:
				return r.staged.read()
			}
			if err := r.fill(); err != nil {
				return nil, err
			}
		}
		n := min(blockSize, r.end-r.next)
		r.block, r.next = r.next, r.next+n
		r.low = lowBytes((*[blockSize]byte)(r.buf[r.block:])) & (1<<n - 1)
	}
}

// unmarked returns a token without the byte order marks at the beginning of its line, which stay where
// files are joined: two of them, if one of the files is empty.
func (r *Reader) unmarked(start, at int) []byte {
	token := r.buf[start:at]
	if token[0] == byteOrderMark[0] && (start > 0 && r.buf[start-1] == '\n' || start == 0 && !r.inside) {
		return bytes.TrimLeft(token, byteOrderMark)
	}
	return token
}

// lowBytes returns a word with a bit set for every byte of a block that is not above the
// space, which is the largest separator. In text, hardly any other byte is as low.
func lowBytes(block *[blockSize]byte) uint64 {
	const each = 0x0101010101010101 // 1 in every byte
	var low uint64
	for i := 0; i < blockSize; i += 8 {
		x := binary.LittleEndian.Uint64(block[i:])
		// If a byte is above the space, its highest bit is set in x or in the sum. The
		// sum carries nothing over to the next byte.
		high := (x | (x&(0x7f*each) + (0x7f-' ')*each)) & (0x80 * each)
		// The product collects these bits of the 8 bytes in its highest byte.
		low |= (high ^ 0x80*each) >> 7 * 0x0102040810204080 >> 56 << i
	}
	return low
}

// fill moves the unfinished token to the front of buf and reads more bytes after it.
func (r *Reader) fill() error {
	if r.src == nil {
		return errNoReader
	}
	if r.eof {
		r.counted.lines = r.lines
		return io.EOF
	}
	r.shorten()
	if r.pos > 0 {
		r.inside = r.buf[r.pos-1] != '\n'
	}
	r.end = copy(r.buf, r.buf[r.pos:r.end])
	r.pos, r.next = 0, r.end
	if r.end == len(r.buf)-blockSize {
		r.buf = append(r.buf, make([]byte, r.end)...)
	}
	for {
		n, err := r.src.Read(r.buf[r.end : len(r.buf)-blockSize])
		if !r.counted.some {
			r.counted.some = bytes.ContainsFunc(r.buf[r.end:r.end+n], func(c rune) bool { return c > ' ' })
		}
		r.end += n
		switch {
		case errors.Is(err, io.EOF):
			r.eof = true
			r.buf[r.end] = ' ' // ends the last token
			r.end++
			return nil
		case err != nil:
			if r.unpacked {
				ahead := bytes.Count(r.buf[r.pos:r.end], []byte("\n"))
				err = inLine(r.lineAt(r.lines+uint64(ahead)+1), err)
			}
			return named(r.name, err)
		case n > 0:
			return nil
		}
	}
}

// lineAt returns in which line of the input a line of the text stands.
func (r *Reader) lineAt(line uint64) uint64 {
	if r.lineOf != nil {
		return r.lineOf(line)
	}
	return line
}

// inLine adds to an error of reading the line that could not be read.
func inLine(line uint64, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// Close closes the reader's input.
func (r *Reader) Close() error {
	if r == nil {
		return errNoReader
	}
	var errs []error
	for _, c := range r.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
