package sgns

import (
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A model is what a run trains.
type model struct {
	variant  *variant.Variant
	vocab    *vocab.Vocab
	words    vectors.Words
	table    *subword.Table // which input rows make up each word
	division step.Division  // of the work
	values   *params.Values // of all matrices
}

// newModel allocates the matrices of a run.
func newModel(v *variant.Variant, words *vocab.Vocab, table *subword.Table, d step.Division) model {
	v.Prepare(words, table)
	return model{
		variant:  v,
		vocab:    words,
		words:    vectors.NewWords(words.Tokens()...),
		table:    table,
		division: d,
		values:   params.Allocate(v.Matrices(words.Len(), table.Rows(), table)),
	}
}

// matrixOf returns the matrix of a set that a matrix of a run is in: one of no rows if it is
// in none.
func matrixOf(s *vectors.Set, m params.Matrix) vectors.Matrix {
	input, projection, factored := s.Input().Factors()
	if !factored {
		input = s.Input()
	}
	switch {
	case m.Role == params.Input:
		return input
	case m.Projects:
		return projection
	case m.Name == outputName:
		return s.Output()
	}
	return s.Matrix(m.Name)
}

// outputName is the name of a matrix with a row of each word, which sets have apart.
const outputName = "output"

// parts returns what sets of these values are made of, but for what is said of their training.
func (m *model) parts(values *params.Values) vectors.Parts {
	p := vectors.Parts{Words: m.words, Counts: m.vocab.Counts()}
	if indexer := m.variant.Run.Subword; indexer != nil {
		p.Subword, p.WordRows, p.BucketRows = indexer, m.table.WordRow, m.table.BucketRow
		p.Composition = subword.CompositionOf(indexer)
	}
	var projection vectors.Matrix
	for _, of := range values.List() {
		switch rows := values.Matrix(of.Name); {
		case of.Role == params.Input:
			p.Input = rows
		case of.Name == outputName:
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

// parts returns what sets of these values are made of, of which so many tokens were trained.
func (r *run) parts(values *params.Values, trained uint64) vectors.Parts {
	p := r.model.parts(values)
	p.Training = r.config.training()
	p.Training.Set("lr", r.firstRate())
	p.Training.Set("tokens", r.tokens())
	p.Training.Set("trained", r.origin.before+trained)
	return p
}

// training is what models say of the settings that they were trained with.
func (c Config) training() (t vectors.Training) {
	for key, value := range Settings().Records(&c) {
		t.Set(key, value)
	}
	return t
}

// set returns the vectors that parts are of, which fit together.
func set(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(fmt.Errorf("sgns: %w", err))
	}
	return s
}
