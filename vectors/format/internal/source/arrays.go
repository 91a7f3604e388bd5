package source

import (
	"io"
	"slices"
	"unsafe"

	"github.com/w2v-go/w2v/internal/endian"
)

// ReadArray appends n numbers, little-endian in the file, to dst. expected
// names them, for the error.
func ReadArray[T endian.Number](in *Input, dst []T, n int64, expected string) ([]T, error) {
	size := int64(unsafe.Sizeof(*new(T)))
	if n > endian.MaxBytes/size {
		return nil, in.Fail("expected %s of %d numbers, more than fits into memory", expected, n)
	}
	left, known := in.Left()
	if known && n*size > left {
		return nil, in.Fail("expected %s of %d bytes, but %d are left: %w", expected, n*size, left, io.ErrUnexpectedEOF)
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

// Array reads n numbers, in place where the file is in memory.
func Array[T endian.Number](in *Input, n int64, expected string) ([]T, error) {
	if in.whole == nil {
		return ReadArray[T](in, nil, n, expected)
	}
	size := int64(unsafe.Sizeof(*new(T)))
	if left := in.size - in.offset; n > left/size {
		if n > endian.MaxBytes/size {
			return nil, in.Fail("expected %s of %d numbers, more than fits into memory", expected, n)
		}
		return nil, in.Fail("expected %s of %d bytes, but %d are left: %w", expected, n*size, left, io.ErrUnexpectedEOF)
	}
	first := in.offset
	if err := in.Skip(n*size, expected); err != nil {
		return nil, err
	}
	return endian.Numbers[T](in.whole[first:in.offset]), nil
}
