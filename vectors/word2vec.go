package vectors

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A word2vec binary is a line "words dimensions" and, for each word, the word,
// a space and its numbers. word2vec.c ends a row with a newline and gensim does
// not, so newlines before a word do not count; a word cannot begin with one.

func readWord2Vec(in *input) (*Set, error) {
	line, err := in.text(longestHeader)
	if errors.Is(err, io.EOF) {
		return nil, &FormatError{Err: cut("a line \"words dimensions\"")}
	}
	if err != nil {
		return nil, err
	}
	words, dim, ok := parseHeader(line)
	if !ok {
		return nil, in.failAt(0, "expected \"words dimensions\", found %.40q", line)
	}
	rows := in.backed(int64(words), 4*int64(dim)+1)
	s := &Set{Words: make([]string, 0, rows)}
	data := make([]float32, 0, rows*int64(dim))
	for id := range words {
		if err := in.skipNewlines(); err != nil {
			return nil, within(err, "row %d of %d", id+1, words)
		}
		b, err := in.word(' ')
		if err != nil {
			return nil, within(err, "row %d of %d", id+1, words)
		}
		word := string(b)
		if data, err = readArray(in, data, int64(dim), "a vector"); err != nil {
			return nil, within(err, "row %d of %d, %.40q", id+1, words, word)
		}
		s.Words = append(s.Words, word)
	}
	if err := in.skipNewlines(); err != nil {
		return nil, err
	}
	if err := in.end(); err != nil {
		return nil, within(err, "after %d rows, as the header says", words)
	}
	s.Input = Matrix{Data: data, Rows: words, Cols: dim, Stride: dim}
	return s, nil
}

// skipNewlines passes over newlines. The end of the file is none of its
// business.
func (in *input) skipNewlines() error {
	for {
		b, err := in.r.Peek(1)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &FormatError{Offset: in.offset, Err: err}
		}
		if b[0] != '\n' {
			return nil
		}
		if err := in.skip(1, "a newline"); err != nil {
			return err
		}
	}
}

func writeWord2Vec(w *bufio.Writer, s *Set) error {
	if _, err := fmt.Fprintf(w, "%d %d\n", s.Len(), s.Dim()); err != nil {
		return err
	}
	scratch := make([]float32, s.Dim())
	for id, word := range s.Words {
		if _, err := w.WriteString(word); err != nil {
			return err
		}
		if err := w.WriteByte(' '); err != nil {
			return err
		}
		if err := writeArray(w, s.vectorOf(scratch, id)); err != nil {
			return err
		}
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

// checkWord2VecWord says why a word cannot be written to a word2vec binary.
func checkWord2VecWord(word string) error {
	switch {
	case word == "":
		return errors.New("is empty, which the word2vec binary cannot hold")
	case strings.ContainsAny(word, " \n"):
		return errors.New("contains a space or a newline, which the word2vec binary cannot hold")
	case len(word) > maxWord:
		return fmt.Errorf("is longer than %d bytes", maxWord)
	}
	return nil
}
