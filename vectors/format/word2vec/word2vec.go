package vectors

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/w2v-go/w2v/internal/endian"
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
	var list WordsBuilder
	list.Grow(in.backed(int64(words), 4*int64(dim)+1))
	var data []float32
	if in.reopen == nil {
		data = make([]float32, 0, in.backed(int64(words), 4*int64(dim)+1)*int64(dim))
	}
	var notFinite NotFinite
	start := in.offset
	for id := range words {
		word, err := in.word2VecWord()
		if err != nil {
			return nil, within(err, "row %d of %d", id+1, words)
		}
		list.Add(word)
		if in.reopen != nil {
			data = data[:0] // only to see that the row is one
		}
		data, err = readArray(in, data, int64(dim), "a vector")
		if err != nil {
			return nil, within(err, "row %d of %d, %.40q", id+1, words, word)
		}
		notFinite.Look(id, word, data[len(data)-dim:])
	}
	if err := in.skipNewlines(); err != nil {
		return nil, err
	}
	if err := in.end(); err != nil {
		return nil, within(err, "after %d rows, as the header says", words)
	}
	s := &Set{words: list.Words(), input: Matrix{Data: data, Rows: words, Cols: dim, Stride: dim}, counted: &notFinite}
	if in.reopen != nil && words > 0 {
		s.input = in.sequenceAt(start, words, dim, 0, func(in *input, dst []float32) error {
			if _, err := in.word2VecWord(); err != nil {
				return err
			}
			if err := in.full(endian.Bytes(dst), "a vector"); err != nil {
				return err
			}
			endian.Swap(dst)
			return nil
		})
	}
	return s, nil
}

// word2VecWord reads a word and the space after it.
func (in *input) word2VecWord() (string, error) {
	if err := in.skipNewlines(); err != nil {
		return "", err
	}
	b, err := in.word(' ')
	return string(b), err
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
	return s.EachVector(func(id int, vector []float32) error {
		if _, err := w.WriteString(s.words.At(id)); err != nil {
			return err
		}
		if err := w.WriteByte(' '); err != nil {
			return err
		}
		if err := endian.Write(w, vector); err != nil {
			return err
		}
		return w.WriteByte('\n')
	})
}

// checkWord2VecWord says why a word cannot be written to a word2vec binary.
func checkWord2VecWord(word string) error {
	switch {
	case word == "":
		return errors.New("is empty, which the word2vec binary cannot hold")
	case strings.ContainsAny(word, " \n"):
		return errors.New("contains a space or a newline, which the word2vec binary cannot hold")
	}
	return nil
}
