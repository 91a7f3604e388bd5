package vectors

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// adviseHugePages asks for the pages of a large matrix, which has not been touched
// yet, to be huge ones: rows are reached in random order, and each costs a look
// into the page tables. The Go runtime gives large objects whole pages of
// anonymous memory, so the advice concerns nothing else.
func adviseHugePages(data []float32) {
	const huge = 2 << 20
	if len(data)*4 < 2*huge {
		return
	}
	page := uintptr(os.Getpagesize())
	first := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	skip := -first & (page - 1)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*4)[skip:]
	bytes = bytes[:len(bytes)&^int(page-1)]
	// Without either all is as well, but slower. Memory that the program had used
	// for something else has small pages by now.
	if unix.Madvise(bytes, unix.MADV_HUGEPAGE) == nil {
		_ = unix.Madvise(bytes, unix.MADV_COLLAPSE)
	}
}
