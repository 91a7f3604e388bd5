package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Partial is a file that several processes may write, one after the other. Until it is whole, its name is that of the target
// with ".partial" behind it.
type Partial struct {
	file         *os.File
	path, target string
}

// PartialPath returns where the Partial of a path is. It is an error if the path is a folder, or no file that can be replaced.
func PartialPath(path string) (string, error) {
	target, direct, err := resolve(path)
	switch {
	case err != nil:
		return "", err
	case direct:
		return "", fmt.Errorf("%s: is no file that can be replaced", path)
	}
	return target + ".partial", nil
}

// OpenPartial opens or creates the partial file of a path, and cuts off what is behind its first whole bytes. It is an error if
// the file has fewer.
func OpenPartial(path string, whole int64) (*Partial, error) {
	name, err := PartialPath(path)
	if err != nil {
		return nil, err
	}
	flag := os.O_RDWR
	if whole == 0 {
		flag |= os.O_CREATE
	}
	file, err := system.create(name, flag, 0o600)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && whole == 0 {
			return nil, explain(path, name, err)
		}
		return nil, at(name, err)
	}
	p := &Partial{file, path, name[:len(name)-len(".partial")]}
	info, err := file.Stat()
	if err == nil && info.Size() < whole {
		err = fmt.Errorf("has %d bytes, expected at least %d", info.Size(), whole)
	}
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err != nil {
		return nil, join(at(name, err), p.Close())
	}
	return p, nil
}

// Write adds bytes. Its errors do not name the path, because callers do.
func (p *Partial) Write(b []byte) (int, error) {
	n, err := p.file.Write(b)
	return n, Cause(err)
}

// WriteAt replaces bytes.
func (p *Partial) WriteAt(b []byte, offset int64) (int, error) {
	n, err := p.file.WriteAt(b, offset)
	return n, Cause(err)
}

// Sync waits until what was written is on the disk.
func (p *Partial) Sync() error { return Cause(system.sync(p.file)) }

// Close closes the file, which stays.
func (p *Partial) Close() error { return Cause(p.file.Close()) }

// Remove closes and removes the file.
func (p *Partial) Remove() error { return join(p.Close(), Cause(system.remove(p.file.Name()))) }

// Commit syncs and closes the file, gives it the permissions of the file that it replaces, or those of a new one, and puts it in
// the place of the target. If anything fails, the partial file stays. Errors begin with the path.
func (p *Partial) Commit() error {
	mode, err := targetMode(p.target)
	if err == nil {
		err = p.file.Chmod(mode)
	}
	if err == nil {
		err = system.sync(p.file)
	}
	if err = join(Cause(err), p.Close()); err == nil {
		err = Cause(system.rename(p.file.Name(), p.target))
	}
	if err != nil {
		return at(p.path, err)
	}
	syncFolder(filepath.Dir(p.target))
	return nil
}
