package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// CreateNamed is Create where files cannot be without a name.
func CreateNamed(path string) (*File, error) {
	real := system.nameless
	defer func() { system.nameless = real }()
	system.nameless = func(string) (*os.File, error) { return nil, errors.ErrUnsupported }
	return Create(path)
}

// A System says what the system that the package runs on cannot do, and what happens
// before each of its calls that make, move or remove a name.
type System struct {
	NoExchange bool
	NoNameless bool
	Before     func(call string)   // nil for nothing
	Synced     func(file *os.File) // after a file or a folder is on the disk; nil for nothing
}

// Use makes the package run on s until restore is called. Tests that use it must not run
// at the same time as others.
func (s System) Use() (restore func()) {
	real := system
	before := func(call string) {
		if s.Before != nil {
			s.Before(call)
		}
	}
	system = calls{
		create: func(name string, flag int, mode fs.FileMode) (*os.File, error) {
			before("create " + name)
			return real.create(name, flag, mode)
		},
		mkdir: func(name string, mode fs.FileMode) error {
			before("mkdir " + name)
			return real.mkdir(name, mode)
		},
		nameless: real.nameless,
		link: func(f *os.File, name string) error {
			if s.NoNameless {
				return errors.ErrUnsupported
			}
			before("link " + name)
			return real.link(f, name)
		},
		rename: func(from, to string) error {
			before("rename " + from + " to " + to)
			return real.rename(from, to)
		},
		exchange: func(a, b string) error {
			if s.NoExchange {
				return errors.ErrUnsupported
			}
			before("exchange " + a + " and " + b)
			return real.exchange(a, b)
		},
		remove: func(name string) error {
			before("remove " + name)
			return real.remove(name)
		},
		sync: func(f *os.File) error {
			err := real.sync(f)
			if err == nil && s.Synced != nil {
				s.Synced(f)
			}
			return err
		},
		uncached: real.uncached,
		refuses:  real.refuses,
	}
	return func() { system = real }
}

// AbandonedAfter is how old what a killed process left must be to be removed.
const AbandonedAfter = abandonedAfter
