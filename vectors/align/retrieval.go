package align

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/scan"
)

// RetrievalOptions say how translations are retrieved. The zero value works.
type RetrievalOptions struct {
	// Neighbors is the number of nearest neighbours in a word's mean similarity, K of CSLS; 0 means 10, as in
	// the paper.
	Neighbors int
	// Restrict takes only the first words of each set as candidates and as neighbours, this many, and leaves
	// out pairs with other words; 0 takes all. Time grows with the product of the sizes.
	Restrict int
	Progress func(what string, done float64) // see Options
}

// Validate reports the first invalid option.
func (o RetrievalOptions) Validate() error {
	switch {
	case o.Neighbors < 0:
		return fmt.Errorf("align: Neighbors is %d, must be 0 (10) or more", o.Neighbors)
	case o.Restrict < 0:
		return fmt.Errorf("align: Restrict is %d, must be 0 (all) or more", o.Restrict)
	}
	return nil
}

// A Precision is the share, from 0 to 1, of words with a translation among the first 1, 5 or 10 retrieved
// words.
type Precision struct {
	At1  float64 `json:"at_1"`
	At5  float64 `json:"at_5"`
	At10 float64 `json:"at_10"`
}

const deepest = 10

// A Retrieval says how often retrieval finds the translations, in B, of words of A.
type Retrieval struct {
	Words      int       `json:"words"`      // number of words of A that were looked up
	Candidates int       `json:"candidates"` // number of words of B that were ranked
	Left       int       `json:"left_out"`   // number of pairs with a word beyond RetrievalOptions.Restrict
	Cosine     Precision `json:"cosine"`
	CSLS       Precision `json:"csls"`
	K          int       `json:"csls_neighbors"`
}

// Retrieve ranks the words of b by their similarity to each word of a in pairs. It reports how often a
// translation ranks first, among the first five, and among the first ten. A word with several translations
// counts once. Words of equal score rank in the order of b.
//
// Retrieve ranks by cosine and by cross-domain similarity local scaling, 2·cos(x, y) − r(x) − r(y), where r
// is a word's mean cosine with its K nearest words of the other set (Conneau et al. 2018). CSLS lowers the
// rank of hubs, which are near to many words.
//
// Both sets must be in one space: a is an aligned set. The unit vectors of all words involved are kept in
// memory; if memory is too small, the error is a *transform.MemoryError.
func Retrieve(ctx context.Context, a, b *vectors.Set, pairs []Pair, o RetrievalOptions) (*Retrieval, error) {
	if err := cmp.Or(check(a, b, pairs), o.Validate()); err != nil {
		return nil, err
	}
	return within(a, b, func() (*Retrieval, error) {
		rows, err := newSpace(a, b, o)
		if err != nil {
			return nil, err
		}
		return rows.retrieve(ctx, pairs)
	})
}

type space struct {
	a, b vectors.Matrix
	k    int // nearest neighbours in mean similarities
	told func(what string) func(done float64)
}

func newSpace(a, b *vectors.Set, o RetrievalOptions) (*space, error) {
	most := cmp.Or(o.Restrict, math.MaxInt)
	inA, inB := upTo(min(a.Len(), most)), upTo(min(b.Len(), most))
	if err := affords(a, len(inA)+len(inB), "looking for translations", "look at the first words of each model alone"); err != nil {
		return nil, err
	}
	rowsA, errA := unitRows(a, inA)
	rowsB, errB := unitRows(b, inB)
	return &space{rowsA, rowsB, cmp.Or(o.Neighbors, 10), teller(o.Progress)}, cmp.Or(errA, errB)
}

func (x *space) retrieve(ctx context.Context, pairs []Pair) (*Retrieval, error) {
	r := &Retrieval{Candidates: x.b.Rows, K: x.k}
	answers := make(map[int][]int)
	for _, p := range pairs {
		if p.A >= x.a.Rows || p.B >= x.b.Rows {
			r.Left++
			continue
		}
		answers[p.A] = append(answers[p.A], p.B)
	}
	if len(answers) == 0 {
		return nil, errors.New("align: no pair is among the words that are looked at: allow more of them")
	}
	asked := slices.Sorted(maps.Keys(answers))
	r.Words = len(asked)
	queries := vectors.NewMatrix(len(asked), x.a.Cols)
	for i, id := range asked {
		copy(queries.Row(i), x.a.Row(id))
	}
	near, err := meanCosines(ctx, x.b, x.a, x.k, x.told("neighbours of candidates"))
	if err != nil {
		return nil, err
	}
	retrieved := func(penalty []float32) (Precision, error) {
		ranks := make([]int, len(asked))
		s := scan.Scan{Queries: queries, Rows: x.b, K: deepest, Penalty: penalty, Progress: x.told("retrieving")}
		err := s.Run(ctx, func(query int, best []scan.Found) {
			ranks[query] = slices.IndexFunc(best, func(f scan.Found) bool { return slices.Contains(answers[asked[query]], f.Row) })
		})
		return precisionOf(ranks), err
	}
	if r.Cosine, err = retrieved(nil); err != nil {
		return nil, err
	}
	r.CSLS, err = retrieved(near)
	return r, err
}

// meanCosines returns for each query the mean cosine with its k nearest rows: r of CSLS.
func meanCosines(ctx context.Context, queries, rows vectors.Matrix, k int, progress func(done float64)) ([]float32, error) {
	means := make([]float32, queries.Rows)
	err := scan.Scan{Queries: queries, Rows: rows, K: min(k, rows.Rows), Progress: progress}.Run(ctx, func(query int, best []scan.Found) {
		var sum float64
		for _, f := range best {
			sum += float64(f.Score)
		}
		means[query] = float32(sum / float64(len(best)))
	})
	return means, err
}

// precisionOf returns the shares of words by the rank of their first answer, from 0; -1 stands for no answer.
func precisionOf(ranks []int) Precision {
	within := func(most int) float64 {
		n := 0
		for _, rank := range ranks {
			if rank >= 0 && rank < most {
				n++
			}
		}
		return float64(n) / float64(len(ranks))
	}
	return Precision{within(1), within(5), within(deepest)}
}

// teller returns a function that starts a part of the work and returns the progress function of that part.
func teller(progress func(what string, done float64)) func(what string) func(done float64) {
	return func(what string) func(done float64) {
		if progress == nil {
			return nil
		}
		return func(done float64) { progress(what, done) }
	}
}

// Refine rotates a by a fit and returns the pairs of words that are each other's nearest by CSLS, see
// Retrieve, in the order of a: the anchors of the next fit (Conneau et al. 2018). RetrievalOptions.Restrict
// limits them to frequent words, whose vectors are reliable.
func Refine(ctx context.Context, a, b *vectors.Set, fit *Fit, o RetrievalOptions) (pairs []Pair, err error) {
	if err := cmp.Or(check(a, b, []Pair{{}}), o.Validate()); err != nil {
		return nil, err
	}
	aligned, err := fit.Apply(a)
	if err != nil {
		return nil, err
	}
	err = guarded(aligned, b, func() error {
		x, err := newSpace(aligned, b, o)
		if err == nil {
			pairs, err = x.mutual(ctx)
		}
		return err
	})
	return pairs, err
}

func (x *space) mutual(ctx context.Context) (pairs []Pair, err error) {
	nearA, errA := meanCosines(ctx, x.a, x.b, x.k, x.told("neighbours of A"))
	nearB, errB := meanCosines(ctx, x.b, x.a, x.k, x.told("neighbours of B"))
	if err := cmp.Or(errA, errB); err != nil {
		return nil, err
	}
	fromA, errA := nearest(ctx, x.a, x.b, nearB, x.told("translating A"))
	fromB, errB := nearest(ctx, x.b, x.a, nearA, x.told("translating B"))
	if err := cmp.Or(errA, errB); err != nil {
		return nil, err
	}
	for id, other := range fromA {
		if other >= 0 && fromB[other] == id {
			pairs = append(pairs, Pair{id, other})
		}
	}
	return pairs, nil
}

func nearest(ctx context.Context, queries, rows vectors.Matrix, penalty []float32, progress func(done float64)) ([]int, error) {
	first := make([]int, queries.Rows)
	err := scan.Scan{Queries: queries, Rows: rows, K: 1, Penalty: penalty, Progress: progress}.Run(ctx, func(query int, best []scan.Found) {
		first[query] = -1
		if len(best) > 0 {
			first[query] = best[0].Row
		}
	})
	return first, err
}

// unitRows returns the unit vectors of words of a set. A row has a NaN if its word has no direction.
func unitRows(s *vectors.Set, ids []int) (vectors.Matrix, error) {
	m, rows := vectors.NewMatrix(len(ids), s.Dim()), s.Rows()
	backing.Behind(s.SharedParts().Source).InTurn(len(ids), func(first, last int) {
		for i := first; i < last; i++ {
			rows.Read(m.Row(i), ids[i])
			if !vectors.Unit(m.Row(i), m.Row(i)) {
				m.Row(i)[0] = float32(math.NaN()) // makes every product NaN, which is not larger than any number
			}
		}
	})
	return m, s.Err()
}
