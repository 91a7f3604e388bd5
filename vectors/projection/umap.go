package projection

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"gonum.org/v1/gonum/optimize"
)

// UMAPOptions are the settings of UMAP. The zero value works.
type UMAPOptions struct {
	// Neighbors is the number of nearest neighbours, counting the word itself, that should stay near a word:
	// 2 to 200; 0 means 15. A larger number shows the larger structure and takes more time.
	Neighbors int
	// MinDist is the smallest distance of the points of near words: above 0, at most 1; 0 means 0.1. A
	// smaller distance makes denser clusters.
	MinDist float64
	Epochs  int // passes that improve the layout: up to 10,000; 0 means 500, or 200 for more than 10,000 words
	// Negatives is the number of random words that a word is pushed away from each time that it is pulled to
	// a neighbour: up to 50; 0 means 5.
	Negatives int
	// Landmarks is how many of the first words, which are the most frequent ones as a rule, are laid out. Each other
	// word gets a place among the landmarks that are nearest to it. 0 means 200,000.
	Landmarks int
	Seed      uint64
	// Start has a place for each word of the set where the layout begins, in the units of a map by UMAP, so that
	// two maps can be compared. A word whose place is NaN begins among its neighbours. nil begins with
	// principal components.
	Start    []Point
	Threads  int      // goroutines; 0 means GOMAXPROCS. The result does not depend on it
	Progress Progress // may be nil
}

const (
	defaultNeighbors = 15
	maxNeighbors     = 200
	defaultMinDist   = 0.1
	maxMinDist       = 1
	maxEpochs        = 10_000
	fewWords         = 10_000 // sets of up to so many words get more epochs
	defaultNegatives = 5
	maxNegatives     = 50
	defaultLandmarks = 200_000
)

// Validate reports invalid settings.
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
	case o.Landmarks < 0 || o.Landmarks == 1:
		return fmt.Errorf("projection: Landmarks is %d, must be 2 or more, or 0 for %d", o.Landmarks, defaultLandmarks)
	case o.Threads < 0:
		return fmt.Errorf("projection: Threads is %d, must be 1 or more, or 0 for one a core", o.Threads)
	}
	return nil
}

func (o UMAPOptions) resolved(n int) UMAPOptions {
	o.Landmarks = min(n, cmp.Or(o.Landmarks, defaultLandmarks))
	epochs := 500
	if o.Landmarks > fewWords {
		epochs = 200
	}
	o.Neighbors, o.MinDist = cmp.Or(o.Neighbors, defaultNeighbors), cmp.Or(o.MinDist, defaultMinDist)
	o.Epochs, o.Negatives = cmp.Or(o.Epochs, epochs), cmp.Or(o.Negatives, defaultNegatives)
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	return o
}

// UMAP places words so that words whose vectors are near by cosine are near each other: it lays out the Graph
// of their nearest neighbours. Words whose vectors have no direction are put aside. Of more words than
// UMAPOptions.Landmarks the first ones are laid out, and the others placed beside them.
func UMAP(ctx context.Context, s *vectors.Set, o UMAPOptions) (*Map, error) {
	progress := o.Progress
	o.Progress = progress.part(0, 0.6)
	g, err := NewGraph(ctx, s, o)
	if err != nil {
		return nil, err
	}
	g.options.Progress = progress.part(0.6, 1)
	return g.Layout(ctx)
}

// A Graph joins each word of a set with its nearest neighbours. The weight of an edge, above 0 and at most 1,
// says to what degree both words belong to one neighbourhood: the fuzzy simplicial set of UMAP (McInnes et
// al. 2018, section 3.1). Neighbours are exact for up to 32,768 words. For more words, nearest-neighbour
// descent finds them (Dong, Charikar and Li 2011) and misses some. Words after the landmarks have no edges.
type Graph struct {
	options UMAPOptions // without zeros
	words   int         // of the set, including words without direction
	table   table       // of the landmarks
	fuzzy   fuzzy
	beside  beside
}

// NewGraph returns the graph of a set. The options MinDist, Epochs and Negatives apply to Layout.
func NewGraph(ctx context.Context, s *vectors.Set, o UMAPOptions) (*Graph, error) {
	if err := cmp.Or(o.Validate(), s.CheckSizes()); err != nil {
		return nil, err
	}
	if o.Start != nil && len(o.Start) != s.Len() {
		return nil, fmt.Errorf("projection: Start has %d places, and the set has %d words", len(o.Start), s.Len())
	}
	o = o.resolved(s.Len())
	if err := affords(umapBytes(s.Len(), s.Dim(), o), fmt.Sprintf("a map of %d words", s.Len())); err != nil {
		return nil, err
	}
	g := &Graph{options: o, words: s.Len()}
	o.Progress.stage("reading vectors", 0, 0.02)
	var err error
	if g.table, err = readRows(ctx, s, o.Landmarks, vectors.Unit); err != nil {
		return nil, err
	}
	found, others := 1.0, (func(finder) error)(nil)
	if o.Landmarks < s.Len() {
		found = 0.6
		others = func(find finder) (err error) {
			g.beside, err = besides(s, o.Landmarks, min(o.Neighbors-1, g.table.rows.Rows), find, o.Progress.stage("nearest landmarks", found, 1))
			return err
		}
	}
	near, err := nearest(ctx, g.table.rows, o, o.Progress.stage("nearest neighbours", 0.02, found), others)
	if err != nil {
		return nil, err
	}
	if g.fuzzy, err = union(ctx, near, o.Threads); err != nil {
		return nil, err
	}
	g.beside.weights, err = memberships(ctx, g.beside.near, o.Threads)
	return g, err
}

// Edges yields each edge once with its weight, sorted by the ids of its words, the lower id first.
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

// Memory returns about how many bytes a map by UMAP of so many words takes, with its trustworthiness, besides the set.
func Memory(words, dim int, o UMAPOptions) uint64 {
	return uint64(slack * max(umapBytes(words, dim, o.resolved(words)), trustBytes(words, dim)))
}

// umapBytes estimates the memory of UMAP: that of nearBytes; the edges of both directions, in the order of words and
// in that of the layout, with how often they are drawn; points. Of words beside landmarks it is the landmarks with
// their weights.
func umapBytes(n, dim int, o UMAPOptions) float64 {
	rest := max(0, n-o.Landmarks)
	n -= rest
	return float64(rest)*(12*float64(o.Neighbors)+24) + nearBytes(n, dim, o.Neighbors) + float64(n)*4*16*float64(o.Neighbors) + pcaBytes(0, dim)
}

// nearBytes estimates the memory of nearest neighbours: the vectors; the lists twice, each entry with its similarity and
// a mark, and half as many reverse entries; the cells that are searched.
func nearBytes(n, dim, neighbors int) float64 {
	k := float64(listLength(n, neighbors))
	return float64(n) * (4*float64(dim+15) + 2*9*k + 2.5*k + 160)
}

// Layout places the words of the graph in the plane, by the options of the graph.
//
// Layout begins with principal components and improves them by stochastic gradient descent with negative
// samples (McInnes et al. 2018, section 3.2). It differs from the authors' program in two ways. Their program
// moves both ends of a drawn edge and pushes only one of them away from random words; Layout moves an end
// only when the edge is drawn for that end. So there is half as much attraction for the same repulsion, which
// keeps neighbours better. And words move in blocks: they see the current points of other blocks, and the
// points of their own from before, so cores need not wait for each other.
func (g *Graph) Layout(ctx context.Context) (*Map, error) {
	o := g.options
	curve, err := fitCurve(o.MinDist)
	if err != nil {
		return nil, err
	}
	var placed []Point
	if o.Start != nil {
		placed = g.started()
	} else {
		if placed, _, err = principal(ctx, g.table.rows, o.Progress.stage("first positions", 0, 0.05)); err != nil {
			return nil, err
		}
		stretch(placed)
	}
	jitter(placed, o.Seed)
	laid := 1.0
	if g.beside.ids != nil {
		laid = 0.9
	}
	if err := layout(ctx, placed, g.fuzzy, curve, o, o.Progress.stage("layout", 0.05, laid)); err != nil {
		return nil, err
	}
	m := &Map{Method: MethodUMAP}
	if g.beside.ids != nil {
		m.Landmarks = o.Landmarks
		rest, err := g.beside.place(ctx, placed, curve, o, o.Progress.stage("words beside landmarks", laid, 1))
		if err != nil {
			return nil, err
		}
		placed = append(placed, rest...)
	}
	m.Points, m.Aside = spread(g.words, g.ids(), placed)
	return m, nil
}

const width = 10

// started returns the places of Options.Start for the words of the graph. Words without one are put where the mean of
// their neighbours is, and last in the middle.
func (g *Graph) started() []Point {
	placed, known := make([]Point, len(g.table.ids)), make([]bool, len(g.table.ids))
	var middle Point
	n := 0
	for i, id := range g.table.ids {
		if p := g.options.Start[id]; vectors.Finite([]float32{p.X, p.Y}) {
			placed[i], known[i] = p, true
			n++
			middle.X += (p.X - middle.X) / float32(n)
			middle.Y += (p.Y - middle.Y) / float32(n)
		}
	}
	const rounds = 3 // of neighbours' neighbours
	for range rounds {
		before := slices.Clone(known)
		for i := range placed {
			if before[i] {
				continue
			}
			var x, y, sum float32
			ends, weights := g.fuzzy.row(i)
			for e, j := range ends {
				if before[j] {
					x, y, sum = x+float32(weights[e]*placed[j].X), y+float32(weights[e]*placed[j].Y), sum+weights[e]
				}
			}
			if sum > 0 {
				placed[i], known[i] = Point{x / sum, y / sum}, true
			}
		}
	}
	for i := range placed {
		if !known[i] {
			placed[i] = middle
		}
	}
	return placed
}

// jitter moves each point a little: no two are equal.
func jitter(points []Point, seed uint64) {
	for i := range points {
		a, b := gauss(mix(seed, uint64(i), 1))
		points[i].X += 1e-3 * a
		points[i].Y += 1e-3 * b
	}
}

// stretch scales points to the square in which the layout begins.
func stretch(points []Point) {
	low, high := bounds(points)
	scale := func(x, low, high float32) float32 {
		if high > low {
			return width * (x - low) / (high - low)
		}
		return width / 2
	}
	for i, p := range points {
		points[i] = Point{scale(p.X, low.X, high.X), scale(p.Y, low.Y, high.Y)}
	}
}

// gauss returns two independent normal numbers from 64 random bits (Box and Muller 1958).
func gauss(bits uint64) (a, b float32) {
	radius := math.Sqrt(-2 * math.Log((float64(bits>>32)+0.5)/(1<<32)))
	sin, cos := math.Sincos(2 * math.Pi * float64(bits&(1<<32-1)) / (1 << 32))
	return float32(radius * cos), float32(radius * sin)
}

// A curve says how near two points of the plane are, from 1 for the same place down to 0: 1/(1 + a·d^2b) at
// distance d.
//
// The loss of UMAP over pairs of words of weight w is −w·log(near) − (1−w)·log(1−near). Its gradient by one
// of the points is w·attraction − (1−w)·repulsion, times the difference of the points.
type curve struct{ a, b float64 }

// fitCurve fits a curve to 1 up to minDist and exp(minDist−d) beyond, by least squares at 300 distances from
// 0 to 3 (McInnes et al. 2018, section 3.2, definition 11).
func fitCurve(minDist float64) (curve, error) {
	const points, most = 300, 3.0
	loss := func(x, gradient []float64) (sum float64) {
		a, b := math.Exp(x[0]), math.Exp(x[1]) // exp makes both positive
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
	// The line search may end because floating-point numbers have no more digits: the result is as good as it
	// gets.
	return curve{math.Exp(result.X[0]), math.Exp(result.X[1])}, nil
}

func (c curve) near(square float64) float64 { return 1 / (1 + c.a*math.Pow(square, c.b)) }

// attraction is the gradient of −log(near) by a point, divided by the difference of the points.
func (c curve) attraction(square float64) float64 {
	return 2 * c.a * c.b * math.Pow(square, c.b-1) * c.near(square)
}

// nearest0 keeps repulsion finite.
const nearest0 = 1e-3

// repulsion is the gradient of −log(1−near) by a point, divided by the difference of the points, and negated.
// nearest0 is added to the squared distance in the denominator.
func (c curve) repulsion(square float64) float64 {
	return 2 * c.b * c.near(square) / (nearest0 + square)
}

const (
	tableLow, tableHigh = -40, 24        // binary logarithms of the smallest and largest squared distance in a table
	tableBits           = 5              // binary logarithm of the number of pieces in an octave
	tableShift          = 23 - tableBits // bits of a float32 that give the position within a piece
	firstPiece          = (127 + tableLow) << tableBits
	lastPiece           = (tableHigh-tableLow)<<tableBits - 1
)

// A pieces is a piecewise linear function of a positive number, with pieces of equal length in an octave. It
// replaces powers, which are too slow for the innermost loop.
type pieces struct{ values []float32 }

func newPieces(f func(float64) float64) pieces {
	p := pieces{make([]float32, (tableHigh-tableLow)<<tableBits+2)}
	first := math.Float32bits(float32(math.Ldexp(1, tableLow))) >> tableShift
	for i := range p.values {
		p.values[i] = float32(f(float64(math.Float32frombits((first + uint32(i)) << tableShift))))
	}
	return p
}

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
	layoutBlocks = 64   // blocks of words, which move one after the other
	layoutRun    = 32   // words of a block that a goroutine moves at a time
	poolWords    = 4096 // from which the negative samples of a block are drawn: their points fit into the first-level cache
	maxStep      = 4    // longest step along an axis, at the first learning rate
	startRate    = 0.1  // the first learning rate if words begin at given places, which they would leave at 1
)

type mover struct {
	points         []Point
	graph          fuzzy
	rates          []uint32 // how often an edge is drawn in an epoch, times 2³²
	attract, repel pieces
	negatives      int
	seed           uint64
	pool           []Point
	poolIDs        []int32
}

func newMover(points []Point, c curve, o UMAPOptions) *mover {
	pool := min(len(points), poolWords) + o.Negatives - 1
	return &mover{points: points, negatives: o.Negatives, seed: o.Seed, attract: newPieces(c.attraction), repel: newPieces(c.repulsion),
		pool: make([]Point, pool), poolIDs: make([]int32, pool)}
}

func layout(ctx context.Context, points []Point, f fuzzy, c curve, o UMAPOptions, step func(done float64)) error {
	n := len(points)
	// In a random order, blocks are runs of words.
	order := rand.New(rand.NewPCG(o.Seed, 2)).Perm(n)
	m := newMover(make([]Point, n), c, o)
	m.graph = f.permuted(order)
	for i, id := range order {
		m.points[i] = points[id]
	}
	m.rates = rates(m.graph.weights)
	size := (n + layoutBlocks - 1) / layoutBlocks
	moved := make([]Point, size)
	first := float32(1)
	if o.Start != nil {
		first = startRate
	}
	for epoch := range o.Epochs {
		step(float64(epoch) / float64(o.Epochs))
		rate := first * (1 - float32(epoch)/float32(o.Epochs))
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

// rates returns how often edges are drawn: the heaviest in each epoch, the others in proportion.
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

// drawn reports whether an edge is drawn in an epoch: ⌊n·rate⌋ times in n epochs, at equal intervals.
func drawn(rate uint32, epoch int) bool {
	before := uint32(epoch) * rate
	return before+rate < before
}

// drawPool draws the words that push those of a block. The first ones come again at the end, so that each word is in as
// many runs.
func (m *mover) drawPool(epoch, block int) {
	n, words := uint64(len(m.points)), len(m.pool)-m.negatives+1
	for i := range m.pool {
		id := uint64(i % words)
		if len(m.points) > poolWords {
			id = (mix(m.seed, uint64(epoch)<<32|uint64(block), id<<8|4) >> 32) * n >> 32
		}
		m.pool[i], m.poolIDs[i] = m.points[id], int32(id)
	}
}

// move returns the new place of point i. Each edge is drawn for each end as often as its rate says.
func (m *mover) move(i, epoch int, rate float32) Point {
	p := m.points[i]
	random := mix(m.seed, uint64(epoch)<<32|uint64(i), 3) | 1
	first, last := m.graph.starts[i], m.graph.starts[i+1]
	ends := m.graph.ends[first:last]
	for e, r := range m.rates[first:last] {
		if drawn(r, epoch) {
			p, random = m.draw(p, m.points[ends[e]], int32(i), random, rate)
		}
	}
	return p
}

// draw moves the place p of point i, -1 for none of m, towards q, and away from random points, which follow each other in
// the pool: its order is random.
func (m *mover) draw(p, q Point, i int32, random uint64, rate float32) (Point, uint64) {
	dx, dy := p.X-q.X, p.Y-q.Y
	g := m.attract.at(float32(dx*dx) + float32(dy*dy))
	p.X -= float32(rate * bounded(float32(g*dx)))
	p.Y -= float32(rate * bounded(float32(g*dy)))
	random ^= random << 13 // xorshift64: Marsaglia 2003
	random ^= random >> 7
	random ^= random << 17
	j := (random >> 32) * uint64(len(m.pool)-m.negatives+1) >> 32
	ids := m.poolIDs[j : j+uint64(m.negatives)]
	for k, q := range m.pool[j : j+uint64(m.negatives)] {
		if ids[k] == i {
			continue
		}
		dx, dy := p.X-q.X, p.Y-q.Y
		g := m.repel.at(float32(dx*dx) + float32(dy*dy))
		p.X += float32(rate * bounded(float32(g*dx)))
		p.Y += float32(rate * bounded(float32(g*dy)))
	}
	return p, random
}

func bounded(x float32) float32 {
	if x > maxStep {
		return maxStep
	}
	if x < -maxStep {
		return -maxStep
	}
	return x
}
