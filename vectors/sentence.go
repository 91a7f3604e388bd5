package vectors

import (
	"slices"

	"github.com/w2v-go/w2v/subword"
)

// Sentence writes the vector of a sentence to dst, which has Dim numbers, and returns how
// many of the tokens have a part in it; if none has, dst is all zeros. The vector is what
// CBOW predicts from when all of the tokens are contexts: the mean of their vectors and,
// in a set with rows of word n-grams, of the rows of its runs of tokens.
//
// A token that is not in the vocabulary is composed of its n-grams, and has no part in the
// mean if there are none. It is in no run, and those before and behind it are neighbours:
// so training sees sentences too. Position weights have no part, for no position is the
// centre's.
func (s *Set) Sentence(dst []float32, tokens []string) (used int) {
	found := make([]Token, len(tokens))
	for i, token := range tokens {
		found[i] = s.Token(token)
	}
	return s.SentenceOf(dst, found)
}

// A Token is a word and where it is in the vocabulary of a set: who looks words up for other reasons
// has SentenceOf look them up no more.
type Token struct {
	Word string
	ID   int // -1 if it is not in the vocabulary
}

// Token returns a word with its place in the vocabulary.
func (s *Set) Token(word string) Token {
	if id, known := s.ID(word); known {
		return Token{word, id}
	}
	return Token{word, -1}
}

// SentenceOf is Sentence for tokens that have been looked up in this set.
func (s *Set) SentenceOf(dst []float32, tokens []Token) (used int) {
	s.file.Guard(func() { used = s.sentence(dst, tokens) })
	if used == 0 {
		clear(dst)
	}
	return used
}

// sentence is Sentence where faults are looked after.
func (s *Set) sentence(dst []float32, tokens []Token) (used int) {
	c := composer{weights: []float32{}} // not nil: every row has a weight
	runs := s.wordNgrams(s.Matrix(MatrixWordNgrams))
	var hashes []uint64
	for _, token := range tokens {
		known := token.ID >= 0
		if c.add(s, token.Word, token.ID, known) {
			used++
		}
		if known && runs.Buckets > 0 {
			hashes = append(hashes, runs.Hash(token.Word))
		}
	}
	clear(dst)
	if used == 0 {
		return 0
	}
	rows, projection := s.rowSpace()
	sum := dst
	if projection != nil {
		sum = make([]float32, rows.Cols)
	}
	c.sum(sum[:rows.Cols], rows, c.rows, c.weights)
	copy(sum[rows.Cols:], c.appended)
	parts := used
	var ofRuns []uint32
	if runs.Buckets > 0 {
		ofRuns = runs.Append(nil, hashes)
		of := make([]float32, s.Matrix(MatrixWordNgrams).Cols)
		c.sum(of, s.Matrix(MatrixWordNgrams), ofRuns, nil)
		for k, x := range of {
			sum[k] += x
		}
		parts += len(ofRuns)
	}
	scale(sum, 1/float32(parts))
	if !isFinite(sum) {
		more := make([]float64, len(sum))
		for _, r := range ofRuns {
			for k, x := range s.Matrix(MatrixWordNgrams).row(int(r)) {
				more[k] += float64(x)
			}
		}
		for k, x := range c.appended {
			more[rows.Cols+k] += float64(x)
		}
		carefully(sum, rows, c.rows, c.weights, more, parts)
	}
	if projection != nil {
		projection.multiply(dst, sum)
	}
	return used
}

// rowSpace returns the rows that vectors are sums of, and what the sums are multiplied by,
// nil for nothing.
func (s *Set) rowSpace() (Matrix, *product) {
	if p, ok := s.input.Storage.(*product); ok {
		return p.rows, p
	}
	return s.input, nil
}

// add adds to c.rows and c.weights what the vector of a token is the sum of, and tells
// whether it has one.
func (c *composer) add(s *Set, token string, id int, known bool) bool {
	var rows []uint32
	if known {
		rows = c.ownRow(s, id)
	}
	n := len(rows)
	switch first := len(c.rows); {
	case s.composition == subword.Weighted:
		n = c.listWeighted(s, token, known)
		if !known && !slices.ContainsFunc(c.weights[first:], func(x float32) bool { return x != 0 }) {
			c.rows, c.weights = c.rows[:first], c.weights[:first]
			n = 0 // of pieces that nobody trained, as for Vector
		}
	case s.subword != nil && (!known || s.Composes()):
		n = c.listMore(s, rows, token)
		for range c.rows[first:] {
			c.weights = append(c.weights, 1/float32(n))
		}
	case known && int64(rows[0]) < int64(s.input.Rows):
		c.rows, c.weights = append(c.rows, rows[0]), append(c.weights, 1)
	}
	return n > 0
}
