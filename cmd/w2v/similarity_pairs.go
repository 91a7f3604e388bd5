package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// pairs returns the words of the command line by two or, if there are none, those of each
// line of r: between white space or, if it has exactly one, on both sides of a tab. A line
// that is no pair ends them, as a read error does; both are left in err. If again is not nil, such
// a line is complained of there and does not end them.
func pairs(words []string, r io.Reader, again io.Writer, err *error) iter.Seq[[2]string] {
	return func(yield func([2]string) bool) {
		for i := 0; i+1 < len(words); i += 2 {
			if !yield([2]string{words[i], words[i+1]}) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		number := 0
		var readErr error
		for line := range lines(nil, r, &readErr) {
			number++
			words := fields(line, 2)
			if len(words) == 0 {
				continue
			}
			if len(words) != 2 {
				bad := fmt.Errorf("standard input, line %d: expected two words, found %d in %.60q", number, len(words), line)
				if again != nil {
					fmt.Fprintf(again, "w2v: %v\n", bad)
					continue
				}
				*err = bad
				return
			}
			if !yield([2]string(words)) {
				return
			}
		}
		*err = errors.Join(*err, readErr)
	}
}

// pairsFrom returns pairs of one word with each word of the command line or, if there are none, with
// each line of r.
func pairsFrom(from string, words []string, r io.Reader, err *error) iter.Seq[[2]string] {
	return func(yield func([2]string) bool) {
		for _, word := range words {
			if !yield([2]string{from, word}) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		for line := range lines(nil, r, err) {
			if word := strings.Trim(line, white); word != "" && !yield([2]string{from, word}) {
				return
			}
		}
	}
}
