package vectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/internal/compression"
)

func writeText(w *bufio.Writer, s *Set) error {
	if _, err := fmt.Fprintf(w, "%d %d\n", s.Len(), s.Dim()); err != nil {
		return err
	}
	return writeLines(w, s)
}

func writeGloVe(w *bufio.Writer, s *Set) error {
	if s.Len() == 0 {
		return fmt.Errorf("a set without words cannot be written as %s, which has no header", FormatGloVe)
	}
	// The first row has to tell a reader how many numbers a row has.
	first := s.words.At(0)
	if i := strings.LastIndexAny(first, " \t"); i >= 0 {
		if _, ok := parseFloat([]byte(first[i+1:])); ok {
			return fmt.Errorf("the first word, %q, ends in a number after a space, which would be read as part of its vector", first)
		}
	}
	// And it must not look like the beginning of something else.
	line := appendLine(nil, first, s.wordVector(0))
	head := line[:min(len(line), sniffLen)]
	read, err := sniff(head)
	if err != nil || read.format != FormatGloVe || compression.Sniff(head) != compression.Plain || bytes.HasPrefix(head, byteOrderMark) {
		return fmt.Errorf("the first row, %.40q, would be read as the beginning of a file in another format; write it as %s",
			strings.TrimSpace(string(line)), FormatText)
	}
	return writeLines(w, s)
}

// linesAtATime is how many lines a core prints before they are written.
const linesAtATime = 512

// writeLines writes a line a word, printed on all cores. Rows that come from a
// stream are read on one.
func writeLines(w *bufio.Writer, s *Set) error {
	printers := make([]printer, runtime.GOMAXPROCS(0))
	for p := range printers {
		printers[p].vectors = NewMatrix(min(linesAtATime, s.Len()), s.Dim())
	}
	for done := 0; done < s.Len(); {
		var wait sync.WaitGroup
		for p := range printers {
			first, last := done, min(done+linesAtATime, s.Len())
			if s.sequential() {
				printers[p].read(s, first, last)
				wait.Go(func() { s.file.Guard(func() { printers[p].print(s, first, last) }) })
			} else {
				wait.Go(func() {
					s.file.Guard(func() {
						printers[p].read(s, first, last)
						printers[p].print(s, first, last)
					})
				})
			}
			done = last
		}
		wait.Wait()
		if err := s.Err(); err != nil {
			return err
		}
		for p := range printers {
			if _, err := w.Write(printers[p].lines); err != nil {
				return err
			}
		}
	}
	return nil
}

// A printer is the memory that printing on one core takes.
type printer struct {
	composer composer
	vectors  Matrix // of the words to be printed
	lines    []byte
}

func (p *printer) read(s *Set, first, last int) {
	for id := first; id < last; id++ {
		p.composer.word(p.vectors.Row(id-first), s, id)
		s.file.Saw(p.composer.looked(s))
	}
}

func (p *printer) print(s *Set, first, last int) {
	p.lines = p.lines[:0]
	for id := first; id < last; id++ {
		p.lines = appendLine(p.lines, s.words.At(id), p.vectors.Row(id-first))
	}
}

func appendLine(dst []byte, word string, vector []float32) []byte {
	dst = append(dst, word...)
	for _, x := range vector {
		dst = append(dst, ' ')
		dst = appendFloat(dst, x)
	}
	return append(dst, '\n')
}

// checkTextWord says why a word cannot be written as text. Spaces within a
// word can: readers that split from the right, as this one and spaCy's, take
// them.
func checkTextWord(word string) error {
	switch {
	case word == "":
		return errors.New("is empty, which text cannot hold")
	case strings.Contains(word, "\n"):
		return errors.New("contains a newline, which text cannot hold")
	case strings.Trim(word, " \t\r") != word:
		return errors.New("begins or ends with a space, which text cannot hold")
	}
	return nil
}
