package eval

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// A scan looks through all candidates for the best answer to each problem.
//
// All methods need only the cosines of a candidate with rows of units, and the thousands of
// questions of a set share some hundred words. So a worker takes a block of candidates, computes
// their cosines with every row in one matrix product, and then looks for a better answer to each
// question in the block. Most questions have none there, which shows in the largest cosines of the
// block; see block.improve.
type scan struct {
	*solver
	units   vectors.Matrix
	rows    vectors.Matrix // of the candidates
	inverse []float32      // of their lengths
	order   []int          // problems, those with the same words a and b together
	kind    kind
	third   []int32 // their words c, in that order
	groups  []group
	floor   []float32 // a score that the best candidate of each problem has at least, in that order
}

// A group of problems has the same words a and b.
type group struct {
	pair        *problem // the first of them
	first, last int      // positions in the order
}

// blockFloats is the number of cosines that a worker holds at a time: 2 MB, which stays near the
// second-level cache. Smaller blocks are looked at more often.
const blockFloats = 1 << 19

// blockRows returns how many candidates a worker takes at a time. It depends only on the question
// set, so that results do not depend on the number of workers.
func (x *solver) blockRows() int {
	const most = 2048
	return min(most, max(part, blockFloats/max(1, len(x.units))/part*part))
}

// answer returns the best candidate of every problem; its id is -1 where no candidate has a
// direction. Of equally good candidates it is the first.
func (x *solver) answer(ctx context.Context) (answers, error) {
	if len(x.problems) == 0 {
		return answers{}, ctx.Err()
	}
	s := x.newScan()
	size := x.blockRows()
	blocks := (x.candidates + size - 1) / size
	byWorker := make([]answers, max(1, min(runtime.GOMAXPROCS(0), blocks)))
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for w := range byWorker {
		byWorker[w] = newAnswers(s.floor)
		g.Go(func() error {
			return x.words.set.Guard(func() error { // rows may be in a mapped file
				b := newBlock(s, size)
				for {
					first := int(taken.Add(1)-1) * size
					if first >= x.candidates {
						return nil
					}
					if err := ctx.Err(); err != nil {
						return err
					}
					b.fill(first, min(size, x.candidates-first))
					b.improve(byWorker[w])
				}
			})
		})
	}
	if err := g.Wait(); err != nil {
		return answers{}, err
	}
	all := byWorker[0]
	for _, other := range byWorker[1:] {
		all.merge(other)
	}
	for i := range x.problems {
		// Where a and b have the same direction, there is none from one to the other.
		if x.method == vectors.PairDirection && x.problems[i].length < 1e-6 {
			all.id[i] = -1
		}
	}
	return all, nil
}

func (x *solver) newScan() *scan {
	s := &scan{solver: x, kind: kindOf(x.method), units: vectors.NewMatrix(len(x.units), x.words.set.Dim())}
	s.rows, s.inverse = x.words.set.Directions()
	for i, u := range x.units {
		copy(s.units.Row(i), u)
	}
	s.order = make([]int, len(x.problems))
	for i := range s.order {
		s.order[i] = i
	}
	slices.SortStableFunc(s.order, func(i, j int) int {
		p, q := &x.problems[i], &x.problems[j]
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	for at, i := range s.order {
		p := &x.problems[i]
		if last := len(s.groups) - 1; last < 0 || s.groups[last].pair.a != p.a || s.groups[last].pair.b != p.b {
			s.groups = append(s.groups, group{pair: p, first: at})
		}
		s.groups[len(s.groups)-1].last = at + 1
		s.third = append(s.third, int32(p.c))
	}
	s.floor = s.lowest()
	return s
}

// lowest returns a score for each problem that is a little lower than that of its best candidate
// among the right answers to all problems: it is often among them.
func (s *scan) lowest() []float32 {
	const rounding = 1e-3
	floor := make([]float32, len(s.problems))
	for i := range floor {
		floor[i] = float32(math.Inf(-1))
	}
	best := newAnswers(floor)
	b := newBlock(s, s.blockRows())
	err := s.solver.words.set.Guard(func() error {
		for ids := range slices.Chunk(s.acceptedWords(), b.size) {
			b.gather(ids)
			b.improve(best)
		}
		return nil
	})
	for at, i := range s.order {
		if x := best.score[i]; err == nil { // else the scan has the same error
			floor[at] = x - rounding*max(1, float32(math.Abs(float64(x))))
		}
	}
	return floor
}

// acceptedWords returns the ids of all right answers, in rising order.
func (s *scan) acceptedWords() []int {
	var ids []int
	for i := range s.problems {
		ids = append(ids, s.problems[i].accepted...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// fill computes the cosines of consecutive candidates.
func (b *block) fill(first, n int) {
	b.ids, b.first, b.n = nil, first, n
	rows := b.scan.rows
	b.product(rows.Data[first*rows.Stride:], rows.Stride, b.scan.inverse[first:first+n])
}

// gather computes the cosines of candidates with the given ids.
func (b *block) gather(ids []int) {
	b.ids, b.n = ids, len(ids)
	rows := vectors.NewMatrix(b.n, b.scan.rows.Cols)
	inverse := make([]float32, b.n)
	for i, id := range ids {
		b.scan.rows.Read(rows.Row(i), id)
		inverse[i] = b.scan.inverse[id]
	}
	b.product(rows.Data, rows.Stride, inverse)
}

func (b *block) product(rows []float32, stride int, inverse []float32) {
	u := b.scan.units
	simd.Dots(b.cosines, b.size, u.Data, u.Stride, u.Rows, rows, stride, b.n, u.Cols)
	b.prepare(inverse)
}

// answers holds the best answer so far to every problem.
type answers struct {
	score []float32
	id    []int
	goal  []float32 // what a candidate must reach, by position in the scan's order
}

// newAnswers returns no answers to problems whose best candidates reach floor.
func newAnswers(floor []float32) answers {
	s := answers{score: make([]float32, len(floor)), id: make([]int, len(floor)), goal: slices.Clone(floor)}
	for i := range s.id {
		s.score[i], s.id[i] = float32(math.Inf(-1)), -1
	}
	return s
}

// merge takes answers from other that are better, or as good and of a lower id.
func (s answers) merge(other answers) {
	for i, id := range other.id {
		if other.score[i] > s.score[i] || other.score[i] == s.score[i] && id >= 0 && (s.id[i] < 0 || id < s.id[i]) {
			s.score[i], s.id[i] = other.score[i], id
		}
	}
}
