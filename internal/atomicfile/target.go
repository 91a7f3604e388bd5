package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many symbolic links may follow one another.
const maxLinks = 40

// Check returns an error if Create and Commit could not write path. It leaves nothing behind. It is
// meant to be called before hours of work. Errors are one line that begins with path.
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

// resolve follows symbolic links, also dangling ones, so that not the link is replaced but the file
// that it points to. It reports whether the target has to be written directly.
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
		// Links in /proc, to which /dev/stdout leads, name open files. The file must
		// be written through the link, even if it is a regular file.
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

// explain returns an error in one line that says why no file can be created for path.
func explain(path, target string, err error) error {
	return fmt.Errorf("%s: cannot write to the folder %s: %w", path, filepath.Dir(target), cause(err))
}

// cause removes the path from an error of package os, because it is that of the temporary file.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
