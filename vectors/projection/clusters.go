package projection

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/vectors"
)

// ClusterOptions are the settings of Graph.Clusters. The zero value works.
type ClusterOptions struct {
	// Resolution above 1 makes more and smaller clusters, below 1 fewer and larger ones. It is at most 1,000;
	// 0 means 1.
	Resolution float64
}

// Validate reports invalid settings.
func (o ClusterOptions) Validate() error {
	if !(o.Resolution >= 0 && o.Resolution <= 1000) {
		return fmt.Errorf("projection: Resolution is %v, must be above 0 and at most 1000, or 0 for 1", o.Resolution)
	}
	return nil
}

// Clusters are a division of the words of a set.
type Clusters struct {
	Of    []int32 // cluster of each word, from 0, the largest first; -1 for words without direction
	Sizes []int   // number of words in each cluster
	// Modularity is the share of edge weight inside clusters, minus the share that is expected if edges join
	// words at random.
	Modularity float64
}

// Clusters divides the words of the graph into communities, which have more edges inside than chance would
// give: Leiden's algorithm (Traag, Waltman and van Eck 2019) with modularity. A word beside the landmarks is in
// the cluster of most of its landmarks. Clusters do not depend on the layout. The seed is that of the graph.
func (g *Graph) Clusters(ctx context.Context, o ClusterOptions) (*Clusters, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	net := newNetwork(g.fuzzy)
	of, err := leiden(ctx, net, cmp.Or(o.Resolution, 1), g.options.Seed, g.options.Progress.stage("clusters", 0, 1))
	if err != nil {
		return nil, err
	}
	modularity := net.modularity(of)
	sizes := make([]int, len(of))
	of = append(of, g.beside.join(of)...)
	for _, c := range of {
		sizes[c]++
	}
	order := numbered[int32](len(sizes)) // of communities, the empty ones last
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(sizes[b], sizes[a]) })
	clusters := &Clusters{Of: slices.Repeat([]int32{-1}, g.words), Modularity: modularity}
	number := make([]int32, len(sizes))
	for to, c := range order {
		number[c] = int32(to)
		if sizes[c] > 0 {
			clusters.Sizes = append(clusters.Sizes, sizes[c])
		}
	}
	for i, id := range g.ids() {
		clusters.Of[id] = number[of[i]]
	}
	return clusters, nil
}

// A Cluster describes one of the Clusters.
type Cluster struct {
	ID    int
	Size  int
	Words []int // ids of the words that describe the cluster, the best first
	Label string
	At    Point // point of the word in the middle of the cluster
}

const (
	labelWords                = 60       // candidates for describing a cluster: its most frequent words
	middleWords, middleOthers = 128, 512 // words that are tried as the middle, and others that their distances are summed over
)

// Describe returns a description of each cluster of a set: up to so many words, and the point of its middle.
// Candidates are the 60 most frequent words of a cluster. Describe picks the most typical of them: after
// subtraction of the mean direction of all words, their directions have the largest cosine with the mean
// direction of the cluster. Stop words, which NewOverview defines, describe a cluster only if it has too few other
// words. Of words that differ only in case, or by one or two letters at the end, only one is picked. In a set
// without counts, words are assumed to be in the order of frequency. The middle is the word whose point has the
// smallest sum of distances to other points of the cluster.
func Describe(ctx context.Context, s *vectors.Set, points []Point, c *Clusters, words int) ([]Cluster, error) {
	d, err := newDescriber(ctx, s, points, c, words)
	if err != nil {
		return nil, err
	}
	var described []Cluster
	err = s.Guard(func() error { described, err = d.clusters(ctx); return err })
	return described, err
}

// A describer describes groups of words.
type describer struct {
	s       *vectors.Set
	points  []Point
	given   *Clusters
	words   int         // most words of a description
	all     []float64   // mean direction of all words
	means   [][]float64 // mean direction of each cluster, less that of all words
	members [][]int     // of each cluster, the most frequent first
	total   int         // words that are in clusters
	ranks   []int       // of all words, by frequency
	stop    map[int]bool
}

func (d *describer) byRank(a, b int) int { return d.ranks[a] - d.ranks[b] }

func newDescriber(ctx context.Context, s *vectors.Set, points []Point, c *Clusters, words int) (*describer, error) {
	if err := s.CheckSizes(); err != nil {
		return nil, err
	}
	if len(points) != s.Len() || len(c.Of) != s.Len() {
		return nil, fmt.Errorf("projection: there are %d points and clusters of %d words for %d words", len(points), len(c.Of), s.Len())
	}
	d := &describer{s: s, points: points, given: c, words: words, all: make([]float64, s.Dim()), means: make([][]float64, len(c.Sizes)), members: make([][]int, len(c.Sizes))}
	for i := range d.means {
		d.means[i] = make([]float64, s.Dim())
	}
	direction := make([]float32, s.Dim())
	for id, v := range s.All() {
		if id%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if of := c.Of[id]; of >= 0 && int(of) < len(d.members) && vectors.Unit(direction, v) {
			d.members[of] = append(d.members[of], id)
			for k, x := range direction {
				d.means[of][k] += float64(x)
				d.all[k] += float64(x)
			}
			d.total++
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	for k := range d.all {
		d.all[k] /= float64(max(1, d.total))
	}
	for i, ids := range d.members {
		for k := range d.means[i] {
			d.means[i][k] = d.means[i][k]/float64(len(ids)) - d.all[k]
		}
	}
	return d, s.Guard(func() error {
		order := s.ByFrequency()
		d.ranks = make([]int, len(order))
		for rank, id := range order {
			d.ranks[id] = rank
		}
		for _, ids := range d.members {
			slices.SortFunc(ids, d.byRank)
		}
		var err error
		d.stop, err = d.stopWords(ctx, order)
		return err
	})
}

func (d *describer) clusters(ctx context.Context) ([]Cluster, error) {
	described := make([]Cluster, len(d.members))
	for i, ids := range d.members {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		described[i] = d.describe(i, ids, d.means[i])
		described[i].Size = d.given.Sizes[i]
	}
	return described, nil
}

// describe describes words, the most frequent first, whose mean direction is given, less that of all words.
func (d *describer) describe(id int, ids []int, mean []float64) Cluster {
	var telling []int
	for _, word := range ids {
		if len(telling) < labelWords && !d.stop[word] {
			telling = append(telling, word)
		}
	}
	if len(telling) < d.words {
		telling = ids[:min(len(ids), labelWords)]
	}
	c := Cluster{ID: id, Size: len(ids), At: middle(d.points, ids), Words: typical(d.s, telling, mean, d.all, d.words)}
	names := make([]string, len(c.Words))
	for j, word := range c.Words {
		names[j] = d.s.Words().At(word)
	}
	c.Label = strings.Join(names, ", ")
	return c
}

// typical returns up to most of the words whose directions, minus the mean of all, are nearest to the
// cluster's.
func typical(s *vectors.Set, ids []int, cluster, all []float64, most int) []int {
	cosines := make(map[int]float64, len(ids))
	v := make([]float32, s.Dim())
	for _, id := range ids {
		s.WordVector(v, id)
		vectors.Unit(v, v)
		var product, square float64
		for k, x := range v {
			difference := float64(x) - all[k]
			product += difference * cluster[k]
			square += difference * difference
		}
		if square > 0 {
			cosines[id] = product / math.Sqrt(square)
		}
	}
	ids = slices.Clone(ids)
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(cosines[b], cosines[a]) })
	var best []int
	var taken []string
	for _, id := range ids {
		word := strings.ToLower(s.Words().At(id))
		if len(best) < most && !slices.ContainsFunc(taken, func(other string) bool { return alike(word, other) }) {
			taken = append(taken, word)
			best = append(best, id)
		}
	}
	return best
}

// alike reports whether words are the same, but for one or two letters appended to four or more.
func alike(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	rest, begins := strings.CutPrefix(a, b)
	return begins && (rest == "" || utf8.RuneCountInString(rest) <= 2 && utf8.RuneCountInString(b) >= 4)
}

// middle returns the point of the word in the middle of some words.
func middle(points []Point, ids []int) Point {
	var best Point
	least := math.Inf(1)
	every := func(most int) int { return max(1, (len(ids)+most-1)/most) }
	for i := 0; i < len(ids); i += every(middleWords) {
		p, sum := points[ids[i]], 0.0
		for j := 0; j < len(ids) && sum < least; j += every(middleOthers) {
			q := points[ids[j]]
			sum += math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y))
		}
		if sum < least {
			best, least = p, sum
		}
	}
	return best
}

// A network is a weighted graph in which communities are found, as compressed sparse rows without loops. Its
// nodes are words, or groups of words.
type network struct {
	starts   []int
	ends     []int32
	weights  []float64
	strength []float64 // of each node: the sum of its edges' weights, plus twice the weight of the edges inside it
	total    float64   // of all strengths
}

func (g network) len() int { return len(g.strength) }

func newNetwork(f fuzzy) network {
	g := network{starts: f.starts, ends: f.ends, weights: make([]float64, len(f.weights)), strength: make([]float64, f.len())}
	for i := range f.len() {
		for e := f.starts[i]; e < f.starts[i+1]; e++ {
			g.weights[e] = float64(f.weights[e])
			g.strength[i] += g.weights[e]
		}
		g.total += g.strength[i]
	}
	return g
}

type partition struct {
	of       []int32
	strength []float64
}

func (g network) singletons() partition { return g.partitionOf(numbered[int32](g.len())) }

func (g network) partitionOf(of []int32) partition {
	p := partition{of, make([]float64, g.len())}
	for i, c := range of {
		p.strength[c] += g.strength[i]
	}
	return p
}

// A tally sums the weights of a node's edges by community.
type tally struct {
	weights []float64
	seen    []int32
}

// count tallies the edges of a node to the other nodes that counts accepts.
func (t *tally) count(g network, p partition, node int, counts func(other int32) bool) {
	for _, c := range t.seen {
		t.weights[c] = 0
	}
	t.seen = t.seen[:0]
	for e := g.starts[node]; e < g.starts[node+1]; e++ {
		if other := g.ends[e]; counts == nil || counts(other) {
			c := p.of[other]
			if t.weights[c] == 0 {
				t.seen = append(t.seen, c)
			}
			t.weights[c] += g.weights[e]
		}
	}
}

// leiden returns communities of large modularity, numbered from 0 in no particular order: Traag, Waltman and
// van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", 2019. In the refinement, a node
// joins the best community instead of a random one: the limit of the paper's method for randomness 0. A
// larger resolution makes smaller communities (Reichardt and Bornholdt 2006).
func leiden(ctx context.Context, g network, resolution float64, seed uint64, step func(done float64)) ([]int32, error) {
	r := rand.New(rand.NewPCG(seed, 8))
	of := numbered[int32](g.len()) // the current network's node of each word
	communities := g.singletons()
	for level := 0; ; level++ {
		step(1 - 1/float64(uint64(1)<<min(level, 60)))
		if err := g.move(ctx, communities, resolution, r); err != nil {
			return nil, err
		}
		refined := g.refine(communities, resolution, r)
		renumbered, n := renumber(refined.of)
		if n == g.len() { // no two nodes can be joined
			final := make([]int32, len(of))
			for i, node := range of {
				final[i] = communities.of[node]
			}
			return final, ctx.Err()
		}
		whole, _ := renumber(communities.of)
		larger := make([]int32, n) // community of each new node
		for i, node := range renumbered {
			larger[node] = whole[i]
		}
		for i, node := range of {
			of[i] = renumbered[node]
		}
		g = g.aggregate(renumbered, n)
		communities = g.partitionOf(larger)
	}
}

// renumber renumbers communities from 0 in the order of their first nodes, and returns their number.
func renumber(of []int32) (renumbered []int32, n int) {
	number := make([]int32, len(of)) // plus 1
	renumbered = make([]int32, len(of))
	for i, c := range of {
		if number[c] == 0 {
			n++
			number[c] = int32(n)
		}
		renumbered[i] = number[c] - 1
	}
	return renumbered, n
}

// least is the smallest gain that counts, as a share of a node's strength: others may be rounding errors.
const least = 1e-9

// move moves nodes to the community where modularity gains most, until no move gains.
func (g network) move(ctx context.Context, p partition, resolution float64, r *rand.Rand) error {
	n := g.len()
	queue, waits := make([]int32, n), make([]bool, n)
	for i, node := range r.Perm(n) {
		queue[i], waits[i] = int32(node), true
	}
	t := tally{weights: make([]float64, n)}
	for done := 0; len(queue) > 0; done++ {
		if done%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		node := int(queue[0])
		queue = queue[1:]
		waits[node] = false
		t.count(g, p, node, nil)
		was := p.of[node]
		p.strength[was] -= g.strength[node]
		scale := resolution * g.strength[node] / g.total
		best, most := was, t.weights[was]-scale*p.strength[was]+least*g.strength[node]
		for _, c := range t.seen {
			if gain := t.weights[c] - scale*p.strength[c]; gain > most {
				best, most = c, gain
			}
		}
		p.strength[best] += g.strength[node]
		if best == was {
			continue
		}
		p.of[node] = best
		for _, other := range g.ends[g.starts[node]:g.starts[node+1]] {
			if p.of[other] != best && !waits[other] {
				waits[other] = true
				queue = append(queue, other)
			}
		}
	}
	return nil
}

// refine divides each community into well-connected parts. A single node joins a part of its community if
// both are well connected with the rest of the community and modularity gains.
func (g network) refine(communities partition, resolution float64, r *rand.Rand) partition {
	n := g.len()
	parts := g.singletons()
	t := tally{weights: make([]float64, n)}
	outside := make([]float64, n) // weight of a part's edges with the rest of its community
	members := make([]int, n)
	for i := range n {
		members[i] = 1
		for e := g.starts[i]; e < g.starts[i+1]; e++ {
			if communities.of[g.ends[e]] == communities.of[i] {
				outside[i] += g.weights[e]
			}
		}
	}
	connected := func(part int32, community int32) bool {
		s := parts.strength[part]
		return outside[part] >= resolution*s*(communities.strength[community]-s)/g.total
	}
	for _, node := range r.Perm(n) {
		community, own := communities.of[node], parts.of[node]
		if members[own] != 1 || !connected(own, community) {
			continue
		}
		t.count(g, parts, node, func(other int32) bool { return communities.of[other] == community })
		scale := resolution * g.strength[node] / g.total
		best, most := own, least*g.strength[node]
		for _, c := range t.seen {
			if gain := t.weights[c] - scale*parts.strength[c]; c != own && gain > most && connected(c, community) {
				best, most = c, gain
			}
		}
		if best == own {
			continue
		}
		parts.of[node] = best
		parts.strength[best] += g.strength[node]
		parts.strength[own] -= g.strength[node]
		members[best]++
		members[own]--
		outside[best] += outside[own] - 2*t.weights[best]
		outside[own] = 0
	}
	return parts
}

func (g network) aggregate(of []int32, n int) network {
	starts, members := grouped(of, n)
	to := network{starts: make([]int, 1, n+1), strength: make([]float64, n), total: g.total}
	weights, seen := make([]float64, n), []int32(nil)
	for c := range n {
		seen = seen[:0]
		for _, i := range members[starts[c]:starts[c+1]] {
			to.strength[c] += g.strength[i]
			for e := g.starts[i]; e < g.starts[i+1]; e++ {
				if other := of[g.ends[e]]; int(other) != c {
					if weights[other] == 0 {
						seen = append(seen, other)
					}
					weights[other] += g.weights[e]
				}
			}
		}
		for _, other := range seen {
			to.ends, to.weights = append(to.ends, other), append(to.weights, weights[other])
			weights[other] = 0
		}
		to.starts = append(to.starts, len(to.ends))
	}
	return to
}

// modularity returns the share of weight inside communities, minus the share expected by chance.
func (g network) modularity(of []int32) (q float64) {
	if g.total == 0 {
		return 0
	}
	for i, c := range of {
		for e := g.starts[i]; e < g.starts[i+1]; e++ {
			if of[g.ends[e]] == c {
				q += g.weights[e] / g.total
			}
		}
	}
	for _, s := range g.partitionOf(of).strength {
		q -= s / g.total * s / g.total
	}
	return q
}
