package compression

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// xzStreams reads concatenated xz streams, and padding between and behind them, as one. It looks
// for the next stream itself, because the library takes the end of its source within a stream,
// between two blocks, for the end of the content.
type xzStreams struct {
	src    *bufio.Reader
	from   endless    // src, for the library
	stream *xz.Reader // nil between two streams
}

func newXZ(src *bufio.Reader) (*xzStreams, error) {
	x := &xzStreams{src: src, from: endless{Reader: src}}
	return x, x.next()
}

// next begins a stream, of which at least a byte is there, if it asks for a sensible amount of
// memory.
func (x *xzStreams) next() error {
	head, err := x.src.Peek(xz.HeaderLen + maxBlockHeader)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if size := xzDictionary(head); size > maxWindow {
		return fmt.Errorf("%w: it asks for a dictionary of %d MB, and up to %d MB are allowed", errMemory, size>>20, maxWindow>>20)
	}
	// The library takes the larger one of this dictionary and of what the stream asks for.
	x.stream, err = xz.ReaderConfig{DictCap: lzma.MinDictCap, SingleStream: true}.NewReader(&x.from)
	return err
}

func (x *xzStreams) Read(p []byte) (int, error) {
	for {
		if x.stream == nil {
			if err := x.skipPadding(); err != nil {
				return 0, err
			}
			if err := x.next(); err != nil {
				return 0, err
			}
		}
		n, err := x.stream.Read(p)
		if err != nil && err.Error() == endOfStream {
			if x.stream, err = nil, nil; !x.from.ended {
				err = x.src.UnreadByte() // by which the library has seen that there is more
			}
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// endOfStream is the error of the library behind a stream, which it does not export. The source
// never ends for it, so that there is always more than it expects.
const endOfStream = "xz: unexpected data after stream"

// endless is a source whose end is an error.
type endless struct {
	*bufio.Reader
	ended bool
}

func (e *endless) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	return n, e.check(err)
}

func (e *endless) ReadByte() (byte, error) {
	b, err := e.Reader.ReadByte()
	return b, e.check(err)
}

func (e *endless) check(err error) error {
	if errors.Is(err, io.EOF) {
		e.ended = true
		return io.ErrUnexpectedEOF
	}
	return err
}

func (x *xzStreams) skipPadding() error {
	for {
		word, err := x.src.Peek(4)
		if err != nil && len(word) > 0 && errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		if err != nil || string(word) != "\x00\x00\x00\x00" {
			return err
		}
		if _, err := x.src.Discard(4); err != nil {
			return err
		}
	}
}

// errMemory says that a stream would take too much memory.
var errMemory = errors.New("compress it again with less memory")

// maxBlockHeader is the largest size of the header of an xz block in bytes.
const maxBlockHeader = 1024

// xzDictionary returns the size in bytes of the dictionary that the first block of an xz stream
// asks for, or 0 if the header is not one that the reader can use.
func xzDictionary(head []byte) uint64 {
	if len(head) < xz.HeaderLen+2 || head[xz.HeaderLen] == 0 {
		return 0 // there is no block
	}
	flags, rest := head[xz.HeaderLen+1], head[xz.HeaderLen+2:]
	sizes := 0 // of the block, each a number of bytes whose last one is below 0x80
	for _, flag := range []byte{0x40, 0x80} {
		if flags&flag != 0 {
			sizes++
		}
	}
	for ; sizes > 0 && len(rest) > 0; rest = rest[1:] {
		if rest[0] < 0x80 {
			sizes--
		}
	}
	const lzma2, properties = 0x21, 1
	if len(rest) < 3 || rest[0] != lzma2 || rest[1] != properties || rest[2] > 40 {
		return 0
	}
	code := rest[2]
	return uint64(2|code&1) << (code/2 + 11)
}
