// Package scratch makes temporary files that only their owner can read and that do not outlive the
// program.
package scratch

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is a temporary file. Where the system allows it, it has no name, so that nothing is left
// behind however the program ends.
type File struct {
	*os.File
	Folder string // folder of the file
}

// Create creates a file in dir; empty means the system's folder for temporary files, where others may write. So the name
// cannot be guessed, and an existing file or link is never opened. Errors omit the name.
func Create(dir, prefix string) (*File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	f, err := os.OpenFile(filepath.Join(dir, prefix+rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, Cause(err)
	}
	_ = os.Remove(f.Name()) // fails on Windows while the file is open: Close removes it
	return &File{f, dir}, nil
}

// Close closes and removes the file.
func (f *File) Close() error {
	err := f.File.Close()
	if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Cause returns an error without the file's name and the system call.
func Cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
