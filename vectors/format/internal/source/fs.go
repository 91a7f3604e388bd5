package source

import (
	"errors"
	"io/fs"
	"path"
)

// FS has read read the file of that name, and what stands beside it, in a file system. It
// is read into memory.
func FS(fsys fs.FS, name string, read func(in *Input) error) error {
	in, err := fromFS(fsys, name)
	if err != nil {
		return err
	}
	defer func() { _ = in.close() }() // it was only read
	return read(in.Beside(func(suffix string) (*Input, error) { return partOf(fsys, name+suffix) }))
}

// FolderFS has read read the folder of that name in a file system. Its input has parts and
// nothing else.
func FolderFS(fsys fs.FS, name string, read func(in *Input) error) error {
	return read(Folder(func(file string) (*Input, error) { return partOf(fsys, path.Join(name, file)) }))
}

// partOf is fromFS whose errors say which file they are about.
func partOf(fsys fs.FS, name string) (*Input, error) {
	in, err := fromFS(fsys, name)
	if err != nil {
		return nil, WithPath(name, err)
	}
	return in, nil
}

func fromFS(fsys fs.FS, name string) (*Input, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, Pathless(err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("is a folder, want a file")
	}
	if err != nil {
		_ = f.Close()
		return nil, Pathless(err)
	}
	size := int64(-1)
	if info.Mode().IsRegular() {
		size = info.Size()
	}
	in, err := Decompress(f, size)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	in.path = name
	unzip := in.close
	in.close = func() error { return errors.Join(unzip(), f.Close()) }
	return in, nil
}
