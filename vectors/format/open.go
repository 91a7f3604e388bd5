package vectors

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	mmap "github.com/edsrzf/mmap-go"

	"github.com/w2v-go/w2v/internal/absent"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Open reads the set in the file or folder at path, whose format is told by its
// content and left in the set's Format. Gzip and Zstandard are undone.
//
// A plain file whose format allows it is mapped into memory: rows are read when
// they are used, of the native format words too, and processes share them.
// Writing to the rows of a mapped set ends the program. If another program shortens the
// file in place, methods cannot read what is gone: Err tells, and Guard is for code that
// reads rows itself. Write replaces files and is fine. Close gives the mapping back.
//
// Errors are one line that begins with path; what is wrong with the content is
// a *FormatError.
func Open(path string) (*Set, error) { return openPath(path, false) }

// OpenStream is Open for walking through a set once or a few times, as Write
// does: rows of files that cannot be mapped stay in the file and are read again,
// in order, when they are asked for. So a file of any size takes the memory of
// its words, but asking for single words is slow. Err reports errors of that
// reading.
//
// What has to be in memory nevertheless, because rows all over a file that cannot be
// mapped are needed at once, is read as by Open. whole, if it is not nil, is told why
// before that; InFile tells it after.
func OpenStream(path string, whole func(reason string)) (*Set, error) {
	if whole == nil {
		whole = func(string) {}
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		whole("is no file that could be read twice")
	}
	s, err := openPath(path, true)
	if err != nil || !s.sequential() {
		return s, err
	}
	reason := s.scattered()
	if reason == "" {
		return s, nil
	}
	if err := s.Close(); err != nil {
		return nil, withPath(path, err)
	}
	whole(reason)
	return openPath(path, false)
}

// scattered says why walking through the words, or writing the set in any format,
// asks for rows in another order than that of the file; empty if it does not.
func (s *Set) scattered() string {
	how := "cannot be mapped"
	if s.file.Compressed {
		how = "is compressed"
	}
	switch {
	case s.subword != nil && s.Len() > 0: // without words, n-grams' rows are all there is
		return how + " and has n-grams"
	case s.Matrix(MatrixPositionOutput).Rows > 0:
		return how + " and has output vectors by position"
	case !slices.IsSorted(s.wordRows):
		return how + " and its words share rows"
	}
	return ""
}

// InFile tells whether the set's rows are in a file, mapped or read when they are
// asked for, and not in memory.
func (s *Set) InFile() bool {
	return s.file.InFile()
}

func openPath(path string, stream bool) (*Set, error) {
	if path == "" {
		return nil, errors.New("vectors: there is no path to open: it is empty")
	}
	o := opener{path: path, stream: stream, behind: &backing.File{Locate: func(err error) error { return withPath(path, err) }}}
	var s *Set
	err := o.behind.Opened(func() (err error) { s, err = o.set(); return err })
	if err != nil {
		_ = o.behind.Close()
		return nil, withPath(path, err)
	}
	s.back(o.behind)
	return s, nil
}

// Read reads a set from r as Open does, though without mapping it.
func Read(r io.Reader) (*Set, error) { return read(r, -1) }

// read reads a set from r, which holds size bytes or, if size is negative, who
// knows.
func read(r io.Reader, size int64) (*Set, error) {
	if absent.Is(r) {
		return nil, errors.New("vectors: there is no reader of the set: it is nil")
	}
	in, err := decompress(r, size)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.set()
}

// set reads the set of which in is the file itself.
func (in *input) set() (*Set, error) {
	head, err := in.head()
	if err != nil {
		return nil, pathless(err)
	}
	if bytes.HasPrefix(head, byteOrderMark) { // that editors put before a text
		head = head[len(byteOrderMark):]
		if err := in.skip(int64(len(byteOrderMark)), "a byte order mark"); err != nil {
			return nil, err
		}
	}
	c, err := sniff(head)
	if err != nil {
		return nil, err
	}
	if c.maps && in.mapWhole != nil {
		if err := in.mapWhole(in); err != nil {
			return nil, err
		}
	}
	s, err := c.read(in)
	if err != nil {
		return nil, err
	}
	if s.input.Rows == 0 && s.Dim() > maxEmpty {
		return nil, in.failAt(0, "expected a model, found %d dimensions and no vectors", s.Dim())
	}
	s.origin.Format = c.format
	return s, nil
}

// maxEmpty is how many dimensions are believed of a file without vectors.
const maxEmpty = 1 << 16

// An opener opens the file, or files, of a set.
type opener struct {
	path   string
	stream bool
	again  bool // files are opened that were opened before
	behind *backing.File
}

func (o opener) set() (*Set, error) {
	info, err := os.Stat(o.path)
	if err != nil {
		if aside := atomicfile.Interrupted(o.path); aside != "" {
			return nil, fmt.Errorf("is not there, because writing it was interrupted: the folder that it was to replace is %s: rename that, or write the model again", aside)
		}
		return nil, pathless(err)
	}
	if info.IsDir() {
		s, err := o.folder()
		return s, cmp.Or(o.sameFile(info), err)
	}
	in, err := o.file(o.path)
	if err != nil {
		return nil, err
	}
	// The mapping of a file outlives the file, and closing one that was only
	// read loses nothing.
	defer func() { _ = in.close() }() // as it is then
	several := false
	in.part = func(suffix string) (*input, error) {
		several = true
		return o.beside(suffix)
	}
	s, err := in.set()
	if several {
		err = cmp.Or(o.sameFile(in.was), err)
	}
	return s, err
}

// sameFile returns an error if what is at the path of the set is not what was opened there,
// so that files of several writes may have been read.
func (o opener) sameFile(was fs.FileInfo) error {
	if is, err := os.Stat(o.path); err != nil || !os.SameFile(is, was) {
		return &backing.ChangedError{Path: o.path}
	}
	return nil
}

// folder reads the set in a folder.
func (o opener) folder() (*Set, error) {
	for _, c := range codecs() {
		if !c.folder {
			continue
		}
		if _, err := os.Stat(filepath.Join(o.path, c.known)); err != nil {
			continue
		}
		in := &input{behind: o.behind, part: func(name string) (*input, error) {
			in, err := o.file(filepath.Join(o.path, name))
			if err == nil && c.maps && in.mapWhole != nil {
				err = in.mapWhole(in)
			}
			return in, err
		}}
		s, err := c.read(in)
		if err != nil {
			return nil, err
		}
		s.origin.Format = c.format
		return s, nil
	}
	return nil, errors.New("is a folder, want a model file or a folder that a model was written to")
}

// file opens a file of the set.
func (o opener) file(path string) (*input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, o.partError(path, pathless(err))
	}
	return o.opened(f, path, 0)
}

// opened is file for one that is open, of which the bytes before from do not count.
func (o opener) opened(f *os.File, path string, from int64) (*input, error) {
	size := int64(-1)
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		_ = f.Close()
		if err == nil {
			err = errors.New("is a folder, want a file")
		}
		return nil, o.partError(path, pathless(err))
	}
	if info.Mode().IsRegular() {
		size = info.Size() - from
		if !o.again {
			o.behind.Watch(path, func() bool {
				is, err := os.Stat(path)
				return isChanged(is, info, err)
			})
		}
	}
	in, err := decompress(f, size)
	if err != nil {
		_ = f.Close()
		return nil, o.partError(path, err)
	}
	in.path, in.behind, in.was = path, o.behind, info
	unzip := in.close
	in.close = func() error { return errors.Join(unzip(), f.Close()) }
	if size < 0 || from > 0 {
		return in, nil
	}
	if in.size == size && size > 0 && size <= endian.MaxBytes && !endian.Big {
		in.mapWhole = func(in *input) error { return o.mapFile(in, f, info) }
	}
	in.again = func(offset int64) (*input, error) { return o.at(path, info, offset) }
	if o.stream {
		in.reopen = in.again
		if in.size < 0 && !o.behind.Compressed { // when opened again, perhaps by several goroutines, it is known
			o.behind.Compressed = true
		}
	}
	return in, nil
}

// at opens a file of the set again, which is still the one that it was, and goes to a
// byte of it.
func (o opener) at(path string, was fs.FileInfo, offset int64) (*input, error) {
	if err := unchanged(path, was); err != nil {
		return nil, o.partError(path, err)
	}
	o.again = true
	in, err := o.file(path)
	if err != nil {
		return nil, err
	}
	if err := in.skip(offset, "what was there before"); err != nil {
		return nil, errors.Join(err, in.close())
	}
	return in, nil
}

// readPart reads another file of the set. expected says what is in it, for the
// error if it is not there.
func (in *input) readPart(name, expected string, read func(part *input) error) error {
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
		return withPath(part.path, err)
	}
	return nil
}

// partError says of which file of several an error is.
func (o opener) partError(path string, err error) error {
	if path == o.path {
		return err
	}
	return withPath(path, err)
}

// decompress returns what r holds, of which size bytes are there if that is not
// negative, with any compression undone.
func decompress(r io.Reader, size int64) (*input, error) {
	plain, kind, err := compression.NewReader(r)
	if err != nil {
		return nil, pathless(err)
	}
	if kind != compression.Plain {
		size = -1
	}
	in := newInput(plain, size)
	in.close = plain.Close
	return in, nil
}

// mapFile makes in that of the whole file in memory, if it can be mapped.
func (o opener) mapFile(in *input, f *os.File, was fs.FileInfo) error {
	file, err := mmap.MapRegion(f, int(in.size), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil //nolint:nilerr // some file systems cannot map: read it
	}
	changed := func() bool { // the file may lose its name
		is, err := f.Stat()
		return isChanged(is, was, err)
	}
	o.behind.Map(f.Name(), file, changed, func() { evictPages(file) }, file.Unmap, f.Close)
	view := newView(file)
	in.r, in.whole, in.reopen = view.r, view.whole, nil
	in.close = func() error { return nil } // the file is closed with the set
	if o.stream {
		in.direct = f
	}
	return nil
}

// unchanged returns an error if the file at path is not the one that it was.
func unchanged(path string, was fs.FileInfo) error {
	is, err := os.Stat(path)
	if err != nil {
		return pathless(err)
	}
	if !os.SameFile(is, was) || !sameSizeAndTime(is, was) {
		return &backing.ChangedError{Path: path}
	}
	return nil
}

// isChanged tells whether a file was changed in place. One that took its name is another
// file.
func isChanged(is, was fs.FileInfo, err error) bool {
	return err == nil && os.SameFile(is, was) && !sameSizeAndTime(is, was)
}

func sameSizeAndTime(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// pathless takes the path off an error of package os, to be put before it.
func pathless(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
