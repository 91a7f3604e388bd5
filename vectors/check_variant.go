package vectors

import (
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
)

// A namedMatrix is a matrix of a set and what messages call it.
type namedMatrix struct {
	Matrix
	name string
}

// matrices returns those of the set, but for those of its state.
func (s *Set) matrices() []namedMatrix {
	return []namedMatrix{
		{s.Input, inputMatrix},
		{s.Output, outputMatrix},
		{s.Importance, "weights of pieces"},
		{s.PositionWeights, "position weights"},
		{s.WordNgrams, "word n-grams"},
		{s.PositionOutput, "output matrix by position"},
		{s.Nodes, "nodes of the tree"},
	}
}

// checkVariant reports sizes that do not fit together of what only some models have.
func (s *Set) checkVariant() error {
	rows, _ := s.rowSpace()
	words, dim, window := s.Len(), s.Dim(), s.Training.Window
	width := rows.Cols + s.appended() // of what is composed of rows
	if err := s.checkHash(); err != nil {
		return err
	}
	if in, out := s.Input, s.Output; s.outputIsInput() && (in.Rows != out.Rows || in.Data != nil && out.Data != nil && !same(in, out)) {
		return errors.New("input and output vectors are said to be tied, and are not the same")
	}
	switch m := s.PositionWeights; {
	case m.Rows == 0:
	case m.Cols != width:
		return fmt.Errorf("position weights of %d numbers for words of %d", m.Cols, width)
	case m.Rows%2 != 0 || window > 0 && m.Rows != 2*window:
		return fmt.Errorf("weights of %d positions for a window of %d", m.Rows, window)
	}
	if m := s.WordNgrams; m.Rows > 0 {
		if m.Cols != width {
			return fmt.Errorf("word n-grams of %d numbers for words of %d", m.Cols, width)
		}
		if err := (subword.WordNgrams{MaxN: s.Training.WordNgrams, Buckets: m.Rows}).Validate(); err != nil {
			return err
		}
	}
	switch m := s.PositionOutput; {
	case m.Rows == 0:
	case m.Cols != dim:
		return fmt.Errorf("output matrix by position of %d dimensions, must be %d", m.Cols, dim)
	case words == 0 || m.Rows%(2*words) != 0 || window > 0 && m.Rows/words != 2*window:
		return fmt.Errorf("output matrix by position of %d rows for %d words and a window of %d", m.Rows, words, window)
	}
	switch m := s.Nodes; {
	case m.Rows == 0:
	case m.Rows != words-1 || m.Cols != dim:
		return fmt.Errorf("nodes of %d×%d for %d words, must be %d×%d", m.Rows, m.Cols, words, words-1, dim)
	case s.Output.Rows > 0:
		return fmt.Errorf("output vectors of %d words and of %d nodes: a model has one of both", s.Output.Rows, m.Rows)
	}
	return nil
}

// same tells whether matrices in memory have the same numbers.
func same(a, b Matrix) bool {
	if &a.Data[0] == &b.Data[0] && a.Stride == b.Stride {
		return true
	}
	for r := range a.Rows {
		if string(endian.Bytes(a.Row(r))) != string(endian.Bytes(b.Row(r))) {
			return false
		}
	}
	return true
}

// checkHash reports what hash embeddings cannot be made of.
func (s *Set) checkHash() error {
	hash, ok := subword.Value(s.Subword).(subword.Hash)
	switch weights := s.Importance; {
	case ok != (s.Composition == ComposeWeighted):
		return fmt.Errorf("composition %q with %s n-grams: %q is that of %s n-grams alone", string(s.Composition), subwordName(s.Subword), string(ComposeWeighted), subwordHash)
	case !ok && weights.Rows > 0:
		return fmt.Errorf("weights of %d pieces in a set without hash embeddings", weights.Rows)
	case !ok:
	case s.WordRow != nil || s.BucketRow != nil:
		return fmt.Errorf("rows of %d words and %d buckets in hash embeddings, which have none of their own", len(s.WordRow), len(s.BucketRow))
	case weights.Rows != hash.Importances || weights.Cols != hash.Hashes:
		return fmt.Errorf("weights of pieces of %d×%d, must be %d×%d", weights.Rows, weights.Cols, hash.Importances, hash.Hashes)
	}
	if ok {
		return hash.Validate()
	}
	return nil
}

// Names of matrices in messages.
const (
	inputMatrix  = "input matrix"
	outputMatrix = "output matrix"
)
