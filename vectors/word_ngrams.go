package vectors

import (
	"fmt"

	"github.com/w2v-go/w2v/subword"
)

// MatrixWordNgrams names the hashed rows of n-grams of words, of up to "word_ngrams" of Training, as wide
// as those of MatrixPositionWeights.
const MatrixWordNgrams = "word_ngrams"

func wordNgramsKind() MatrixKind {
	return MatrixKind{
		Name: MatrixWordNgrams, Label: "word n-grams", Part: "rows of word n-grams",
		RowSpace: true, check: (*Set).checkWordNgrams,
	}
}

func (s *Set) checkWordNgrams(m Matrix) error {
	if width := s.composedWidth(); m.Cols != width {
		return fmt.Errorf("word n-grams of %d numbers for words of %d", m.Cols, width)
	}
	return s.wordNgrams(m).Validate()
}

// wordNgrams tells which rows of a matrix the runs of words of a text have: none if it has no
// rows.
func (s *Set) wordNgrams(m Matrix) subword.WordNgrams {
	return subword.WordNgrams{MaxN: s.training.Int("word_ngrams"), Buckets: m.Rows}
}
