package atomicfile

import "golang.org/x/sys/unix"

// exchange swaps two files or folders in one step, if the file system can do that.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
