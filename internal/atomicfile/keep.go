package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A Slot is a path that one process writes repeatedly. It keeps a file of another process under another name.
type Slot struct {
	path  string
	taken func(path string) bool
	link  func(old, new string) error
	own   fs.FileInfo // the file that this process has written; nil if there is none
	kept  *kept       // since the last Own
}

type kept struct {
	name   string
	file   fs.FileInfo // the file that was at the path
	copied bool        // it is a copy, because the file system has no hard links
}

// NewSlot returns the slot of a path. No file is kept under a name for which taken, which may be nil, returns true.
func NewSlot(path string, taken func(path string) bool) *Slot {
	if taken == nil {
		taken = func(string) bool { return false }
	}
	return &Slot{path: path, taken: taken, link: os.Link}
}

// Own declares that this process has written the file at the path and may replace it.
func (s *Slot) Own() {
	s.kept = nil
	s.own, _ = Identify(s.path) // if there is no file, there is nothing to keep
}

// Foreign reports whether another process has written the file at the path. Empty files and devices do not count.
func (s *Slot) Foreign() bool { return s.foreign() != nil }

func (s *Slot) foreign() fs.FileInfo {
	info, err := Identify(s.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || Unchanged(s.own, info) {
		return nil
	}
	return info
}

// Identify is os.Stat for Unchanged. On Windows, os.Stat finds out the file's identity only when it is asked for.
func Identify(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil {
		_ = os.SameFile(info, info)
	}
	return info, err
}

// Unchanged reports whether two results of Identify are of one file: by its identity or its time of change, because some
// network file systems keep only one of them. It returns false if before is nil.
func Unchanged(before, now fs.FileInfo) bool {
	return before != nil && now != nil && before.Size() == now.Size() && (os.SameFile(before, now) || before.ModTime().Equal(now.ModTime()))
}

// Keep is called before the file at the path is replaced. It gives a file of another process a second name, which it
// returns: the path, behind symbolic links, with ".before", ".before-2" and so on, the first that is free. It is an error
// if another process has replaced a file of this one: each would keep the other's files without end.
func (s *Slot) Keep() (name string, err error) {
	info := s.foreign()
	if info == nil {
		return "", nil
	}
	if s.own != nil {
		return "", fmt.Errorf("%s: another run writes it too, and what is there now is left as it is: each needs a file of its own", s.path)
	}
	if s.kept != nil && Unchanged(s.kept.file, info) { // it was kept before
		return s.kept.name, nil
	}
	target, _, err := resolve(s.path)
	if err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		name := target + ".before"
		if n > 1 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(name); err == nil || s.taken(name) {
			continue
		}
		copied := false
		err := s.link(target, name)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			copied = true
			err = copyNew(target, name)
		}
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", fmt.Errorf("%s: what another run has written cannot be kept as %s: %w", s.path, name, Cause(err))
		}
		s.kept = &kept{name, info, copied}
		return name, nil
	}
}

// Undo takes back what Keep has done since the last Own, if the file is still at the path: it was not written.
func (s *Slot) Undo() error {
	k := s.kept
	if k == nil {
		return nil
	}
	info, err := Identify(s.path)
	if err != nil || !Unchanged(k.file, info) {
		return nil
	}
	if second, err := os.Lstat(k.name); err != nil || !k.copied && !os.SameFile(second, info) {
		return nil
	}
	s.kept = nil
	return at(k.name, os.Remove(k.name))
}

func copyNew(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	reserved, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := reserved.Close(); err != nil {
		return err
	}
	err = Write(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
	if err != nil {
		return join(err, os.Remove(to))
	}
	if info, err := in.Stat(); err == nil {
		_ = os.Chmod(to, info.Mode().Perm()) // the copy is good with other permissions too
	}
	return nil
}
