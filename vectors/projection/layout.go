package projection

import (
	"context"
	"math/rand/v2"
)

const (
	// layoutBlocks is how many blocks of words move one after the other.
	layoutBlocks = 64
	// layoutRun is how many words of a block a goroutine moves at a time.
	layoutRun = 32
	// maxStep is the longest step along an axis, at the first learning rate.
	maxStep = 4
)

// A mover moves points along the gradient of the loss.
type mover struct {
	points         []Point
	graph          fuzzy
	rates          []float32 // how often edges are drawn, an epoch
	attract, repel pieces
	negatives      int
	seed           uint64
}

// layout moves points for all epochs.
func layout(ctx context.Context, points []Point, f fuzzy, c curve, o UMAPOptions, step func(done float64)) error {
	var heaviest float32
	for _, w := range f.weights {
		heaviest = max(heaviest, w)
	}
	m := mover{points: points, graph: f, rates: make([]float32, len(f.weights)), negatives: o.Negatives, seed: o.Seed,
		attract: newPieces(c.attraction), repel: newPieces(c.repulsion)}
	for e, w := range f.weights {
		m.rates[e] = w / heaviest
	}
	n := len(points)
	order := rand.New(rand.NewPCG(o.Seed, 2)).Perm(n)
	size := (n + layoutBlocks - 1) / layoutBlocks
	moved := make([]Point, size)
	for epoch := range o.Epochs {
		step(float64(epoch) / float64(o.Epochs))
		rate := 1 - float32(epoch)/float32(o.Epochs)
		for from := 0; from < n; from += size {
			block := order[from:min(n, from+size)]
			err := each(ctx, o.Threads, len(block), layoutRun, nil, func(_, first, last int) {
				for i := first; i < last; i++ {
					moved[i] = m.move(block[i], epoch, rate)
				}
			})
			if err != nil {
				return err
			}
			for i, v := range block {
				points[v] = moved[i]
			}
		}
	}
	return ctx.Err()
}

// move returns where point i goes in an epoch. Each edge is drawn as often as its rate says, at both of
// its ends, and so twice.
func (m *mover) move(i, epoch int, rate float32) Point {
	p := m.points[i]
	random := mix(m.seed, uint64(epoch)<<32|uint64(i), 3) | 1
	n := uint64(len(m.points))
	for e := m.graph.starts[i]; e < m.graph.starts[i+1]; e++ {
		often := float64(m.rates[e])
		if int(often*float64(epoch+1)) == int(often*float64(epoch)) {
			continue
		}
		q := m.points[m.graph.ends[e]]
		dx, dy := p.X-q.X, p.Y-q.Y
		g := 2 * m.attract.at(float32(dx*dx)+float32(dy*dy))
		p.X -= rate * bounded(float32(g*dx))
		p.Y -= rate * bounded(float32(g*dy))
		for range m.negatives {
			random ^= random << 13 // xorshift64: Marsaglia 2003
			random ^= random >> 7
			random ^= random << 17
			j := (random >> 32) * n >> 32
			if int(j) == i {
				continue
			}
			q := m.points[j]
			dx, dy := p.X-q.X, p.Y-q.Y
			g := m.repel.at(float32(dx*dx) + float32(dy*dy))
			p.X += rate * bounded(float32(g*dx))
			p.Y += rate * bounded(float32(g*dy))
		}
	}
	return p
}

func bounded(x float32) float32 { return max(-maxStep, min(maxStep, x)) }
