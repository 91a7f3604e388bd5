package train

import (
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Names of matrices that most models have: see docs/format.md.
const (
	inputMatrix  = "input"
	outputMatrix = "output"
)

// floatBytes is the size of the numbers that training writes.
const floatBytes = 4

// shapeOf is what the model of a planned run is going to be.
func shapeOf(c sgns.Config, v *vocab.Vocab, p sgns.Plan) vectors.Shape {
	composed := subword.CompositionOf(c.Subword)
	shape := vectors.Shape{
		Words:    p.Words,
		Counts:   true,
		Dim:      c.Dim,
		Rows:     p.Rows,
		Pieces:   composed != subword.Mean,
		Weighted: composed == subword.Weighted,
		Trained:  true,
	}
	var further vectors.Parts
	for _, m := range p.Matrices {
		switch {
		case m.Name == inputMatrix:
			shape.RowBytes = m.Bytes * m.Cols
		case m.Name == outputMatrix:
			shape.ContextBytes, shape.ContextMade = floatBytes*m.Cols, m.SameAs != ""
		default:
			shape.Beside += floatBytes * m.Rows * m.Cols
			further.Matrices = append(further.Matrices, vectors.NamedMatrix{Name: m.Name, Matrix: vectors.Matrix{Rows: m.Rows, Cols: m.Cols}})
		}
	}
	if _, made := further.MadeOutput(); made {
		shape.ContextBytes, shape.ContextMade = floatBytes*c.Dim, true
	}
	for _, token := range v.Tokens() {
		shape.Text += len(token)
	}
	if c.Subword != nil {
		shape.Buckets = c.Subword.Rows()
	}
	switch composed { // of words and buckets that share rows it is listed which they have
	case subword.Mean:
		if c.Subword != nil {
			shape.Listed = p.Words + shape.Buckets
		}
	case subword.Pieces:
		shape.Listed = shape.Buckets
	}
	return shape
}

// parameterBytes is what all matrices of a planned run take.
func parameterBytes(p sgns.Plan) (bytes int) {
	for _, m := range p.Matrices {
		if m.SameAs == "" {
			bytes += floatBytes * m.Rows * m.Cols
		}
	}
	return bytes
}
