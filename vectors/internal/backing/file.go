// Package backing is about the files behind a set whose rows are not in memory: files that are mapped, or
// read on demand. It opens no files itself. It knows which addresses are mapped, so that a fault there
// becomes an error, keeps the first error of reading, and closes all files with the set.
//
// All methods of a nil *File work, as for a set in memory.
package backing

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

// ErrChanged says that another program changed a file in place while the file was read. Discard the result.
// Errors that wrap ErrChanged name the file.
var ErrChanged = errors.New("changed while it was read: try again")

// ErrUnsure says that a file may have changed in place, and is still being compared.
var ErrUnsure = errors.New("it has another time of change, and is being compared with what it was: try again in a moment")

// A ChangedError is an ErrChanged with the path of the file.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string { return e.Path + ": " + ErrChanged.Error() }

// Unwrap returns ErrChanged.
func (e *ChangedError) Unwrap() error { return ErrChanged }

// A File is the file or files behind a set and behind the sets made of it. The zero File is for rows in
// memory, and only keeps errors.
type File struct {
	// Sequential says that rows are read from a stream, where going back means starting again. Compressed
	// says that the stream is compressed.
	Sequential, Compressed bool
	// Locate adds the file's name to an error of reading rows; nil for rows in memory.
	Locate func(error) error

	watched  []watched      // files that must not change
	mappings []mapping      // address ranges of the mapped files
	release  []func() error // unmap and close the open files
	evict    []func()       // release the memory of pages that were read
	seen     atomic.Int64   // about how many bytes were read since the last eviction

	readers atomic.Int64  // number of active guards, plus closing if Close was called
	drained chan struct{} // closed when no guard is left after Close
	once    sync.Once     // Close was called

	mu    sync.Mutex
	err   error  // the first error of reading rows
	other source // source of rows, if it is not a file
}

// closing is added to the readers of a file when Close is called.
const closing = 1 << 62

// A watched is a file that must not change after it was opened.
type watched struct {
	path    string
	mapped  bool
	changed func() error
	keep    func(context.Context) error // see Remember; nil if there is nothing to remember
}

// A mapping is the address range of a mapped file. Reading in it faults if the file was truncated after it
// was mapped.
type mapping struct {
	path        string
	first, last uintptr // the first byte, and the byte after the last
}

// Watch registers the file at path as one that must not change. The function changed returns an error if the
// file has changed.
func (f *File) Watch(path string, changed func() error) {
	f.watched = append(f.watched, watched{path: path, changed: changed})
}

// Map registers the mapped bytes of the file at path, and keeps them until the set is closed and no guard
// reads them. changed reports whether the file was changed, even if it was renamed or removed. After keep,
// changed compares the contents. evict releases the memory of pages that were read. release ends the mapping.
func (f *File) Map(path string, file []byte, changed func() error, keep func(context.Context) error, evict func(), release ...func() error) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(file)))
	f.mappings = append(f.mappings, mapping{path, first, first + uintptr(len(file))})
	if f.drained == nil {
		f.drained = make(chan struct{})
	}
	f.evict = append(f.evict, evict)
	f.release = append(f.release, release...)
	for i := range f.watched {
		if f.watched[i].path == path {
			f.watched[i].mapped, f.watched[i].changed, f.watched[i].keep = true, changed, keep
		}
	}
}

// OnClose registers release to be called when the set is closed.
func (f *File) OnClose(release func() error) { f.release = append(f.release, release) }

// Mapped reports whether any file is mapped.
func (f *File) Mapped() bool { return f != nil && len(f.mappings) > 0 }

// Streams reports whether rows are read from a stream, see Sequential.
func (f *File) Streams() bool { return f != nil && f.Sequential }

// InFile reports whether rows are in a file, mapped or read on demand.
func (f *File) InFile() bool { return f != nil && (f.Sequential || len(f.release) > 0) }

// Fail keeps err if it is the first error of reading rows.
func (f *File) Fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = f.Located(err)
	}
}

// Err returns the first error of reading rows.
func (f *File) Err() error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil && f.other != nil {
		return f.other.Err()
	}
	return f.err
}

type source interface {
	Err() error
	Close() error
}

// Behind returns s if it is a *File, or a new File for rows that are read from s in order.
func Behind(s source) *File {
	switch s := s.(type) {
	case nil:
		return nil
	case *File:
		return s
	}
	return &File{Sequential: true, other: s, release: []func() error{s.Close}}
}

// Several returns a File for rows that are computed from rows in several files, any of which may be nil. It fails
// when one of these fails. The files stay open when it is closed.
func Several(files ...*File) *File {
	f := &File{other: several(files)}
	for _, of := range files {
		f.Sequential = f.Sequential || of.Streams()
	}
	return f
}

type several []*File

func (s several) Err() error {
	for _, f := range s {
		if err := f.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (several) Close() error { return nil }

// NewSet makes a *vectors.Set from vectors.Parts that are checked later, a *vectors.NotFinite with counts of
// all rows, or nil, and the function of Set.Verify, or nil. Package vectors provides NewSet.
var NewSet func(parts, notFinite any, verify func() error) any

// Changed returns an error that wraps ErrChanged if a file was changed in place after it was opened, or
// ErrUnsure.
func (f *File) Changed() error {
	if f == nil || f.Closed() {
		return nil
	}
	for _, w := range f.watched {
		if err := w.changed(); err != nil {
			return err
		}
	}
	return nil
}

// Remember reads all mapped files and keeps their checksums. With them, Changed can tell a changed file from
// a file that only has a new modification time.
func (f *File) Remember(ctx context.Context) error {
	if f == nil {
		return nil
	}
	for _, w := range f.watched {
		if w.keep == nil {
			continue
		}
		if err := w.keep(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Opened calls open, which opens the files of a set. It returns the error of open, or an error if a file was
// changed meanwhile. Afterwards only files that are mapped or read again must not change.
func (f *File) Opened(open func() error) error {
	var err error
	func() { // a guard, while files are being mapped
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer f.recoverFault()
		err = open()
	}()
	if changed := f.Changed(); changed != nil {
		return changed
	}
	if err = cmp.Or(err, f.Err()); err != nil {
		return err
	}
	if !f.Sequential {
		f.watched = slices.DeleteFunc(f.watched, func(w watched) bool { return !w.mapped })
	}
	return nil
}

// Close waits for active guards to end, and then unmaps and closes all files. Do not call it within a guard.
func (f *File) Close() (err error) {
	if f == nil {
		return nil
	}
	f.once.Do(func() {
		if len(f.mappings) > 0 && f.readers.Add(closing) != closing {
			<-f.drained
		}
		var errs []error
		for _, release := range f.release {
			errs = append(errs, release())
		}
		err = errors.Join(errs...)
	})
	return err
}

// enter counts a reader of the mapped files, until leave. It returns false if the file is closed or closing;
// while it is closing, only goroutines that read already (again) may enter.
func (f *File) enter(again bool) bool {
	for {
		n := f.readers.Load()
		if n >= closing && (!again || n == closing) {
			return false
		}
		if f.readers.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (f *File) leave() {
	if f.readers.Add(-1) == closing {
		close(f.drained)
	}
}

// Closed reports whether the set was closed and no guard is active.
func (f *File) Closed() bool { return f != nil && f.readers.Load() == closing }

// UseOfClosed is the message of the panic when a closed set is used.
const UseOfClosed = "vectors: use of a closed Set"

// MustBeOpen panics if the set was closed.
func (f *File) MustBeOpen() {
	if f.Closed() {
		panic(UseOfClosed)
	}
}

// Holds reports whether p points into a mapped file.
func (f *File) Holds(p unsafe.Pointer) bool {
	return f != nil && slices.ContainsFunc(f.mappings, func(m mapping) bool { return m.first <= uintptr(p) && uintptr(p) < m.last })
}

// EvictAfter is how many bytes of a mapped file are read before its pages are released, so that reading a
// file of any size takes little memory.
const EvictAfter = 64 << 20

// Page is how many bytes of a mapped file reading one row brings into memory: Linux maps up to 16 cached
// pages at a time.
const Page = 32 << 10

// Saw records that about n bytes of the file were read.
func (f *File) Saw(n int64) {
	if f == nil || len(f.evict) == 0 {
		return
	}
	if seen := f.seen.Add(n); seen >= EvictAfter && f.seen.CompareAndSwap(seen, 0) && f.enter(true) {
		defer f.leave()
		for _, evict := range f.evict {
			evict()
		}
	}
}

// Located adds the name of the file to err.
func (f *File) Located(err error) error {
	if f == nil || f.Locate == nil || err == nil {
		return err
	}
	return f.Locate(err)
}

// Guard calls read. A fault in a mapped file ends read and becomes an error, see Err. Guard protects only the
// goroutine that calls it. The file stays mapped until Guard ends: Close waits. After Close, Guard panics,
// unless the goroutine calls it within another Guard.
func (f *File) Guard(read func()) {
	if !f.Mapped() {
		read()
		return
	}
	within := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(within)
	if !f.enter(within) {
		panic(UseOfClosed)
	}
	defer f.leave()
	defer f.recoverFault()
	read()
}

// Inside is Guard for a worker goroutine whose caller waits for it within a Guard.
func (f *File) Inside(read func()) {
	if !f.Mapped() {
		read()
		return
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer f.recoverFault()
	read()
}

// Parallel divides 0…n-1 into runs and calls work for each run, within guards and on all cores.
func (f *File) Parallel(n int, work func(first, last int)) {
	f.Guard(func() {
		parallel.Do(n, func(first, last int) { f.Inside(func() { work(first, last) }) })
	})
}

// InTurn is Parallel, unless rows are read from a stream: then it calls work once.
func (f *File) InTurn(n int, work func(first, last int)) {
	if f.Streams() {
		work(0, n)
	} else {
		f.Parallel(n, work)
	}
}

// Guarded is Guard for a function that returns an error.
func (f *File) Guarded(read func() error) (err error) {
	f.Guard(func() { err = read() })
	return cmp.Or(f.Err(), err) // a fault causes other errors, so it comes first
}

// recoverFault, deferred, records a fault in a mapped file. It repeats any other panic.
func (f *File) recoverFault() {
	fault := recover()
	if fault == nil {
		return
	}
	if e, ok := fault.(interface {
		runtime.Error
		Addr() uintptr
	}); ok {
		for _, m := range f.mappings {
			if at := e.Addr(); at < m.first || at >= m.last {
				continue
			}
			f.Fail(&ChangedError{m.path})
			return
		}
	}
	panic(fault)
}
