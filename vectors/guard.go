package vectors

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// ErrChanged says that another program changed a file in place while it was read: what
// was read is of no use. Errors that wrap it name the file.
var ErrChanged = backing.ErrChanged

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
	s.file.Guard(func() { err = read() })
	if errors.Is(err, context.Canceled) {
		return err
	}
	if changed := s.file.Changed(); changed != nil {
		return changed // whatever it led to
	}
	return cmp.Or(err, s.Err())
}

// Streamed returns what lies behind a set whose rows come from somewhere else, one after the other, for
// Parts.File. Its method Fail keeps the first error of reading them, which Set.Err returns.
func Streamed() *backing.File { return &backing.File{Sequential: true} }

// InFile tells whether the set's rows are in a file, mapped or read when they are
// asked for, and not in memory.
func (s *Set) InFile() bool {
	return s.file.InFile()
}

// closedRows are the rows of a matrix whose file was given back.
type closedRows struct{ behind *backing.File }

func (c closedRows) Read([]float32, int) { c.behind.MustBeOpen() }

// drop takes everything from the set that lies in a mapped file.
func (s *Set) drop() {
	for m := range s.eachMatrix {
		if m.Rows > 0 {
			*m = Stored(m.Rows, m.Cols, closedRows{s.file})
		}
	}
	s.counts, s.wordRows, s.bucketRows, s.state, s.stateRows, s.verify = nil, nil, nil, nil, nil, nil
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
