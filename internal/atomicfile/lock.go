package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A Lock says to other processes that this one is writing a path. It holds for the path
// and not for the file there, which may be replaced meanwhile, and ends with the process
// however that ends.
//
// It is a file in the same folder, .w2v-NAME.lock, which the system keeps locked for the
// process, and which says what it is and who holds it. Release removes it. Where a process
// was killed it may stay, without a meaning: the next Lock takes it over.
type Lock struct {
	name string
	file *os.File // nil if there is nothing to lock
	once sync.Once
}

// An InUseError says that another process holds the Lock of a path.
type InUseError struct {
	Path   string
	Holder string // what is known of the process; empty if nothing is
}

func (e *InUseError) Error() string {
	holder := ""
	if e.Holder != "" {
		holder = " (" + e.Holder + ")"
	}
	return fmt.Sprintf("%s: is being written by another run%s: wait until it ends, or name another file", e.Path, holder)
}

// A NoLockError says that a path cannot be locked, for example because its file system
// knows no locks. It does not say that nobody else writes the path.
type NoLockError struct {
	Path string
	Err  error
}

func (e *NoLockError) Error() string {
	return fmt.Sprintf("%s: cannot be locked, so it is not known whether another run writes it: %v", e.Path, e.Err)
}

// Unwrap returns Err.
func (e *NoLockError) Unwrap() error { return e.Err }

// errHeld is what openLock returns if another process holds the lock.
var errHeld = errors.New("held")

const (
	// lockMark is how the text of a lock begins.
	lockMark = "w2v locks "
	// lockTries is how often a lock is tried before it counts as held: another process may
	// be about to let it go, or only look at it.
	lockTries    = 4
	betweenTries = 25 * time.Millisecond
)

// NewLock locks the file or folder at path, which need not be there, for this process. It is
// an *InUseError if another process holds the lock, and a *NoLockError if there can be none.
// Devices and pipes are not locked.
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
			return nil, &NoLockError{path, cause(err)}
		}
		if !l.isAt(file) && try < 100*lockTries { // who held it has removed it meanwhile
			_ = file.Close()
			continue
		}
		l.file = file
		if err := l.sign(filepath.Base(locate(path))); err != nil {
			_ = file.Close()
			return nil, &NoLockError{path, err}
		}
		return l, nil
	}
}

// lockName is the name of the lock of a path.
func lockName(path string) string {
	at := locate(path)
	return filepath.Join(filepath.Dir(at), ".w2v-"+filepath.Base(at)+".lock")
}

// isAt reports whether an open file is the one that has the lock's name.
func (l *Lock) isAt(file *os.File) bool {
	open, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(l.name)
	return err == nil && os.SameFile(open, named)
}

// sign writes into the lock what it is. What is no lock is left as it is.
func (l *Lock) sign(of string) error {
	var start [len(lockMark)]byte
	n, err := l.file.ReadAt(start[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return cause(err)
	}
	if n > 0 && string(start[:n]) != lockMark[:n] {
		return fmt.Errorf("there is a file %s in the way, which is no lock of w2v", l.name)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	text := fmt.Sprintf("%s%s (process %d on %s, since %s). If no such process runs, this file means nothing and can be deleted.\n",
		lockMark, of, os.Getpid(), host, time.Now().Format("2006-01-02 15:04:05"))
	// A lock that cannot say whose it is is one all the same.
	if l.file.Truncate(0) == nil {
		_, _ = l.file.WriteAt([]byte(text), 0)
	}
	return nil
}

// Release gives the path free. Only the first call does anything.
func (l *Lock) Release() {
	l.once.Do(func() {
		if l.file != nil {
			removeLock(l.file, l.name)
		}
	})
}

// Holder tells who holds the Lock of path, if another process does.
func Holder(path string) (holder string, held bool) {
	name := lockName(path)
	if !lockHeld(name) {
		return "", false
	}
	return holderOf(name), true
}

// holderOf reads who holds a lock; empty if it does not say.
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
