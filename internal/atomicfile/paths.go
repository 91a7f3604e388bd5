package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const maxLinks = 40

// resolve follows symbolic links, also dangling ones. A direct target cannot be replaced, and is written as it is.
func resolve(path string) (target string, direct bool, err error) {
	if path == "" {
		return "", false, errors.New("no output path given")
	}
	if os.IsPathSeparator(path[len(path)-1]) {
		return "", false, fmt.Errorf("%s: is a folder, want a file", path)
	}
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return "", false, fmt.Errorf("%s: is a folder, want a file", path)
		}
		direct = !info.Mode().IsRegular()
	}
	target = path
	for range maxLinks {
		info, err := os.Lstat(target)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return target, direct, nil
		}
		// Links in /proc, to which /dev/stdout leads, name open files, which must be written through the link.
		folder, err := filepath.EvalSymlinks(filepath.Dir(target))
		if err != nil {
			return "", false, at(path, err)
		}
		if strings.HasPrefix(folder, "/proc/") {
			return target, true, nil
		}
		link, err := os.Readlink(target)
		if err != nil {
			return "", false, at(path, err)
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(folder, link)
		}
		target = link
	}
	return "", false, fmt.Errorf("%s: too many symbolic links", path)
}

// Same reports whether two paths lead to one file or folder, which need not exist yet: through symbolic links, as hard
// links, or by names that the file system does not distinguish.
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

// Within reports whether path is the folder or lies in it, as far as symbolic links can be followed.
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

// locate follows symbolic links as far as possible to an absolute path. The file need not exist.
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

// sameName compares names of files that do not exist, so that the file system cannot be asked. On Windows and macOS it
// ignores case, as most file systems there do.
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
