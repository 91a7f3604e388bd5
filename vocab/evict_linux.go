package vocab

import "golang.org/x/sys/unix"

// evictPages gives back the memory that the pages of a mapped file take. Later reads get the
// pages from the system's cache or from the file again.
func evictPages(file []byte) {
	_ = unix.Madvise(file, unix.MADV_DONTNEED) // only advice: if it fails, pages stay in memory
}
