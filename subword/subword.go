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
