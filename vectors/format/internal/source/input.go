// Package source reads the files of a model: a file, a stream, several files side by side, or a folder. It
// trusts the sizes in headers only as far as the file has the bytes. It maps files if the format allows it,
// or reads rows again on use.
package source

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"unsafe"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// An Input is a model being read: a stream that knows its position and, for a plain file, how much is left.
// Allocations are limited to a few times what is left of a file, or what a stream has provided so far.
type Input struct {
	Line   int64  // number of the last line read, for a text
	Path   string // empty for a stream
	Offset int64  // offset of the next byte, after decompression
	// Whole is all bytes of a file that is in memory or mapped; results may alias it. It is nil for others.
	Whole []byte
	// Reopen opens the file at an offset. If it is not nil, rows stay in the file and are read again on use.
	Reopen func(offset int64) (*Input, error)
	// Again opens the file once more at an offset; nil for a stream.
	Again func(offset int64) (*Input, error)
	// Direct is the file for reading single rows although it is mapped; nil for none.
	Direct *os.File
	// Behind is closed with the set; nil for a stream.
	Behind *backing.File

	r    *bufio.Reader
	size int64  // total size, or -1 if unknown
	long []byte // word or line that does not fit into the buffer of r
	// mapWhole sets Whole if possible; nil if there is no file to map.
	mapWhole func(in *Input) error
	// part opens another file of the set: a file of a folder, or a file with this file's name and a suffix.
	// nil for a stream.
	part  func(name string) (*Input, error)
	close func() error
}

const (
	// SniffLen is how many bytes of a file are used to detect its format.
	SniffLen = 64 << 10
	// firstRead is how many bytes are allocated in advance for a stream of unknown size.
	firstRead = 64 << 10
)

// MaxWord is the maximum length of a word in bytes, for reading and writing in every format. It equals the
// maximum length of a corpus's tokens. A missing end mark exceeds it and is detected.
const MaxWord = wordbreak.MaxBytes

// New reads r, which holds size bytes; a negative size is unknown.
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

// View reads a file in memory. Results may alias it.
func View(file []byte) *Input {
	in := New(bytes.NewReader(file), int64(len(file)))
	in.Whole = file
	in.Behind = &backing.File{}
	return in
}

// Beside sets how to open other files of the set, by the suffix after this file's name or by name in a
// folder.
func (in *Input) Beside(part func(name string) (*Input, error)) *Input {
	in.part = part
	return in
}

// Mapped reports whether Whole is set.
func (in *Input) Mapped() bool { return in.Whole != nil }

// Rereads reports whether rows stay in the file: see Reopen.
func (in *Input) Rereads() bool { return in.Reopen != nil }

// Close closes what was opened only for the input.
func (in *Input) Close() error { return in.close() }

// Map sets Whole if the file can be mapped.
func (in *Input) Map() error {
	if in.mapWhole == nil {
		return nil
	}
	return in.mapWhole(in)
}

// Through makes the rest of the input be read through wrap.
func (in *Input) Through(wrap func(io.Reader) io.Reader) {
	in.r = bufio.NewReaderSize(wrap(in.r), in.r.Size())
}

// Read reads the rest of the input, as an io.Reader.
func (in *Input) Read(p []byte) (int, error) {
	n, err := in.r.Read(p)
	in.Offset += int64(n)
	return n, err
}

// Peek returns the next n bytes without consuming them, or fewer with an error.
func (in *Input) Peek(n int) ([]byte, error) { return in.r.Peek(n) }

// Head returns the first bytes of the input without consuming them.
func (in *Input) Head() ([]byte, error) {
	head, err := in.r.Peek(min(SniffLen, in.r.Size()))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head, err
}

// Left returns how many bytes are left, and whether that is known.
func (in *Input) Left() (int64, bool) { return in.size - in.Offset, in.size >= 0 }

// Backed returns n, or less if the rest of the input cannot hold n items of at least size bytes, or if that
// is unknown. It is for allocating in advance.
func (in *Input) Backed(n, size int64) int64 {
	left, known := in.Left()
	if !known {
		left = firstRead
	}
	return max(0, min(n, left/size)) // some files yield more bytes than their size
}

// Fail returns an Error at the current offset.
func (in *Input) Fail(format string, args ...any) error {
	return in.FailAt(in.Offset, format, args...)
}

// FailAt returns an Error at an offset.
func (in *Input) FailAt(offset int64, format string, args ...any) error {
	return &Error{Offset: offset, Err: fmt.Errorf(format, args...)}
}

// FailLine returns an Error at the last line read.
func (in *Input) FailLine(format string, args ...any) error {
	return &Error{Line: max(in.Line, 1), Err: fmt.Errorf(format, args...)}
}

// Full fills b. expected names the data in errors.
func (in *Input) Full(b []byte, expected string) error {
	n, err := io.ReadFull(in.r, b)
	in.Offset += int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF { //nolint:errorlint // a decompressor's own is wrapped and no plain end
		return &Error{Offset: in.Offset, Err: Cut(expected)}
	}
	if err != nil {
		return &Error{Offset: in.Offset, Err: err}
	}
	return nil
}

// Skip skips n bytes.
func (in *Input) Skip(n int64, expected string) error {
	if in.Whole != nil {
		if left := in.size - in.Offset; n > left {
			in.Offset = in.size
			return &Error{Offset: in.Offset, Err: Cut(expected)}
		}
		in.Offset += n
		in.r.Reset(bytes.NewReader(in.Whole[in.Offset:]))
		return nil
	}
	for n > 0 {
		k, err := in.r.Discard(int(min(n, 1<<30)))
		in.Offset += int64(k)
		n -= int64(k)
		if errors.Is(err, io.EOF) {
			return &Error{Offset: in.Offset, Err: Cut(expected)}
		}
		if err != nil {
			return &Error{Offset: in.Offset, Err: err}
		}
	}
	return nil
}

// End returns an error if anything is left.
func (in *Input) End() error {
	switch _, err := in.r.Peek(1); {
	case err == nil:
		if left, known := in.Left(); known {
			return in.Fail("expected the end of the file, found %d bytes more", left)
		}
		return in.Fail("expected the end of the file, found more bytes")
	case !errors.Is(err, io.EOF):
		return &Error{Offset: in.Offset, Err: err}
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

// Rest reads the rest of the input. If the input is compressed or not a file, Rest reads at most most bytes,
// because a few compressed bytes may expand to any size.
func (in *Input) Rest(expected string, most int64) ([]byte, error) {
	if left, known := in.Left(); known {
		return ReadArray[byte](in, nil, left, expected)
	}
	text, err := io.ReadAll(io.LimitReader(in.r, most+1))
	in.Offset += int64(len(text))
	if err != nil {
		return nil, in.Fail("%w", err)
	}
	if int64(len(text)) > most {
		return nil, in.Fail("expected %s of at most %d bytes, found more: if it is right, undo its compression", expected, most)
	}
	return text, nil
}

// ReadArray appends n numbers, little-endian in the file, to dst. expected names them in errors.
func ReadArray[T endian.Number](in *Input, dst []T, n int64, expected string) ([]T, error) {
	size := int64(unsafe.Sizeof(*new(T)))
	known, err := in.holds(n, size, expected)
	if err != nil {
		return nil, err
	}
	for n > 0 {
		part := n
		if !known {
			part = min(n, max(firstRead/size, 3*int64(len(dst))))
		}
		dst = slices.Grow(dst, int(part))
		fresh := dst[len(dst) : len(dst)+int(part)]
		if err := in.Full(endian.Bytes(fresh), expected); err != nil {
			return nil, err
		}
		endian.Swap(fresh)
		dst = dst[:len(dst)+int(part)]
		n -= part
	}
	return dst, nil
}

// Array reads n numbers, in place if the file is in memory.
func Array[T endian.Number](in *Input, n int64, expected string) ([]T, error) {
	if in.Whole == nil {
		return ReadArray[T](in, nil, n, expected)
	}
	size := int64(unsafe.Sizeof(*new(T)))
	if _, err := in.holds(n, size, expected); err != nil {
		return nil, err
	}
	first := in.Offset
	if err := in.Skip(n*size, expected); err != nil {
		return nil, err
	}
	return endian.Numbers[T](in.Whole[first:in.Offset]), nil
}

// holds returns an error if n numbers of that size do not fit into memory or exceed the rest of the input.
// known reports whether the rest's size is known.
func (in *Input) holds(n, size int64, expected string) (known bool, err error) {
	if n > endian.MaxBytes/size {
		return false, in.Fail("expected %s of %d numbers, more than fits into memory", expected, n)
	}
	left, known := in.Left()
	if known && n*size > left {
		return true, in.Fail("expected %s of %d bytes, but %d are left: %w", expected, n*size, left, io.ErrUnexpectedEOF)
	}
	return known, nil
}

// An Error says where a file violates its format, in one line.
type Error struct {
	Path   string // path of the file; empty for a stream without a name
	Line   int64  // line of a text, from 1; 0 for a binary file
	Offset int64  // offset in a binary file, from 0, after decompression
	Err    error  // what was expected and what was found
}

// Error returns "path: line 3: …" or "path: byte 16: …".
func (e *Error) Error() string {
	where := fmt.Sprintf("byte %d", e.Offset)
	if e.Line > 0 {
		where = fmt.Sprintf("line %d", e.Line)
	}
	if e.Path != "" {
		where = e.Path + ": " + where
	}
	return fmt.Sprintf("%s: %v", where, e.Err)
}

// Unwrap returns Err. For a truncated file it is an io.ErrUnexpectedEOF.
func (e *Error) Unwrap() error { return e.Err }

// WithPath adds the path of the file to err, unless err contains it.
func WithPath(path string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Path == "" {
			e.Path = path
		}
		return err
	}
	if _, ok := errors.AsType[*backing.ChangedError](err); ok {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Within adds what was being read to an Error.
func Within(err error, format string, args ...any) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), e.Err)
	}
	return err
}

// Cut returns the error for a truncated file.
func Cut(expected string) error {
	return fmt.Errorf("expected %s, but the file ends: %w", expected, io.ErrUnexpectedEOF)
}

// Word returns the bytes up to delim, and skips delim. They are valid until the next read.
func (in *Input) Word(delim byte) ([]byte, error) {
	start := in.Offset
	word, err := in.upTo(delim, MaxWord)
	if err == nil {
		word = word[:len(word)-1]
	}
	switch {
	case len(word) > MaxWord:
		return nil, in.FailAt(start, "expected a word of at most %d bytes that ends with a byte %#02x", MaxWord, delim)
	case err == io.EOF: //nolint:errorlint // a decompressor's own is wrapped and no plain end
		return nil, &Error{Offset: in.Offset, Err: Cut(fmt.Sprintf("a word that ends with a byte %#02x", delim))}
	case err != nil:
		return nil, &Error{Offset: in.Offset, Err: err}
	}
	return word, nil
}

// upTo returns the bytes up to and including delim. If there is no delim within longest bytes, it returns the
// bytes so far and an error.
func (in *Input) upTo(delim byte, longest int) ([]byte, error) {
	in.long = in.long[:0]
	for {
		part, err := in.r.ReadSlice(delim)
		in.Offset += int64(len(part))
		full := errors.Is(err, bufio.ErrBufferFull)
		if full || len(in.long) > 0 {
			in.long = append(in.long, part...)
			part = in.long
		}
		if !full || len(in.long) > longest {
			return part, err
		}
	}
}

// Text returns the next line without its newline, which the last line may lack. The line is valid until the
// next read. The error at the end is io.EOF. A byte order mark at the beginning does not count. Text that is
// not UTF-8 or has other line endings is an error.
func (in *Input) Text(longest int) ([]byte, error) {
	if in.Line > 0 {
		return in.line(longest)
	}
	head, _ := in.Head()
	if err := plaintext.Check(head); err != nil {
		in.Line++
		return nil, in.FailLine("%w", err)
	}
	line, err := in.line(longest)
	return bytes.TrimPrefix(line, []byte("\ufeff")), err
}

// line is Text for any encoding.
func (in *Input) line(longest int) ([]byte, error) {
	in.Line++
	line, err := in.upTo('\n', longest)
	switch {
	case errors.Is(err, bufio.ErrBufferFull) || len(line)-1 > longest:
		return nil, in.FailLine("expected a line of at most %d bytes, found more", longest)
	case err != nil && err != io.EOF: //nolint:errorlint // a decompressor's own is wrapped and no plain end
		return nil, in.FailLine("%w", err)
	case len(line) == 0:
		return nil, io.EOF
	case err == nil:
		line = line[:len(line)-1]
	}
	return line, nil
}
