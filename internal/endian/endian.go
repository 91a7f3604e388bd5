package vectors

import (
	"bufio"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"unsafe"
)

// number is what the formats hold arrays of.
type number interface {
	int8 | uint8 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64
}

// maxBytes is the size of the largest array.
const maxBytes = math.MaxInt - 1<<12

// bigEndian is whether this machine stores numbers the other way round than
// the formats do.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// bytesOf returns the memory of numbers.
func bytesOf[T number](numbers []T) []byte {
	if len(numbers) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), len(numbers)*int(unsafe.Sizeof(numbers[0])))
}

// swapIfBig turns numbers from the order of the formats to that of the machine,
// and back.
func swapIfBig[T number](numbers []T) {
	if !bigEndian {
		return
	}
	size := int(unsafe.Sizeof(*new(T)))
	for b := bytesOf(numbers); len(b) > 0; b = b[size:] {
		slices.Reverse(b[:size])
	}
}

// unaligned is whether this machine reads numbers at any address.
const unaligned = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "386"

// numbersOf returns the numbers that b holds, in place where their address
// allows it.
func numbersOf[T number](b []byte) []T {
	size := int(unsafe.Sizeof(*new(T)))
	n := len(b) / size
	if n == 0 {
		return nil
	}
	if p := unsafe.Pointer(&b[0]); !bigEndian && (unaligned || uintptr(p)%unsafe.Alignof(*new(T)) == 0) {
		return unsafe.Slice((*T)(p), n)
	}
	numbers := make([]T, n)
	copy(bytesOf(numbers), b)
	swapIfBig(numbers)
	return numbers
}

// writeArray writes numbers little-endian.
func writeArray[T number](w *bufio.Writer, numbers []T) error {
	if bigEndian {
		numbers = slices.Clone(numbers)
		swapIfBig(numbers)
	}
	_, err := w.Write(bytesOf(numbers))
	return err
}
