package vectors

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"unsafe"

	mmap "github.com/edsrzf/mmap-go"
)

// ErrChanged says that another program changed a file in place while it was read: what
// was read is of no use. Errors that wrap it name the file.
var ErrChanged = errors.New("changed while it was read: try again")

// A changedError is ErrChanged of a file.
type changedError struct{ path string }

func (e *changedError) Error() string { return e.path + ": " + ErrChanged.Error() }
func (e *changedError) Unwrap() error { return ErrChanged }

// A mapping is the address range of a mapped file. Reading in it faults if the file has
// become shorter since it was mapped.
type mapping struct {
	path        string
	first, last uintptr // its first byte, and the first one after it
}

func newMapping(path string, file []byte) mapping {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(file)))
	return mapping{path, first, first + uintptr(len(file))}
}

// A readFile is a file of a set as it was when it was opened.
type readFile struct {
	path string
	file *os.File // of a mapped file, which may lose its name; else nil
	was  fs.FileInfo
}

// changed tells whether the file was changed in place. One that took its name is another
// file.
func (f readFile) changed() bool {
	var is fs.FileInfo
	var err error
	if f.file != nil {
		is, err = f.file.Stat()
	} else {
		is, err = os.Stat(f.path)
	}
	return err == nil && os.SameFile(is, f.was) && !sameSizeAndTime(is, f.was)
}

func sameSizeAndTime(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// changed returns an error that wraps ErrChanged if a file behind the set was changed in
// place since it was opened.
func (b *backing) changed() error {
	if b == nil || b.closed.Load() {
		return nil
	}
	for _, f := range b.files {
		if f.changed() {
			return &changedError{f.path}
		}
	}
	return nil
}

// Guard calls read, which takes rows, counts or words from the fields of a set, and
// returns its error. If a mapped file has become shorter meanwhile, so that reading faults,
// Guard ends read and returns an error that wraps ErrChanged, and so it does if the file
// was changed in another way by the end of read. Without Guard such a fault ends the
// program. Methods of sets and words need no Guard: they leave zeros, or nothing, where
// they cannot read, and Err tells. Guard is about the goroutine that calls it alone.
func (s *Set) Guard(read func() error) (err error) {
	if s == nil {
		return errNoSet
	}
	s.file.guard(func() { err = read() })
	if errors.Is(err, context.Canceled) {
		return err
	}
	if changed := s.file.changed(); changed != nil {
		return changed // whatever it led to
	}
	return cmp.Or(err, s.Err())
}

// guard calls read. A fault in a mapped file ends read and is left as an error.
func (b *backing) guard(read func()) {
	if b == nil || len(b.mappings) == 0 {
		read()
		return
	}
	b.mustBeOpen()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			b.faulted(fault)
		}
	}()
	read()
}

// guarded is guard for what returns an error.
func (b *backing) guarded(read func() error) (err error) {
	b.guard(func() { err = read() })
	return cmp.Or(b.failed(), err) // a fault is the cause of whatever it led to
}

// mapped keeps a file that was mapped, and its bytes, until the set is closed.
func (b *backing) mapped(f *os.File, file mmap.MMap) {
	b.mappings = append(b.mappings, newMapping(f.Name(), file))
	b.release = append(b.release, file.Unmap, f.Close)
	b.evict = append(b.evict, func() { evictPages(file) })
	for i := range b.files {
		if b.files[i].path == f.Name() {
			b.files[i].file = f
		}
	}
}

// opened calls open, which opens the files of a set, and returns its error, or that a file
// was changed meanwhile. From then on only files matter that are mapped or read again.
func (b *backing) opened(open func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	func() {
		defer func() {
			if fault := recover(); fault != nil {
				b.faulted(fault)
			}
		}()
		err = open()
	}()
	if changed := b.changed(); changed != nil {
		return changed
	}
	if err == nil {
		err = b.failed()
	}
	if !b.sequential {
		b.files = slices.DeleteFunc(b.files, func(f readFile) bool { return f.file == nil })
	}
	return err
}

// faulted keeps the fault if it is one of a mapped file, and panics again if it is not.
func (b *backing) faulted(fault any) {
	if e, ok := fault.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		for _, m := range b.mappings {
			if at := e.Addr(); at < m.first || at >= m.last {
				continue
			}
			b.mustBeOpen()
			b.fail(&changedError{m.path})
			return
		}
	}
	panic(fault)
}

// mustBeOpen panics if the set was closed.
func (b *backing) mustBeOpen() {
	if b != nil && b.closed.Load() {
		panic("vectors: use of a closed Set")
	}
}

// closedRows are the rows of a matrix whose file was given back.
type closedRows struct{ behind *backing }

func (c closedRows) Read([]float32, int) { c.behind.mustBeOpen() }

// drop takes everything from the set that lies in a mapped file.
func (s *Set) drop() {
	for m := range s.eachMatrix {
		if m.Rows > 0 {
			*m = stored(m.Rows, m.Cols, closedRows{s.file})
		}
	}
	s.counts, s.wordRows, s.bucketRows, s.state, s.stateRows, s.verify = nil, nil, nil, nil, nil, nil
}

// back makes the matrices and words of a set, which was just opened, know the files behind
// them.
func (s *Set) back(b *backing) {
	s.file = b
	if len(b.mappings) == 0 {
		return
	}
	for m := range s.eachMatrix {
		m.behind = b
	}
	for i := range s.stateRows {
		s.stateRows[i].behind = b
	}
	if s.words.list != nil && s.words.list.mapped {
		s.words.list.behind = b
	}
}
