package backing

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// Guard calls read. A fault in a mapped file ends read and is left as an error, see Err.
// It is about the goroutine that calls it alone.
func (f *File) Guard(read func()) {
	if f == nil || len(f.mappings) == 0 {
		read()
		return
	}
	f.MustBeOpen()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			f.faulted(fault)
		}
	}()
	read()
}

// Guarded is Guard for what returns an error.
func (f *File) Guarded(read func() error) (err error) {
	f.Guard(func() { err = read() })
	return cmp.Or(f.Err(), err) // a fault is the cause of whatever it led to
}

// catch is Guarded while files are being mapped.
func (f *File) catch(open func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			f.faulted(fault)
		}
	}()
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
			f.MustBeOpen()
			f.Fail(&ChangedError{m.path})
			return
		}
	}
	panic(fault)
}
