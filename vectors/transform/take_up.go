package vectors

import (
	"context"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Quantising the rows of n-grams changes the words that they are in. But a word has a
// row of its own as well, which can take up what the others have lost: then the loss of
// the word is that of one row, and not of all, divided by how many there are.

// takeUp makes the codes of words' own rows such that the words' vectors are as near
// as can be to those of s, whose rows small holds quantised. A row that several words
// have a use for stays as it is.
func (s *Set) takeUp(ctx context.Context, small Matrix) error {
	q, ok := small.Storage.(*coded.Quantised)
	if !ok || s.subword == nil || s.composition != ComposeMean {
		return nil
	}
	sole := s.soleRows()
	encoder := pq.NewEncoder(q.Book)
	var takers sync.Pool
	for start := 0; start < s.Len(); start += takeWords {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.inParallel(min(takeWords, s.Len()-start), func(first, last int) {
			t, ok := takers.Get().(*taker)
			if !ok {
				t = newTaker(encoder, s.Dim())
			}
			defer takers.Put(t)
			for id := start + first; id < start+last; id++ {
				if own := s.OwnRow(id); sole[own] == int32(id) {
					t.take(s, small, q, id)
				}
			}
		})
		s.file.Saw(backing.EvictAfter)
	}
	return nil
}

// takeWords is how many words' rows are looked at before what was read of a mapped
// file is given back.
const takeWords = 2048

// soleRows returns for each row the word that alone is made of it, or another number.
func (s *Set) soleRows() []int32 {
	const nobody, many = -1, -2
	sole := make([]int32, s.input.Rows)
	for r := range sole {
		sole[r] = nobody
	}
	var c composer
	for id, word := range s.words.All() {
		c.list(s, []uint32{uint32(s.OwnRow(id))}, word)
		for _, r := range c.rows {
			switch sole[r] {
			case nobody:
				sole[r] = int32(id)
			case int32(id):
			default:
				sole[r] = many
			}
		}
	}
	return sole
}

// A taker is what a goroutine has of its own.
type taker struct {
	composer
	encoder                 *pq.Encoder
	wanted, others, rotated []float32
}

func newTaker(encoder *pq.Encoder, dim int) *taker {
	return &taker{
		encoder: encoder.Clone(),
		wanted:  make([]float32, dim), others: make([]float32, dim), rotated: make([]float32, dim),
	}
}

// take makes the codes of the row of word id.
func (t *taker) take(s *Set, small Matrix, q *coded.Quantised, id int) {
	own := uint32(s.OwnRow(id))
	t.list(s, []uint32{own}, s.words.At(id))
	t.sum(t.wanted, s.input, t.rows, nil)
	all := len(t.rows)
	t.rows = slices.DeleteFunc(t.rows, func(r uint32) bool { return r == own })
	t.sum(t.others, small, t.rows, nil)
	times := float32(all - len(t.rows)) // the row may stand for n-grams too
	for k, x := range t.others {
		t.wanted[k] = (t.wanted[k] - x) / times
	}
	code := t.wanted
	if q.Rotation != nil {
		code = t.rotated
		pq.Rotate(code, t.wanted, q.Rotation)
	}
	t.encoder.Encode(q.Of(int(own)), code)
}
