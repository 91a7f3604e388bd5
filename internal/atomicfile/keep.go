package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A Slot is a path that one process writes again and again. What others have put there is
// kept under another name before it is replaced: nothing is lost that the process did not
// make.
type Slot struct {
	path  string
	taken func(path string) bool
	link  func(old, new string) error
	own   fs.FileInfo // of the file that the process has made; nil if it has made none
	kept  *kept       // since the last Own
}

// kept is a file that has got another name.
type kept struct {
	name   string
	file   fs.FileInfo // that was at the path
	copied bool        // where files cannot have two names
}

// NewSlot returns the slot of a path. Names that taken reports are not used for what is
// kept; nil reports none.
func NewSlot(path string, taken func(path string) bool) *Slot {
	if taken == nil {
		taken = func(string) bool { return false }
	}
	return &Slot{path: path, taken: taken, link: os.Link}
}

// Own says that the file at the path is one that the process has made, and may replace.
func (s *Slot) Own() {
	s.kept = nil
	s.own, _ = Identify(s.path) // if there is none, there is nothing to replace
}

// Foreign reports whether somebody else has made the file at the path, and there is
// something in it. Devices and pipes are nobody's.
func (s *Slot) Foreign() bool { return s.foreign() != nil }

func (s *Slot) foreign() fs.FileInfo {
	info, err := Identify(s.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || Unchanged(s.own, info) {
		return nil
	}
	return info
}

// Identify is os.Stat of a file that may be replaced before it is compared with another by
// Unchanged: Windows looks which file it is only when it is asked.
func Identify(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil {
		_ = os.SameFile(info, info)
	}
	return info, err
}

// Unchanged reports whether what Identify has told of a path is told of the same file
// before and now. It is enough if either its identity or its time is the same, because some
// network file systems keep only one of them. It is false if there was no file.
func Unchanged(before, now fs.FileInfo) bool {
	return before != nil && now != nil && before.Size() == now.Size() && (os.SameFile(before, now) || before.ModTime().Equal(now.ModTime()))
}

// Keep gives what somebody else has made a second name, if there is any, so that it stays
// when the file at the path is replaced: the path and ".before", ".before-2", ".before-3"
// and so on, the first that no file has. A link's target is kept, beside where it is. It is
// an error if somebody has replaced what the process has made: then both go on writing, and
// there would be no end of names. Errors are one line that begins with the path.
func (s *Slot) Keep() (name string, err error) {
	info := s.foreign()
	if info == nil {
		return "", nil
	}
	if s.own != nil {
		return "", fmt.Errorf("%s: another run writes it too, and what is there now is left as it is: each needs a file of its own", s.path)
	}
	if s.kept != nil && Unchanged(s.kept.file, info) { // it has its name from the last time
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
			return "", fmt.Errorf("%s: what another run has written cannot be kept as %s: %w", s.path, name, cause(err))
		}
		s.kept = &kept{name, info, copied}
		return name, nil
	}
}

// Undo takes back what Keep has done since the last Own, because the path was not written
// after all. What is not at the path any more keeps the other name.
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
	if err := os.Remove(k.name); err != nil {
		return fmt.Errorf("%s: %w", k.name, cause(err))
	}
	return nil
}

// copyNew copies a file to a name that no file has.
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
		_ = os.Chmod(to, info.Mode().Perm()) // it is kept all the same
	}
	return nil
}
