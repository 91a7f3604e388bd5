// Package source reads the files that a model is in: a file, a stream, or several files
// beside each other or in a folder. What a header claims is believed only as far as the
// bytes that are there. Files are mapped where their format allows it, or read again when
// rows are asked for.
package source

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/w2v-go/w2v/internal/wordlimit"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// An Input is a model being read: a stream that knows where it is and, of a
// plain file, how much is left. Nothing allocates more than a few times of what
// is left of a file, or of what a stream has given so far.
type Input struct {
	// Line is the number of the last line read, of a text.
	Line int64

	path   string // empty for a stream
	r      *bufio.Reader
	offset int64 // of the next byte
	size   int64 // of everything, or -1 where that is not known
	long   []byte
	whole  []byte // everything, where that is in memory and may be aliased

	// mapWhole sets whole if it can; nil where there is no file to map.
	mapWhole func(in *Input) error
	// reopen returns the same file at a byte of it. If it is there, rows are left
	// in the file and read again when they are asked for.
	reopen func(offset int64) (*Input, error)
	// again opens the same file once more, at a byte of it, if it is a file.
	again func(offset int64) (*Input, error)
	// direct is the file for rows to be read from one by one though it is mapped.
	direct *os.File
	// part opens another file of the set: one of a folder, or one whose name is
	// that of this file and something after it. nil for a stream.
	part   func(name string) (*Input, error)
	behind *backing.File // what closes with the set; nil for a stream
	close  func() error
}

const (
	// SniffLen is how much of a file is looked at to tell its format.
	SniffLen = 64 << 10
	// firstRead is how many bytes are believed of a stream that has given none.
	firstRead = 64 << 10
)

// MaxWord is the length in bytes of the longest word that is read or written, in every
// format: that of the longest token of a corpus. A missing end mark is found out by it.
const MaxWord = wordlimit.Bytes

// New reads r, which holds size bytes or, if size is negative, who knows.
func New(r io.Reader, size int64) *Input {
	buffer := int64(2 * SniffLen)
	if size >= 0 {
		buffer = min(buffer, size+1)
	}
	return &Input{
		r:     bufio.NewReaderSize(r, int(buffer)),
		size:  size,
		close: func() error { return nil },
	}
}

// View reads a file that is in memory and that what is read may alias.
func View(file []byte) *Input {
	in := New(bytes.NewReader(file), int64(len(file)))
	in.whole = file
	in.behind = &backing.File{}
	return in
}

// In says what file an input is, and what closes with the set.
func (in *Input) In(path string, behind *backing.File) *Input {
	in.path, in.behind = path, behind
	return in
}

// Beside says how to open what stands beside the file, by what comes after its name.
func (in *Input) Beside(part func(suffix string) (*Input, error)) *Input {
	in.part = part
	return in
}

// Folder returns the input of a folder, whose files part opens.
func Folder(part func(name string) (*Input, error)) *Input { return &Input{part: part} }

// Path returns the name of the file, empty for a stream.
func (in *Input) Path() string { return in.path }

// Offset returns the number of the next byte, after decompression.
func (in *Input) Offset() int64 { return in.offset }

// Whole returns all bytes of an input that is in memory or mapped, and may be aliased; nil
// for one that is not.
func (in *Input) Whole() []byte { return in.whole }

// Mapped tells whether Whole is there.
func (in *Input) Mapped() bool { return in.whole != nil }

// Rereads tells whether rows are to be left in the file and read again, see Reopen, when
// they are asked for.
func (in *Input) Rereads() bool { return in.reopen != nil }

// Reopen returns a function that opens the file at a byte of it, if Rereads.
func (in *Input) Reopen() func(offset int64) (*Input, error) { return in.reopen }

// Again returns a function that opens the same file once more at a byte of it; nil for a
// stream.
func (in *Input) Again() func(offset int64) (*Input, error) { return in.again }

// Direct returns the file for rows to be read from one by one though it is mapped; nil for
// none.
func (in *Input) Direct() *os.File { return in.direct }

// Behind is what closes with the set; nil for a stream.
func (in *Input) Behind() *backing.File { return in.behind }

// Close closes what was opened for the input alone.
func (in *Input) Close() error { return in.close() }

// Map makes the bytes of the file available as Whole if the file can be mapped.
func (in *Input) Map() error {
	if in.mapWhole == nil {
		return nil
	}
	return in.mapWhole(in)
}

// Through has what is left read through wrap.
func (in *Input) Through(wrap func(io.Reader) io.Reader) {
	in.r = bufio.NewReaderSize(wrap(in.r), in.r.Size())
}

// Read reads what is left, as an io.Reader does.
func (in *Input) Read(p []byte) (int, error) {
	n, err := in.r.Read(p)
	in.offset += int64(n)
	return n, err
}

// Peek returns the next n bytes without reading them, fewer with an error.
func (in *Input) Peek(n int) ([]byte, error) { return in.r.Peek(n) }

// Head returns the first bytes of the input without reading them.
func (in *Input) Head() ([]byte, error) {
	head, err := in.r.Peek(min(SniffLen, in.r.Size()))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head, err
}

// Left returns how many bytes are left, and whether that is known.
func (in *Input) Left() (int64, bool) { return in.size - in.offset, in.size >= 0 }

// Backed returns n, or less if so many items of at least size bytes are not
// there or cannot be known to be there. It is for making room beforehand.
func (in *Input) Backed(n, size int64) int64 {
	left, known := in.Left()
	if !known {
		left = firstRead
	}
	return max(0, min(n, left/size)) // some files give more bytes than their size
}

// Fail returns an Error at the present offset.
func (in *Input) Fail(format string, args ...any) error {
	return in.FailAt(in.offset, format, args...)
}

// FailAt returns an Error at an offset.
func (in *Input) FailAt(offset int64, format string, args ...any) error {
	return &Error{Offset: offset, Err: fmt.Errorf(format, args...)}
}

// FailLine returns an Error at the last line read.
func (in *Input) FailLine(format string, args ...any) error {
	return &Error{Line: max(in.Line, 1), Err: fmt.Errorf(format, args...)}
}

// Full fills b. expected names what it is, for the error.
func (in *Input) Full(b []byte, expected string) error {
	n, err := io.ReadFull(in.r, b)
	in.offset += int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF { //nolint:errorlint // a decompressor's own is wrapped and no plain end
		return &Error{Offset: in.offset, Err: Cut(expected)}
	}
	if err != nil {
		return &Error{Offset: in.offset, Err: err}
	}
	return nil
}

// Skip passes over n bytes.
func (in *Input) Skip(n int64, expected string) error {
	if in.whole != nil {
		if left := in.size - in.offset; n > left {
			in.offset = in.size
			return &Error{Offset: in.offset, Err: Cut(expected)}
		}
		in.offset += n
		in.r.Reset(bytes.NewReader(in.whole[in.offset:]))
		return nil
	}
	for n > 0 {
		k, err := in.r.Discard(int(min(n, 1<<30)))
		in.offset += int64(k)
		n -= int64(k)
		if errors.Is(err, io.EOF) {
			return &Error{Offset: in.offset, Err: Cut(expected)}
		}
		if err != nil {
			return &Error{Offset: in.offset, Err: err}
		}
	}
	return nil
}

// End is an error if anything is left.
func (in *Input) End() error {
	switch _, err := in.r.Peek(1); {
	case err == nil:
		if left, known := in.Left(); known {
			return in.Fail("expected the end of the file, found %d bytes more", left)
		}
		return in.Fail("expected the end of the file, found more bytes")
	case !errors.Is(err, io.EOF):
		return &Error{Offset: in.offset, Err: err}
	}
	return nil
}

// Decode fills a struct of numbers.
func (in *Input) Decode(to any, expected string) error {
	b := make([]byte, binary.Size(to))
	if err := in.Full(b, expected); err != nil {
		return err
	}
	_, err := binary.Decode(b, binary.LittleEndian, to)
	return err
}

// Rest reads everything that is left. Of what was compressed, or is no file, it takes so
// many bytes at most: a few bytes there may stand for any number of these.
func (in *Input) Rest(expected string, most int64) ([]byte, error) {
	if left, known := in.Left(); known {
		return ReadArray[byte](in, nil, left, expected)
	}
	text, err := io.ReadAll(io.LimitReader(in.r, most+1))
	in.offset += int64(len(text))
	if err != nil {
		return nil, in.Fail("%w", err)
	}
	if int64(len(text)) > most {
		return nil, in.Fail("expected %s of at most %d bytes, found more: if it is right, undo its compression", expected, most)
	}
	return text, nil
}
