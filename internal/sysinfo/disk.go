package sysinfo

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FreeDisk returns how many bytes a user without privileges can still write to the folder of a file
// or folder at path. The file need not exist. Symbolic links are followed. FreeDisk returns false if
// the number is not known, or if path is a device or a pipe.
func FreeDisk(path string) (bytes uint64, ok bool) {
	folder, ok := folderOf(path)
	if !ok {
		return 0, false
	}
	return freeDisk(folder)
}

// folderOf returns the folder that a file at path is written in.
func folderOf(path string) (string, bool) {
	if path == "" {
		return "", false
	}
	path = filepath.Clean(path)
	info, err := os.Lstat(path)
	switch {
	case err != nil, info.Mode().IsRegular(), info.IsDir():
		return filepath.Dir(path), true
	case info.Mode()&fs.ModeSymlink == 0:
		return "", false
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", false
	}
	return folderOf(target)
}

// A DiskFullError says that a file will not fit on its disk.
type DiskFullError struct {
	Path       string
	Folder     string // of the file
	Need, Free uint64 // bytes
}

func (e *DiskFullError) Error() string {
	return fmt.Sprintf("%s: needs about %s and %s has %s free: free some space, or give another path",
		e.Path, size(e.Need), e.Folder, size(e.Free))
}

// CheckDisk returns a *DiskFullError if there is not room for so many bytes in the folder of a file
// at path. It returns nil if that is not known.
func CheckDisk(path string, need uint64) error {
	folder, ok := folderOf(path)
	if !ok {
		return nil
	}
	if have, ok := freeDisk(folder); ok && have < need {
		return &DiskFullError{Path: path, Folder: folder, Need: need, Free: have}
	}
	return nil
}

// size formats a number of bytes for people.
func size(bytes uint64) string {
	n, unit := float64(bytes), "bytes"
	for _, larger := range []string{"kB", "MB", "GB", "TB"} {
		if n < 1000 {
			break
		}
		n, unit = n/1000, larger
	}
	if unit != "bytes" && n < 10 {
		return fmt.Sprintf("%.1f %s", n, unit)
	}
	return fmt.Sprintf("%.0f %s", n, unit)
}
