//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

func openLock(name string) (*os.File, error) {
	// The flags keep others from making the lock a link to another file, or a pipe that blocks.
	const flags = unix.O_NOFOLLOW | unix.O_NONBLOCK
	file, err := system.create(name, os.O_RDWR|os.O_CREATE|flags, 0o666)
	if errors.Is(err, fs.ErrPermission) { // another user has left the file
		file, err = os.OpenFile(name, os.O_RDONLY|flags, 0)
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file", name)
	}
	if err == nil {
		err = flock(int(file.Fd()), unix.LOCK_EX)
	}
	if err == nil {
		return file, nil
	}
	if !errors.Is(err, errHeld) && info != nil && info.Size() == 0 {
		_ = os.Remove(name) // without locks the file has no use
	}
	_ = file.Close()
	return nil, err
}

func flock(fd, how int) error {
	for {
		err := unix.Flock(fd, how|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		default:
			return err
		}
	}
}

// A process that locks the file afterwards sees that it has no name any more.
func removeLock(file *os.File, name string) {
	_ = os.Remove(name)
	_ = file.Close()
}

func lockHeld(name string) bool {
	file, err := openToRead(name)
	if err != nil {
		return false
	}
	defer file.Close()
	return errors.Is(flock(int(file.Fd()), unix.LOCK_SH), errHeld)
}

func openToRead(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
}

// hold marks an open file as in use by this process, until release is called or the process ends. It returns false if
// another process has marked it. On file systems without locks it marks nothing.
func hold(f *os.File) (release func(), ok bool) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0) // f is closed before it is renamed
	if err != nil {
		return func() {}, true
	}
	release = func() { _ = unix.Close(fd) }
	if errors.Is(flock(fd, unix.LOCK_EX), errHeld) {
		release()
		return func() {}, false
	}
	return release, true
}

func holdFolder(path string) (release func()) {
	f, err := os.Open(path)
	if err != nil {
		return func() {}
	}
	defer f.Close()
	release, _ = hold(f)
	return release
}

func seize(path string) (release func(), ok bool) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	if flock(fd, unix.LOCK_EX) != nil {
		_ = unix.Close(fd)
		return nil, false
	}
	return func() { _ = unix.Close(fd) }, true
}

const locks = true // whether a file in use can be told from an abandoned one

// Identity returns what no program can set of a file: its number, and when its content or description was last changed.
// It is empty if that is not known. The number of the device is not stable.
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
	return identity(cmp.Or(failed, err), &s)
}

func identity(err error, s *unix.Stat_t) string {
	if err != nil {
		return ""
	}
	return fmt.Sprintf("inode %d, changed %d.%09d", s.Ino, s.Ctim.Sec, s.Ctim.Nsec)
}
