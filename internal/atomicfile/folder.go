package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// WriteFolder makes the folder at path of files that write creates, by calls with their plain names. If anything fails,
// path stays as it was. A folder with files besides those of the new one is not replaced, so that nobody's file is lost.
func WriteFolder(path string, write func(create func(name string, write func(io.Writer) error) error) error) error {
	target, err := resolveFolder(path)
	if err != nil {
		return err
	}
	temp, err := createTempFolder(filepath.Dir(target))
	if err != nil {
		return explain(path, target, err)
	}
	defer holdFolder(temp)()
	var names []string
	err = write(func(name string, write func(io.Writer) error) error {
		names = append(names, name)
		if err := writeFile(filepath.Join(temp, name), write); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	replaced := false
	if err == nil {
		replaced, err = replaceFolder(temp, target, names)
	}
	if err != nil && !replaced {
		err = join(Cause(err), os.RemoveAll(temp))
	}
	if err != nil {
		return at(path, err)
	}
	syncFolder(filepath.Dir(target))
	clearAbandoned(filepath.Dir(target), names...)
	return nil
}

// CheckFolder returns an error if WriteFolder could not write files of these names at path.
func CheckFolder(path string, names ...string) error {
	target, err := resolveFolder(path)
	if err != nil {
		return err
	}
	if err := onlyFiles(target, names); err != nil {
		return at(path, err)
	}
	temp, err := createTempFolder(filepath.Dir(target))
	if err == nil {
		err = discard(temp)
	}
	return explain(path, target, err)
}

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
		return "", at(path, err)
	case !info.IsDir():
		return "", fmt.Errorf("%s: is a file, want a folder", path)
	}
	if base := filepath.Base(target); base == "." || base == ".." || filepath.Dir(target) == target {
		return "", fmt.Errorf("%s: is not a folder that can be replaced: name one in it", path)
	}
	target, err := filepath.EvalSymlinks(target)
	if err != nil {
		return "", at(path, err)
	}
	return target, nil
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := system.create(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return Cause(err)
	}
	err = (&File{file: f}).run(write)
	if err == nil {
		err = Cause(system.sync(f))
	}
	return join(err, Cause(f.Close()))
}

// onlyFiles accepts a path without a folder.
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

// All files of target are among names.
func replaceFolder(temp, target string, names []string) (replaced bool, err error) {
	syncFolder(temp)
	if err := settleFolder(target, names); err != nil {
		return false, err
	}
	if err := onlyFiles(target, names); err != nil {
		return false, err
	}
	info, err := os.Stat(target)
	fresh := errors.Is(err, fs.ErrNotExist)
	if fresh { // a probe gets the permissions of a new folder
		probe := filepath.Join(temp, probeName)
		if err = system.mkdir(probe, 0o777); err == nil {
			info, err = os.Stat(probe)
			err = join(err, system.remove(probe))
		}
	}
	if err == nil {
		err = os.Chmod(temp, info.Mode().Perm())
	}
	if err == nil && fresh {
		err = system.rename(temp, target)
	}
	if err != nil || fresh {
		return err == nil, err
	}
	old, aside := target+asideSuffix, target+asideSuffix
	if system.exchange(temp, target) == nil {
		old = temp
	} else {
		if err := system.rename(target, aside); err != nil {
			return false, err
		}
		if err := system.rename(temp, target); err != nil {
			return false, join(Cause(err), Cause(system.rename(aside, target)))
		}
	}
	// Files that others have put into the old folder since the check stay in it.
	if err := removeFolder(old, names); err != nil {
		if old != aside && system.rename(old, aside) == nil {
			old = aside
		}
		return true, fmt.Errorf("is written, but the folder that was there before is now %s: %w", old, Cause(err))
	}
	return true, nil
}

// If the system cannot exchange two folders in one step, the old folder gets this name, and then the new one its own.
const asideSuffix = ".before-w2v"

// settleFolder finishes or undoes what a process was killed in. It removes only files of these names.
func settleFolder(target string, names []string) error {
	aside := target + asideSuffix
	if info, err := os.Lstat(aside); err != nil || !info.IsDir() {
		return nil //nolint:nilerr // there is no such folder, or it is a file that is not ours
	}
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		return system.rename(aside, target)
	}
	if err := removeFolder(aside, names); err != nil {
		return fmt.Errorf("an earlier version of the folder is still in %s: move it away, or remove it: %w", aside, Cause(err))
	}
	return nil
}

// Interrupted returns where the old folder is if a process was killed while it replaced that at path, else "".
func Interrupted(path string) string {
	target := filepath.Clean(path)
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if info, err := os.Lstat(target + asideSuffix); err != nil || !info.IsDir() {
		return ""
	}
	return target + asideSuffix
}

// removeFolder removes files of these names, and then the folder if it is empty. A power cut must not bring the folder
// back without its files, where another one has taken its place.
func removeFolder(path string, names []string) error {
	syncFolder(filepath.Dir(path))
	for _, name := range names {
		if err := discard(filepath.Join(path, name)); err != nil {
			return err
		}
	}
	return discard(path)
}

const probeName = ".probe" // a folder within an unfinished one that finds out which permissions new folders get
