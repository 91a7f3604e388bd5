package align

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

// RetrievalOptions say how translations are retrieved. The zero value works.
type RetrievalOptions struct {
	// Neighbors is the number of nearest neighbours in a word's mean similarity, K of CSLS; 0 means 10, as in
	// the paper.
	Neighbors int
	// Restrict takes only the first words of each set as candidates and as neighbours, this many, and leaves
	// out pairs with other words; 0 takes all. Time grows with the product of the sizes.
	Restrict int
	// Progress, if not nil, is called with a description of the current computation and the share of it that
	// is done, from 0 to 1. Calls do not overlap.
	Progress func(what string, done float64)
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

// A Precision is the share of words with a translation among the first 1, 5 or 10 retrieved words, from 0 to
// 1.
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
	if err := affords(a, len(inA), len(inB), "looking for translations", "look at the first words of each model alone"); err != nil {
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
	for _, by := range []struct {
		penalty []float32
		to      *Precision
	}{{nil, &r.Cosine}, {near, &r.CSLS}} {
		var mu sync.Mutex
		s := scan{queries: queries, rows: x.b, k: deepest, penalty: by.penalty, progress: x.told("retrieving")}
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

// meanCosines returns for each query the mean cosine with its k nearest rows: r of CSLS.
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

// teller returns a function that starts a part of the work and returns the progress function of that part.
// Calls of progress do not overlap.
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
	s := scan{queries: queries, rows: rows, k: 1, penalty: penalty, progress: progress}
	err := s.run(ctx, func(query int, best []found) {
		first[query] = -1
		if len(best) > 0 {
			first[query] = best[0].row
		}
	})
	return first, err
}

const (
	// scanQueries queries share a pass over the rows, and scanRows rows are scored at a time. Neither depends
	// on the number of cores.
	scanQueries = 64
	scanRows    = 256
)

type found struct {
	row   int
	score float32
}

// A scan finds the rows that score best for each of some queries. Queries and rows are unit vectors, or have
// a NaN if they have no direction: such a query finds nothing, and such a row is never found.
type scan struct {
	queries, rows vectors.Matrix
	k             int
	// penalty of each row is subtracted from twice the cosine, as in CSLS; nil scores by the cosine itself.
	penalty []float32
	// self is the row that each query leaves out, or -1; nil leaves out nothing.
	self []int
	// progress, if not nil, is called with the share of the queries that is done.
	progress func(done float64)
}

// run calls visit once for each query with the best rows, the best first; of equal rows the lower row comes
// first. Calls for different queries overlap.
func (s scan) run(ctx context.Context, visit func(query int, best []found)) error {
	blocks := (s.queries.Rows + scanQueries - 1) / scanQueries
	var taken, done atomic.Int64
	var g parallel.Group
	for range max(1, min(runtime.GOMAXPROCS(0), blocks)) {
		g.Go(func() error {
			w := newScanner(s)
			for {
				first := int(taken.Add(1)-1) * scanQueries
				if first >= s.queries.Rows {
					return nil
				}
				if err := w.block(ctx, first, min(scanQueries, s.queries.Rows-first), visit); err != nil {
					return err
				}
				if n := done.Add(1); s.progress != nil {
					s.progress(float64(n) / float64(blocks))
				}
			}
		})
	}
	return g.Wait()
}

type scanner struct {
	scan
	products []float32
	best     [][]found
}

func newScanner(s scan) *scanner {
	w := &scanner{scan: s, products: make([]float32, scanQueries*scanRows), best: make([][]found, scanQueries)}
	for q := range w.best {
		w.best[q] = make([]found, 0, s.k+1)
	}
	return w
}

func (w *scanner) block(ctx context.Context, first, n int, visit func(query int, best []found)) error {
	for q := range n {
		w.best[q] = w.best[q][:0]
	}
	for row := 0; row < w.rows.Rows; row += scanRows {
		if row%(1<<16) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		rows := min(scanRows, w.rows.Rows-row)
		simd.Dots(w.products, scanRows, w.queries.Data[first*w.queries.Stride:], w.queries.Stride, n,
			w.rows.Data[row*w.rows.Stride:], w.rows.Stride, rows, w.rows.Cols)
		for q := range n {
			w.offer(q, first+q, row, w.products[q*scanRows:q*scanRows+rows])
		}
	}
	for q := range n {
		visit(first+q, w.best[q])
	}
	return nil
}

func (w *scanner) offer(q, query, row int, products []float32) {
	best, floor := w.best[q], float32(math.Inf(-1))
	if len(best) == w.k {
		floor = best[w.k-1].score
	}
	for i, x := range products {
		if w.penalty != nil {
			x = 2*x - w.penalty[row+i]
		}
		if !(x > floor) || w.self != nil && w.self[query] == row+i {
			continue
		}
		at := len(best)
		best = append(best, found{row + i, x})
		for ; at > 0 && best[at-1].score < x; at-- {
			best[at] = best[at-1]
		}
		best[at] = found{row + i, x}
		if len(best) > w.k {
			best = best[:w.k]
		}
		if len(best) == w.k {
			floor = best[w.k-1].score
		}
	}
	w.best[q] = best
}

// unitRows returns the unit vectors of words of a set. A row has a NaN if its word has no direction.
func unitRows(s *vectors.Set, ids []int) (vectors.Matrix, error) {
	m, rows := vectors.NewMatrix(len(ids), s.Dim()), s.Rows()
	file := backing.Behind(s.SharedParts().Source)
	read := func(first, last int) {
		file.Guard(func() {
			for i := first; i < last; i++ {
				rows.Read(m.Row(i), ids[i])
				if !vectors.Unit(m.Row(i), m.Row(i)) {
					m.Row(i)[0] = float32(math.NaN()) // makes every product NaN, which is not larger than any number
				}
			}
		})
	}
	if file.Streams() {
		read(0, len(ids))
	} else {
		parallel.Do(len(ids), read)
	}
	return m, s.Err()
}
