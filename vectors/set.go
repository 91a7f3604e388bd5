// Package vectors holds word vectors in memory, or mapped from a file, and answers questions about them: the
// vector of a word, the nearest words, analogies, the vector of a text.
//
//	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords("sun", "moon"), Input: rows})
//	…
//	v := make([]float32, set.Dim())
//	if set.Vector(v, "sun") {
//		fmt.Println(set.Nearest(ctx, vectors.Query{Vector: v, K: 10}))
//	}
//
// A Set is words and the rows that their vectors are made of. In a set of plain words, word i has row i. In a
// set with n-grams (see Parts.Subword) vectors are composed of several rows, and words outside of the
// vocabulary have vectors too. What only some models have, such as the nodes of hierarchical softmax, are
// named matrices.
//
// A Matrix holds float32 rows in memory, or decodes or computes rows when they are asked for: of fewer bits,
// of a file, of other matrices.
//
// A set does not change after New, and its methods may be called by several goroutines. This package neither
// reads nor writes files. Package format does that, package transform makes sets of other sets, and package
// convert combines both.
package vectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// A Set is a vocabulary and its vectors. A word outside the vocabulary is the mean of its n-grams' rows, and
// Composition says what words in the vocabulary are made of.
//
// A set does not change: functions that change something return another set, which shares rows with the
// first. Methods may be called from several goroutines. The results of methods must not be written to.
type Set struct {
	parts   Parts      // numbers may lie in a mapped file
	copies  copies     // of what lies in a mapped file
	counted *NotFinite // set by the reader; nil if it did not look at numbers

	usableOnce sync.Once
	unusable   error // see usable
	rowsOnce   sync.Once
	rows       Matrix
	normsOnce  sync.Once
	norms      []float32     // see Directions
	directed   Matrix        // see Directions
	file       *backing.File // nil where everything is in memory
	verify     func() error  // see Verify; nil if there is nothing to verify
}

// Len returns the number of words.
func (s *Set) Len() int { return s.parts.Words.Len() }

// Dim returns the number of dimensions.
func (s *Set) Dim() int { return s.parts.Input.Cols + s.Learned().Appended }

// Close releases the file behind the set, if there is one. It waits for methods and Guards of other
// goroutines that use the file; do not call it within Guard. Afterwards, methods of the set, of sets made of
// it, and of their words and matrices panic in the calling goroutine, and Guard returns ErrClosed. Results
// that methods returned before are copies and stay valid, except Data of matrices: using Data faults and ends
// the program.
func (s *Set) Close() error { return s.file.Close() }

// Err returns the first error of reading rows from the file behind the set. Rows that could not be read are
// zeros. Sets made of other sets return the errors of those sets.
func (s *Set) Err() error { return s.file.Err() }

// ID returns the position of a word in Words, the first one if the word occurs twice. It returns -1 for an
// unknown word; Query.Skip ignores -1.
func (s *Set) ID(word string) (int, bool) { return s.parts.Words.Find(word) }

// Vector writes the vector of a word to dst, which has Dim numbers, and reports whether the word has a
// vector; if not, dst is all zeros. A word outside the vocabulary is composed of its n-grams: it has a vector
// if it has at least one n-gram, in hash embeddings at least one trained n-gram.
func (s *Set) Vector(dst []float32, word string) (ok bool) {
	s.file.Guard(func() { ok = s.vector(dst, word) })
	if !ok {
		clear(dst)
	}
	return ok
}

func (s *Set) vector(dst []float32, word string) bool {
	var c composer
	if id, ok := s.parts.Words.find(word); ok {
		c.word(dst, s, id)
		return true
	}
	return s.parts.Subword != nil && c.unknown(dst, s, word) > 0
}

// WordVector writes the vector of word id to dst, which has Dim numbers.
func (s *Set) WordVector(dst []float32, id int) {
	fill(s.file, dst, func() { new(composer).word(dst, s, id) })
}

// BucketVector returns the row of n-gram bucket b, which must not be changed; nil if the bucket was never
// trained.
func (s *Set) BucketVector(b uint32) []float32 {
	if r := s.BucketRow(b); r >= 0 {
		return s.parts.Input.Row(r)
	}
	return nil
}

// Vectors returns the vector of every word, row i for word i: Input for a set of plain words in memory;
// otherwise the first call computes it, on all cores.
func (s *Set) Vectors() Matrix {
	s.mustBeUsable()
	s.file.MustBeOpen()
	if !s.Composes() && s.parts.WordRows == nil && s.parts.Input.Storage == nil {
		m := s.parts.Input.open()
		m.Rows = s.Len() // without the rows of buckets
		return m
	}
	s.rowsOnce.Do(func() {
		s.rows = NewMatrix(s.Len(), s.Dim())
		s.file.InTurn(s.Len(), func(first, last int) {
			var c composer
			for id := first; id < last; id++ {
				c.word(s.rows.Row(id), s, id)
			}
		})
	})
	return s.rows
}

// A function with a capital, such as Row, and one without it do the same. The latter is for callers inside a
// fault guard: what it returns may lie in a mapped file.

// fill calls write, which writes to dst, within a guard. dst is all zeros if a mapped file cannot be read.
func fill(file *backing.File, dst []float32, write func()) {
	written := false
	file.Guard(func() {
		write()
		written = true
	})
	if !written {
		clear(dst)
	}
}

// guarded returns what read returns within a guard, or nothing if a mapped file cannot be read.
func guarded[T any](file *backing.File, read func() T) (got T) {
	file.Guard(func() { got = read() })
	return got
}

// Verify reads the whole native file of the set again and compares it with its checksum, which files with
// State have. The error says that the file is damaged, or that State has no checksum. Compressed files and
// streams are verified while they are read. Verify returns nil for a set without a checksum, such as one made
// in memory or of another set.
func (s *Set) Verify() error {
	if s.verify == nil {
		return nil
	}
	return s.file.Located(s.file.Guarded(s.verify))
}

// usable returns an error if the set's sizes do not fit together: hand-made parts may lack rows that words
// refer to, and no caller can recover from a panic of a goroutine that reads rows. A set without words has no
// rows to read.
func (s *Set) usable() error {
	if s.Len() == 0 {
		return nil
	}
	s.usableOnce.Do(func() { s.unusable = s.CheckSizes() })
	if s.unusable != nil {
		return fmt.Errorf("vectors: the set is not valid: %w", s.unusable)
	}
	return nil
}

func (s *Set) mustBeUsable() {
	if err := s.usable(); err != nil {
		panic(err)
	}
}

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
