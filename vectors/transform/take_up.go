package transform

import (
	"context"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Quantising the rows of n-grams changes the words that they are in. But a word has a
// row of its own as well, which can take up what the others have lost: then the loss of
// the word is that of one row, and not of all, divided by how many there are.

// takeUp makes the codes of words' own rows such that the words' vectors are as near
// as can be to those of s, whose rows small holds quantised. A row that several words
// have a use for stays as it is.
func takeUp(ctx context.Context, s *vectors.Set, small vectors.Matrix) error {
	q, ok := small.Storage.(*coded.Quantised)
	if !ok || s.Subword() == nil || s.Composition() != subword.Mean {
		return nil
	}
	sole := soleRows(s)
	encoder := pq.NewEncoder(q.Book)
	var takers sync.Pool
	for start := 0; start < s.Len(); start += takeWords {
		if err := ctx.Err(); err != nil {
			return err
		}
		inParallel(s, min(takeWords, s.Len()-start), func(first, last int) {
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
		behind(s).Saw(backing.EvictAfter)
	}
	return nil
}

// takeWords is how many words' rows are looked at before what was read of a mapped
// file is given back.
const takeWords = 2048

// soleRows returns for each row the word that alone is made of it, or another number.
func soleRows(s *vectors.Set) []int32 {
	const nobody, many = -1, -2
	sole := make([]int32, s.Input().Rows)
	for r := range sole {
		sole[r] = nobody
	}
	var rows []uint32
	for id := range s.Len() {
		rows = s.AppendRows(rows[:0], id)
		for _, r := range rows {
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
	rows                    []uint32
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
func (t *taker) take(s *vectors.Set, small vectors.Matrix, q *coded.Quantised, id int) {
	own := uint32(s.OwnRow(id))
	t.rows = s.AppendRows(t.rows[:0], id)
	s.Input().Sum(t.wanted, t.rows, nil)
	all := len(t.rows)
	t.rows = slices.DeleteFunc(t.rows, func(r uint32) bool { return r == own })
	small.Sum(t.others, t.rows, nil)
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
