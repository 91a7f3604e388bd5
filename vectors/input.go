package vectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"unsafe"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/wordlimit"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// An input is a model being read: a stream that knows where it is and, of a
// plain file, how much is left. What a header claims is believed only as far
// as the bytes that are there: nothing allocates more than a few times of what
// is left of a file, or of what a stream has given so far.
type input struct {
	path   string // empty for a stream
	r      *bufio.Reader
	offset int64 // of the next byte
	size   int64 // of everything, or -1 where that is not known
	line   int64 // the number of the last line read, of a text
	long   []byte
	whole  []byte // everything, where that is in memory and may be aliased

	// mapWhole sets whole if it can; nil where there is no file to map.
	mapWhole func(in *input) error
	// reopen returns the same file at a byte of it. If it is there, rows are left
	// in the file and read again when they are asked for.
	reopen func(offset int64) (*input, error)
	// again opens the same file once more, at a byte of it, if it is a file.
	again func(offset int64) (*input, error)
	// direct is the file for rows to be read from one by one though it is mapped.
	direct *os.File
	// part opens another file of the set: one of a folder, or one whose name is
	// that of this file and something after it. nil for a stream.
	part   func(name string) (*input, error)
	behind *backing.File // what closes with the set; nil for a stream
	was    fs.FileInfo
	close  func() error
}

const (
	// sniffLen is how much of a file is looked at to tell its format.
	sniffLen = 64 << 10
	// firstRead is how many bytes are believed of a stream that has given none.
	firstRead = 64 << 10
	// otherColumns is how much may stand in a line besides its word.
	otherColumns = 1 << 20
)

// MaxWord is the length in bytes of the longest word that is read or written, in every
// format: that of the longest token of a corpus. A missing end mark is found out by it.
const MaxWord = wordlimit.Bytes

// newInput reads r, which holds size bytes or, if size is negative, who knows.
func newInput(r io.Reader, size int64) *input {
	buffer := int64(2 * sniffLen)
	if size >= 0 {
		buffer = min(buffer, size+1)
	}
	return &input{
		r:      bufio.NewReaderSize(r, int(buffer)),
		size:   size,
		behind: &backing.File{},
		close:  func() error { return nil },
	}
}

// newView reads a file that is in memory and that what is read may alias.
func newView(file []byte) *input {
	in := newInput(bytes.NewReader(file), int64(len(file)))
	in.whole = file
	return in
}

// head returns the first bytes of the input without reading them.
func (in *input) head() ([]byte, error) {
	head, err := in.r.Peek(min(sniffLen, in.r.Size()))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head, err
}

// left returns how many bytes are left, and whether that is known.
func (in *input) left() (int64, bool) { return in.size - in.offset, in.size >= 0 }

// backed returns n, or less if so many items of at least size bytes are not
// there or cannot be known to be there. It is for making room beforehand.
func (in *input) backed(n, size int64) int64 {
	left, known := in.left()
	if !known {
		left = firstRead
	}
	return max(0, min(n, left/size)) // some files give more bytes than their size
}

// fail returns a FormatError at the present offset.
func (in *input) fail(format string, args ...any) error {
	return in.failAt(in.offset, format, args...)
}

func (in *input) failAt(offset int64, format string, args ...any) error {
	return &FormatError{Offset: offset, Err: fmt.Errorf(format, args...)}
}

// failLine returns a FormatError at the last line read.
func (in *input) failLine(format string, args ...any) error {
	return &FormatError{Line: max(in.line, 1), Err: fmt.Errorf(format, args...)}
}

// full fills b. expected names what it is, for the error.
func (in *input) full(b []byte, expected string) error {
	n, err := io.ReadFull(in.r, b)
	in.offset += int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF { //nolint:errorlint // a decompressor's own is wrapped and no plain end
		return &FormatError{Offset: in.offset, Err: cut(expected)}
	}
	if err != nil {
		return &FormatError{Offset: in.offset, Err: err}
	}
	return nil
}

// skip passes over n bytes.
func (in *input) skip(n int64, expected string) error {
	if in.whole != nil {
		if left := in.size - in.offset; n > left {
			in.offset = in.size
			return &FormatError{Offset: in.offset, Err: cut(expected)}
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
			return &FormatError{Offset: in.offset, Err: cut(expected)}
		}
		if err != nil {
			return &FormatError{Offset: in.offset, Err: err}
		}
	}
	return nil
}

// end is an error if anything is left.
func (in *input) end() error {
	switch _, err := in.r.Peek(1); {
	case err == nil:
		if left, known := in.left(); known {
			return in.fail("expected the end of the file, found %d bytes more", left)
		}
		return in.fail("expected the end of the file, found more bytes")
	case !errors.Is(err, io.EOF):
		return &FormatError{Offset: in.offset, Err: err}
	}
	return nil
}

// word returns the bytes up to delim, which it passes over. They are valid
// until the next read.
func (in *input) word(delim byte) ([]byte, error) {
	start := in.offset
	in.long = in.long[:0]
	for {
		part, err := in.r.ReadSlice(delim)
		in.offset += int64(len(part))
		length := len(in.long) + len(part)
		if err == nil {
			length-- // without delim
		}
		if length > MaxWord {
			return nil, in.failAt(start, "expected a word of at most %d bytes that ends with a byte %#02x", MaxWord, delim)
		}
		switch {
		case err == nil:
			w := part
			if len(in.long) > 0 {
				in.long = append(in.long, part...)
				w = in.long
			}
			return w[:len(w)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			in.long = append(in.long, part...)
		case err == io.EOF: //nolint:errorlint // a decompressor's own is wrapped and no plain end
			return nil, &FormatError{Offset: in.offset, Err: cut(fmt.Sprintf("a word that ends with a byte %#02x", delim))}
		default:
			return nil, &FormatError{Offset: in.offset, Err: err}
		}
	}
}

// text returns the next line without its newline; the last one may lack it. It
// is valid until the next read. The error at the end is io.EOF.
func (in *input) text(longest int) ([]byte, error) {
	in.line++
	in.long = in.long[:0]
	for {
		part, err := in.r.ReadSlice('\n')
		in.offset += int64(len(part))
		switch {
		case err == nil, err == io.EOF: //nolint:errorlint // a decompressor's own is wrapped and no plain end
			line := part
			if len(in.long) > 0 {
				in.long = append(in.long, part...)
				line = in.long
			}
			if len(line) == 0 {
				return nil, io.EOF
			}
			if len(line)-1 > longest {
				return nil, in.failLine("expected a line of at most %d bytes, found more", longest)
			}
			if err == nil {
				line = line[:len(line)-1]
			}
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
			in.long = append(in.long, part...)
			if len(in.long) > longest {
				return nil, in.failLine("expected a line of at most %d bytes, found more", longest)
			}
		default:
			return nil, in.failLine("%w", err)
		}
	}
}

// readArray appends n numbers, little-endian in the file, to dst. expected
// names them, for the error.
func readArray[T endian.Number](in *input, dst []T, n int64, expected string) ([]T, error) {
	size := int64(unsafe.Sizeof(*new(T)))
	if n > endian.MaxBytes/size {
		return nil, in.fail("expected %s of %d numbers, more than fits into memory", expected, n)
	}
	left, known := in.left()
	if known && n*size > left {
		return nil, in.fail("expected %s of %d bytes, but %d are left: %w", expected, n*size, left, io.ErrUnexpectedEOF)
	}
	for n > 0 {
		part := n
		if !known {
			part = min(n, max(firstRead/size, 3*int64(len(dst))))
		}
		dst = slices.Grow(dst, int(part))
		fresh := dst[len(dst) : len(dst)+int(part)]
		if err := in.full(endian.Bytes(fresh), expected); err != nil {
			return nil, err
		}
		endian.Swap(fresh)
		dst = dst[:len(dst)+int(part)]
		n -= part
	}
	return dst, nil
}

// array reads n numbers, in place where the file is in memory.
func array[T endian.Number](in *input, n int64, expected string) ([]T, error) {
	if in.whole == nil {
		return readArray[T](in, nil, n, expected)
	}
	size := int64(unsafe.Sizeof(*new(T)))
	if left := in.size - in.offset; n > left/size {
		if n > endian.MaxBytes/size {
			return nil, in.fail("expected %s of %d numbers, more than fits into memory", expected, n)
		}
		return nil, in.fail("expected %s of %d bytes, but %d are left: %w", expected, n*size, left, io.ErrUnexpectedEOF)
	}
	first := in.offset
	if err := in.skip(n*size, expected); err != nil {
		return nil, err
	}
	return endian.Numbers[T](in.whole[first:in.offset]), nil
}

// rows reads a matrix of float32: in place where the file is in memory, and not
// at all where its rows can be read again.
func (in *input) rows(rows, cols int64, expected string) (Matrix, error) {
	if err := in.checkRows(rows, cols, 4, expected); err != nil {
		return Matrix{}, err
	}
	if in.reopen != nil && in.whole == nil && rows*cols > 0 {
		size := 4 * cols
		m := in.sequenceAt(in.offset, int(rows), int(cols), size, func(in *input, dst []float32) error {
			if err := in.full(endian.Bytes(dst), expected); err != nil {
				return err
			}
			endian.Swap(dst)
			return nil
		})
		return m, in.skip(rows*size, expected)
	}
	if in.direct != nil && in.whole != nil && rows*cols > 0 && rows*cols <= (in.size-in.offset)/4 {
		at := &fileRows{in.direct, in.offset, in.behind}
		return Stored(int(rows), int(cols), at), in.skip(4*rows*cols, expected)
	}
	data, err := array[float32](in, rows*cols, expected)
	if err != nil {
		return Matrix{}, err
	}
	return Matrix{Data: data, Rows: int(rows), Cols: int(cols), Stride: int(cols)}, nil
}

// checkRows tells whether so many rows of numbers of that size can be a matrix.
func (in *input) checkRows(rows, cols, size int64, expected string) error {
	if rows < 0 || cols < 0 || rows > math.MaxInt32 || cols > math.MaxInt32 || cols > 0 && rows > endian.MaxBytes/size/cols {
		return in.fail("expected %s, found %d rows of %d, more than fit into memory", expected, rows, cols)
	}
	return nil
}

// sequenceAt returns the matrix of rows that next reads, one after the other,
// from an offset on. size is how many bytes a row has, 0 if not all have the same.
func (in *input) sequenceAt(offset int64, rows, cols int, size int64, next func(in *input, dst []float32) error) Matrix {
	reopen := in.reopen
	s := &sequence{
		open:   func() (*input, error) { return reopen(offset) },
		next:   next,
		size:   size,
		behind: in.behind,
	}
	in.behind.Sequential = true
	in.behind.OnClose(s.Close)
	return Stored(rows, cols, s)
}
