package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/vectors"
)

// together returns how many queries share a pass over a model's vectors: fewer if each has very many answers.
func together(answers int) int {
	const most, answered = 512, 1 << 20
	return max(1, min(most, answered/answers))
}

// batches yields the words of the command line or, without words, the trimmed lines of r, in batches of at
// most most queries. It never waits for input while it holds queries: a batch ends before a read would block.
// A batch also ends before a query of more than longest bytes, which is passed to tooLong. A read error ends
// batches.
func batches(words []string, r io.Reader, longest, most int, tooLong func(piece)) iter.Seq2[[]string, error] {
	asked := pieces(r, longest)
	if len(words) > 0 {
		asked = func(yield func(piece, error) bool) {
			for i, word := range words {
				if !yield(piece{text: word[:min(len(word), longest)], size: int64(len(word)), last: i == len(words)-1}, nil) {
					return
				}
			}
		}
	}
	return func(yield func([]string, error) bool) {
		var batch []string
		for p, err := range asked {
			if err != nil {
				if len(batch) == 0 || yield(batch, nil) {
					yield(nil, fmt.Errorf("standard input: %w", err))
				}
				return
			}
			if word := strings.Trim(p.text, white); p.whole() && word != "" {
				batch = append(batch, word)
			}
			if len(batch) > 0 && (len(batch) == most || p.last || !p.whole()) {
				if !yield(batch, nil) {
					return
				}
				batch = batch[:0]
			}
			if !p.whole() {
				tooLong(p)
			}
		}
		if len(batch) > 0 {
			yield(batch, nil)
		}
	}
}

// white separates tokens in a corpus. Other white space, such as no-break spaces, is part of words.
const white = " \t\r\n\v\f\x00"

func isWhite(r rune) bool { return strings.ContainsRune(white, r) }

// fields returns the words of a line: between tabs if these make exactly n words, else between white space.
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

// A piece is a line, or its beginning.
type piece struct {
	text string
	line int   // from 1
	size int64 // bytes of the line
	last bool  // the next line is not yet available, or there is none
}

// whole tells whether text is all of the line, which was not longer than was asked for.
func (p piece) whole() bool { return p.size == int64(len(p.text)) }

// pieces yields the lines of r, including empty ones, except an empty last line. For a line of more than most
// bytes it yields only the beginning, and holds no more in memory. A byte order mark at the beginning does
// not count. A read error ends pieces.
func pieces(r io.Reader, most int) iter.Seq2[piece, error] {
	return func(yield func(piece, error) bool) {
		in := bufio.NewReaderSize(plaintext.NewReader(r), 64<<10)
		var text []byte
		for p := (piece{line: 1}); ; p.line++ {
			text, p.size = text[:0], 0
			err := bufio.ErrBufferFull
			for errors.Is(err, bufio.ErrBufferFull) {
				var chunk []byte
				chunk, err = in.ReadSlice('\n')
				chunk = bytes.TrimSuffix(chunk, []byte("\n"))
				p.size += int64(len(chunk))
				text = append(text, chunk[:min(len(chunk), most-len(text))]...)
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(piece{}, err)
				return
			}
			if mark := []byte("\ufeff"); p.line == 1 && bytes.HasPrefix(text, mark) { // with which some editors begin a text
				text = text[len(mark):]
				p.size -= int64(len(mark))
			}
			if p.size > 0 || err == nil {
				p.text = string(text)
				read, _ := in.Peek(in.Buffered())
				p.last = !bytes.Contains(read, []byte("\n"))
				if !yield(p, nil) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}

// pairs yields pairs of the words of the command line or, without words, the pair on each line of r:
// separated by white space or, if the line has exactly one tab, by the tab. A line that is not a pair is an
// error, which ends pairs like a read error. If again is not nil, the error is written to again and the line
// is skipped.
func pairs(words []string, r io.Reader, again io.Writer) iter.Seq2[[2]string, error] {
	return func(yield func([2]string, error) bool) {
		for pair := range slices.Chunk(words, 2) {
			if !yield([2]string(pair), nil) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		number := 0
		for line, err := range lines(nil, r) {
			number++
			pair := fields(line, 2)
			if err == nil && len(pair) != 2 {
				if len(pair) == 0 {
					continue
				}
				err = fmt.Errorf("standard input, line %d: expected two words, found %d in %.60q", number, len(pair), line)
				if again != nil {
					fmt.Fprintf(again, "w2v: %v\n", err)
					continue
				}
			}
			if err != nil {
				yield([2]string{}, err)
				return
			}
			if !yield([2]string(pair), nil) {
				return
			}
		}
	}
}

// answerEach answers every query, and lets each answer out, because somebody may be waiting for it.
func answerEach[Q any](words *finder, queries iter.Seq2[Q, error], answer func(Q) error) error {
	for query, err := range queries {
		if err != nil {
			return errors.Join(err, words.absent.err())
		}
		if err := errors.Join(answer(query), words.out.Flush()); err != nil {
			return err
		}
	}
	return words.absent.err()
}

// pairsFrom yields pairs of one word with each word of the command line or, without words, each line of r.
func pairsFrom(from string, words []string, r io.Reader) iter.Seq2[[2]string, error] {
	return func(yield func([2]string, error) bool) {
		for _, word := range words {
			if !yield([2]string{from, word}, nil) {
				return
			}
		}
		if len(words) > 0 {
			return
		}
		for line, err := range lines(nil, r) {
			if word := strings.Trim(line, white); (word != "" || err != nil) && !yield([2]string{from, word}, err) {
				return
			}
		}
	}
}
