package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// createNameless creates a file without a name in folder, so that nothing is left of it however
// the program ends. It returns false if the system or the file system cannot do that.
func createNameless(folder string) (*os.File, bool) {
	probe, err := openNameless(folder)
	if err != nil {
		return nil, false
	}
	defer probe.Close()
	name := filepath.Join(folder, tempName())
	if system.link(probe, name) != nil || discard(name) != nil {
		return nil, false
	}
	f, err := openNameless(folder)
	return f, err == nil
}

func openNameless(folder string) (*os.File, error) {
	fd, err := unix.Open(folder, unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), filepath.Join(folder, "nameless")), nil
}

// giveName gives a nameless file its name.
func giveName(f *os.File, name string) error {
	return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", f.Fd()), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
}
