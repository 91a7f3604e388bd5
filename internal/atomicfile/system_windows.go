package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// The file is removed when it is closed, and no other process can open it for writing until then.
func openLock(name string) (*os.File, error) {
	file, err := openShared(name, windows.GENERIC_READ|windows.GENERIC_WRITE|windows.DELETE,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_DELETE, windows.OPEN_ALWAYS, windows.FILE_FLAG_DELETE_ON_CLOSE)
	// A file that is being removed gives the second error.
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_DELETE_PENDING) {
		return nil, errHeld
	}
	return file, err
}

func removeLock(file *os.File, _ string) { _ = file.Close() }

func lockHeld(name string) bool {
	file, err := openShared(name, windows.GENERIC_WRITE,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, windows.OPEN_EXISTING, 0)
	if err != nil {
		return errors.Is(err, windows.ERROR_SHARING_VIOLATION)
	}
	_ = file.Close()
	return false
}

func openToRead(name string) (*os.File, error) {
	return openShared(name, windows.GENERIC_READ,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, windows.OPEN_EXISTING, 0)
}

func openShared(name string, access, share, mode, flags uint32) (*os.File, error) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := windows.CreateFile(path, access, share, nil, mode, windows.FILE_ATTRIBUTE_NORMAL|flags, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(handle), name), nil
}
