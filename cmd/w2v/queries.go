package main

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

// queries returns the words of the command line or, if there are none, what stands between
// separators in r, without white space around it. One that is longer than any word of a
// model is given to tooLong instead. A read error ends them and is left in err.
func queries(words []string, r io.Reader, separators string, tooLong func(piece), err *error) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, word := range words {
			if len(word) > vectors.MaxWord {
				tooLong(piece{text: word, size: int64(len(word))})
			} else if !yield(word) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		for p := range pieces(r, separators, vectors.MaxWord, err) {
			if !p.whole() {
				tooLong(p)
				continue
			}
			if word := strings.Trim(p.text, white); word != "" && !yield(word) {
				return
			}
		}
		if *err != nil {
			*err = fmt.Errorf("standard input: %w", *err)
		}
	}
}

// white are the bytes that separate tokens in a corpus. Other white space, such as
// no-break spaces, is part of words.
const white = " \t\r\n\v\f\x00"

func isWhite(r rune) bool { return strings.ContainsRune(white, r) }

// checkLength is an error if a word of the command line is longer than any word of a model.
func checkLength(words ...string) error {
	for _, word := range words {
		if len(word) > vectors.MaxWord {
			return fmt.Errorf("%.20q… has %d bytes, and no word has more than %d", word, len(word), vectors.MaxWord)
		}
	}
	return nil
}
