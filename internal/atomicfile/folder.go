package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// WriteFolder makes the folder at path of the files that write creates, one after
// the other, by plain names, or leaves path as it was if anything fails. A folder
// that is there is replaced only if it is empty or has no other files than the
// new one: what somebody put beside them is never deleted. Errors are one line
// that begins with path.
func WriteFolder(path string, write func(create func(name string, write func(io.Writer) error) error) error) error {
	target, err := resolveFolder(path)
	if err != nil {
		return err
	}
	temp, err := createTempFolder(filepath.Dir(target))
	if err != nil {
		return explain(path, target, err)
	}
	var names []string
	err = write(func(name string, write func(io.Writer) error) error {
		names = append(names, name)
		if err := writeFile(filepath.Join(temp, name), write); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err == nil {
		err = replaceFolder(temp, target, names)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, join(cause(err), os.RemoveAll(temp)))
	}
	syncFolder(filepath.Dir(target))
	return nil
}

// CheckFolder tells whether WriteFolder of path, with files of these names, will find
// a place that it can write to, without leaving anything behind. Errors are one line
// that begins with path.
func CheckFolder(path string, names ...string) error {
	target, err := resolveFolder(path)
	if err != nil {
		return err
	}
	if err := onlyFiles(target, names); err != nil {
		return fmt.Errorf("%s: %w", path, cause(err))
	}
	temp, err := createTempFolder(filepath.Dir(target))
	if err != nil {
		return explain(path, target, err)
	}
	if err := os.Remove(temp); err != nil {
		return explain(path, target, err)
	}
	return nil
}

// resolveFolder returns the path of the folder itself, where symbolic links lead.
func resolveFolder(path string) (string, error) {
	if path == "" {
		return "", errors.New("no output path given")
	}
	target := filepath.Clean(path)
	switch info, err := os.Stat(target); {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(target); err == nil {
			return "", fmt.Errorf("%s: is a symbolic link to nothing, want a folder", path)
		}
		return target, nil
	case err != nil:
		return "", fmt.Errorf("%s: %w", path, cause(err))
	case !info.IsDir():
		return "", fmt.Errorf("%s: is a file, want a folder", path)
	}
	if base := filepath.Base(target); base == "." || base == ".." || filepath.Dir(target) == target {
		return "", fmt.Errorf("%s: is no folder that can be replaced: name one in it", path)
	}
	target, err := filepath.EvalSymlinks(target)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, cause(err))
	}
	return target, nil
}

// writeFile writes a file that is not there, and syncs it to disk.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return cause(err)
	}
	w := &File{file: f} // remembers a failed write
	if err = write(w); !errors.Is(err, w.err) {
		err = join(err, w.err)
	}
	if err == nil {
		err = cause(f.Sync())
	}
	return join(err, cause(f.Close()))
}

// onlyFiles is an error if the folder at path has anything but files of these names.
// One that is not there has nothing.
func onlyFiles(path string, names []string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || !slices.Contains(names, e.Name()) {
			return fmt.Errorf("there is already a folder with %s in it, which would be lost: remove the folder, or name another one", e.Name())
		}
	}
	return nil
}

// replaceFolder puts the folder temp in the place of target, whose files are all
// among names.
func replaceFolder(temp, target string, names []string) error {
	syncFolder(temp)
	info, err := os.Stat(target)
	if errors.Is(err, fs.ErrNotExist) {
		mode, err := newFolderMode(temp)
		if err != nil {
			return err
		}
		if err := os.Chmod(temp, mode); err != nil {
			return err
		}
		return os.Rename(temp, target)
	}
	if err != nil {
		return err
	}
	if err := onlyFiles(target, names); err != nil {
		return err
	}
	if err := os.Chmod(temp, info.Mode().Perm()); err != nil {
		return err
	}
	aside := temp + ".old"
	if err := os.Rename(target, aside); err != nil {
		return err
	}
	if err := os.Rename(temp, target); err != nil {
		return join(cause(err), cause(os.Rename(aside, target)))
	}
	// The new folder is in its place. What came into the old one since it was looked
	// at stays in it.
	for _, name := range names {
		if err := os.Remove(filepath.Join(aside, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("is written, but the folder that was there before is now %s: %w", aside, cause(err))
		}
	}
	if err := os.Remove(aside); err != nil {
		return fmt.Errorf("is written, but the folder that was there before is now %s: %w", aside, cause(err))
	}
	return nil
}

// newFolderMode returns the permissions that a new folder gets beside folder.
func newFolderMode(folder string) (fs.FileMode, error) {
	probe := filepath.Join(folder, ".probe")
	if err := os.Mkdir(probe, 0o777); err != nil {
		return 0, err
	}
	info, err := os.Stat(probe)
	if err := join(err, os.Remove(probe)); err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

func createTempFolder(parent string) (string, error) {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails, see crypto/rand
	name := filepath.Join(parent, ".w2v-"+hex.EncodeToString(random[:])+".tmp")
	return name, os.Mkdir(name, 0o700)
}
