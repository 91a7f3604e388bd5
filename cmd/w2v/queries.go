package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// queries returns the words of the command line or, if there are none, those
// that split finds in the lines of r. A read error ends them and is left in err.
func queries(words []string, r io.Reader, split func(line string) []string, err *error) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, word := range words {
			if !yield(word) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		lines := bufio.NewReader(r)
		for {
			line, readErr := lines.ReadString('\n')
			for _, word := range split(strings.TrimRight(line, "\r\n")) {
				if !yield(word) {
					return
				}
			}
			if errors.Is(readErr, io.EOF) {
				return
			}
			if readErr != nil {
				*err = fmt.Errorf("standard input: %w", readErr)
				return
			}
		}
	}
}

// white are the bytes that separate tokens in a corpus. Other white space, such as
// no-break spaces, is part of words.
const white = " \t\r\n\v\f\x00"

// wordsOf splits a line into words as a corpus is split.
func wordsOf(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(white, r) })
}

// wholeLine takes a line as one query.
func wholeLine(line string) []string {
	if line = strings.Trim(line, white); line == "" {
		return nil
	}
	return []string{line}
}
