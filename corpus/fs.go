package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// FS returns the corpus in the named files, directories and globs of a file system, by the
// rules of Files. Names are those of package fs, with slashes; "." is all of the file system.
// Unlike those of Files, a large file is read by one worker.
func FS(fsys fs.FS, names []string, options Options) (*Source, error) {
	if err := options.ready(); err != nil {
		return nil, err
	}
	if fsys == nil {
		return nil, errors.New("there is no file system to read the corpus from: it is nil")
	}
	s := &Source{options: options}
	for _, name := range names {
		paths, err := expandIn(fsys, name)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			open := func() (io.ReadCloser, error) { return fsys.Open(path) }
			s.inputs = append(s.inputs, input{name: path, size: -1, open: open, beginning: new(beginning)})
		}
	}
	s.keepBeginnings()
	return s, nil
}

// expandIn returns the files of a file system that name stands for.
func expandIn(fsys fs.FS, name string) ([]string, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		if !strings.ContainsAny(name, `*?[`) {
			return nil, named(name, err)
		}
		paths, err := fs.Glob(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		paths = withoutHidden(name, paths)
		if len(paths) == 0 {
			return nil, fmt.Errorf("%s: no file matches", name)
		}
		var all []string
		for _, path := range paths {
			below, err := expandIn(fsys, path)
			if err != nil {
				return nil, err
			}
			all = append(all, below...)
		}
		return all, nil
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	var all []string
	err = fs.WalkDir(fsys, name, func(file string, entry fs.DirEntry, err error) error {
		switch hidden := strings.HasPrefix(path.Base(file), ".") && file != name; {
		case err != nil:
			return named(file, err)
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || entry.IsDir():
			return nil
		case entry.Type()&fs.ModeSymlink != 0:
			target, err := fs.Stat(fsys, file)
			if err != nil {
				return named(file, err)
			}
			if target.IsDir() {
				return nil // may lead back to where it is
			}
		}
		all = append(all, file)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: no files in this directory", name)
	}
	return all, err
}
