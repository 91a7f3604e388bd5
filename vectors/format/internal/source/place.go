package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	mmap "github.com/edsrzf/mmap-go"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// A Place is the path of a model: a file, possibly with files beside it, or a folder.
type Place struct {
	path   string
	fsys   fs.FS
	system bool // fsys is the system's file system, by paths of the system
	stream bool
	again  bool        // files are being reopened
	first  fs.FileInfo // the file at the path, once opened
	// Behind is closed with the set; nil for a model that is read into memory.
	Behind *backing.File
}

// NewPlace returns the place of a model. With stream, rows of files that cannot be mapped stay in the file
// and are read again on use.
func NewPlace(path string, stream bool) *Place {
	return &Place{
		path: path, stream: stream, fsys: system{}, system: true,
		Behind: &backing.File{Locate: func(err error) error { return WithPath(path, err) }},
	}
}

type system struct{}

func (system) Open(path string) (fs.File, error)     { return os.Open(path) }
func (system) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// PlaceFS returns the place of a model in fsys. The model is read into memory.
func PlaceFS(fsys fs.FS, name string) *Place { return &Place{path: name, fsys: fsys} }

// Stat describes what is at the path.
func (p *Place) Stat() (fs.FileInfo, error) {
	info, err := fs.Stat(p.fsys, p.path)
	if err == nil || !p.system {
		return info, atomicfile.Cause(err)
	}
	if aside := atomicfile.Interrupted(p.path); aside != "" {
		return nil, fmt.Errorf("is not there, because writing it was interrupted: the folder that it was to replace is %s: rename that, or write the model again", aside)
	}
	return nil, atomicfile.Cause(err)
}

// File calls read with the file at the path. The input can open the files beside it.
func (p *Place) File(read func(in *Input) error) error {
	in, err := p.open(p.path)
	if err != nil {
		return err
	}
	// The mapping outlives the file, and closing a file that was only read loses nothing.
	defer func() { _ = in.close() }() // the current value of close
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

// Folder calls read with the folder at the path. maps says whether its files are mapped. The input has only
// parts.
func (p *Place) Folder(info fs.FileInfo, maps bool, read func(in *Input) error) error {
	err := read(&Input{Behind: p.Behind, part: func(name string) (*Input, error) {
		in, err := p.open(p.join(name))
		if err == nil && maps {
			err = in.Map()
		}
		return in, err
	}})
	return cmp.Or(p.same(info), err)
}

// Has reports whether the folder at the path has a file with that name.
func (p *Place) Has(name string) bool {
	_, err := fs.Stat(p.fsys, p.join(name))
	return err == nil
}

func (p *Place) join(name string) string {
	if p.system {
		return filepath.Join(p.path, name)
	}
	return path.Join(p.path, name)
}

// same returns an error if another file than the opened one is now at the set's path: then files of several
// writes may have been read.
func (p *Place) same(was fs.FileInfo) error {
	if is, err := fs.Stat(p.fsys, p.path); p.system && (err != nil || !os.SameFile(is, was)) {
		return &backing.ChangedError{Path: p.path}
	}
	return nil
}

func (p *Place) open(path string) (*Input, error) {
	f, err := p.fsys.Open(path)
	if err != nil {
		return nil, p.partError(path, err)
	}
	return p.opened(f, path, 0)
}

func (p *Place) beside(suffix string) (*Input, error) {
	path := p.path + suffix
	if !p.system {
		return p.open(path)
	}
	f, from, err := atomicfile.Beside(p.path, suffix)
	if err != nil {
		return nil, p.partError(path, err)
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		_ = f.Close()
		return nil, p.partError(path, err)
	}
	return p.opened(f, f.Name(), from)
}

// opened is open for an open file, in which the bytes before from do not count.
func (p *Place) opened(f fs.File, path string, from int64) (*Input, error) {
	in, info, err := p.input(f, path, from)
	if err != nil {
		_ = f.Close()
		return nil, p.partError(path, err)
	}
	unzip := in.close
	in.close = func() error { return errors.Join(unzip(), f.Close()) }
	file, plain := f.(*os.File)
	if !p.system || !plain || !info.Mode().IsRegular() || from > 0 {
		return in, nil
	}
	if in.size == info.Size() && in.size > 0 && in.size <= endian.MaxBytes && !endian.Big {
		in.mapWhole = func(in *Input) error { return p.mapFile(in, file, info) }
	}
	if in.size == info.Size() {
		in.At = file
	}
	in.Again = func(offset int64) (*Input, error) { return p.at(path, info, offset) }
	if p.stream {
		in.Reopen = in.Again
		if in.size < 0 && !p.Behind.Compressed { // when reopened, perhaps concurrently, it is already known
			p.Behind.Compressed = true
		}
	}
	return in, nil
}

func (p *Place) input(f fs.File, path string, from int64) (*Input, fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		return nil, nil, errors.New("is a folder, want a file")
	}
	size := int64(-1)
	if info.Mode().IsRegular() {
		size = info.Size() - from
		if p.system && !p.again {
			if p.first == nil {
				p.first = info
			}
			p.Behind.Watch(path, func() error {
				if is, err := os.Stat(path); err == nil && os.SameFile(is, info) && !sameSizeAndTime(is, info) {
					return &backing.ChangedError{Path: path}
				}
				return nil
			})
		}
	}
	in, err := Decompress(f, size)
	if err != nil {
		return nil, nil, err
	}
	in.Path, in.Behind = path, p.Behind
	return in, info, nil
}

func (p *Place) at(path string, was fs.FileInfo, offset int64) (*Input, error) {
	is, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, p.partError(path, err)
	case !os.SameFile(is, was) || !sameSizeAndTime(is, was):
		return nil, p.partError(path, &backing.ChangedError{Path: path})
	}
	again := *p
	again.again = true
	in, err := again.open(path)
	if err != nil {
		return nil, err
	}
	if err := Try(func() { in.Skip(offset, "what was there before") }); err != nil {
		return nil, errors.Join(err, in.close())
	}
	return in, nil
}

// partError adds the name of the file in which err happened. It removes the path from errors of package os.
func (p *Place) partError(path string, err error) error {
	if err = atomicfile.Cause(err); path == p.path {
		return err
	}
	return WithPath(path, err)
}

// ReadPart reads another file of the set, and returns the error that ended it. expected names its content in
// the error for a missing file.
func (in *Input) ReadPart(name, expected string, read func(part *Input)) error {
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
	if err := Try(func() { read(part) }); err != nil {
		return WithPath(part.Path, err)
	}
	return nil
}

// Decompress returns the decompressed content of r. size is the size of r in bytes; negative means unknown.
func Decompress(r io.Reader, size int64) (*Input, error) {
	plain, kind, err := compression.NewReader(r)
	if err != nil {
		return nil, atomicfile.Cause(err)
	}
	if kind != compression.Plain {
		size = -1
	}
	in := New(plain, size)
	in.close = plain.Close
	return in, nil
}

// Open calls read with the decompressed file at path. Errors begin with path.
func Open(path string, read func(in *Input) error) error {
	file, err := os.Open(path)
	if err != nil {
		return WithPath(path, atomicfile.Cause(err))
	}
	defer file.Close()
	in, err := Decompress(file, -1)
	if err == nil {
		defer in.Close()
		err = read(in)
	}
	if err != nil {
		return WithPath(path, err)
	}
	return nil
}

func (p *Place) mapFile(in *Input, f *os.File, was fs.FileInfo) error {
	file, err := mmap.MapRegion(f, int(in.size), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil //nolint:nilerr // some file systems cannot map: read it
	}
	o := &original{file: f, seed: maphash.MakeSeed()}
	o.was.Store(&state{was, atomicfile.IdentityOf(f)})
	p.Behind.Map(f.Name(), file, o.changed, o.remember, func() { evictPages(file) }, file.Unmap, f.Close)
	view := View(file)
	in.r, in.Whole, in.Reopen = view.r, view.Whole, nil
	in.close = func() error { return nil } // the file is closed with the set
	if p.stream {
		in.Direct = f
	}
	return nil
}

// An original is an open file in the state in which it was mapped. Its name may be removed.
type original struct {
	file *os.File
	was  atomic.Pointer[state]

	seed maphash.Seed

	mu       sync.Mutex    // not held while the file is being read
	sum      uint64        // checksum of the original file
	known    bool          // sum is set
	wrong    *state        // state of the file with another checksum
	compared chan struct{} // closed at the end of a running comparison; nil for none
}

type state struct {
	fs.FileInfo
	identity string // see atomicfile.Identity; renaming and changed permissions also change it
}

func (s *state) same(as *state) bool {
	return sameSizeAndTime(s, as) && s.identity == as.identity
}

func (o *original) now() (*state, error) {
	is, err := o.file.Stat()
	return &state{is, atomicfile.IdentityOf(o.file)}, err
}

// patience is how long a reader waits for the comparison of a file with its original. The comparison of a
// small file is done by then. Readers of a large file get an error that the comparison is running.
const patience = 250 * time.Millisecond

// changed returns an error if the file was changed in place. When the system reports any change and the
// checksum is known, the checksum decides; while it is being compared, the error says so. Without a checksum,
// another size or time counts as a change.
func (o *original) changed() error {
	var late <-chan time.Time
	for {
		is, err := o.now()
		if err != nil || is.same(o.was.Load()) {
			return nil //nolint:nilerr // a file that nothing is known of is taken for the one that it was
		}
		same, compared := o.same(is)
		switch {
		case compared == nil && same:
			return nil
		case compared == nil:
			return &backing.ChangedError{Path: o.file.Name()}
		case late == nil:
			late = time.After(patience)
		}
		select {
		case <-compared:
		case <-late:
			return fmt.Errorf("%s: %w", o.file.Name(), backing.ErrUnsure)
		}
	}
}

// same reports whether the file has its original content. If that is unknown, it returns a channel that is
// closed when a comparison has found out.
func (o *original) same(is *state) (same bool, compared <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	was := o.was.Load()
	switch {
	case is.same(was): // another goroutine has found out
		return true, nil
	case !o.known:
		return sameSizeAndTime(is, was), nil
	case is.Size() != was.Size() || o.wrong != nil && is.same(o.wrong):
		return false, nil
	case o.compared == nil:
		o.compared = make(chan struct{})
		go o.compare(is)
	}
	return false, o.compared
}

func (o *original) compare(is *state) {
	sum, as, err := o.checksum(context.Background()) // fails when the file is closed
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case errors.Is(err, backing.ErrChanged): // changed meanwhile: the next caller starts again
	case err != nil:
		o.wrong = is
	case sum != o.sum:
		o.wrong = as
	default:
		o.was.Store(as)
	}
	close(o.compared)
	o.compared = nil
}

func (o *original) remember(ctx context.Context) error {
	sum, as, err := o.checksum(ctx)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !sameSizeAndTime(as, o.was.Load()) {
		return &backing.ChangedError{Path: o.file.Name()}
	}
	o.sum, o.known = sum, true
	o.was.Store(as)
	return nil
}

// checksum reads the file and returns its checksum, and its state if that is the same before and after.
func (o *original) checksum(ctx context.Context) (sum uint64, as *state, err error) {
	for {
		if as, err = o.now(); err != nil {
			return 0, nil, err
		}
		if sum, err = o.hash(ctx, as.Size()); err != nil {
			return 0, nil, err
		}
		switch is, err := o.now(); {
		case err != nil:
			return 0, nil, err
		case is.same(as):
			return sum, as, nil
		case !sameSizeAndTime(is, as):
			return 0, nil, &backing.ChangedError{Path: o.file.Name()}
		}
	}
}

func (o *original) hash(ctx context.Context, size int64) (uint64, error) {
	var h maphash.Hash // as fast as memory, and outsiders cannot forge the sum
	h.SetSeed(o.seed)
	part := make([]byte, 1<<20)
	for at := int64(0); at < size; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := o.file.ReadAt(part[:min(int64(len(part)), size-at)], at)
		_, _ = h.Write(part[:n]) // cannot fail
		at += int64(n)
		if err != nil && at < size {
			return 0, err
		}
	}
	return h.Sum64(), nil
}

func sameSizeAndTime(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
