package codec

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

type tally struct {
	n     int
	first string
}

func (t *tally) add(id int, word string) {
	if t.n++; t.n == 1 {
		t.first = fmt.Sprintf("word %d, %.40q", id, word)
	}
}

// note appends a note about the words, if any: the text one for a single word, otherwise many with %d for the
// number.
func (t *tally) note(notes []string, one, many string) []string {
	switch t.n {
	case 0:
		return notes
	case 1:
		return append(notes, fmt.Sprintf("%s: %s", one, t.first))
	}
	return append(notes, fmt.Sprintf(many, t.n)+", first "+t.first)
}

// Settle drops rows that no word uses: those of repeated words and of words that are too long. It adds notes
// for users. It returns an error if the words are the first column of a table of numbers.
func Settle(s *vectors.Set) (*vectors.Set, error) {
	n := s.Len()
	if n == 0 {
		return s, nil
	}
	var odd, long, again, numbers tally
	distinct := s.Words().Distinct() == n
	var kept []uint32
	for id, word := range s.Words().All() {
		if isNumber(word) {
			numbers.add(id, word)
		}
		if isOdd(word) {
			odd.add(id, word)
		}
		if len(word) > source.MaxWord {
			long.add(id, word)
			continue
		}
		if !distinct {
			if first, _ := s.ID(word); first != id {
				again.add(id, word)
				continue
			}
		}
		kept = append(kept, uint32(id))
	}
	var notes []string
	if table := IsTable(s); table || numbers.n == n && s.Format() == GloVe {
		if table && s.Format() == GloVe {
			return nil, &source.Error{Line: 1, Err: errors.New("expected words and their numbers, but every line has numbers alone: a table without words is read as a .npy file of numpy, with the words, one a line, beside it in NAME.npy.vocab.txt")}
		}
		notes = numbers.note(notes, "the only word is a number", "all %d words are numbers, as the first column of a table without words would be")
	}
	if f := s.Format(); f != SentenceTransformers && f != Model2Vec { // tokens of these formats may be anything
		notes = odd.note(notes, "a word is empty or blank, or has a control character or a byte order mark", "%d words are empty or blank, or have control characters or a byte order mark")
	}
	notes = long.note(notes, fmt.Sprintf("a word of more than %d bytes is left out", source.MaxWord), "%d words of more than "+fmt.Sprint(source.MaxWord)+" bytes are left out")
	notes = again.note(notes, "a word is listed a second time, and its first vector is taken", "%d words are listed more than once, and their first vectors are taken")
	if len(kept) < n {
		s = keep(s, kept)
	}
	if len(notes) > 0 {
		s = s.WithNotes(notes...)
	}
	return s, nil
}

// IsTable reports whether the words of s look like the first column of a table of numbers: all are numbers,
// but not such as node ids.
func IsTable(s *vectors.Set) bool {
	if s.Len() == 0 {
		return false
	}
	odd := false
	for _, word := range s.Words().All() {
		if !isNumber(word) {
			return false
		}
		odd = odd || strings.Trim(word, "0123456789") != ""
	}
	return odd || s.Words().Distinct() < s.Len()
}

func isNumber(word string) bool {
	if word == "" || strings.IndexByte("0123456789+-.", word[0]) < 0 {
		return false
	}
	_, err := decimal.Float(word)
	return err == nil
}

// isOdd reports whether a word never results from cutting text and is hardly ever intended.
func isOdd(word string) bool {
	for i := range len(word) { // all bytes of other characters are larger
		if word[i] < ' ' || word[i] == 0x7f {
			return true
		}
	}
	return word == "" || (word[0] == ' ' || word[0] > 0x7f) &&
		(strings.HasPrefix(word, "\ufeff") || strings.TrimFunc(word, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }) == "")
}

// keep returns s with only the words of these ascending ids. It drops the rows of other words, unless n-grams
// or several words share rows.
func keep(s *vectors.Set, ids []uint32) *vectors.Set {
	p := s.SharedParts()
	shared := p.WordRows != nil
	var words vectors.WordsBuilder
	words.Grow(int64(len(ids)))
	p.WordRows = make([]uint32, len(ids))
	counts := p.Counts
	if counts != nil {
		p.Counts = make([]uint64, len(ids))
	}
	specials := 0
	for i, id := range ids {
		words.Add(s.Words().At(int(id)))
		p.WordRows[i] = uint32(min(int64(s.OwnRow(int(id))), math.MaxUint32))
		if counts != nil {
			p.Counts[i] = counts[id]
		}
		if int(id) < p.Specials {
			specials++
		}
	}
	p.Words, p.Specials = words.Words(), specials
	if p.Subword != nil && p.BucketRows == nil {
		p.BucketRows = make([]int32, p.Subword.Rows())
		for b := range p.BucketRows {
			p.BucketRows[b] = int32(s.BucketRow(uint32(b)))
		}
	}
	switch {
	case !s.OwnRows():
		p.WordRows = nil // words have no own rows
	case p.Subword == nil && !shared:
		p.WordRows, p.Input = nil, pick(p.Input, ids)
	}
	if p.Output.Rows > 0 {
		p.Output = pick(p.Output, ids)
	}
	p.Matrices, p.Labels = nil, nil // nodes of a tree over all words
	return Unchecked(p)
}

// pick returns some rows of a matrix without changing their number type.
func pick(m vectors.Matrix, ids []uint32) vectors.Matrix {
	if of, ok := m.Storage.(interface {
		Pick(rows []uint32) coded.Rows
	}); ok {
		return vectors.Stored(len(ids), m.Cols, of.Pick(ids))
	}
	return vectors.Stored(len(ids), m.Cols, Rows{Of: m, IDs: ids})
}

// Rows are some rows of a matrix. A row that the matrix does not have is zeros.
type Rows struct {
	Of      vectors.Matrix
	IDs     []uint32  // nil for all rows in order
	Weights []float32 // factors of the rows; nil for none
}

func (r Rows) Read(dst []float32, i int) {
	row := i
	if r.IDs != nil {
		row = int(r.IDs[i])
	}
	if row >= r.Of.Rows {
		clear(dst)
		return
	}
	r.Of.Read(dst, row)
	if r.Weights != nil {
		for k := range dst {
			dst[k] *= r.Weights[i]
		}
	}
}

// DType returns the type of the numbers.
func (r Rows) DType() vectors.DType {
	if r.Weights != nil {
		return vectors.F32
	}
	return r.Of.DType()
}
