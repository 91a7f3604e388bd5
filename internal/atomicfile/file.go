// Package atomicfile writes files and folders that are either complete or not there. A run that
// fails or is interrupted never destroys an earlier file.
package atomicfile

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// A File is written to a temporary file, which takes the target's place when it is committed. A target that is a device,
// a pipe or a socket, such as /dev/stdout, is written directly.
type File struct {
	file   *os.File
	path   string // as the caller named it, for errors
	target string // path without symbolic links
	temp   string // the temporary file; empty when the target is written directly
	err    error  // the first failed write
	done   bool

	past     *past  // writes past the page cache; nil for writing as usual
	nameless bool   // the temporary file is not called temp before Commit
	release  func() // ends the mark by which other processes know that the temporary file is in use
}

// Create begins to write path. Only the owner can read the temporary file, whose name is random, until Commit.
// Errors are one line that begins with path.
func Create(path string) (*File, error) {
	target, direct, err := resolve(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, target: target, release: func() {}}
	if direct {
		// O_APPEND keeps what the shell has already written to the file that /dev/stdout leads to.
		if f.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
			return nil, at(path, err)
		}
		return f, nil
	}
	clearAbandoned(filepath.Dir(target))
	if file, ok := createNameless(filepath.Dir(target)); ok {
		f.file, f.nameless = file, true
		f.temp = filepath.Join(filepath.Dir(target), tempName())
	} else {
		if f.file, err = createTemp(filepath.Dir(target), 0o600); err != nil {
			return nil, explain(path, target, err)
		}
		f.temp = f.file.Name()
	}
	f.release, _ = hold(f.file)
	return f, nil
}

// Nothing is left of a file without a name however the program ends. Not every system can make one.
func createNameless(folder string) (*os.File, bool) {
	probe, err := system.nameless(folder)
	if err != nil {
		return nil, false
	}
	defer probe.Close()
	name := filepath.Join(folder, tempName())
	if system.link(probe, name) != nil || discard(name) != nil {
		return nil, false
	}
	f, err := system.nameless(folder)
	return f, err == nil
}

// Write writes p. Its errors do not name the path, because callers do. After a failed Write, Commit fails too.
func (f *File) Write(p []byte) (int, error) {
	write := f.file.Write
	if f.past != nil {
		write = f.past.write
	}
	n, err := write(p)
	err = Cause(err)
	f.err = cmp.Or(f.err, err)
	return n, err
}

// Commit syncs the file, gives it the permissions of the file that it replaces, or those of a new one, and puts it in
// the place of the target. If anything fails, or a write has failed before, the target stays as it was, and the error
// names everything that failed.
func (f *File) Commit() error {
	if f.done {
		return fmt.Errorf("%s: %w", f.path, fs.ErrClosed)
	}
	f.done = true
	defer f.release()
	var err error
	note := func(e error) { err = join(err, at(f.path, e)) }
	note(f.err)
	if f.temp == "" { // devices and pipes cannot be synced
		note(f.file.Close())
		return err
	}
	if f.past != nil && err == nil {
		note(f.past.end())
	}
	mode, modeErr := targetMode(f.target)
	note(modeErr)
	if modeErr == nil {
		note(f.file.Chmod(mode))
	}
	note(system.sync(f.file))
	if f.nameless && err == nil {
		note(system.link(f.file, f.temp))
		f.nameless = err != nil
	}
	note(f.file.Close())
	if err == nil {
		note(system.rename(f.temp, f.target))
	}
	if err != nil {
		note(f.remove())
		return err
	}
	syncFolder(filepath.Dir(f.target))
	return nil
}

// Abort removes the temporary file and leaves the target as it was. After Commit it does nothing.
func (f *File) Abort() error {
	if f.done {
		return nil
	}
	f.done = true
	defer f.release()
	err := f.file.Close()
	if f.temp != "" {
		err = join(err, f.remove())
	}
	return err
}

func (f *File) remove() error {
	if f.nameless {
		return nil // a nameless file disappears when it is closed
	}
	return system.remove(f.temp)
}

// Write makes the file at path with the content that write writes. If write or anything else
// fails, the file at path stays as it was. Errors, also those of write, begin with the path.
func Write(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err == nil {
		err = f.fill(write)
	}
	if err != nil {
		return err
	}
	return f.Commit()
}

func (f *File) fill(write func(w io.Writer) error) error {
	if err := f.run(write); err != nil {
		return fmt.Errorf("%s: %w", f.path, join(err, f.Abort()))
	}
	return nil
}

// run calls write. Its error includes that of a write that has failed.
func (f *File) run(write func(w io.Writer) error) error {
	err := write(f)
	if !errors.Is(err, f.err) {
		err = join(err, f.err)
	}
	return err
}

// join is errors.Join for two errors, in one line.
func join(first, second error) error {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return fmt.Errorf("%w; and %w", first, second)
}

// targetMode returns the permissions of the file at target, or of a new file there. Creating one is the only way to find
// those out that works everywhere and is safe with several goroutines.
func targetMode(target string) (fs.FileMode, error) {
	if info, err := os.Stat(target); err == nil {
		return info.Mode().Perm(), nil
	}
	probe, err := createTemp(filepath.Dir(target), 0o666)
	if err != nil {
		return 0, err
	}
	info, err := probe.Stat()
	if err := join(err, join(probe.Close(), discard(probe.Name()))); err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// syncFolder makes a rename survive a power cut, if it can: the new file is complete in any case.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		_ = system.sync(d)
		_ = d.Close()
	}
}

// Check returns an error if Create and Commit could not write path. It is meant to be called before hours of work.
func Check(path string) error {
	target, direct, err := resolve(path)
	if err != nil || direct {
		return err
	}
	probe, err := createTemp(filepath.Dir(target), 0o600)
	if err == nil {
		err = join(probe.Close(), discard(probe.Name()))
	}
	return explain(path, target, err)
}

func explain(path, target string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: cannot write to the folder %s: %w", path, filepath.Dir(target), Cause(err))
}

// at puts path in place of that of package os. It returns nil if err is nil.
func at(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, Cause(err))
}

// Cause returns an error of package os without the path, for messages that begin with another one.
func Cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

type calls struct {
	create   func(name string, flag int, mode fs.FileMode) (*os.File, error)
	mkdir    func(name string, mode fs.FileMode) error
	nameless func(folder string) (*os.File, error) // creates a file without a name
	link     func(f *os.File, name string) error   // gives a nameless file its name
	rename   func(from, to string) error
	exchange func(a, b string) error
	remove   func(name string) error
	sync     func(f *os.File) error
	uncached func(f *os.File, on bool) error // whether writes bypass the page cache, and take whole blocks only
	// refuses reports whether an error is that of a file system that cannot bypass the page cache.
	refuses func(err error) bool
}

// system_linux.go and system_darwin.go set calls that other systems lack. Tests replace them by calls that end the
// process between two steps, or that remember what a power cut would leave.
var system = calls{
	create:   os.OpenFile,
	mkdir:    os.Mkdir,
	nameless: func(string) (*os.File, error) { return nil, errors.ErrUnsupported },
	rename:   os.Rename,
	exchange: func(string, string) error { return errors.ErrUnsupported },
	remove:   os.Remove,
	sync:     (*os.File).Sync,
	uncached: func(*os.File, bool) error { return errors.ErrUnsupported },
	refuses:  func(error) bool { return false },
}

// unfinished matches the names of files and folders that are being written.
// docs/reliability.md explains them.
var unfinished = regexp.MustCompile(`^\.w2v-[0-9a-f]{32}\.tmp$`)

func tempName() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails, see crypto/rand
	return ".w2v-" + hex.EncodeToString(random[:]) + ".tmp"
}

func createTemp(folder string, mode fs.FileMode) (*os.File, error) {
	return system.create(filepath.Join(folder, tempName()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

func createTempFolder(parent string) (string, error) {
	name := filepath.Join(parent, tempName())
	return name, system.mkdir(name, 0o700)
}

func discard(name string) error {
	if err := system.remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// abandonedAfter is the age of an unfinished file that a killed process has left, where locks do not show that.
const abandonedAfter = time.Minute

// clearAbandoned removes unfinished files of killed processes, and unfinished folders, if they have files of these
// names only. Errors are ignored.
func clearAbandoned(folder string, names ...string) {
	d, err := os.Open(folder)
	if err != nil {
		return
	}
	defer d.Close()
	there, _ := d.Readdirnames(-1)
	for _, name := range slices.DeleteFunc(there, func(name string) bool { return !unfinished.MatchString(name) }) {
		path := filepath.Join(folder, name)
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() && !info.IsDir() || time.Since(info.ModTime()) < abandonedAfter {
			continue
		}
		release, ok := seize(path)
		if !ok {
			continue
		}
		if info.IsDir() {
			for _, name := range append(names, probeName) {
				_ = system.remove(filepath.Join(path, name))
			}
		}
		_ = system.remove(path)
		release()
	}
}

// An Appender adds records to the end of a file. A record that Append has added survives a power cut.
type Appender struct {
	path string
	file *os.File
}

// OpenAppender opens or creates the file at path, and cuts off what is behind its first whole bytes.
func OpenAppender(path string, whole int64) (*Appender, error) {
	file, err := system.create(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, at(path, err)
	}
	a := &Appender{path, file}
	if err = file.Truncate(whole); err == nil {
		_, err = file.Seek(whole, 0)
	}
	if err != nil {
		return nil, join(at(path, err), a.Close())
	}
	syncFolder(filepath.Dir(path))
	return a, nil
}

// Append adds a record, and waits until it is on the disk.
func (a *Appender) Append(record []byte) error {
	_, err := a.file.Write(record)
	if err == nil {
		err = system.sync(a.file)
	}
	return at(a.path, err)
}

// Close closes the file.
func (a *Appender) Close() error { return at(a.path, a.file.Close()) }
