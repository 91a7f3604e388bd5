// Package text reads and writes vectors as text, a line a word: the word, and its numbers in
// decimal with the fewest digits that read back as the same float32. Rows are split from the
// right, so a word may hold spaces, though not begin or end with one; many other programs
// take no such words.
//
// The text of word2vec.c and of fastText's .vec files begins with a line "words dimensions"; that
// of GloVe does not. Sources: TrainModel in word2vec.c, FastText::saveVectors in fasttext.cc,
// save_params in GloVe's glove.c.
package text

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/lines"
	"github.com/w2v-go/w2v/vectors/format/internal/size"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/internal/vocabulary"
)

// Headed returns the format of word2vec.c's text and fastText's .vec files.
func Headed() codec.Codec {
	c := common()
	c.Name = codec.Text
	c.Extensions = []codec.Extension{{Name: ".vec", Sets: codec.AnySets}, {Name: ".txt", Sets: codec.AnySets}}
	c.Sniff, c.Read, c.Write = sniffHeaded, readHeaded, writeHeaded
	c.Programs = "fastText, gensim, spaCy"
	return c
}

// GloVe returns the format of GloVe's text.
func GloVe() codec.Codec {
	c := common()
	c.Name = codec.GloVe
	c.Extensions = []codec.Extension{{Name: ".glove", Sets: codec.AnySets}}
	c.Sniff, c.Read, c.Write = sniffGloVe, readGloVe, writeLines
	c.Begins = firstRow
	c.Programs = "GloVe, gensim"
	return c
}

func common() codec.Codec {
	return codec.Codec{
		Size:    func(s vectors.Shape) float64 { return size.Words(s, 1) + size.Decimals(s, s.Words) },
		Word:    checkWord,
		DTypes:  []vectors.DType{},
		Streams: true,
	}
}

// sniffHeaded tells a text with a header from a word2vec binary, which begins
// with the same line. It is text if its first row is a word and numbers, even if
// they are too few, or else if nothing in head is a control character: then the text is broken, and
// the text reader can say in which line. That a binary of more than a number or
// two has none is next to impossible.
func sniffHeaded(head []byte) bool {
	rest, words, dim, ok := lines.CutHeader(head)
	if !ok {
		line, _, _ := bytes.Cut(head, []byte{'\n'})
		return lines.ClaimsHeader(line) // and reading says what is wrong with it
	}
	if words == 0 {
		return len(bytes.TrimSpace(rest)) == 0
	}
	row, _, whole := bytes.Cut(rest, []byte{'\n'})
	whole = whole || len(head) < source.SniffLen
	if lines.LooksLikeRow(row, dim, whole) {
		return true
	}
	if n := lines.CountNumbers(row, dim, whole); whole && n > 1 && n < dim { // the header is wrong
		return !fitsBinary(rest, dim)
	}
	return lines.IsText(rest) && !fitsBinary(rest, dim)
}

// fitsBinary tells whether rest begins with a row of a binary that ends in a
// newline or with the file. A short one may have no control characters.
func fitsBinary(rest []byte, dim int) bool {
	_, row, ok := bytes.Cut(rest, []byte{' '})
	n := 4 * int64(dim)
	return ok && (int64(len(row)) == n || int64(len(row)) > n && row[n] == '\n')
}

// sniffGloVe takes what begins with a word and at least one number.
func sniffGloVe(head []byte) bool {
	row, _, whole := bytes.Cut(head, []byte{'\n'})
	whole = whole || len(head) < source.SniffLen
	return lines.CountNumbers(row, math.MaxInt, whole) > 0
}

// firstRow returns the first row of a set, which has to tell a reader what the file is and how
// many numbers a row has.
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
	if vocabulary.IsTable(s) {
		return nil, fmt.Errorf("all words are numbers, such as the first, %q, so that the file would be read as a table without words; write it as %s", first, codec.Text)
	}
	if word, most := lines.Wider(s.Words().All()); most {
		return nil, fmt.Errorf("most words, such as %q, end in a number after a space, which would be read as part of their vectors; write them as %s", word, codec.Text)
	}
	vector := make([]float32, s.Dim())
	s.WordVector(vector, 0)
	return lines.Append(nil, first, vector), nil
}
