package source

import "golang.org/x/sys/unix"

// evictPages frees the memory of a mapped file's pages. The file stays mapped, and pages are read again on use.
func evictPages(file []byte) {
	_ = unix.Madvise(file, unix.MADV_DONTNEED) // only advice: failure is harmless
}
