//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openLock opens or creates the lock file with this name and locks it. It returns errHeld if
// another process has locked it.
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
		err = fmt.Errorf("%s is no file", name)
	}
	if err == nil {
		err = flock(file, unix.LOCK_EX)
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

// flock locks a file for as long as it is open. It returns errHeld if another process has locked
// it.
func flock(file *os.File, how int) error {
	for {
		err := unix.Flock(int(file.Fd()), how|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		default:
			return err
		}
	}
}

// removeLock first removes a lock file and then unlocks it, so that a process that locks the file
// afterwards sees that it has no name any more. If it cannot be removed, its text explains it.
func removeLock(file *os.File, name string) {
	_ = os.Remove(name)
	_ = file.Close()
}

// lockHeld reports whether another process holds the lock of that name.
func lockHeld(name string) bool {
	file, err := openToRead(name)
	if err != nil {
		return false
	}
	defer file.Close()
	return errors.Is(flock(file, unix.LOCK_SH), errHeld)
}

func openToRead(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
}
