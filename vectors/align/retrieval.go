package align

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/vectors"
)

// RetrievalOptions say how translations are looked for. The zero value works.
type RetrievalOptions struct {
	// Neighbors is how many nearest neighbours a word's mean similarity is taken over, K of CSLS;
	// 0 means 10, as in the paper.
	Neighbors int
	// Restrict takes the first so many words of each set as candidates and as neighbours, and leaves
	// out pairs with other words; 0 takes all. The time grows with the product of the sizes.
	Restrict int
	// Progress, if not nil, is told what is being computed, in a few words, and how much of that is
	// done, from 0 to 1. Calls do not overlap.
	Progress func(what string, done float64)
}

// Validate reports the first option that means nothing.
func (o RetrievalOptions) Validate() error {
	switch {
	case o.Neighbors < 0:
		return fmt.Errorf("align: Neighbors is %d, must be 0 (10) or more", o.Neighbors)
	case o.Restrict < 0:
		return fmt.Errorf("align: Restrict is %d, must be 0 (all) or more", o.Restrict)
	}
	return nil
}

// neighbors returns K.
func (o RetrievalOptions) neighbors() int {
	if o.Neighbors == 0 {
		return 10
	}
	return o.Neighbors
}

// A Precision is the share of words that have a translation among the first so many words that
// were retrieved, from 0 to 1.
type Precision struct {
	At1  float64 `json:"at_1"`
	At5  float64 `json:"at_5"`
	At10 float64 `json:"at_10"`
}

// deepest is how many words are retrieved.
const deepest = 10

// A Retrieval says how often the words of A lead to their translations in B.
type Retrieval struct {
	Words      int       `json:"words"`      // of A that were asked for
	Candidates int       `json:"candidates"` // words of B that were looked at
	Left       int       `json:"left_out"`   // pairs with a word beyond RetrievalOptions.Restrict
	Cosine     Precision `json:"cosine"`
	CSLS       Precision `json:"csls"`
	K          int       `json:"csls_neighbors"`
}

// Retrieve ranks the words of b by how near they are to each word of a that pairs have, and
// reports how often one of its translations comes first, among the first five, or among the first
// ten. A word of several translations counts once. Words of equal score rank in the order of b.
//
// It ranks by cosine, and by cross-domain similarity local scaling, 2·cos(x, y) − r(x) − r(y),
// where r is the mean cosine of a word with its K nearest words of the other set (Conneau et al.
// 2018). That lowers hubs, which are near to many words.
//
// Both sets must be in one space: a is a set that was aligned. The unit vectors of all words that
// take part are kept in memory: more than there is is a *transform.MemoryError.
func Retrieve(ctx context.Context, a, b *vectors.Set, pairs []Pair, o RetrievalOptions) (*Retrieval, error) {
	if err := check(ctx, a, b, pairs); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var r *Retrieval
	err := guarded(a, b, func() (err error) {
		r, err = retrieve(ctx, a, b, pairs, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// retrieve is Retrieve of arguments that were checked.
func retrieve(ctx context.Context, a, b *vectors.Set, pairs []Pair, o RetrievalOptions) (*Retrieval, error) {
	inA, inB := firstWords(a, o.Restrict), firstWords(b, o.Restrict)
	r := &Retrieval{Candidates: len(inB), K: o.neighbors()}
	answers := make(map[int][]int)
	for _, p := range pairs {
		if p.A >= len(inA) || p.B >= len(inB) {
			r.Left++
			continue
		}
		answers[p.A] = append(answers[p.A], p.B)
	}
	if len(answers) == 0 {
		return nil, errors.New("align: no pair is among the words that are looked at: allow more of them")
	}
	asked := make([]int, 0, len(answers))
	for id := range answers {
		asked = append(asked, id)
	}
	slices.Sort(asked)
	r.Words = len(asked)
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
	queries := vectors.NewMatrix(len(asked), a.Dim())
	for i, id := range asked {
		copy(queries.Row(i), allA.Row(id))
	}
	told := teller(o.Progress)
	near, err := meanCosines(ctx, allB, allA, r.K, told("neighbours of candidates"))
	if err != nil {
		return nil, err
	}
	for _, by := range []struct {
		penalty []float32
		to      *Precision
	}{{nil, &r.Cosine}, {near, &r.CSLS}} {
		var mu sync.Mutex
		s := scan{queries: queries, rows: allB, k: deepest, penalty: by.penalty, progress: told("retrieving")}
		err := s.run(ctx, func(query int, best []found) {
			mu.Lock()
			defer mu.Unlock()
			by.to.count(best, answers[asked[query]])
		})
		if err != nil {
			return nil, err
		}
		by.to.divide(float64(len(asked)))
	}
	return r, nil
}

// lookAtFewer is what helps where memory is short.
const lookAtFewer = "look at the first words of each model alone"

// firstWords returns the ids of the first n words, of all if n is 0.
func firstWords(s *vectors.Set, n int) []int {
	if n == 0 || n > s.Len() {
		n = s.Len()
	}
	ids := make([]int, n)
	for id := range ids {
		ids[id] = id
	}
	return ids
}

// meanCosines returns for each query the mean cosine of its k nearest rows: r of CSLS.
func meanCosines(ctx context.Context, queries, rows vectors.Matrix, k int, progress func(done float64)) ([]float32, error) {
	means := make([]float32, queries.Rows)
	s := scan{queries: queries, rows: rows, k: min(k, rows.Rows), progress: progress}
	err := s.run(ctx, func(query int, best []found) {
		var sum float64
		for _, f := range best {
			sum += float64(f.score)
		}
		means[query] = float32(sum / float64(len(best)))
	})
	return means, err
}

// count adds one word, of which these were found, best first.
func (p *Precision) count(best []found, answers []int) {
	at := slices.IndexFunc(best, func(f found) bool { return slices.Contains(answers, f.row) })
	if at < 0 {
		return
	}
	p.At10++
	if at < 5 {
		p.At5++
	}
	if at < 1 {
		p.At1++
	}
}

func (p *Precision) divide(n float64) {
	p.At1, p.At5, p.At10 = p.At1/n, p.At5/n, p.At10/n
}

// teller returns what tells progress, of which calls do not overlap, of one part of the work.
func teller(progress func(what string, done float64)) func(what string) func(done float64) {
	var mu sync.Mutex
	return func(what string) func(done float64) {
		if progress == nil {
			return nil
		}
		return func(done float64) {
			mu.Lock()
			defer mu.Unlock()
			progress(what, done)
		}
	}
}
