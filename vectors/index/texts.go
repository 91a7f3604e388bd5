package index

import (
	"context"
	"iter"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// A TextVector is a text of a corpus and its vector, which is valid until the next one.
type TextVector[T any] struct {
	Of     T
	Vector []float32 // zeros if the text has no vector
	Used   int       // how many of its tokens have vectors
	Err    error     // why the text cannot be cut into tokens; it has no vector then
}

// Vectors yields the vectors of texts in their order, which it makes on all cores: those that w2v sentence prints. What is
// a text is up to the caller, and text returns its content. The first error of the texts, or of ctx, ends them.
func Vectors[T any](ctx context.Context, f *query.Finder, p *pooling.Pooler, texts iter.Seq2[T, error], text func(T) string) iter.Seq2[TextVector[T], error] {
	const together = 1 << 11
	return func(yield func(TextVector[T], error) bool) {
		batch := make([]TextVector[T], 0, together)
		rows := make([]float32, together*f.Set().Dim())
		flush := func() bool {
			parallel.Do(len(batch), func(first, last int) {
				for i := first; i < last; i++ {
					b := &batch[i]
					b.Vector = rows[i*f.Set().Dim():][:f.Set().Dim()]
					tokens, _, err := f.Tokens(text(b.Of))
					if b.Err = err; err != nil {
						clear(b.Vector)
						continue
					}
					b.Used = p.Text(b.Vector, tokens)
				}
			})
			err := f.Set().Err()
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(TextVector[T]{}, err)
				return false
			}
			for _, b := range batch {
				if !yield(b, nil) {
					return false
				}
			}
			batch = batch[:0]
			return true
		}
		for t, err := range texts {
			if err != nil {
				if flush() {
					yield(TextVector[T]{}, err)
				}
				return
			}
			batch = append(batch, TextVector[T]{Of: t})
			if len(batch) == together && !flush() {
				return
			}
		}
		flush()
	}
}

// MadeOf reports whether a model gives the vector that one of the first entries has: whether the index may have been made of
// it. Names of texts that are not known tell nothing. The model must have as many dimensions as the index.
func (x *Index) MadeOf(f *query.Finder, p *pooling.Pooler) bool {
	const looked = 5
	v, own := make([]float32, x.set.Dim()), make([]float32, x.set.Dim())
	if x.About.Of == "ids" {
		return true
	}
	for id := range min(looked, x.set.Len()) {
		name := x.set.Words().At(id)
		if x.About.Of == "texts" {
			tokens, _, err := f.Tokens(name)
			if err != nil || p.Text(v, tokens) == 0 {
				continue
			}
		} else if !f.Set().Vector(v, name) {
			continue
		}
		if x.set.WordVector(own, id); vectors.Cosine(v, own) > 0.99 {
			return true
		}
	}
	return false
}
