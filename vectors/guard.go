package vectors

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"unsafe"

	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// ErrChanged says that another program changed a file in place while it was read: what
// was read is of no use. Errors that wrap it name the file.
var ErrChanged = backing.ErrChanged

// ErrUnsure says that a file that Set.Remember knows has another time of change, and that it is being found out whether
// what is in it changed. Errors that wrap it name the file.
var ErrUnsure = backing.ErrUnsure

// ErrClosed says that a set was closed.
var ErrClosed = errors.New(backing.UseOfClosed)

// Guard calls read, which uses a set, and returns its error. If a mapped file has become shorter
// meanwhile, so that reading faults, Guard ends read and returns an error that wraps ErrChanged, and so
// it does if the file was changed in another way by the end of read. Methods of sets, words and matrices
// need no Guard: they leave zeros, or nothing, where they cannot read, and Err tells. Data of a matrix
// needs it: there such a fault ends the program. Guard is about the goroutine that calls it alone. Close
// waits for its end; once the set is closed, Guard returns ErrClosed.
func (s *Set) Guard(read func() error) (err error) {
	if s == nil {
		return errNoSet
	}
	defer func() {
		if p := recover(); p == backing.UseOfClosed {
			err = ErrClosed
		} else if p != nil {
			panic(p)
		}
	}()
	s.file.Guard(func() { err = read() })
	if errors.Is(err, context.Canceled) {
		return err
	}
	if changed := s.file.Changed(); changed != nil {
		return changed // whatever it led to
	}
	return cmp.Or(err, s.Err())
}

// Remember reads the mapped files behind the set once and keeps checksums of them. From then on Guard
// tells a file that only has another time of change, as after touch, from one that was changed in place,
// by reading it again; while a large one is read, it returns an error that wraps ErrUnsure. Without
// Remember it takes the first for the second. Of a set in memory there is nothing to remember.
func (s *Set) Remember(ctx context.Context) error {
	if s == nil {
		return errNoSet
	}
	return s.file.Remember(ctx)
}

// InFile tells whether the set's rows are in a file, mapped or read when they are
// asked for, and not in memory.
func (s *Set) InFile() bool {
	return s.file.InFile()
}

// copies are what a set gives out of its mapped file, where it does. They are made when they are first
// asked for, so that nothing that outlives a Guard lies in the file.
type copies struct {
	counts     copied[uint64]
	wordRows   copied[uint32]
	bucketRows copied[int32]
	state      copied[byte]
}

// A copied is a copy of numbers in a file.
type copied[T any] struct {
	mu   sync.Mutex
	made bool
	copy []T
}

// of returns numbers that may lie in a mapped file, or a copy if they do: zeros where they cannot be
// read, and nil once the file is closed.
func (c *copied[T]) of(file *backing.File, numbers []T) []T {
	if len(numbers) == 0 || !file.Holds(unsafe.Pointer(unsafe.SliceData(numbers))) {
		return numbers
	}
	if file.Closed() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.made {
		to := make([]T, len(numbers))
		file.Guard(func() { copy(to, numbers) })
		c.copy, c.made = to, true
	}
	return c.copy
}

// back makes the matrices and words of a set, which was just made, know the file behind
// them.
func (s *Set) back(b *backing.File) {
	s.file = b
	if !b.Mapped() {
		return
	}
	for m := range s.eachMatrix {
		m.behind = b
	}
	s.stateRows = slices.Clone(s.stateRows)
	for i := range s.stateRows {
		s.stateRows[i].behind = b
	}
	if s.words.list != nil && s.words.list.mapped && s.words.list.behind == nil {
		s.words.list.behind = b
	}
}
