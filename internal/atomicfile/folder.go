package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// WriteFolder makes the folder at path of the files that write creates, one after
// the other, by plain names, or leaves path as it was if anything fails. A folder
// that is there is replaced only if it is empty or has no other files than the
// new one: what somebody put beside them is never deleted. Errors are one line
// that begins with path.
func WriteFolder(path string, write func(create func(name string, write func(io.Writer) error) error) error) error {
	target := strings.TrimRight(path, string(os.PathSeparator)+"/")
	if target == "" {
		return fmt.Errorf("%s: is no folder that can be written", path)
	}
	if err := CheckFolder(target); err != nil {
		return err
	}
	fail := func(err error) error { return fmt.Errorf("%s: %w", path, cause(err)) }
	temp, err := createTempFolder(filepath.Dir(target))
	if err != nil {
		return fail(err)
	}
	names := map[string]bool{}
	err = write(func(name string, write func(io.Writer) error) error {
		names[name] = true
		f, err := os.OpenFile(filepath.Join(temp, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return cause(err)
		}
		if err := write(f); err != nil {
			return join(fmt.Errorf("%s: %w", name, cause(err)), f.Close())
		}
		return join(f.Sync(), f.Close())
	})
	if err == nil {
		err = replaceFolder(temp, target, names)
	}
	if err != nil {
		return fail(join(err, os.RemoveAll(temp)))
	}
	syncFolder(filepath.Dir(target))
	return nil
}

// CheckFolder tells whether WriteFolder of path will find a place that it can
// write to.
func CheckFolder(path string) error {
	target := strings.TrimRight(path, string(os.PathSeparator)+"/")
	switch info, err := os.Stat(target); {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s: is a file, want a folder", path)
	case err != nil && !errors.Is(err, os.ErrNotExist):
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

// replaceFolder puts the folder temp in the place of target, whose files are all
// among names.
func replaceFolder(temp, target string, names map[string]bool) error {
	info, err := os.Stat(target)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.Chmod(temp, 0o777&^umask(temp)); err != nil {
			return cause(err)
		}
		return cause(os.Rename(temp, target))
	}
	if err != nil {
		return cause(err)
	}
	old, err := os.ReadDir(target)
	if err != nil {
		return cause(err)
	}
	for _, e := range old {
		if !names[e.Name()] {
			return fmt.Errorf("there is already a folder with %s in it, which would be lost: remove the folder, or name another one", e.Name())
		}
	}
	if err := os.Chmod(temp, info.Mode().Perm()); err != nil {
		return cause(err)
	}
	aside := temp + ".old"
	if err := os.Rename(target, aside); err != nil {
		return cause(err)
	}
	if err := os.Rename(temp, target); err != nil {
		return join(cause(err), cause(os.Rename(aside, target)))
	}
	return cause(os.RemoveAll(aside))
}

// umask returns the permissions that new files in folder do not get.
func umask(folder string) os.FileMode {
	const all = 0o777
	probe := filepath.Join(folder, ".umask")
	if err := os.Mkdir(probe, all); err != nil {
		return 0o077
	}
	defer os.Remove(probe)
	info, err := os.Stat(probe)
	if err != nil {
		return 0o077
	}
	return all &^ info.Mode().Perm()
}

func createTempFolder(parent string) (string, error) {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails, see crypto/rand
	name := filepath.Join(parent, ".w2v-"+hex.EncodeToString(random[:])+".tmp")
	return name, os.Mkdir(name, 0o700)
}
