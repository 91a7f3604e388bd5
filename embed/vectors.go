package embed

import (
	"cmp"
	"context"
	"iter"
	"runtime"
	"sync"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// A Vector is the vector of a text.
type Vector[T any] struct {
	Of      T
	Numbers []float32      // Set.Dim of them, valid until the next text; zeros if no token has a vector
	Used    int            // how many tokens of the text have vectors
	TooLong corpus.TooLong // tokens that were left out
	Err     error          // why the text cannot be cut into tokens; it has no vector then
}

// Vectors yields the vectors of texts in their order, which it makes on all processors: those that Write writes. What is a text
// is up to the caller, and content returns its bytes. The first error of the texts, of ctx or of the model's file ends them.
func Vectors[T any](ctx context.Context, words *query.Finder, p *pooling.Pooler, texts iter.Seq2[T, error], content func(T) []byte) iter.Seq2[Vector[T], error] {
	const together = 1 << 11
	return func(yield func(Vector[T], error) bool) {
		e, err := newEncoder(words, p, usualMemory, runtime.GOMAXPROCS(0))
		if err != nil {
			yield(Vector[T]{}, err)
			return
		}
		workers := make([]*worker, runtime.GOMAXPROCS(0))
		for i := range workers {
			workers[i] = e.worker()
		}
		set := words.Set()
		batch, numbers := make([]Vector[T], 0, together), make([]float32, together*set.Dim())
		flush := func() bool {
			var group sync.WaitGroup
			failed := make([]error, len(workers))
			for k, w := range workers {
				group.Go(func() {
					failed[k] = set.Guard(func() error {
						for i := k * len(batch) / len(workers); i < (k+1)*len(batch)/len(workers); i++ {
							v := &batch[i]
							v.Numbers = numbers[i*set.Dim():][:set.Dim()]
							c, err := w.encode(v.Numbers, content(v.Of))
							v.Used, v.TooLong, v.Err = c.used, c.left, err
							if err != nil {
								clear(v.Numbers)
							}
						}
						return nil
					})
				})
			}
			group.Wait()
			if err := cmp.Or(cmp.Or(failed...), set.Err(), ctx.Err()); err != nil {
				yield(Vector[T]{}, err)
				return false
			}
			for _, v := range batch {
				if !yield(v, nil) {
					return false
				}
			}
			batch = batch[:0]
			return true
		}
		for t, err := range texts {
			if err != nil {
				if flush() {
					yield(Vector[T]{}, err)
				}
				return
			}
			batch = append(batch, Vector[T]{Of: t})
			if len(batch) == together && !flush() {
				return
			}
		}
		flush()
	}
}
