// Package subword says which input rows, with which weights, make up a word.
//
// An [Indexer] cuts words into pieces and gives every piece rows of a table that words
// share. [Kinds] lists the kinds of indexers, with all that programs need to offer them, and
// to write them to files and read them again. A [Composition] says how the rows make up the
// vector of a word.
package subword

import (
	"fmt"
	"math"
	"reflect"
	"unicode/utf8"
)

// An Indexer cuts a word into pieces and gives each piece a row (its bucket)
// of a shared table. It gives a word the same rows every time. Several goroutines
// call its methods at once.
type Indexer interface {
	// Rows returns the number of rows of the table; Append stays below it.
	Rows() int
	// Append appends the row of every piece of word to dst.
	Append(dst []uint32, word string) []uint32
	// Ngrams returns the text of every piece, in the order of Append.
	Ngrams(word string) []string
}

// described is an indexer of this package. It may also have a method count(runes int) int,
// which returns how many rows the pieces of a word of so many code points have; describe()
// string, for Describe; readable() error, for Readable; and same(Indexer) bool, for Same.
type described interface {
	Indexer
	Validate() error
	kind() Kind
}

// Value returns the settings that an indexer points to, or the indexer itself if it is
// no such pointer: &Hash{…} means what Hash{…} means. Whoever asks of which type an indexer
// is asks that of its Value. A nil pointer stays one.
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

// Same reports whether two indexers cut words into the same pieces, with the same rows.
func Same(a, b Indexer) bool {
	a, b = Value(a), Value(b)
	if own, ok := a.(interface{ same(Indexer) bool }); ok {
		return own.same(b)
	}
	return reflect.DeepEqual(a, b)
}

// Validate reports why an indexer cannot cut words: it was not made by its constructor, or has an invalid
// setting. No indexer, nil, stands for plain words and is valid.
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

// Readable is Validate for an indexer that another program wrote: some have settings that
// their own program takes, and that are not to be trained with.
func Readable(indexer Indexer) error {
	if i, ok := indexer.(interface{ readable() error }); ok {
		return i.readable()
	}
	return Validate(indexer)
}

// must panics with an error of settings that cannot cut words, in methods that return none.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// MaxLength is the largest length of n-grams, in code points.
// It is more than anyone has a use for, and few enough for a file with a word of a
// million bytes to be harmless.
const MaxLength = 255

// Two ways to cut a string into runs of code points are in use.

// runs yields what fastText and floret take from s, a word between brackets: all
// runs of minn to maxn code points, from left to right and short before long,
// except a run of one at either end. A byte that does not continue a code point
// starts one, whatever its value.
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

// runsLongFirst yields what finalfusion takes: long before short, and those of
// one code point at the ends too. A byte that is not UTF-8 is a code point.
func runsLongFirst(s []byte, minn, maxn int, yield func(ngram []byte)) {
	var buf [64]int
	starts := buf[:0] // of the code points, and where the last one ends
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

// bracketed returns the word between its brackets, in buf if that has room.
func bracketed(buf []byte, open, word, end string) []byte {
	buf = append(buf[:0], open...)
	buf = append(buf, word...)
	return append(buf, end...)
}
