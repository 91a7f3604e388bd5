// Package fileuse finds files that a program would replace although it reads them, or would write for two
// purposes. The program lists its files with their uses and calls Check before it begins.
package fileuse

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
)

// A Use is what a program does with a file or a folder.
type Use int

// The uses. A folder that is read may be read by names that are known, or all that it has.
const (
	Reads    Use = iota // a file, or known files of a folder
	Lists               // a file, or each file of a folder
	Writes              // a file, new or at its end
	Replaces            // a folder, which is replaced as a whole
	Keeps               // a folder with files that only this program names, such as a cache
	Fills               // a folder for results, which have names that an input could have
)

// A Place is a file or a folder, and what it is for.
type Place struct {
	Role any // what a message calls it, such as the flag that names it
	Path string
	Use  Use
	// Updates are the roles of what this place may replace: it was read before.
	Updates []any
	// Open, if not nil, is a standard stream in the place of a path.
	Open *os.File

	info fs.FileInfo // nil if there is nothing
}

// A Conflict is two places that exclude each other.
type Conflict struct {
	Format string // for package fmt
	Args   []any  // the roles and paths
}

// Check returns the first conflict, or nil.
func Check(all []Place) *Conflict {
	all = slices.Clone(all)
	for i := range all {
		p := &all[i]
		if p.Open != nil {
			p.info, _ = p.Open.Stat()
			if p.info == nil || !p.info.Mode().IsRegular() {
				p.info = nil
			}
		} else {
			p.info, _ = os.Stat(p.Path)
		}
	}
	for _, rule := range []func(w, other *Place) *Conflict{sameFile, folders} {
		for i := range all {
			w := &all[i]
			if !w.written() || !w.there() { // most places are only read, perhaps 100,000 of them
				continue
			}
			for j := range all {
				other := &all[j]
				if i == j || !other.there() || other.written() && w.Role == other.Role {
					continue
				}
				if c := rule(w, other); c != nil && !(other.read() && slices.Contains(w.Updates, other.Role)) {
					return c
				}
			}
		}
	}
	return nil
}

func (p *Place) read() bool    { return p.Use == Reads || p.Use == Lists }
func (p *Place) written() bool { return !p.read() }

// there reports whether the place can conflict. A missing input cannot: reading reports it.
func (p *Place) there() bool { return p.info != nil || p.Open == nil && p.written() }

// sameFile returns the conflict of a written place with another place for the same file.
func sameFile(w, other *Place) *Conflict {
	if w.Open != nil && other.Open != nil && other.written() { // standard output and standard error may be one file
		return nil
	}
	path, what := other.Path, "file"
	switch {
	case w.Use == Keeps && other.Use == Replaces || w.Use == Replaces && other.Use == Keeps:
		return nil // folders gives a better message
	case other.Open != nil:
		path = w.Path
	case w.Open == nil && other.read() && other.info.IsDir() && w.info != nil && w.info.Mode().IsRegular():
		if !w.isIn(other.Path) {
			return nil
		}
		return &Conflict{"%v and %v are the same file, %s", []any{w.Role, other.Role, w.Path}}
	}
	if !w.same(other) {
		return nil
	}
	if w.info != nil && w.info.IsDir() {
		what = "folder"
	}
	return &Conflict{"%v and %v are the same " + what + ", %s", []any{w.Role, other.Role, path}}
}

// folders returns the conflict of a written place with one inside its folder, or around it.
func folders(w, other *Place) *Conflict {
	switch {
	case w.Open != nil || other.Open != nil:
		return nil
	case w.Use == Replaces && atomicfile.Within(other.Path, w.Path):
		return &Conflict{"%v, %s, is in the folder of %v, which is replaced as a whole: name another place", []any{other.Role, other.Path, w.Role}}
	case w.Use == Fills && other.read() && atomicfile.Within(other.Path, w.Path):
		return &Conflict{"%v, %s, is in the folder of %v, where results are written: name another place", []any{other.Role, other.Path, w.Role}}
	case other.Use == Lists && other.info.IsDir() && atomicfile.Within(w.Path, other.Path):
		return &Conflict{"%v, %s, is in a folder of which all files are read, that of %v: name another place", []any{w.Role, w.Path, other.Role}}
	}
	return nil
}

func (p *Place) same(other *Place) bool {
	switch {
	case p.Open != nil && p.device(other), other.Open != nil && other.device(p):
		return false
	case p.info != nil && other.info != nil:
		return (p.info.Mode().IsRegular() || p.info.IsDir()) && os.SameFile(p.info, other.info)
	case p.info != nil || other.info != nil:
		return false
	}
	return p.Open == nil && other.Open == nil && atomicfile.Same(p.Path, other.Path)
}

// device reports whether other is a name of an open file that is written to, as /dev/stdout.
func (p *Place) device(other *Place) bool {
	at := filepath.ToSlash(filepath.Clean(other.Path))
	return p.written() && other.written() && (strings.HasPrefix(at, "/dev/") || strings.HasPrefix(at, "/proc/"))
}

// isIn reports whether a file is in a folder, perhaps under another name or through a symbolic link.
func (p *Place) isIn(folder string) bool {
	if atomicfile.Within(p.Path, folder) {
		return true
	}
	found := errors.New("found")
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // whoever reads it says so
		}
		if info, err := os.Stat(path); err == nil && os.SameFile(info, p.info) {
			return found
		}
		return nil
	})
	return errors.Is(err, found)
}
