package align

import (
	"context"

	"github.com/w2v-go/w2v/vectors"
)

// Refine returns the pairs of words that are each other's nearest by CSLS, see Retrieve, when a is
// rotated by a fit: the anchors of the next fit (Conneau et al. 2018). They are in the order of a.
// RetrievalOptions.Restrict keeps them among frequent words, whose vectors are reliable.
func Refine(ctx context.Context, a, b *vectors.Set, fit *Fit, o RetrievalOptions) (pairs []Pair, err error) {
	if err := check(ctx, a, b, []Pair{{}}); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	aligned, err := fit.Apply(a)
	if err != nil {
		return nil, err
	}
	err = guarded(aligned, b, func() error {
		pairs, err = mutual(ctx, aligned, b, o)
		return err
	})
	return pairs, err
}

// mutual returns the pairs of words that are each other's nearest by CSLS.
func mutual(ctx context.Context, a, b *vectors.Set, o RetrievalOptions) (pairs []Pair, err error) {
	inA, inB := firstWords(a, o.Restrict), firstWords(b, o.Restrict)
	if err := affords(a, len(inA), len(inB), "looking for translations", lookAtFewer); err != nil {
		return nil, err
	}
	allA, err := unitRows(a, inA)
	if err != nil {
		return nil, err
	}
	allB, err := unitRows(b, inB)
	if err != nil {
		return nil, err
	}
	told := teller(o.Progress)
	nearA, err := meanCosines(ctx, allA, allB, o.neighbors(), told("neighbours of A"))
	if err != nil {
		return nil, err
	}
	nearB, err := meanCosines(ctx, allB, allA, o.neighbors(), told("neighbours of B"))
	if err != nil {
		return nil, err
	}
	fromA, err := nearest(ctx, allA, allB, nearB, told("translating A"))
	if err != nil {
		return nil, err
	}
	fromB, err := nearest(ctx, allB, allA, nearA, told("translating B"))
	if err != nil {
		return nil, err
	}
	for id, other := range fromA {
		if other >= 0 && fromB[other] == id {
			pairs = append(pairs, Pair{id, other})
		}
	}
	return pairs, nil
}

// nearest returns the row that is nearest to each query by CSLS, -1 for none.
func nearest(ctx context.Context, queries, rows vectors.Matrix, penalty []float32, progress func(done float64)) ([]int, error) {
	first := make([]int, queries.Rows)
	s := scan{queries: queries, rows: rows, k: 1, penalty: penalty, progress: progress}
	err := s.run(ctx, func(query int, best []found) {
		first[query] = -1
		if len(best) > 0 {
			first[query] = best[0].row
		}
	})
	return first, err
}
