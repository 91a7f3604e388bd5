// Package disk says how much room there is for a file.
package disk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Free returns how many bytes a user without privileges can still write to the folder that
// a file, or folder, at path goes to, whether it is there already or not. Symbolic links
// are followed. It returns false if that cannot be known, or if path is a device or a
// pipe, which has no size.
func Free(path string) (bytes uint64, ok bool) {
	folder, ok := folderOf(path)
	if !ok {
		return 0, false
	}
	return free(folder)
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

// A FullError says that a file will not fit on the disk that it goes to.
type FullError struct {
	Path       string
	Folder     string // that it goes to
	Need, Free uint64 // bytes
}

func (e *FullError) Error() string {
	return fmt.Sprintf("%s: needs about %s and %s has %s free: free some space, or give another path",
		e.Path, size(e.Need), e.Folder, size(e.Free))
}

// Check returns a *FullError if so many bytes do not fit where a file at path goes to, and
// nothing if that cannot be known.
func Check(path string, need uint64) error {
	folder, ok := folderOf(path)
	if !ok {
		return nil
	}
	if have, ok := free(folder); ok && have < need {
		return &FullError{Path: path, Folder: folder, Need: need, Free: have}
	}
	return nil
}

// size is a number of bytes for a person.
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
