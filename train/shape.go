package train

import (
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// shapeOf is what the model of a run is going to be.
func shapeOf(c sgns.Config, v *vocab.Vocab, p sgns.Plan) vectors.Shape {
	const float = 4
	row, width := widths(c)
	made := subword.Composition(subword.CompositionOf(c.Subword))
	shape := vectors.Shape{
		Words:        p.Words,
		Counts:       true,
		Dim:          c.Dim,
		Rows:         p.Rows,
		RowBytes:     float * row,
		ContextBytes: float * c.Dim,
		ContextMade:  c.Tied || c.Arch == sgns.Structured,
		Beside:       float * (c.Rank*c.Dim + c.WordBuckets*width),
		Pieces:       made != subword.Mean,
		Weighted:     made == subword.Weighted,
		Trained:      true,
	}
	if c.PositionWeights {
		shape.Beside += float * 2 * c.Window * width
	}
	if c.Arch == sgns.Structured {
		shape.Beside += float * 2 * c.Window * p.Words * c.Dim
	}
	if c.Loss == sgns.HierarchicalSoftmax {
		shape.ContextBytes = 0
		shape.Beside += float * max(p.Words-1, 0) * c.Dim
	}
	for _, token := range v.Tokens() {
		shape.Text += len(token)
	}
	if c.Subword != nil {
		shape.Buckets = c.Subword.Rows()
	}
	switch sub := c.Subword.(type) {
	case subword.FastText:
		shape.Listed = p.Words + shape.Buckets
	case subword.Floret:
		shape.Listed = shape.Buckets
	case subword.Hash:
		shape.Beside += float * sub.Importances * sub.Hashes
	}
	return shape
}

// widths are how many numbers an input row has, and how many what is composed of such rows.
func widths(c sgns.Config) (row, composed int) {
	composed = c.Dim
	if c.Rank > 0 {
		composed = c.Rank
	}
	if hash, ok := c.Subword.(subword.Hash); ok && hash.AppendWeights {
		return composed - hash.Hashes, composed
	}
	return composed, composed
}

// parameterBytes is what all matrices take of a model of that shape.
func parameterBytes(s vectors.Shape) int {
	bytes := s.RowBytes*s.Rows + s.Beside
	if !s.ContextMade {
		bytes += s.ContextBytes * s.Words
	}
	return bytes
}
