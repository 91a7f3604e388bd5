package projection

import (
	"context"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A beside has the words that are not laid out: each has a place among those of the landmarks that are nearest to it.
type beside struct {
	ids     []int32 // of the words, rising
	near    near    // landmarks, by their number
	weights []float32
}

const (
	besideBlock  = 32_768 // words whose landmarks are looked for at a time
	besideEpochs = 30     // passes in which a word moves among its landmarks, which stay
	besideRate   = 0.25   // the first rate, as in umap-learn's transform
)

// besides finds the landmarks of the words after the first ones, whose vectors are read as a stream.
func besides(s *vectors.Set, landmarks, k int, find finder, step func(done float64)) (beside, error) {
	rest := s.Len() - landmarks
	b := beside{ids: make([]int32, 0, rest), near: newNear(rest, k)}
	block, n := vectors.NewMatrix(min(besideBlock, rest), s.Dim()), 0
	flush := func() error {
		first := (len(b.ids) - n) * k
		found := near{k, b.near.ids[first : first+n*k], b.near.cosines[first : first+n*k]}
		queries := block.First(n)
		n = 0
		step(float64(len(b.ids)) / float64(rest))
		return find(queries, found)
	}
	for id, v := range s.All() {
		if id < landmarks || !vectors.Unit(block.Row(n), v) {
			continue
		}
		b.ids = append(b.ids, int32(id))
		if n++; n == block.Rows {
			if err := flush(); err != nil {
				return b, err
			}
		}
	}
	if n > 0 {
		if err := flush(); err != nil {
			return b, err
		}
	}
	b.near.ids, b.near.cosines = b.near.ids[:len(b.ids)*k], b.near.cosines[:len(b.ids)*k]
	return b, s.Err()
}

// place returns the places of the words: each begins at the mean of its landmarks, by their weights, and is drawn to them
// and pushed away from random ones, which all stay where they are. So words need not wait for each other.
func (b *beside) place(ctx context.Context, landmarks []Point, c curve, o UMAPOptions, step func(done float64)) ([]Point, error) {
	m := newMover(landmarks, c, o)
	m.drawPool(0, 0)
	placed, all := make([]Point, len(b.ids)), rates(b.weights)
	return placed, each(ctx, o.Threads, len(b.ids), 256, step, func(_, first, last int) {
		for i := first; i < last; i++ {
			ids, _ := b.near.row(i)
			var p Point
			var sum float32
			for j, id := range ids {
				w := b.weights[i*b.near.k+j]
				p.X += float32(w * landmarks[id].X)
				p.Y += float32(w * landmarks[id].Y)
				sum += w
			}
			p = Point{p.X / sum, p.Y / sum}
			random := mix(m.seed, uint64(i), 8) | 1
			for epoch := range besideEpochs {
				rate := besideRate * (1 - float32(epoch)/besideEpochs)
				for j, r := range all[i*b.near.k:][:len(ids)] {
					if drawn(r, epoch) {
						p, random = m.draw(p, landmarks[ids[j]], -1, random, rate)
					}
				}
			}
			placed[i] = p
		}
	})
}

// join gives each word the cluster that its landmarks have, by their weights.
func (b *beside) join(of []int32) []int32 {
	joined := make([]int32, len(b.ids))
	votes := map[int32]float32{}
	for i := range joined {
		clear(votes)
		ids, _ := b.near.row(i)
		best := of[ids[0]]
		for j, id := range ids {
			c := of[id]
			if votes[c] += b.weights[i*b.near.k+j]; votes[c] > votes[best] {
				best = c
			}
		}
		joined[i] = best
	}
	return joined
}

// ids returns the words of the landmarks and those beside them, rising.
func (g *Graph) ids() []int32 { return slices.Concat(g.table.ids, g.beside.ids) }
