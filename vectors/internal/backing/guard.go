package backing

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

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
