// Package source reads the files of a model: a file, a stream, several files side by side, or a folder. It
// trusts the sizes in headers only as far as the file has the bytes. It maps files if the format allows it,
// or reads rows again on use.
//
// What reads a format describes a valid file. Reading ends where a file differs: the methods of Input, Check
// and Must panic with the error, which Try returns, as in package encoding/json.
package source

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
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
	// At is a plain file, for reading any part of it; nil for others.
	At io.ReaderAt
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

// Beside sets how to open other files of the set, by the suffix after this file's name or by name in a folder.
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

type failure struct{ error }

// Try calls read, and returns the error that ended it.
func Try(read func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p.error
		default:
			panic(p)
		}
	}()
	read()
	return nil
}

// Check ends reading with err, unless err is nil.
func Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Must returns v, or ends reading with err.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Within, deferred, adds what was being read to the Error that ends reading.
func Within(what func() string) {
	switch p := recover().(type) {
	case nil:
	case failure:
		if e, ok := errors.AsType[*Error](p.error); ok {
			e.Err = fmt.Errorf("%s: %w", what(), e.Err)
		}
		panic(p)
	default:
		panic(p)
	}
}

// Fail ends reading with an Error at the current offset.
func (in *Input) Fail(format string, args ...any) { in.FailAt(in.Offset, format, args...) }

// FailAt ends reading with an Error at an offset.
func (in *Input) FailAt(offset int64, format string, args ...any) {
	Check(&Error{Offset: offset, Err: fmt.Errorf(format, args...)})
}

// CheckAt ends reading with an Error at an offset, unless err is nil.
func (in *Input) CheckAt(offset int64, err error) {
	if err != nil {
		in.FailAt(offset, "%w", err)
	}
}

// FailLine ends reading with an Error at the last line read.
func (in *Input) FailLine(format string, args ...any) {
	Check(&Error{Line: max(in.Line, 1), Err: fmt.Errorf(format, args...)})
}

// check ends reading if an error has happened at the current offset. expected names what the file lacks.
func (in *Input) check(err error, expected string) {
	switch err {
	case nil:
	case io.EOF, io.ErrUnexpectedEOF: // a decompressor's own is wrapped
		in.Fail("%w", Cut(expected))
	default:
		in.Fail("%w", err)
	}
}

// Full fills b. expected names the data in errors.
func (in *Input) Full(b []byte, expected string) {
	n, err := io.ReadFull(in.r, b)
	in.Offset += int64(n)
	in.check(err, expected)
}

// Skip skips n bytes.
func (in *Input) Skip(n int64, expected string) {
	if in.Whole != nil {
		k := min(n, in.size-in.Offset)
		in.Offset += k
		in.r.Reset(bytes.NewReader(in.Whole[in.Offset:]))
		if k < n {
			in.Fail("%w", Cut(expected))
		}
		return
	}
	for n > 0 {
		k, err := in.r.Discard(int(min(n, 1<<30)))
		in.Offset += int64(k)
		n -= int64(k)
		in.check(err, expected)
	}
}

// End ends reading with an error if anything is left.
func (in *Input) End() {
	_, err := in.r.Peek(1)
	left, known := in.Left()
	switch {
	case err == nil && known:
		in.Fail("expected the end of the file, found %d bytes more", left)
	case err == nil:
		in.Fail("expected the end of the file, found more bytes")
	case !errors.Is(err, io.EOF):
		in.Fail("%w", err)
	}
}

// Decode fills a struct of numbers.
func (in *Input) Decode(to any, expected string) {
	b := make([]byte, binary.Size(to))
	in.Full(b, expected)
	Must(binary.Decode(b, binary.LittleEndian, to))
}

// Rest reads the rest of the input, in place if the file is in memory. A larger rest than most bytes is an
// error if the input is compressed or not a file, because a few compressed bytes may expand to any size.
func (in *Input) Rest(expected string, most int64) []byte {
	if left, known := in.Left(); known {
		return Array[byte](in, left, expected)
	}
	text, err := io.ReadAll(io.LimitReader(in.r, most+1))
	in.Offset += int64(len(text))
	in.check(err, expected)
	if int64(len(text)) > most {
		in.Fail("expected %s of at most %d bytes, found more: if it is right, undo its compression", expected, most)
	}
	return text
}

// ReadArray appends n numbers, little-endian in the file, to dst. expected names them in errors.
func ReadArray[T endian.Number](in *Input, dst []T, n int64, expected string) []T {
	size := int64(unsafe.Sizeof(*new(T)))
	known := in.holds(n, size, expected)
	for n > 0 {
		part := n
		if !known {
			part = min(n, max(firstRead/size, 3*int64(len(dst))))
		}
		dst = slices.Grow(dst, int(part))
		fresh := dst[len(dst) : len(dst)+int(part)]
		in.Full(endian.Bytes(fresh), expected)
		endian.Swap(fresh)
		dst = dst[:len(dst)+int(part)]
		n -= part
	}
	return dst
}

// Array reads n numbers, in place if the file is in memory.
func Array[T endian.Number](in *Input, n int64, expected string) []T {
	if in.Whole == nil {
		return ReadArray[T](in, nil, n, expected)
	}
	size := int64(unsafe.Sizeof(*new(T)))
	in.holds(n, size, expected)
	first := in.Offset
	in.Skip(n*size, expected)
	return endian.Numbers[T](in.Whole[first:in.Offset])
}

// holds ends reading if n numbers of that size do not fit into memory or exceed the rest of the input. known
// reports whether the rest's size is known.
func (in *Input) holds(n, size int64, expected string) (known bool) {
	if n > endian.MaxBytes/size {
		in.Fail("expected %s of %d numbers, more than fits into memory", expected, n)
	}
	left, known := in.Left()
	if known && n*size > left {
		in.Fail("expected %s of %d bytes, but %d are left: %w", expected, n*size, left, io.ErrUnexpectedEOF)
	}
	return known
}

// An Error says where a file violates its format, in one line.
type Error struct {
	Path   string // path of the file; empty for a stream without a name
	Line   int64  // line of a text, from 1; 0 for a binary file
	Offset int64  // offset in a binary file, from 0, after decompression; -1 if there is none to name
	Err    error  // what was expected and what was found
}

// Error returns "path: line 3: …", "path: byte 16: …" or, without a place, "path: …".
func (e *Error) Error() string {
	where := ""
	switch {
	case e.Line > 0:
		where = fmt.Sprintf("line %d: ", e.Line)
	case e.Offset >= 0:
		where = fmt.Sprintf("byte %d: ", e.Offset)
	}
	if e.Path != "" {
		where = e.Path + ": " + where
	}
	return where + e.Err.Error()
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

// Cut returns the error for a truncated file.
func Cut(expected string) error {
	return fmt.Errorf("expected %s, but the file ends: %w", expected, io.ErrUnexpectedEOF)
}

// Word returns the bytes up to delim, and skips delim. They are valid until the next read.
func (in *Input) Word(delim byte) []byte {
	start := in.Offset
	word, err := in.upTo(delim, MaxWord)
	if err == nil {
		word = word[:len(word)-1]
	}
	if len(word) > MaxWord {
		in.FailAt(start, "expected a word of at most %d bytes that ends with a byte %#02x, found a longer one, which begins with %.24q", MaxWord, delim, word)
	}
	if err != nil {
		in.check(err, fmt.Sprintf("a word that ends with a byte %#02x", delim))
	}
	return word
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
// next read. ok is false at the end. A byte order mark at the beginning does not count. Text that is not UTF-8
// or has other line endings is an error.
func (in *Input) Text(longest int) (line []byte, ok bool) {
	first := in.Line == 0
	in.Line++
	if first {
		head, _ := in.Head()
		if err := plaintext.Check(head); err != nil {
			in.FailLine("%w", err)
		}
	}
	line, err := in.upTo('\n', longest)
	switch {
	case errors.Is(err, bufio.ErrBufferFull) || len(line)-1 > longest:
		in.FailLine("expected a line of at most %d bytes, found more", longest)
	case err != nil && err != io.EOF: //nolint:errorlint // a decompressor's own is wrapped and no plain end
		in.FailLine("%w", err)
	case len(line) == 0:
		return nil, false
	case err == nil:
		line = line[:len(line)-1]
	}
	if first {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return line, true
}

// Lines yields the remaining lines: see Text.
func (in *Input) Lines(longest int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line, ok := in.Text(longest); ok && yield(line); line, ok = in.Text(longest) {
		}
	}
}
