// Package endian views arrays of numbers as bytes and back. Files hold numbers little-endian, whatever the machine does.
package endian

import (
	"bufio"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"unsafe"
)

// Number is what files hold arrays of.
type Number interface {
	int8 | uint8 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64
}

// MaxBytes is the size of the largest array.
const MaxBytes = math.MaxInt - 1<<12

// Big reports whether this machine is big-endian. Tests set it.
var Big = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// Bytes returns the memory of numbers.
func Bytes[T Number](numbers []T) []byte {
	if len(numbers) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), len(numbers)*int(unsafe.Sizeof(numbers[0])))
}

// Swap turns numbers from the order of files to that of the machine, and back.
func Swap[T Number](numbers []T) {
	if !Big {
		return
	}
	size := int(unsafe.Sizeof(*new(T)))
	for b := Bytes(numbers); len(b) > 0; b = b[size:] {
		slices.Reverse(b[:size])
	}
}

// unaligned is whether this machine reads numbers at any address.
const unaligned = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "386"

// Numbers returns the numbers that b, bytes of a file, holds: in place where their address allows it.
func Numbers[T Number](b []byte) []T {
	size := int(unsafe.Sizeof(*new(T)))
	n := len(b) / size
	if n == 0 {
		return nil
	}
	if p := unsafe.Pointer(&b[0]); !Big && (unaligned || uintptr(p)%unsafe.Alignof(*new(T)) == 0) {
		return unsafe.Slice((*T)(p), n)
	}
	numbers := make([]T, n)
	copy(Bytes(numbers), b)
	Swap(numbers)
	return numbers
}

// Write writes numbers in the order of files.
func Write[T Number](w *bufio.Writer, numbers []T) error {
	if Big {
		numbers = slices.Clone(numbers)
		Swap(numbers)
	}
	_, err := w.Write(Bytes(numbers))
	return err
}
