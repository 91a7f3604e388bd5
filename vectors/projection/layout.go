package projection

import (
	"context"
	"math"
	"math/rand/v2"
)

const (
	// layoutBlocks is how many blocks of words move one after the other.
	layoutBlocks = 64
	// layoutRun is how many words of a block a goroutine moves at a time.
	layoutRun = 32
	// poolWords is how many random words the negative samples of a block are drawn from: their points stay in
	// the first-level cache.
	poolWords = 4096
	// maxStep is the longest step along an axis, at the first learning rate.
	maxStep = 4
)

// A mover moves points along the gradient of the loss.
type mover struct {
	points         []Point
	graph          fuzzy
	rates          []uint32 // how often edges are drawn, an epoch, times 2³²
	attract, repel pieces
	negatives      int
	seed           uint64
	pool           []Point
	poolIDs        []int32
}

// layout moves points for all epochs.
func layout(ctx context.Context, points []Point, f fuzzy, c curve, o UMAPOptions, step func(done float64)) error {
	n := len(points)
	// In a random order blocks are runs of words.
	order := rand.New(rand.NewPCG(o.Seed, 2)).Perm(n)
	m := mover{points: make([]Point, n), graph: f.permuted(order), negatives: o.Negatives, seed: o.Seed,
		attract: newPieces(c.attraction), repel: newPieces(c.repulsion),
		pool: make([]Point, min(n, poolWords)), poolIDs: make([]int32, min(n, poolWords))}
	for i, id := range order {
		m.points[i] = points[id]
	}
	m.rates = rates(m.graph.weights)
	size := (n + layoutBlocks - 1) / layoutBlocks
	moved := make([]Point, size)
	for epoch := range o.Epochs {
		step(float64(epoch) / float64(o.Epochs))
		rate := 1 - float32(epoch)/float32(o.Epochs)
		for from := 0; from < n; from += size {
			block := m.points[from:min(n, from+size)]
			m.drawPool(epoch, from)
			err := each(ctx, o.Threads, len(block), layoutRun, nil, func(_, first, last int) {
				for i := first; i < last; i++ {
					moved[i] = m.move(from+i, epoch, rate)
				}
			})
			if err != nil {
				return err
			}
			copy(block, moved)
		}
	}
	for i, id := range order {
		points[id] = m.points[i]
	}
	return ctx.Err()
}

// rates returns how often edges of these weights are drawn: the heaviest each epoch, others in proportion.
func rates(weights []float32) []uint32 {
	var heaviest float32
	for _, w := range weights {
		heaviest = max(heaviest, w)
	}
	rates := make([]uint32, len(weights))
	for e, w := range weights {
		rates[e] = uint32(min(math.MaxUint32, float64(w)/float64(heaviest)*(1<<32)))
	}
	return rates
}

// drawn tells whether an edge is drawn in an epoch: ⌊epochs·rate⌋ times in so many epochs, at equal distances.
func drawn(rate uint32, epoch int) bool {
	before := uint32(epoch) * rate
	return before+rate < before
}

// drawPool draws the words that the negative samples of a block are drawn from.
func (m *mover) drawPool(epoch, block int) {
	n := uint64(len(m.points))
	for i := range m.pool {
		id := uint64(i)
		if len(m.points) > poolWords {
			id = (mix(m.seed, uint64(epoch)<<32|uint64(block), uint64(i)<<8|4) >> 32) * n >> 32
		}
		m.pool[i], m.poolIDs[i] = m.points[id], int32(id)
	}
}

// move returns where point i goes in an epoch. Each edge is drawn at each of its ends as often as its rate says.
func (m *mover) move(i, epoch int, rate float32) Point {
	p := m.points[i]
	random := mix(m.seed, uint64(epoch)<<32|uint64(i), 3) | 1
	n := uint64(len(m.pool))
	first, last := m.graph.starts[i], m.graph.starts[i+1]
	ends := m.graph.ends[first:last]
	for e, r := range m.rates[first:last] {
		if !drawn(r, epoch) {
			continue
		}
		q := m.points[ends[e]]
		dx, dy := p.X-q.X, p.Y-q.Y
		g := m.attract.at(float32(dx*dx) + float32(dy*dy))
		p.X -= rate * bounded(float32(g*dx))
		p.Y -= rate * bounded(float32(g*dy))
		for range m.negatives {
			random ^= random << 13 // xorshift64: Marsaglia 2003
			random ^= random >> 7
			random ^= random << 17
			j := (random >> 32) * n >> 32
			if int(m.poolIDs[j]) == i {
				continue
			}
			q := m.pool[j]
			dx, dy := p.X-q.X, p.Y-q.Y
			g := m.repel.at(float32(dx*dx) + float32(dy*dy))
			p.X += rate * bounded(float32(g*dx))
			p.Y += rate * bounded(float32(g*dy))
		}
	}
	return p
}

func bounded(x float32) float32 { return max(-maxStep, min(maxStep, x)) }
