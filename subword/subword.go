// Package subword says which input rows, with which weights, make up a word.
//
// An [Indexer] splits words into pieces and gives every piece rows of a shared table. [Kinds] lists the kinds
// of indexers, with everything that programs need to offer, write and read them. A [Composition] says how
// rows make up the vector of a word.
package subword

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"unicode/utf8"
)

// An Indexer splits a word into pieces and gives each piece a row, its bucket, of a shared table. A word
// always gets the same rows. Several goroutines may call its methods at once.
type Indexer interface {
	// Rows returns the number of rows of the table. Append returns only smaller numbers.
	Rows() int
	// Append appends the row of every piece of word to dst.
	Append(dst []uint32, word string) []uint32
	// Ngrams returns the text of every piece, in the order of Append.
	Ngrams(word string) []string
}

// described is an indexer of this package. It may have more methods: count(runes int) int returns the number
// of rows of the pieces of a word of so many code points; describe() string serves Describe; readable() error
// serves Readable; same(Indexer) bool serves Same.
type described interface {
	Indexer
	Validate() error
	kind() Kind
}

// Value returns the indexer that a pointer points to, or the indexer itself if it is not such a pointer:
// &Hash{…} means Hash{…}. Call Value before asking for an indexer's type. A nil pointer is returned as it is.
func Value(indexer Indexer) Indexer {
	v := reflect.ValueOf(indexer)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return indexer
	}
	if settings, ok := v.Elem().Interface().(Indexer); ok {
		return settings
	}
	return indexer
}

// Same reports whether two indexers split words into the same pieces with the same rows.
func Same(a, b Indexer) bool {
	a, b = Value(a), Value(b)
	if own, ok := a.(interface{ same(Indexer) bool }); ok {
		return own.same(b)
	}
	return reflect.DeepEqual(a, b)
}

// Validate reports why an indexer cannot split words: it was not made by its constructor, or has an invalid
// setting. A nil indexer stands for plain words and is valid.
func Validate(indexer Indexer) error {
	if indexer == nil {
		return nil
	}
	if i, ok := indexer.(interface{ Validate() error }); ok {
		return i.Validate()
	}
	if rows := indexer.Rows(); rows < 0 || rows > math.MaxInt32 {
		return fmt.Errorf("subword: the indexer, a %T, has %d rows, must be from 0 to %d", indexer, rows, math.MaxInt32)
	}
	return nil
}

// Readable is Validate for an indexer from another program's file: such an indexer may have settings that
// training does not support.
func Readable(indexer Indexer) error {
	if i, ok := indexer.(interface{ readable() error }); ok {
		return i.readable()
	}
	return Validate(indexer)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// MaxLength is the largest length of n-grams, in code points. It is more than anyone needs, and small enough
// that a file with a word of a million bytes is harmless.
const MaxLength = 255

func checkRange(setting string, n, least, most int) error {
	if n < least || n > most {
		return fmt.Errorf("subword: %s is %d, must be from %d to %d", setting, n, least, most)
	}
	return nil
}

// checkLengths returns an error unless lengths of n-grams are at least least, and rise.
func checkLengths(minn, maxn, least int) error {
	switch {
	case minn < least:
		return fmt.Errorf("subword: minn is %d, must be at least %d", minn, least)
	case maxn < minn || maxn > MaxLength:
		return fmt.Errorf("subword: maxn is %d, must be from minn, %d, to %d", maxn, minn, MaxLength)
	}
	return nil
}

func texts(each func(word string, yield func(piece []byte)), word string, times int) (all []string) {
	each(word, func(piece []byte) {
		for range times {
			all = append(all, string(piece))
		}
	})
	return all
}

// There are two ways to split a string into runs of code points.

// runs yields the n-grams of fastText and floret in s, a word between brackets: all runs of minn to maxn code
// points, except single code points at both ends, from left to right, and short before long. A byte that does
// not continue a code point starts a new one.
func runs(s []byte, minn, maxn int, yield func(ngram []byte)) {
	for start := 0; start < len(s); start++ {
		if !utf8.RuneStart(s[start]) {
			continue
		}
		end := start
		for n := 1; n <= maxn && end < len(s); n++ {
			end++
			for end < len(s) && !utf8.RuneStart(s[end]) {
				end++
			}
			touchesEnd := start == 0 || end == len(s)
			if n >= minn && !(n == 1 && touchesEnd) {
				yield(s[start:end])
			}
		}
	}
}

// runsLongFirst yields the n-grams of finalfusion: long before short, including single code points at the
// ends. A byte that is not UTF-8 is a code point.
func runsLongFirst(s []byte, minn, maxn int, yield func(ngram []byte)) {
	var buf [64]int
	starts := buf[:0] // of the code points, and the end of the last
	for at := 0; at < len(s); {
		starts = append(starts, at)
		_, size := utf8.DecodeRune(s[at:])
		at += size
	}
	starts = append(starts, len(s))
	runes := len(starts) - 1
	for first := range runes {
		for n := min(maxn, runes-first); n >= max(minn, 1); n-- {
			yield(s[starts[first]:starts[first+n]])
		}
	}
}

func bracketed(buf []byte, open, word, end string) []byte {
	buf = append(buf[:0], open...)
	buf = append(buf, word...)
	return append(buf, end...)
}

// A Composition says what the vector of a word is made of. Training, sets, transforms, formats and
// explanations call its methods and do not depend on the implementation. A Kind names its composition.
//
// A vector is the sum of the rows in Terms, divided by a number. Rows have equal weights, unless Learned says
// that each row is multiplied by a trained number.
type Composition interface {
	// Name is the name of the composition in native files, which is empty for Mean.
	Name() string
	// OwnRows reports whether each word of the vocabulary has a row of its own.
	OwnRows() bool
	// Composes reports whether words of the vocabulary are made of the rows of their pieces.
	Composes() bool
	// Learned describes the numbers that multiply rows. Learned.Name is empty if there are no such numbers.
	// If indexer is nil, the matrix has no size.
	Learned(indexer Indexer) Learned
	// Terms sets t to the terms of a word. known says that the word is in the vocabulary.
	Terms(t *Terms, indexer Indexer, word string, known bool)
}

// Terms lists the rows whose sum is a word's vector.
type Terms struct {
	Own     bool     // the word's own row is one of the rows
	Buckets []uint32 // buckets of the pieces in the order of Indexer.Append, possibly without the first
	// Cells has, for every bucket, the learned number that multiplies its row: number Cells[i] of the matrix
	// of learned numbers, row by row. It is empty without learned numbers.
	Cells  []uint32
	Pieces int // divisor of the sum
}

func (t *Terms) pieces(indexer Indexer, word string) {
	t.Own, t.Cells = false, t.Cells[:0]
	t.Buckets = indexer.Append(t.Buckets[:0], word)
	t.Pieces = len(t.Buckets)
}

// Learned describes a matrix of learned numbers that multiply rows. With learned numbers, words have no rows
// of their own, and input row i belongs to bucket i. A number starts as 1 if a word of the vocabulary uses
// it, and as 0 otherwise.
type Learned struct {
	Name       string // name of the matrix in native files: "importance"
	Title      string // name of the matrix in messages: "weights of pieces"
	Rows, Cols int
	// Appended is how many of the last dimensions of a vector are not dimensions of rows: 0 or Cols. Each is
	// the sum of the numbers of a column, divided like the sum of rows.
	Appended int
	RowRate  float64 // factor of the learning rate for rows
	Rate     float32 // factor of the gradient for learned numbers
}

// Any reports whether there are learned numbers.
func (l Learned) Any() bool { return l.Name != "" }

// CompositionOf returns the composition that training uses with an indexer: Mean for a nil indexer and for
// indexers of other packages.
func CompositionOf(indexer Indexer) Composition {
	if k, ok := kindOf(indexer); ok && k.Composition != nil {
		return k.Composition
	}
	return Mean
}

// CompositionNamed returns the composition with that name in native files.
func CompositionNamed(name string) (c Composition, ok bool) {
	for _, c := range compositions() {
		if c.Name() == name {
			return c, true
		}
	}
	return nil, false
}

func compositions() []Composition {
	all := []Composition{Mean, Pieces, Whole}
	for _, k := range allKinds {
		if k.Composition != nil && !slices.Contains(all, k.Composition) {
			all = append(all, k.Composition)
		}
	}
	return all
}

// AllLearned returns the matrices of learned numbers of all compositions, without sizes.
func AllLearned() (all []Learned) {
	for _, c := range compositions() {
		if l := c.Learned(nil); l.Any() {
			all = append(all, l)
		}
	}
	return all
}

// CheckComposition reports an indexer that does not fit a composition: learned numbers need the pieces of one
// kind of indexer.
func CheckComposition(c Composition, indexer Indexer) error {
	usual := CompositionOf(indexer)
	if indexer == nil && c != usual {
		return fmt.Errorf("composition %q in a set without subwords", c.Name())
	}
	for _, k := range allKinds {
		if of := k.Composition; of != nil && (of == c) != (of == usual) && of.Learned(nil).Any() {
			return fmt.Errorf("composition %q with %s n-grams: %q is that of %s n-grams alone", c.Name(), NameOf(indexer), of.Name(), k.Name)
		}
	}
	return nil
}

// WithoutAppended returns an indexer without appended dimensions, see Learned, and otherwise like the given
// one.
func WithoutAppended(indexer Indexer) Indexer {
	if own, ok := Value(indexer).(interface{ withoutAppended() Indexer }); ok {
		return own.withoutAppended()
	}
	return indexer
}

// The compositions without learned numbers.
var (
	// Mean is the mean of the word's own row and its pieces' rows, as in fastText. It is the default, and the
	// composition of plain words, which have no pieces.
	Mean Composition = plain{name: "", ownRows: true, composes: true}
	// Pieces is the mean of the rows of the word's pieces, as for words outside the vocabulary. Words have no
	// rows of their own, as in floret's tables.
	Pieces Composition = plain{name: "pieces", ownRows: false, composes: true}
	// Whole is the word's own row, which already includes its pieces' rows, as in finalfusion's files. It cannot
	// be trained. A word outside the vocabulary is the mean of its pieces' rows.
	Whole Composition = plain{name: "whole", ownRows: true, composes: false}
)

type plain struct {
	name              string
	ownRows, composes bool
}

func (p plain) Name() string          { return p.name }
func (p plain) OwnRows() bool         { return p.ownRows }
func (p plain) Composes() bool        { return p.composes }
func (plain) Learned(Indexer) Learned { return Learned{} }

func (p plain) Terms(t *Terms, indexer Indexer, word string, known bool) {
	if known && !p.composes {
		*t = Terms{Own: true, Buckets: t.Buckets[:0], Pieces: 1}
		return
	}
	t.pieces(indexer, word)
	if t.Own = known && p.ownRows; t.Own {
		t.Pieces++
	}
}
