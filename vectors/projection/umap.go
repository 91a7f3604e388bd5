package projection

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/w2v-go/w2v/vectors"
	"gonum.org/v1/gonum/optimize"
)

// UMAPOptions are the settings of UMAP. The zero value works.
type UMAPOptions struct {
	// Neighbors is how many nearest neighbours of a word, itself counted, are to stay near it: 2 to
	// 200, 0 for 15. More show the larger structure, and cost time.
	Neighbors int
	// MinDist is how near to each other points of near words may lie: above 0, at most 1; 0 for 0.1. Less
	// makes denser clusters.
	MinDist float64
	// Epochs is how many times the layout is improved: up to 10,000; 0 for 500, or 200 for more than 10,000
	// words.
	Epochs int
	// Negatives is how many random words a word is driven away from each time that it is drawn to
	// a neighbour: up to 50; 0 for 5.
	Negatives int
	// Seed is that of all random numbers.
	Seed uint64
	// Threads is how many goroutines compute; 0 for GOMAXPROCS. The result does not depend on it.
	Threads int
	// Progress, if not nil, is told how far the computation is.
	Progress Progress
}

const (
	defaultNeighbors = 15
	maxNeighbors     = 200
	defaultMinDist   = 0.1
	maxMinDist       = 1
	maxEpochs        = 10_000
	fewWords         = 10_000 // up to which there are more epochs
	defaultNegatives = 5
	maxNegatives     = 50
)

// Validate reports settings that make no sense.
func (o UMAPOptions) Validate() error {
	switch {
	case o.Neighbors != 0 && (o.Neighbors < 2 || o.Neighbors > maxNeighbors):
		return fmt.Errorf("projection: Neighbors is %d, must be from 2 to %d, or 0 for %d", o.Neighbors, maxNeighbors, defaultNeighbors)
	case !(o.MinDist >= 0 && o.MinDist <= maxMinDist):
		return fmt.Errorf("projection: MinDist is %v, must be above 0 and at most %d, or 0 for %v", o.MinDist, maxMinDist, defaultMinDist)
	case o.Epochs < 0 || o.Epochs > maxEpochs:
		return fmt.Errorf("projection: Epochs is %d, must be from 1 to %d, or 0 for a number that fits the words", o.Epochs, maxEpochs)
	case o.Negatives < 0 || o.Negatives > maxNegatives:
		return fmt.Errorf("projection: Negatives is %d, must be from 1 to %d, or 0 for %d", o.Negatives, maxNegatives, defaultNegatives)
	case o.Threads < 0:
		return fmt.Errorf("projection: Threads is %d, must be 1 or more, or 0 for one a core", o.Threads)
	}
	return nil
}

// resolved returns the options with defaults in the place of zeros, for n words.
func (o UMAPOptions) resolved(n int) UMAPOptions {
	if o.Neighbors == 0 {
		o.Neighbors = defaultNeighbors
	}
	if o.MinDist == 0 {
		o.MinDist = defaultMinDist
	}
	if o.Epochs == 0 {
		o.Epochs = 500
		if n > fewWords {
			o.Epochs = 200
		}
	}
	if o.Negatives == 0 {
		o.Negatives = defaultNegatives
	}
	o.Threads = workers(o.Threads)
	return o
}

// UMAP places words such that those whose vectors are near by cosine are near each other: it
// lays out the Graph of their nearest neighbours. Words whose vectors have no direction are put aside.
func UMAP(ctx context.Context, s *vectors.Set, o UMAPOptions) (*Map, error) {
	report := &reporter{progress: o.Progress}
	g, err := newGraph(ctx, s, o, report, 0.6)
	if err != nil {
		return nil, err
	}
	return g.layout(ctx, report, 1)
}

// A Graph joins each word of a set with its nearest neighbours, by edges whose weights, above 0 and at
// most 1, say how far both belong to one neighbourhood: the fuzzy simplicial set of UMAP (McInnes
// et al. 2018, section 3.1). Neighbours are exact for up to 32,768 words, and beyond that found by
// nearest-neighbour descent (Dong, Charikar and Li 2011), which misses some.
type Graph struct {
	options UMAPOptions // resolved
	words   int         // of the set, those without direction included
	table   table
	fuzzy   fuzzy
}

// NewGraph returns the graph of a set. Of the options, MinDist, Epochs and Negatives are those of
// Layout.
func NewGraph(ctx context.Context, s *vectors.Set, o UMAPOptions) (*Graph, error) {
	return newGraph(ctx, s, o, &reporter{progress: o.Progress}, 1)
}

// Edges yields each edge once, by rising ids of its words, the lower one first, with its weight.
func (g *Graph) Edges() iter.Seq2[[2]int, float32] {
	return func(yield func([2]int, float32) bool) {
		for i := range g.fuzzy.len() {
			ends, weights := g.fuzzy.row(i)
			for e, j := range ends {
				if int(j) > i && !yield([2]int{int(g.table.ids[i]), int(g.table.ids[j])}, weights[e]) {
					return
				}
			}
		}
	}
}

// newGraph returns the graph; when it is done, that share of the whole work is.
func newGraph(ctx context.Context, s *vectors.Set, o UMAPOptions, report *reporter, end float64) (*Graph, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := check(s); err != nil {
		return nil, err
	}
	o = o.resolved(s.Len())
	if err := affords(umapBytes(s.Len(), s.Dim(), o), fmt.Sprintf("a map of %d words", s.Len())); err != nil {
		return nil, err
	}
	g := &Graph{options: o, words: s.Len()}
	report.stage("reading vectors", 0.02*end)
	var err error
	if g.table, err = readRows(ctx, s, unit); err != nil {
		return nil, err
	}
	if len(g.table.ids) == 0 {
		return nil, errNoWords
	}
	near, err := nearest(ctx, g.table.rows, o, report, end)
	if err != nil {
		return nil, err
	}
	g.fuzzy, err = union(ctx, near, o.Threads)
	return g, err
}

// umapBytes is about what UMAP takes: the vectors; twice the lists of neighbours, each with its
// similarity and a mark, and as many that come the other way; the edges of both directions, in the order of words and in that of
// the layout, with how often they are drawn; points.
func umapBytes(n, dim int, o UMAPOptions) float64 {
	k := float64(listLength(n, o.Neighbors))
	return float64(n)*(4*float64(dim+15)+2*9*k+4*k+4*16*float64(o.Neighbors)+64) + pcaBytes(0, dim)
}

// Layout places the words of the graph in the plane, by the options that the graph was made with.
//
// Layout begins with principal components and improves them by stochastic gradient descent
// with negative samples (McInnes et al. 2018, section 3.2), in two ways other than the authors' program.
// Where that moves both ends of an edge that is drawn, and drives only one of them away from others, an end
// moves here when the edge is drawn for it: there is half as much attraction for as much repulsion, which keeps neighbours
// better. And words move in blocks: those of a block see the others where they are, and each other where
// they were before the block, so cores need not wait for each other.
func (g *Graph) Layout(ctx context.Context) (*Map, error) {
	return g.layout(ctx, &reporter{progress: g.options.Progress}, 1)
}

// layout is Layout; when it is done, that share of the whole work is.
func (g *Graph) layout(ctx context.Context, report *reporter, end float64) (*Map, error) {
	o := g.options
	placed, _, err := principal(ctx, g.table.rows, report.stage("first positions", report.done+0.05*(end-report.done)))
	if err != nil {
		return nil, err
	}
	curve, err := fitCurve(o.MinDist)
	if err != nil {
		return nil, err
	}
	stretch(placed, o.Seed)
	if err := layout(ctx, placed, g.fuzzy, curve, o, report.stage("layout", end)); err != nil {
		return nil, err
	}
	m := &Map{Method: MethodUMAP}
	m.Points, m.Aside = spread(g.words, g.table.ids, placed)
	return m, nil
}

// width is how wide the first layout is.
const width = 10

// stretch scales points to the square in which the layout begins, and moves each a little, so that none
// of them are equal.
func stretch(points []Point, seed uint64) {
	low, high := bounds(points)
	scale := func(x, low, high float32) float32 {
		if high > low {
			return width * (x - low) / (high - low)
		}
		return width / 2
	}
	for i, p := range points {
		a, b := gauss(mix(seed, uint64(i), 1))
		points[i] = Point{scale(p.X, low.X, high.X) + 1e-3*a, scale(p.Y, low.Y, high.Y) + 1e-3*b}
	}
}

// gauss returns two independent normal numbers, of 64 random bits (Box and Muller 1958).
func gauss(bits uint64) (a, b float32) {
	radius := math.Sqrt(-2 * math.Log((float64(bits>>32)+0.5)/(1<<32)))
	sin, cos := math.Sincos(2 * math.Pi * float64(bits&(1<<32-1)) / (1 << 32))
	return float32(radius * cos), float32(radius * sin)
}

// A curve says how near two points of the plane are, from 1 for the same place to 0: 1/(1 + a·d^2b) at
// the distance d.
//
// The loss of UMAP is, over pairs of words of weight w, −w·log(near) − (1−w)·log(1−near).
// Its gradient by one of the points is the difference of both times attraction and repulsion.
type curve struct{ a, b float64 }

// fitCurve returns the curve nearest to 1 up to minDist and exp(minDist−d) beyond, by least squares at
// 300 distances from 0 to 3 (McInnes et al. 2018, section 3.2, definition 11).
func fitCurve(minDist float64) (curve, error) {
	const points, most = 300, 3.0
	loss := func(x, gradient []float64) (sum float64) {
		a, b := math.Exp(x[0]), math.Exp(x[1]) // above zero
		if gradient != nil {
			clear(gradient)
		}
		for i := range points {
			d := most * float64(i) / (points - 1)
			want := 1.0
			if d >= minDist {
				want = math.Exp(minDist - d)
			}
			power := a * math.Pow(d, 2*b)
			got := 1 / (1 + power)
			sum += (got - want) * (got - want)
			if gradient != nil && d > 0 {
				slope := -2 * (got - want) * got * got * power
				gradient[0] += slope
				gradient[1] += slope * 2 * b * math.Log(d)
			}
		}
		return sum
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { return loss(x, nil) },
		Grad: func(gradient, x []float64) { loss(x, gradient) },
	}, []float64{0, 0}, &optimize.Settings{GradientThreshold: 1e-9}, &optimize.BFGS{})
	if result == nil || math.IsNaN(result.F) {
		return curve{}, fmt.Errorf("projection: no curve for the least distance %v: %w", minDist, err)
	}
	// The line search may end for want of digits, which is as good as it gets.
	return curve{math.Exp(result.X[0]), math.Exp(result.X[1])}, nil
}

// near returns how near points are whose distance has this square.
func (c curve) near(square float64) float64 { return 1 / (1 + c.a*math.Pow(square, c.b)) }

// attraction is the gradient of −log(near) by a point, over the difference from the other one.
func (c curve) attraction(square float64) float64 {
	return 2 * c.a * c.b * math.Pow(square, c.b-1) * c.near(square)
}

// nearest0 keeps repulsion finite.
const nearest0 = 1e-3

// repulsion is the gradient of −log(1−near) by a point, over the difference from the other one, negated, with
// nearest0 added to the square of the distance in the denominator.
func (c curve) repulsion(square float64) float64 {
	return 2 * c.b * c.near(square) / (nearest0 + square)
}

const (
	// tableLow and tableHigh are the binary logarithms of the squares between which a table has values.
	tableLow, tableHigh = -40, 24
	// tableBits is the binary logarithm of how many pieces an octave has.
	tableBits = 5
	// tableShift is how many bits of a float32 say where in a piece a number is.
	tableShift = 23 - tableBits
)

// A pieces is a function of a positive number, linear between numbers that are equally
// far from each other within each octave. Powers take too long for the innermost loop.
type pieces struct{ values []float32 }

func newPieces(f func(float64) float64) pieces {
	p := pieces{make([]float32, (tableHigh-tableLow)<<tableBits+2)}
	first := math.Float32bits(float32(math.Ldexp(1, tableLow))) >> tableShift
	for i := range p.values {
		p.values[i] = float32(f(float64(math.Float32frombits((first + uint32(i)) << tableShift))))
	}
	return p
}

const (
	firstPiece = (127 + tableLow) << tableBits
	lastPiece  = (tableHigh-tableLow)<<tableBits - 1
)

// at returns the value at x.
func (p pieces) at(x float32) float32 {
	bits := math.Float32bits(x)
	i := int(bits>>tableShift) - firstPiece
	if uint(i) > lastPiece {
		if i < 0 {
			return p.values[0]
		}
		return p.values[lastPiece+1]
	}
	within := float32(bits&(1<<tableShift-1)) * (1.0 / (1 << tableShift))
	low := p.values[i]
	return low + float32(within*(p.values[i+1]-low))
}

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
