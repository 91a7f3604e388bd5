package corpus

import "golang.org/x/sys/unix"

// evictPages gives back the memory that reading a mapped file took. What is read next comes
// from the file again, or from what the system remembers of it.
func evictPages(file []byte) {
	_ = unix.Madvise(file, unix.MADV_DONTNEED) // advice: nothing is lost without it
}
