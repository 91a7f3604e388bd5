// Package model has what a run trains: its matrices, and the sets of vectors made of them.
package model

import (
	"fmt"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Model is what a run trains.
type Model struct {
	Variant  *variant.Variant
	Vocab    *vocab.Vocab
	Outputs  *vocab.Vocab         // Vocab, or labels
	Words    func() vectors.Words // of the vocabulary, as sets have them; made on demand
	Table    *rowtable.Table      // the input rows of each word
	Division step.Division        // of the work
	Values   *params.Values       // of all matrices
}

// New returns a model over words with these matrices. Outputs are the words or labels.
func New(v *variant.Variant, words, outputs *vocab.Vocab, table *rowtable.Table, d step.Division, values *params.Values) *Model {
	v.Prepare(words, outputs, table)
	return &Model{
		Variant:  v,
		Vocab:    words,
		Outputs:  outputs,
		Words:    sync.OnceValue(func() vectors.Words { return vectors.NewWords(words.Tokens()...) }),
		Table:    table,
		Division: d,
		Values:   values,
	}
}

// MatrixOf returns the matrix of a set that holds a matrix of a run, or a matrix without rows.
func MatrixOf(s *vectors.Set, m params.Matrix) vectors.Matrix {
	input, projection, factored := s.Input().Factors()
	if !factored {
		input = s.Input()
	}
	switch {
	case m.Role == params.Input:
		return input
	case m.Projects:
		return projection
	case m.Labels && s.Labels() == nil:
		return vectors.Matrix{}
	case m.Labels:
		return s.Labels().Rows
	case m.Name == OutputName:
		return s.Output()
	}
	return s.Matrix(m.Name)
}

// OutputName is the name of the matrix with an output row for each word, which sets store separately.
const OutputName = variant.OutputName

// Parts returns the parts of a set with these values, without other training facts than the pooling of texts.
func (m *Model) Parts(values *params.Values) vectors.Parts {
	p := vectors.Parts{Words: m.Words(), Counts: m.Vocab.Counts()}
	if indexer := m.Variant.Run.Subword; indexer != nil {
		p.Subword, p.WordRows, p.BucketRows = indexer, m.Table.WordRow, m.Table.BucketRow
	}
	if m.Table.RowShare != nil {
		p.WordRows = m.Table.WordRow
	}
	var projection vectors.Matrix
	for _, of := range values.List() {
		switch rows := values.Matrix(of.Name); {
		case of.Role == params.Input:
			p.Input = rows
		case of.Labels:
			p.Training.Set(vectors.FactPooling, string(m.Variant.Run.Pooling)) // which says how wide rows are
			p.Labels = &vectors.Labels{Names: vectors.NewWords(m.Outputs.Tokens()...), Counts: m.Outputs.Counts(), Rows: rows, Nodes: of.Keys == params.ByVocabulary}
		case of.Name == OutputName:
			p.Output = rows
		case of.Projects:
			projection = rows
		default:
			p.Matrices = append(p.Matrices, vectors.NamedMatrix{Name: of.Name, Matrix: rows})
		}
	}
	if projection.Rows > 0 {
		p.Input = vectors.Product(p.Input, projection)
	}
	return p
}

// summed returns parts without what only a run on counts needs. A word's vector is the sum of its rows on both sides.
func (m *Model) summed(p vectors.Parts) vectors.Parts {
	p.Matrices = slices.DeleteFunc(slices.Clone(p.Matrices), func(of vectors.NamedMatrix) bool {
		is, _ := m.Values.List().Find(of.Name)
		return is.Passing
	})
	sums := vectors.NewMatrix(p.Input.Rows, p.Input.Cols)
	for i, x := range p.Input.Data {
		sums.Data[i] = x + p.Output.Data[i]
	}
	p.Input, p.Output = sums, vectors.Matrix{}
	return p
}

// SetOf returns the set of parts, which must fit together.
func SetOf(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(fmt.Errorf("sgns: %w", err))
	}
	return s
}

// Freeze freezes the rows that these words are made of, and their context vectors if contexts is true.
func (m *Model) Freeze(words []bool, contexts bool) {
	for _, of := range m.Values.List() {
		switch {
		case of.Role == params.Input:
			frozen := make([]bool, of.Rows)
			for w, keep := range words {
				if !keep {
					continue
				}
				rows, _ := m.Table.Of(uint32(w))
				for _, r := range rows {
					frozen[r] = true
				}
			}
			m.Values.Freeze(of.Name, frozen)
		case of.Role == params.Output && contexts:
			m.Values.Freeze(of.Name, words)
		}
	}
}
