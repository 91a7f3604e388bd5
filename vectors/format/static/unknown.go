package static

import "github.com/w2v-go/w2v/vectors"

// unknownWord stands for words that are not in the vocabulary. A WordLevel model
// must have one. Its row is zeros, since nothing is known of such words, and comes
// last, so that every other word keeps its number. If the vocabulary has the word,
// its row is taken. Reading leaves out a row that was added so.
const unknownWord = "[UNK]"

// withUnknown returns s as a tokenizer needs it: with an unknown word.
func withUnknown(s *vectors.Set) *vectors.Set {
	if _, ok := s.ID(unknownWord); ok {
		return s
	}
	p := s.SharedParts()
	var words vectors.WordsBuilder
	words.Grow(int64(s.Len() + 1))
	for _, word := range s.Words().All() {
		words.Add(word)
	}
	words.Add(unknownWord)
	m := s.Rows()
	return vectors.NewUnchecked(vectors.Parts{
		Words: words.Words(), Input: vectors.Stored(s.Len()+1, s.Dim(), padded{m, s.Len()}),
		Training: p.Training, Specials: p.Specials, File: p.File,
	})
}

// padded is the first rows of a matrix and behind them rows of zeros.
type padded struct {
	source vectors.Matrix
	rows   int
}

func (p padded) Read(dst []float32, r int) {
	if r >= p.rows {
		clear(dst)
		return
	}
	p.source.Read(dst, r)
}

// DType returns what the numbers are.
func (p padded) DType() vectors.DType { return p.source.DType() }

// withoutUnknown takes back what withUnknown adds: an unknown word that comes last
// and whose vector is zeros.
func withoutUnknown(s *vectors.Set) *vectors.Set {
	last := s.Len() - 1
	if last < 0 || s.Words().At(last) != unknownWord {
		return s
	}
	vector := make([]float32, s.Dim())
	s.WordVector(vector, last)
	for _, x := range vector {
		if x != 0 {
			return s
		}
	}
	p, table := s.SharedParts(), s.Words().Table()
	p.Words = vectors.WordsOf(vectors.WordTable{Text: table.Text[:table.Offsets[last]], Offsets: table.Offsets[:last+1]})
	if p.WordRows != nil {
		p.WordRows = p.WordRows[:last]
	} else {
		p.Input.Rows--
	}
	return vectors.NewUnchecked(p)
}
