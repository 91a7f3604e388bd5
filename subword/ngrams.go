package subword

import "unicode/utf8"

// MaxLength is the length in code points of the longest n-grams that there can be.
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
