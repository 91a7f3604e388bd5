package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Same reports whether two paths lead to the same regular file or folder, which need not exist
// yet. They may do so through symbolic links, as hard links, or by names that the file system
// does not distinguish.
func Same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	switch {
	case errA == nil && errB == nil:
		return (infoA.Mode().IsRegular() || infoA.IsDir()) && os.SameFile(infoA, infoB)
	case errA == nil || errB == nil:
		return false
	}
	return sameName(locate(a), locate(b))
}

// Within reports whether path is the folder or lies in it, as far as symbolic links can be
// followed.
func Within(path, folder string) bool {
	folder = locate(folder)
	for at := locate(path); ; at = filepath.Dir(at) {
		if Same(at, folder) || sameName(at, folder) {
			return true
		}
		if filepath.Dir(at) == at {
			return false
		}
	}
}

// locate returns the absolute path of the file that path leads to. It follows symbolic links as
// far as possible. The file need not exist.
func locate(path string) string {
	at := filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	} else {
		if target, _, err := resolve(at); err == nil {
			at = target
		}
		if folder, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil {
			at = filepath.Join(folder, filepath.Base(at))
		}
	}
	if abs, err := filepath.Abs(at); err == nil {
		return abs
	}
	return at
}

// sameName compares the names of files that do not exist, so that the file system cannot be
// asked. On Windows and macOS it ignores case, as most file systems there do.
func sameName(a, b string) bool {
	if a == b {
		return true
	}
	folders := filepath.Dir(a) == filepath.Dir(b)
	if !folders {
		infoA, errA := os.Stat(filepath.Dir(a))
		infoB, errB := os.Stat(filepath.Dir(b))
		folders = errA == nil && errB == nil && os.SameFile(infoA, infoB)
	}
	folds := runtime.GOOS == "windows" || runtime.GOOS == "darwin"
	nameA, nameB := filepath.Base(a), filepath.Base(b)
	return folders && (nameA == nameB || folds && strings.EqualFold(nameA, nameB))
}
