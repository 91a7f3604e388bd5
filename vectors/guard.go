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

// ErrChanged says that another program changed a file in place while the file was read. Discard the result.
// Errors that wrap ErrChanged name the file.
var ErrChanged = backing.ErrChanged

// ErrUnsure says that the modification time of a file has changed, and that Guard is still comparing the
// contents with the checksum of Set.Remember. Errors that wrap ErrUnsure name the file.
var ErrUnsure = backing.ErrUnsure

// ErrClosed says that a set was closed.
var ErrClosed = errors.New(backing.UseOfClosed)

// Guard calls read, which uses a set, and returns its error. If a mapped file is truncated, reading it
// faults; Guard then ends read and returns an error that wraps ErrChanged. It returns the same error if the
// file was changed in any other way by the end of read.
//
// Methods of sets, words and matrices need no Guard: they return zeros, or nothing, for what they cannot
// read, and Err returns the error. Data of a matrix needs Guard: without it, a fault ends the program. Guard
// protects only the goroutine that calls it. Close waits for Guard to end; after Close, Guard returns
// ErrClosed.
func (s *Set) Guard(read func() error) (err error) {
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
		return changed // more important than the error of read that it caused
	}
	return cmp.Or(err, s.Err())
}

// Remember reads the mapped files behind the set once and keeps their checksums. Later, when only the
// modification time of a file differs, as after touch, Guard compares the contents with the checksum, and
// while it does returns an error that wraps ErrUnsure. Without Remember, a new modification time counts as a
// change.
func (s *Set) Remember(ctx context.Context) error { return s.file.Remember(ctx) }

// InFile reports whether the set's rows are in a file, mapped or read on demand.
func (s *Set) InFile() bool { return s.file.InFile() }

// copies hold what a set has returned from its mapped file, so that nothing that outlives a Guard points into
// it.
type copies struct {
	counts     copied[uint64]
	wordRows   copied[uint32]
	bucketRows copied[int32]
	state      copied[byte]
}

type copied[T any] struct {
	once sync.Once
	copy []T
}

// of returns numbers, or a copy if they lie in a mapped file, with zeros where that cannot be read; nil after
// Close.
func (c *copied[T]) of(file *backing.File, numbers []T) []T {
	if len(numbers) == 0 || !file.Holds(unsafe.Pointer(unsafe.SliceData(numbers))) {
		return numbers
	}
	if file.Closed() {
		return nil
	}
	c.once.Do(func() {
		to := make([]T, len(numbers))
		file.Guard(func() { copy(to, numbers) })
		c.copy = to
	})
	return c.copy
}

// back tells the matrices and words of a new set which file is behind them.
func (s *Set) back() {
	b := s.file
	if !b.Mapped() {
		return
	}
	s.parts.Input.behind, s.parts.Output.behind = b, b
	for i := range s.parts.Matrices {
		s.parts.Matrices[i].behind = b
	}
	s.parts.Labels = s.parts.Labels.in(b)
	s.parts.StateRows = slices.Clone(s.parts.StateRows)
	for i := range s.parts.StateRows {
		s.parts.StateRows[i].behind = b
	}
	if s.parts.Words.list != nil && s.parts.Words.list.mapped && s.parts.Words.list.behind == nil {
		s.parts.Words.list.behind = b
	}
}
