// Package backing is what lies behind a set whose rows are not in memory: files that are
// mapped, or read again when rows are asked for. It opens nothing itself. It knows which
// addresses are mapped, so that a fault there becomes an error, keeps the first error of
// reading, and closes everything with the set.
//
// All methods of a nil *File work, as for a set in memory.
package backing

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// ErrChanged says that another program changed a file in place while it was read: what
// was read is of no use. Errors that wrap it name the file.
var ErrChanged = errors.New("changed while it was read: try again")

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
	closed   atomic.Bool    // the mappings are gone
	release  []func() error // unmaps and closes what is open
	evict    []func()       // gives back the memory of pages that were looked at
	seen     atomic.Int64   // about how many bytes were looked at since then

	mu  sync.Mutex
	err error // the first error of reading rows
}

// A watched file is one that should stay as it was when it was opened.
type watched struct {
	path    string
	mapped  bool
	changed func() bool
}

// A mapping is the address range of a mapped file. Reading in it faults if the file has
// become shorter since it was mapped.
type mapping struct {
	path        string
	first, last uintptr // its first byte, and the first one after it
}

// Watch notes that the file at path should stay as it is, of which changed tells.
func (f *File) Watch(path string, changed func() bool) {
	f.watched = append(f.watched, watched{path: path, changed: changed})
}

// Map keeps the bytes of the file at path, which was mapped, until the set is closed.
// Changed tells whether the file was changed, also when it has lost its name; evict gives back the
// memory that looking at the bytes took; release ends the mapping.
func (f *File) Map(path string, file []byte, changed func() bool, evict func(), release ...func() error) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(file)))
	f.mappings = append(f.mappings, mapping{path, first, first + uintptr(len(file))})
	f.evict = append(f.evict, evict)
	f.release = append(f.release, release...)
	for i := range f.watched {
		if f.watched[i].path == path {
			f.watched[i].mapped, f.watched[i].changed = true, changed
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
	return f.err
}

// Changed returns an error that wraps ErrChanged if a file was changed in place since it
// was opened.
func (f *File) Changed() error {
	if f == nil || f.closed.Load() {
		return nil
	}
	for _, w := range f.watched {
		if w.changed() {
			return &ChangedError{w.path}
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

// Close unmaps and closes everything.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	f.closed.Store(len(f.mappings) > 0)
	var errs []error
	for _, release := range f.release {
		errs = append(errs, release())
	}
	f.release, f.evict = nil, nil
	return errors.Join(errs...)
}

// MustBeOpen panics if the set was closed.
func (f *File) MustBeOpen() {
	if f != nil && f.closed.Load() {
		panic("vectors: use of a closed Set")
	}
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
	if seen := f.seen.Add(n); seen >= EvictAfter && f.seen.CompareAndSwap(seen, 0) {
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
