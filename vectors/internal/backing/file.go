// Package backing is what lies behind a set whose rows are not in memory: files that are
// mapped, or read again when rows are asked for. It opens nothing itself. It knows which
// addresses are mapped, so that a fault there becomes an error, keeps the first error of
// reading, and closes everything with the set.
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
)

// ErrChanged says that another program changed a file in place while it was read: what
// was read is of no use. Errors that wrap it name the file.
var ErrChanged = errors.New("changed while it was read: try again")

// ErrUnsure says that a file may have changed in place, which is being found out.
var ErrUnsure = errors.New("it has another time of change, and is being compared with what it was: try again in a moment")

// A ChangedError is ErrChanged of a file.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string { return e.Path + ": " + ErrChanged.Error() }

// Unwrap returns ErrChanged.
func (e *ChangedError) Unwrap() error { return ErrChanged }

// A File is the file, or the files, behind a set and behind those that are made of it. The
// zero value is one of rows in memory, which has nothing but errors.
type File struct {
	// Sequential says that rows are read from a stream, where going back means beginning
	// again, and Compressed that the stream has to be decompressed.
	Sequential, Compressed bool
	// Locate says in which file an error of reading rows is; nil for rows in memory.
	Locate func(error) error

	watched  []watched      // files whose changes matter
	mappings []mapping      // of those that are mapped
	release  []func() error // unmaps and closes what is open
	evict    []func()       // gives back the memory of pages that were looked at
	seen     atomic.Int64   // about how many bytes were looked at since then

	readers atomic.Int64  // guards that were entered, and closing if Close was called
	drained chan struct{} // closed when none of them is left after that
	once    sync.Once     // Close was called

	mu    sync.Mutex
	err   error  // the first error of reading rows
	other source // that rows come from, if it is no file
}

// closing is added to the readers of a file that is closed, or will be when they have left.
const closing = 1 << 62

// A watched file is one that should stay as it was when it was opened.
type watched struct {
	path    string
	mapped  bool
	changed func() error
	keep    func(context.Context) error // see Remember; nil for nothing
}

// A mapping is the address range of a mapped file. Reading in it faults if the file has
// become shorter since it was mapped.
type mapping struct {
	path        string
	first, last uintptr // its first byte, and the first one after it
}

// Watch notes that the file at path should stay as it is, of which changed tells by an error.
func (f *File) Watch(path string, changed func() error) {
	f.watched = append(f.watched, watched{path: path, changed: changed})
}

// Map keeps the bytes of the file at path, which was mapped, until the set is closed and nobody reads them.
// Changed tells whether the file was changed, also when it has lost its name; keep has it tell from then on
// by what is in the file; evict gives back the memory that looking at the bytes took; release ends the mapping.
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

// OnClose has release called when the set is closed.
func (f *File) OnClose(release func() error) { f.release = append(f.release, release) }

// Mapped tells whether any file is mapped.
func (f *File) Mapped() bool { return f != nil && len(f.mappings) > 0 }

// Streams tells whether rows are read from a stream, see Sequential.
func (f *File) Streams() bool { return f != nil && f.Sequential }

// InFile tells whether rows are in a file, mapped or read when they are asked for.
func (f *File) InFile() bool { return f != nil && (f.Sequential || len(f.release) > 0) }

// Fail keeps err if it is the first error of reading rows.
func (f *File) Fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.err != nil:
	case f.Locate == nil:
		f.err = err
	default:
		f.err = f.Locate(err)
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

// A source is vectors.Source.
type source interface {
	Err() error
	Close() error
}

// Behind returns the File that a source is, or one of rows that are read from it in order.
func Behind(s source) *File {
	switch s := s.(type) {
	case nil:
		return nil
	case *File:
		return s
	}
	return &File{Sequential: true, other: s, release: []func() error{s.Close}}
}

// NewSet makes a *vectors.Set of vectors.Parts that are checked later, a *vectors.NotFinite, which is what
// is known of all rows, or nil, and what Set.Verify does, or nil. Package vectors provides it.
var NewSet func(parts, notFinite any, verify func() error) any

// Changed returns an error that wraps ErrChanged if a file was changed in place since it
// was opened, or ErrUnsure.
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

// Remember reads all mapped files and keeps checksums of them, by which Changed tells a file whose time is another
// from one that was changed.
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

// Opened calls open, which opens the files of a set, and returns its error, or that a file
// was changed meanwhile. From then on only files matter that are mapped or read again.
func (f *File) Opened(open func() error) error {
	err := f.catch(open)
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

// Close unmaps and closes everything, when all guards have ended that were entered before. It must
// not be called within one.
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

// enter notes that somebody reads what is mapped, until leave. It is false if the file is closed, or
// will be: then only those may enter who read already.
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

// Closed tells whether the set was closed, and nobody reads it any more.
func (f *File) Closed() bool { return f != nil && f.readers.Load() == closing }

// UseOfClosed is what using a set panics with that was closed.
const UseOfClosed = "vectors: use of a closed Set"

// MustBeOpen panics if the set was closed.
func (f *File) MustBeOpen() {
	if f.Closed() {
		panic(UseOfClosed)
	}
}

// Holds tells whether what p points to lies in a mapped file.
func (f *File) Holds(p unsafe.Pointer) bool {
	return f != nil && slices.ContainsFunc(f.mappings, func(m mapping) bool { return m.first <= uintptr(p) && uintptr(p) < m.last })
}

// EvictAfter is how many bytes of a mapped file are looked at before its pages are given
// back, so that walking through a file of any size takes little memory.
const EvictAfter = 64 << 20

// Page is what looking at a row somewhere in a mapped file brings into memory: Linux
// maps up to 16 pages at a time of what is cached.
const Page = 32 << 10

// Saw notes that about n bytes of the file were looked at.
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

// Located says in which file err is.
func (f *File) Located(err error) error {
	if f.Locate == nil {
		return err
	}
	return f.Locate(err)
}

// Guard calls read. A fault in a mapped file ends read and is left as an error, see Err.
// It is about the goroutine that calls it alone. The file stays mapped meanwhile: Close waits. After
// Close, Guard panics, unless it is called within another Guard of the goroutine.
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

// Inside is Guard for a goroutine of work that waits for it within a Guard.
func (f *File) Inside(read func()) {
	if !f.Mapped() {
		read()
		return
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer f.recoverFault()
	read()
}

// recoverFault, deferred, keeps a fault in a mapped file, and panics again with what is none.
func (f *File) recoverFault() {
	if fault := recover(); fault != nil {
		f.faulted(fault)
	}
}

// Guarded is Guard for what returns an error.
func (f *File) Guarded(read func() error) (err error) {
	f.Guard(func() { err = read() })
	return cmp.Or(f.Err(), err) // a fault is the cause of whatever it led to
}

// catch is Guarded while files are being mapped.
func (f *File) catch(open func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer f.recoverFault()
	return open()
}

// faulted keeps the fault if it is one of a mapped file, and panics again if it is not.
func (f *File) faulted(fault any) {
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
