package main

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

// queries returns the words of the command line or, if there are none, what stands between
// separators in r, without white space around it. One that is longer than longest is given to
// tooLong instead. A read error ends them and is left in err.
func queries(words []string, r io.Reader, separators string, longest int, tooLong func(piece), err *error) iter.Seq[string] {
	return func(yield func(string) bool) {
		for batch := range batches(words, r, separators, longest, 1, tooLong, err) {
			if !yield(batch[0]) {
				return
			}
		}
	}
}

// together is how many queries are answered together at most: enough to share the passes over a
// model's vectors. Of queries with very many answers it is fewer.
func together(answers int) int {
	const most, answered = 512, 1 << 20
	return max(1, min(most, answered/answers))
}

// batches returns queries in runs of at most so many. What is at hand is not kept back: a run ends
// before more of r would have to be waited for, and before a query that is too long.
func batches(words []string, r io.Reader, separators string, longest, most int, tooLong func(piece), err *error) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		var batch []string
		// take takes a query, and lets the batch go if it is full or ends.
		take := func(p piece, ends bool) bool {
			if word := strings.Trim(p.text, white); p.whole() && word != "" {
				batch = append(batch, word)
			}
			if full := len(batch) == most; len(batch) > 0 && (full || ends) {
				if !yield(batch) {
					return false
				}
				batch = batch[:0]
			}
			if !p.whole() {
				tooLong(p)
			}
			return true
		}
		for i, word := range words {
			p := piece{text: word, size: int64(len(word))}
			if len(word) > longest {
				p.text = word[:longest]
			}
			if !take(p, !p.whole() || i == len(words)-1) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		for p := range pieces(r, separators, longest, err) {
			if !take(p, !p.whole() || p.last) {
				return
			}
		}
		if *err != nil {
			*err = fmt.Errorf("standard input: %w", *err)
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}

// white are the bytes that separate tokens in a corpus. Other white space, such as
// no-break spaces, is part of words.
const white = " \t\r\n\v\f\x00"

func isWhite(r rune) bool { return strings.ContainsRune(white, r) }

// fields returns the words of a line: between white space or, if it has tabs for exactly n words,
// between tabs.
func fields(line string, n int) []string {
	if tabbed := strings.Split(strings.Trim(line, white), "\t"); len(tabbed) == n {
		for i, word := range tabbed {
			tabbed[i] = strings.Trim(word, white)
		}
		return tabbed
	}
	return strings.FieldsFunc(line, isWhite)
}

// checkLength is an error if a word of the command line is longer than any word of a model.
func checkLength(words ...string) error {
	for _, word := range words {
		if len(word) > vectors.MaxWord {
			return fmt.Errorf("%.20q… has %d bytes, and no word has more than %d", word, len(word), vectors.MaxWord)
		}
	}
	return nil
}
