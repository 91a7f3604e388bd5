// Package atomicfile writes files and folders that are either complete or not there. A run that
// fails or is interrupted never destroys an earlier file.
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
	release  func() // ends the mark by which other processes know that the temporary file is in use
}

// Create begins to write path. The temporary file has a random name, or no name if the system
// allows that. Only its owner can read it until Commit. Errors are one line that begins with
// path.
func Create(path string) (*File, error) { return create(path, createNameless) }

// create is Create with a function that creates a nameless file.
func create(path string, createNameless func(folder string) (*os.File, bool)) (*File, error) {
	target, direct, err := resolve(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, target: target, release: func() {}}
	if direct {
		// O_APPEND keeps what the shell has already written to the file that
		// /dev/stdout leads to.
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

// Write writes p. Its errors do not name the path, because callers wrap them. After a failed
// Write, Commit fails too, with an error that names the path.
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

// Commit puts the written file in the place of the target. It syncs the file to disk, gives it
// the permissions of the file that it replaces, or those of a new file, and renames it. If
// anything fails, or a write has failed before, the target stays as it was, the temporary file
// is removed, and the error names everything that failed.
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
	if f.temp == "" { // devices and pipes cannot be synced
		note(f.file.Close())
		return err
	}
	mode, modeErr := targetMode(f.target)
	note(modeErr)
	if modeErr == nil {
		note(f.file.Chmod(mode))
	}
	note(system.sync(f.file))
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

// Abort removes the temporary file and leaves the target as it was. After Commit it does nothing,
// so that it can be deferred.
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
		return nil // a nameless file disappears when it is closed
	}
	return system.remove(f.temp)
}

// Write makes the file at path with the content that write writes. If write or anything else
// fails, the file at path stays as it was. Errors, also those of write, begin with the path.
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

// fill calls write, and aborts the file if write fails.
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

// targetMode returns the permissions of the file at target, or those that a new file there would
// get. The latter depend on the umask and the folder. Creating a file is the only way to find
// them out that works everywhere and is safe with several goroutines.
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

// syncFolder makes a rename in folder survive a power cut, if the system can do that. Errors are
// ignored, because the new file is complete in any case.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		_ = system.sync(d)
		_ = d.Close()
	}
}
