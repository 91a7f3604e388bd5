package vectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
)

// Formats that hold nothing but numbers have the words in a text beside them, one
// a line. A carriage return before the end of a line does not count, nor do empty
// lines after the last word.

// besideSuffix is what the name of that text ends in, after the name of the file.
const besideSuffix = ".vocab.txt"

// beside opens what stands beside the file at path.
func (o opener) beside(suffix string) (*input, error) {
	path := o.path + suffix
	f, from, err := atomicfile.Beside(o.path, suffix)
	if err != nil {
		return nil, o.partError(path, pathless(err))
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		_ = f.Close()
		return nil, o.partError(path, pathless(err))
	}
	return o.opened(f, f.Name(), from)
}

// wordsBeside reads the text beside in, which must have n words.
func (in *input) wordsBeside(n int) (Words, error) {
	var words Words
	err := in.readPart(besideSuffix, "the words, one a line,", func(part *input) (err error) {
		words, err = part.wordLines(n)
		return err
	})
	return words, err
}

// wordLines reads n words, one a line.
func (in *input) wordLines(n int) (Words, error) {
	var list WordsBuilder
	list.Grow(in.backed(int64(n), 1))
	empty := 0
	for {
		line, err := in.text(MaxWord + 1)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Words{}, err
		}
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if len(line) > MaxWord {
			return Words{}, in.failLine("expected a word of at most %d bytes, found one of %d", MaxWord, len(line))
		}
		if len(line) == 0 && list.Len() == n {
			empty++
			continue
		}
		if list.Len() == n || empty > 0 {
			return Words{}, in.failLine("expected the end of the words after %d, as the matrix has rows, found %.40q", n, line)
		}
		list.Add(string(line))
	}
	if list.Len() < n {
		return Words{}, in.failLine("expected %d words, as the matrix has rows, but the file ends after %d: %w",
			n, list.Len(), io.ErrUnexpectedEOF)
	}
	return list.Words(), nil
}

// lineSum returns the CRC-32C, in hexadecimal, of the words with a newline after each.
func (w Words) lineSum() string {
	sum := uint32(0)
	var line []byte
	for id := range w.Len() {
		line = append(append(line[:0], w.list.word(id)...), '\n')
		sum = crc32.Update(sum, castagnoli, line)
	}
	return fmt.Sprintf("%08x", sum)
}

// writeWordLines writes the words, one a line.
func (s *Set) writeWordLines(w *bufio.Writer) error {
	if s.Len() > 0 && compression.Sniff([]byte(s.words.At(0)+"\n")) != compression.Plain {
		return fmt.Errorf("the first word, %.40q, would be read as the beginning of compressed data", s.words.At(0))
	}
	for _, word := range s.words.All() {
		if _, err := w.WriteString(word); err != nil {
			return err
		}
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

// checkWordLine says why a word cannot be a line.
func checkWordLine(word string) error {
	switch {
	case word == "":
		return errors.New("is empty, which a list of one word a line cannot hold")
	case strings.Contains(word, "\n"):
		return errors.New("contains a newline, which a list of one word a line cannot hold")
	case strings.HasSuffix(word, "\r"):
		return errors.New("ends in a carriage return, which a list of one word a line cannot hold")
	}
	return nil
}
