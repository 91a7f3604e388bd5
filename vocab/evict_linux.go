package vocab

import "golang.org/x/sys/unix"

// evictPages frees the memory of a mapped file's pages. Later reads load pages from the system's cache or
// from the file.
func evictPages(file []byte) {
	_ = unix.Madvise(file, unix.MADV_DONTNEED) // only advice: on failure, pages stay in memory
}
