package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A Lock tells other processes that this one writes a path, whatever file is there. It ends with the process.
//
// It is a file in the same folder, .w2v-NAME.lock, which the system keeps locked. Its text says who holds it. If a
// process is killed, its file may stay; it means nothing then, and the next Lock takes it over.
type Lock struct {
	name string
	file *os.File // nil if there is nothing to lock
	once sync.Once
}

// An InUseError says that another process holds the Lock of a path.
type InUseError struct {
	Path   string
	Holder string // describes the process; empty if nothing is known
}

func (e *InUseError) Error() string {
	holder := ""
	if e.Holder != "" {
		holder = " (" + e.Holder + ")"
	}
	return fmt.Sprintf("%s: is being written by another run%s: wait until it ends, or name another file", e.Path, holder)
}

// A NoLockError says that a path cannot be locked, so that another process may be writing it.
type NoLockError struct {
	Path string
	Err  error
}

func (e *NoLockError) Error() string {
	return fmt.Sprintf("%s: cannot be locked, so it is not known whether another run writes it: %v", e.Path, e.Err)
}

// Unwrap returns Err.
func (e *NoLockError) Unwrap() error { return e.Err }

var errHeld = errors.New("held")

const (
	lockMark     = "w2v locks "
	lockTries    = 4 // another process may be about to release a lock, or may only be looking at it
	betweenTries = 25 * time.Millisecond
)

var held sync.Map

// ReleaseAll releases all locks of a process that is about to end.
func ReleaseAll() {
	held.Range(func(l, _ any) bool { l.(*Lock).Release(); return true })
}

// NewLock locks the path of a file or folder, which need not exist. Errors are an *InUseError, or a *NoLockError if the
// path cannot be locked. NewLock does nothing for devices and pipes.
func NewLock(path string) (*Lock, error) {
	l := &Lock{}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		if _, direct, err := resolve(filepath.Clean(path)); err != nil || direct {
			return l, err
		}
	}
	l.name = lockName(path)
	for try := 1; ; try++ {
		file, err := openLock(l.name)
		switch {
		case errors.Is(err, errHeld):
			if try < lockTries {
				time.Sleep(betweenTries)
				continue
			}
			return nil, &InUseError{path, holderOf(l.name)}
		case err != nil:
			return nil, &NoLockError{path, Cause(err)}
		}
		if !is(file, l.name) && try < 100*lockTries { // the last holder has removed it meanwhile
			_ = file.Close()
			continue
		}
		l.file = file
		if err := l.sign(filepath.Base(locate(path))); err != nil {
			_ = file.Close()
			return nil, &NoLockError{path, err}
		}
		held.Store(l, nil)
		return l, nil
	}
}

func lockName(path string) string {
	at := locate(path)
	return filepath.Join(filepath.Dir(at), ".w2v-"+filepath.Base(at)+".lock")
}

// sign does not change a file that is not a lock.
func (l *Lock) sign(of string) error {
	var start [len(lockMark)]byte
	n, err := l.file.ReadAt(start[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return Cause(err)
	}
	if n > 0 && string(start[:n]) != lockMark[:n] {
		return fmt.Errorf("there is a file %s in the way, which is not a lock of w2v", l.name)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	text := fmt.Sprintf("%s%s (process %d on %s, since %s). If no such process runs, this file means nothing and can be deleted.\n",
		lockMark, of, os.Getpid(), host, time.Now().Format("2006-01-02 15:04:05"))
	// The lock holds even if its text cannot be written.
	if l.file.Truncate(0) == nil {
		_, _ = l.file.WriteAt([]byte(text), 0)
	}
	return nil
}

// Release unlocks the path. Further calls do nothing.
func (l *Lock) Release() {
	l.once.Do(func() {
		if l.file != nil {
			removeLock(l.file, l.name)
			held.Delete(l)
		}
	})
}

// Holder reports whether another process holds the Lock of path, and describes that process.
func Holder(path string) (holder string, held bool) {
	name := lockName(path)
	if !lockHeld(name) {
		return "", false
	}
	return holderOf(name), true
}

func holderOf(name string) string {
	file, err := openToRead(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	text := make([]byte, 4096)
	n, err := io.ReadFull(file, text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	_, rest, ok := strings.Cut(string(text[:n]), " (process ")
	holder, _, end := strings.Cut(rest, ").")
	if !ok || !end || !strings.HasPrefix(string(text[:n]), lockMark) || strings.ContainsFunc(holder, func(r rune) bool { return r < ' ' }) {
		return ""
	}
	return "process " + holder
}

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
