package vocab

import "golang.org/x/sys/unix"

// evictPages frees the memory of a mapped file's pages, which are loaded again when they are read.
func evictPages(file []byte) {
	_ = unix.Madvise(file, unix.MADV_DONTNEED) // only advice: on failure, pages stay in memory
}
