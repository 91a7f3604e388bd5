package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/w2v-go/w2v/internal/plaintext"
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

// A piece is what stands between two separators.
type piece struct {
	text string
	line int   // in which it ends, from 1
	size int64 // bytes that it has
	last bool  // the next one is not at hand: it has to be waited for, or there is none
}

// whole tells whether text is all of the piece, which was not longer than was asked for.
func (p piece) whole() bool { return p.size == int64(len(p.text)) }

// pieces yields the pieces of r, empty ones too, but for an empty one at the end. Of one
// with more than most bytes there is only its beginning, and no more is held in memory. A
// byte order mark at the beginning does not count. A read error ends them and is left in err.
func pieces(r io.Reader, separators string, most int, err *error) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		in := bufio.NewReaderSize(plaintext.NewReader(r), 64<<10)
		first := true
		var text []byte
		p := piece{line: 1}
		for {
			c, readErr := in.ReadByte()
			if readErr != nil && !errors.Is(readErr, io.EOF) {
				*err = readErr
				return
			}
			if readErr == nil && strings.IndexByte(separators, c) < 0 {
				if p.size++; len(text) < most {
					text = append(text, c)
				}
				continue
			}
			if mark := "\ufeff"; first && strings.HasPrefix(string(text), mark) { // with which some editors begin a text
				text = text[len(mark):]
				p.size -= int64(len(mark))
			}
			first = false
			if p.size > 0 || readErr == nil {
				p.text = string(text)
				read, _ := in.Peek(in.Buffered())
				p.last = !bytes.ContainsAny(read, separators)
				if !yield(p) {
					return
				}
			}
			if readErr != nil {
				return
			}
			if c == '\n' {
				p.line++
			}
			text, p.size = text[:0], 0
		}
	}
}

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
