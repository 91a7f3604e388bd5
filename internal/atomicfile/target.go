package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many symbolic links may stand behind one another.
const maxLinks = 40

// Check tells whether Create and Commit of path will find a folder that they
// can write to, without leaving anything behind. It is for asking before hours
// of work. Errors are one line that begins with path.
func Check(path string) error {
	target, direct, err := resolve(path)
	if err != nil || direct {
		return err
	}
	probe, err := createTemp(filepath.Dir(target), 0o600)
	if err != nil {
		return explain(path, target, err)
	}
	if err := join(probe.Close(), discard(probe.Name())); err != nil {
		return explain(path, target, err)
	}
	return nil
}

// resolve follows symbolic links, dangling ones too, so that the file that a
// link points to is replaced and not the link. It reports whether the target
// has to be written directly.
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
		// Links of /proc, which /dev/stdout leads to, name open files: the file
		// must be written through them, even a regular one.
		folder, err := filepath.EvalSymlinks(filepath.Dir(target))
		if err != nil {
			return "", false, fmt.Errorf("%s: %w", path, cause(err))
		}
		if strings.HasPrefix(folder, "/proc/") {
			return target, true, nil
		}
		link, err := os.Readlink(target)
		if err != nil {
			return "", false, fmt.Errorf("%s: %w", path, cause(err))
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(folder, link)
		}
		target = link
	}
	return "", false, fmt.Errorf("%s: too many symbolic links", path)
}

// explain says in one line why no file can be made for path.
func explain(path, target string, err error) error {
	return fmt.Errorf("%s: cannot write to the folder %s: %w", path, filepath.Dir(target), cause(err))
}

// cause takes the path off an error of package os, whose path is that of the
// temporary file.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
