// Package hugepages asks the system for huge pages for large slices that are reached in random order: with small pages each
// access costs a look into the page tables.
package hugepages

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Advise asks Linux for huge pages for a large slice without pointers that has not been touched yet. The Go runtime gives large
// objects whole pages of anonymous memory, so the advice affects no other object.
func Advise[T any](data []T) {
	const huge = 2 << 20
	size := len(data) * int(unsafe.Sizeof(*new(T)))
	if size < 2*huge {
		return
	}
	page := uintptr(os.Getpagesize())
	first := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	skip := -first & (page - 1)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), size)[skip:]
	bytes = bytes[:len(bytes)&^int(page-1)]
	// Failure is harmless, but slower. Memory that the program has used before already has small pages.
	if unix.Madvise(bytes, unix.MADV_HUGEPAGE) == nil {
		_ = unix.Madvise(bytes, unix.MADV_COLLAPSE)
	}
}
