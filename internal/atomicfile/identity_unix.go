//go:build unix

package atomicfile

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Identity returns what the file system knows of a file that no program can set: its number and the time at
// which its content or its description was last changed. It is empty if that is not known. The number of the
// device is not stable.
func Identity(path string) string {
	var s unix.Stat_t
	return identity(unix.Stat(path, &s), &s)
}

// IdentityOf is Identity of an open file.
func IdentityOf(f *os.File) string {
	c, err := f.SyscallConn()
	if err != nil {
		return ""
	}
	var s unix.Stat_t
	failed := c.Control(func(fd uintptr) { err = unix.Fstat(int(fd), &s) })
	if failed != nil {
		err = failed
	}
	return identity(err, &s)
}

func identity(err error, s *unix.Stat_t) string {
	if err != nil {
		return ""
	}
	return fmt.Sprintf("inode %d, changed %d.%09d", s.Ino, s.Ctim.Sec, s.Ctim.Nsec)
}
