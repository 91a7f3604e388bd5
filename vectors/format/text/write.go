package text

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/lines"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

func writeHeaded(w *bufio.Writer, s *vectors.Set) error {
	if _, err := fmt.Fprintf(w, "%d %d\n", s.Len(), s.Dim()); err != nil {
		return err
	}
	return writeLines(w, s)
}

// linesAtATime is how many lines a core prints before they are written.
const linesAtATime = 512

// writeLines writes a line a word, printed on all cores. Rows that come from a
// stream are read on one.
func writeLines(w *bufio.Writer, s *vectors.Set) error {
	file, rows := s.SharedParts().File, s.Rows()
	printers := make([]printer, runtime.GOMAXPROCS(0))
	for p := range printers {
		printers[p].vectors = vectors.NewMatrix(min(linesAtATime, s.Len()), s.Dim())
	}
	for done := 0; done < s.Len(); {
		var work parallel.Group
		for p := range printers {
			first, last := done, min(done+linesAtATime, s.Len())
			if file.Streams() {
				printers[p].read(s, rows, first, last)
				work.Go(func() error { return file.Guarded(func() error { printers[p].print(s, first, last); return nil }) })
			} else {
				work.Go(func() error {
					return file.Guarded(func() error {
						printers[p].read(s, rows, first, last)
						printers[p].print(s, first, last)
						return nil
					})
				})
			}
			done = last
		}
		if err := cmp.Or(work.Wait(), s.Err()); err != nil {
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
	vectors vectors.Matrix // of the words to be printed
	lines   []byte
}

func (p *printer) read(s *vectors.Set, rows vectors.Matrix, first, last int) {
	for id := first; id < last; id++ {
		rows.Read(p.vectors.Row(id-first), id)
	}
	if _, unmapped := rows.Storage.(interface{ Unmapped() }); !unmapped {
		s.SharedParts().File.Saw(4 * int64(last-first) * int64(s.Dim()))
	}
}

func (p *printer) print(s *vectors.Set, first, last int) {
	p.lines = p.lines[:0]
	for id := first; id < last; id++ {
		p.lines = lines.Append(p.lines, s.Words().At(id), p.vectors.Row(id-first))
	}
}

// checkWord says why a word cannot be written as text. Spaces within a
// word can: readers that split from the right, as this one and spaCy's, take
// them.
func checkWord(word string) error {
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
