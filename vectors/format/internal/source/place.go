package source

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// A Place is the path of a model: of a file, which may have others beside it, or of a
// folder.
type Place struct {
	path   string
	stream bool
	again  bool        // files are opened that were opened before
	first  fs.FileInfo // the file at the path, once it is open
	behind *backing.File
}

// NewPlace returns the place of a model. In a stream, rows of files that cannot be mapped are
// left in the file and read again when they are asked for.
func NewPlace(path string, stream bool) *Place {
	return &Place{
		path: path, stream: stream,
		behind: &backing.File{Locate: func(err error) error { return WithPath(path, err) }},
	}
}

// Behind is what closes with the set.
func (p *Place) Behind() *backing.File { return p.behind }

// Stat describes what is at the path.
func (p *Place) Stat() (fs.FileInfo, error) {
	info, err := os.Stat(p.path)
	if err == nil {
		return info, nil
	}
	if aside := atomicfile.Interrupted(p.path); aside != "" {
		return nil, fmt.Errorf("is not there, because writing it was interrupted: the folder that it was to replace is %s: rename that, or write the model again", aside)
	}
	return nil, Pathless(err)
}

// File has read read the file at the path, and what stands beside it.
func (p *Place) File(read func(in *Input) error) error {
	in, err := p.open(p.path)
	if err != nil {
		return err
	}
	// The mapping of a file outlives the file, and closing one that was only
	// read loses nothing.
	defer func() { _ = in.close() }() // as it is then
	several := false
	in.part = func(suffix string) (*Input, error) {
		several = true
		return p.beside(suffix)
	}
	err = read(in)
	if several {
		err = cmp.Or(p.same(p.first), err)
	}
	return err
}

// Folder has read read the folder at the path, whose files are mapped if maps says so. Its
// input has parts and nothing else.
func (p *Place) Folder(info fs.FileInfo, maps bool, read func(in *Input) error) error {
	in := Folder(func(name string) (*Input, error) {
		in, err := p.open(filepath.Join(p.path, name))
		if err == nil && maps {
			err = in.Map()
		}
		return in, err
	})
	err := read(in.In("", p.behind))
	return cmp.Or(p.same(info), err)
}

// Has tells whether a folder at the path has such a file.
func (p *Place) Has(name string) bool {
	_, err := os.Stat(filepath.Join(p.path, name))
	return err == nil
}

// same returns an error if what is at the path of the set is not what was opened there,
// so that files of several writes may have been read.
func (p *Place) same(was fs.FileInfo) error {
	if is, err := os.Stat(p.path); err != nil || !os.SameFile(is, was) {
		return &backing.ChangedError{Path: p.path}
	}
	return nil
}

// open opens a file of the set.
func (p *Place) open(path string) (*Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, p.partError(path, Pathless(err))
	}
	return p.opened(f, path, 0)
}

// beside opens what stands beside the file.
func (p *Place) beside(suffix string) (*Input, error) {
	path := p.path + suffix
	f, from, err := atomicfile.Beside(p.path, suffix)
	if err != nil {
		return nil, p.partError(path, Pathless(err))
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		_ = f.Close()
		return nil, p.partError(path, Pathless(err))
	}
	return p.opened(f, f.Name(), from)
}

// opened is open for a file that is open, of which the bytes before from do not count.
func (p *Place) opened(f *os.File, path string, from int64) (*Input, error) {
	size := int64(-1)
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		_ = f.Close()
		if err == nil {
			err = errors.New("is a folder, want a file")
		}
		return nil, p.partError(path, Pathless(err))
	}
	if info.Mode().IsRegular() {
		size = info.Size() - from
		if !p.again {
			if p.first == nil {
				p.first = info
			}
			p.behind.Watch(path, func() error {
				if is, err := os.Stat(path); changed(is, info, err) {
					return &backing.ChangedError{Path: path}
				}
				return nil
			})
		}
	}
	in, err := Decompress(f, size)
	if err != nil {
		_ = f.Close()
		return nil, p.partError(path, err)
	}
	in.In(path, p.behind)
	unzip := in.close
	in.close = func() error { return errors.Join(unzip(), f.Close()) }
	if size < 0 || from > 0 {
		return in, nil
	}
	if in.size == size && mappable(size) {
		in.mapWhole = func(in *Input) error { return p.mapFile(in, f, info) }
	}
	in.again = func(offset int64) (*Input, error) { return p.at(path, info, offset) }
	if p.stream {
		in.reopen = in.again
		if in.size < 0 && !p.behind.Compressed { // when opened again, perhaps by several goroutines, it is known
			p.behind.Compressed = true
		}
	}
	return in, nil
}

// at opens a file of the set again, which is still the one that it was, and goes to a
// byte of it.
func (p *Place) at(path string, was fs.FileInfo, offset int64) (*Input, error) {
	if err := unchanged(path, was); err != nil {
		return nil, p.partError(path, err)
	}
	again := *p
	again.again = true
	in, err := again.open(path)
	if err != nil {
		return nil, err
	}
	if err := in.Skip(offset, "what was there before"); err != nil {
		return nil, errors.Join(err, in.close())
	}
	return in, nil
}

// partError says of which file of several an error is.
func (p *Place) partError(path string, err error) error {
	if path == p.path {
		return err
	}
	return WithPath(path, err)
}

// ReadPart reads another file of the set. expected says what is in it, for the
// error if it is not there.
func (in *Input) ReadPart(name, expected string, read func(part *Input) error) error {
	if in.part == nil {
		return fmt.Errorf("%s are in a file of their own, so this cannot be read from a stream: name the file", expected)
	}
	part, err := in.part(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s are expected in %w", expected, err)
	}
	if err != nil {
		return err
	}
	defer part.close()
	if err := read(part); err != nil {
		return WithPath(part.path, err)
	}
	return nil
}

// Decompress returns what r holds, of which size bytes are there if that is not
// negative, with any compression undone.
func Decompress(r io.Reader, size int64) (*Input, error) {
	plain, kind, err := compression.NewReader(r)
	if err != nil {
		return nil, Pathless(err)
	}
	if kind != compression.Plain {
		size = -1
	}
	in := New(plain, size)
	in.close = plain.Close
	return in, nil
}

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
