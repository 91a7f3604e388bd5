package atomicfile

import "golang.org/x/sys/unix"

// exchange swaps two files or folders in one step, if the file system can do that.
func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }
