package atomicfile

import "golang.org/x/sys/unix"

func init() {
	system.exchange = func(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }
}
