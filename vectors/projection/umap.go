package projection

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/w2v-go/w2v/vectors"
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
