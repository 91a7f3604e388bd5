package vectors

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// adviseHugePages asks Linux for huge pages for a large matrix that has not been touched yet. Rows are
// reached in random order, and with small pages each access costs a look into the page tables. The Go runtime
// gives large objects whole pages of anonymous memory, so the advice affects no other object.
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
	// Failure is harmless, but slower. Memory that the program has used before already has small pages.
	if unix.Madvise(bytes, unix.MADV_HUGEPAGE) == nil {
		_ = unix.Madvise(bytes, unix.MADV_COLLAPSE)
	}
}
