// Package text reads and writes vectors as text, one line per word: the word, and its numbers in decimal with
// the fewest digits that read back as the same float32. Rows are split from the right, so words may contain
// spaces, but not at their ends; many other programs do not accept such words.
//
// The text of word2vec.c and of fastText's .vec files begins with a line "words dimensions"; that of GloVe does
// not. Sources: TrainModel in word2vec.c, FastText::saveVectors in fasttext.cc, save_params in GloVe's glove.c.
package text

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

// Headed is the format of word2vec.c's text and fastText's .vec files.
var Headed = codec.Codec{
	Name:       codec.Text,
	Extensions: []codec.Extension{{Name: ".vec", Sets: codec.AnySets}, {Name: ".txt", Sets: codec.AnySets}},
	Sniff:      sniffHeaded,
	Decode:     readHeaded,
	Write:      writeHeaded,
	Size:       sizeOf,
	Word:       wordRules,
	DTypes:     []vectors.DType{},
	Programs:   "fastText, gensim, spaCy",
}

// GloVe is the format of GloVe's text.
var GloVe = codec.Codec{
	Name:       codec.GloVe,
	Extensions: []codec.Extension{{Name: ".glove", Sets: codec.AnySets}},
	Sniff:      sniffGloVe,
	Decode:     readGloVe,
	Write:      writeLines,
	Size:       sizeOf,
	Word:       wordRules,
	Begins:     firstRow,
	DTypes:     []vectors.DType{},
	Programs:   "GloVe, gensim",
}

func sizeOf(s vectors.Shape) float64 { return codec.WordSize(s, 1) + codec.DecimalSize(s, s.Words) }

// Spaces within a word are allowed: readers that split from the right, as this one and spaCy's, read them.
var wordRules = codec.Rules("text", codec.Empty, codec.Newline,
	codec.Rule{Is: func(word string) bool { return strings.Trim(word, " \t\r") != word }, Text: "begins or ends with a space"})

// sniffHeaded distinguishes a text with a header from a word2vec binary, which begins with the same line. A
// file is text if its first row is a word and numbers, even if there are too few numbers. It is also text if
// head has no control characters: then the text is malformed, and the text reader reports the line. A binary
// row of more than a number or two almost always has control characters.
func sniffHeaded(head []byte) bool {
	rest, words, dim, ok := rowio.CutHeader(head)
	if !ok {
		line, _, _ := bytes.Cut(head, []byte{'\n'})
		return rowio.ClaimsHeader(line) // reading reports the error
	}
	if words == 0 {
		return len(bytes.TrimSpace(rest)) == 0
	}
	row, _, whole := bytes.Cut(rest, []byte{'\n'})
	whole = whole || len(head) < source.SniffLen
	if rowio.LooksLikeRow(row, dim, whole) {
		return true
	}
	if n := rowio.CountNumbers(row, dim, whole); whole && n > 1 && n < dim { // the header is wrong
		return !fitsBinary(rest, dim)
	}
	return rowio.IsText(rest) && !fitsBinary(rest, dim)
}

// fitsBinary reports whether rest begins with a row of a binary that ends with a newline or with the file. A
// short row may have no control characters.
func fitsBinary(rest []byte, dim int) bool {
	_, row, ok := bytes.Cut(rest, []byte{' '})
	n := 4 * int64(dim)
	return ok && (int64(len(row)) == n || int64(len(row)) > n && row[n] == '\n')
}

func sniffGloVe(head []byte) bool {
	row, _, whole := bytes.Cut(head, []byte{'\n'})
	whole = whole || len(head) < source.SniffLen
	return rowio.CountNumbers(row, math.MaxInt, whole) > 0
}

// firstRow returns the first row of a set. From this row, readers detect the format and the number of
// dimensions.
func firstRow(s *vectors.Set) ([]byte, error) {
	if s.Len() == 0 {
		return nil, fmt.Errorf("a set without words cannot be written as %s, which has no header", codec.GloVe)
	}
	first := s.Words().At(0)
	if i := strings.LastIndexAny(first, " \t"); i >= 0 {
		if _, ok := decimal.Parse([]byte(first[i+1:])); ok {
			return nil, fmt.Errorf("the first word, %q, ends in a number after a space, which would be read as part of its vector", first)
		}
	}
	if codec.IsTable(s) {
		return nil, fmt.Errorf("all words are numbers, such as the first, %q, so that the file would be read as a table without words; write it as %s", first, codec.Text)
	}
	if word, most := rowio.Wider(s.Words().All()); most {
		return nil, fmt.Errorf("most words, such as %q, end in a number after a space, which would be read as part of their vectors; write them as %s", word, codec.Text)
	}
	vector := make([]float32, s.Dim())
	s.WordVector(vector, 0)
	return rowio.AppendLine(nil, first, vector), nil
}

// longestFirstRow limits the first line of a text without a header, which determines the number of dimensions.
const longestFirstRow = 1 << 28

func readHeaded(in *source.Input) *vectors.Set {
	line, there := in.Text(rowio.LongestHeader)
	if !there {
		source.Check(io.EOF)
	}
	words, dim, ok := rowio.ParseHeader(line)
	if !ok {
		in.FailLine("expected \"words dimensions\", up to %d each and at least 1 dimension, found %.40q", math.MaxInt32, line)
	}
	r := rowio.NewTextReader(in)
	r.Dim = dim
	return readRows(r, words, codec.Text)
}

func readGloVe(in *source.Input) *vectors.Set {
	r := rowio.NewTextReader(in)
	line := r.First(longestFirstRow)
	if line == nil {
		source.Check(io.EOF)
	}
	if r.Dim = rowio.CountNumbers(line, math.MaxInt, true); r.Dim == 0 {
		in.FailLine("expected a word and its numbers, found %.40q", line)
	}
	return readRows(r, -1, codec.GloVe)
}

func isFraction(x float32) bool { return x != float32(math.Trunc(float64(x))) }

// readRows makes a set of rows. Without a header their number is -1.
func readRows(r *rowio.TextReader, rows int, format string) *vectors.Set {
	in := r.In
	var words vectors.WordsBuilder
	words.Grow(in.Backed(int64(rows), 2*int64(r.Dim)+1))
	var notFinite vectors.NotFinite
	wider := 0 // rows whose word ends in what looks like another number of the row
	whole := 0 // rows whose word ends in a number and whose numbers are all integers
	input := r.Rows(rows, "header", func(word []byte, row []float32) {
		number, fraction := rowio.EndsInNumber(word)
		if fraction {
			wider++
		}
		if number && !slices.ContainsFunc(row, isFraction) {
			whole++
		}
		if len(word) > source.MaxWord {
			in.FailLine("expected a word of at most %d bytes, found one of %d", source.MaxWord, len(word))
		}
		text := string(word)
		notFinite.Look(words.Len(), text, row)
		words.Add(text)
	})
	n := words.Len()
	if 2*wider > n && rows < 0 { // no program writes such words
		in.Line = 1
		in.FailLine("expected rows of %d numbers, as the first one has, but most rows have more", r.Dim)
	}
	var notes []string
	if 2*wider > n || 2*whole > n {
		notes = append(notes, fmt.Sprintf("most words end in a number after a space: if that belongs to their vectors, rows have more than %d numbers", r.Dim))
	}
	return codec.Checked(vectors.Parts{
		Words: words.Words(), Input: input,
		Source: in.Behind, Origin: vectors.Origin{Format: format, Notes: notes},
	}, &notFinite)
}

func writeHeaded(w *bufio.Writer, s *vectors.Set) error {
	fmt.Fprintf(w, "%d %d\n", s.Len(), s.Dim())
	return writeLines(w, s)
}

const linesAtATime = 512

// writeLines writes one line per word, formatted on all cores. Rows of a stream are read on one core.
func writeLines(w *bufio.Writer, s *vectors.Set) error {
	file, rows := backing.Behind(s.SharedParts().Source), s.Rows()
	printers := make([]printer, runtime.GOMAXPROCS(0))
	for p := range printers {
		printers[p].vectors = vectors.NewMatrix(min(linesAtATime, s.Len()), s.Dim())
	}
	for done := 0; done < s.Len(); {
		var work parallel.Group
		for p := range printers {
			first, last := done, min(done+linesAtATime, s.Len())
			streams := file.Streams()
			if streams {
				printers[p].read(s, rows, first, last)
			}
			work.Go(func() error {
				return file.Guarded(func() error {
					if !streams {
						printers[p].read(s, rows, first, last)
					}
					printers[p].print(s, first, last)
					return nil
				})
			})
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

type printer struct {
	vectors vectors.Matrix // vectors of the words to print
	lines   []byte
}

func (p *printer) read(s *vectors.Set, rows vectors.Matrix, first, last int) {
	for id := first; id < last; id++ {
		rows.Read(p.vectors.Row(id-first), id)
	}
	if _, unmapped := rows.Storage.(interface{ Unmapped() }); !unmapped {
		backing.Behind(s.SharedParts().Source).Saw(4 * int64(last-first) * int64(s.Dim()))
	}
}

func (p *printer) print(s *vectors.Set, first, last int) {
	p.lines = p.lines[:0]
	for id := first; id < last; id++ {
		p.lines = rowio.AppendLine(p.lines, s.Words().At(id), p.vectors.Row(id-first))
	}
}
