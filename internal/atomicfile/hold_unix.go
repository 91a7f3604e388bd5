//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// hold marks an open file or folder as in use by this process, until release is called or the
// process ends in any way. It returns false if another process has marked it. On file systems
// without locks it marks nothing.
func hold(f *os.File) (release func(), ok bool) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0) // f is closed before it is renamed
	if err != nil {
		return func() {}, true
	}
	release = func() { _ = unix.Close(fd) }
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err == unix.EWOULDBLOCK { //nolint:errorlint // a system call returns it as it is
		release()
		return func() {}, false
	}
	return release, true
}

// holdFolder is hold for the folder at path.
func holdFolder(path string) (release func()) {
	f, err := os.Open(path)
	if err != nil {
		return func() {}
	}
	defer f.Close()
	release, _ = hold(f)
	return release
}

// seize takes over the file or folder at path if no process uses it.
func seize(path string) (release func(), ok bool) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	if unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) != nil {
		_ = unix.Close(fd)
		return nil, false
	}
	return func() { _ = unix.Close(fd) }, true
}

// locks reports whether a file in use can be told from an abandoned one.
const locks = true
