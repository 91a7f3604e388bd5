package source

import "golang.org/x/sys/unix"

// evictPages gives back the memory that looking at a mapped file took. The file
// is still mapped, and what is looked at next is read again.
func evictPages(file []byte) {
	_ = unix.Madvise(file, unix.MADV_DONTNEED) // advice: nothing is lost without it
}
