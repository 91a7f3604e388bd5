// Package atomicfile writes files that are either complete or not there: an
// interrupted or failed run never destroys an earlier file.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is written to a temporary file in the folder of its target and takes
// the target's place when it is committed. A target that is a device, a pipe
// or a socket, such as /dev/stdout, cannot be replaced and is written directly.
type File struct {
	file   *os.File
	path   string // as the caller named it, for errors
	target string // path without symbolic links
	temp   string // the temporary file; empty when the target is written directly
	err    error  // the first failed write
	done   bool

	nameless bool   // the temporary file is not called temp before Commit
	release  func() // lets others take the temporary file for one that was left
}

// Create begins to write path. The temporary file has a random name, or none where the
// system allows that, and can be read by its owner alone until Commit. Errors are one line that begins with
// path.
func Create(path string) (*File, error) { return create(path, createNameless) }

// create is Create with what creates a nameless file.
func create(path string, createNameless func(folder string) (*os.File, bool)) (*File, error) {
	target, direct, err := resolve(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, target: target, release: func() {}}
	if direct {
		// Appending leaves alone what the shell has put into the file behind
		// /dev/stdout.
		if f.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
			return nil, fmt.Errorf("%s: %w", path, cause(err))
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

// Write writes p. Its errors do not name the path, for the sake of those who
// wrap them; after a failed Write, Commit fails too, with the path.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	if err != nil {
		err = cause(err)
		if f.err == nil {
			f.err = err
		}
	}
	return n, err
}

// Commit makes what was written the file at the target: it is synced to disk,
// given the permissions of the file that it replaces, or else those of any new
// file, and renamed. If anything fails, a write before it included, the target
// is as it was, the temporary file is gone, and all that failed is in the error.
func (f *File) Commit() error {
	if f.done {
		return fmt.Errorf("%s: %w", f.path, fs.ErrClosed)
	}
	f.done = true
	defer f.release()
	var err error
	note := func(e error) {
		if e != nil {
			err = join(err, fmt.Errorf("%s: %w", f.path, cause(e)))
		}
	}
	note(f.err)
	if f.temp == "" { // devices and pipes know no sync
		note(f.file.Close())
		return err
	}
	mode, modeErr := targetMode(f.target)
	note(modeErr)
	if modeErr == nil {
		note(f.file.Chmod(mode))
	}
	note(f.file.Sync())
	if f.nameless && err == nil {
		if linkErr := system.link(f.file, f.temp); linkErr != nil {
			note(linkErr)
		} else {
			f.nameless = false
		}
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

// Abort ends the writing without touching the target and removes the temporary
// file. After Commit it does nothing, so that it can be deferred.
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

// remove removes the temporary file.
func (f *File) remove() error {
	if f.nameless {
		return nil // it is gone when it is closed
	}
	return system.remove(f.temp)
}

// Write writes what write writes to path, or leaves path as it was if write or
// anything else fails. Errors, those of write too, are put after the path.
func Write(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	if err := f.fill(write); err != nil {
		return err
	}
	return f.Commit()
}

// fill writes what write writes, or ends the writing if it fails.
func (f *File) fill(write func(w io.Writer) error) error {
	err := write(f)
	if err == nil {
		return nil
	}
	if !errors.Is(err, f.err) {
		err = join(err, f.err)
	}
	return fmt.Errorf("%s: %w", f.path, join(err, f.Abort()))
}

// join is errors.Join of two on one line.
func join(first, second error) error {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return fmt.Errorf("%w; and %w", first, second)
}

// targetMode returns the permissions that the file at target has, or else those
// that a new file there would get. They depend on the umask and the folder, and
// the only way to learn them that is safe with several goroutines and works
// everywhere is to make a file.
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

// syncFolder makes a rename in folder survive a power cut where the system
// can. The new file is complete either way, so failing is no failure.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
