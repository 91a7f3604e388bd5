package projection

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/vectors"
)

// ClusterOptions are the settings of Graph.Clusters. The zero value works.
type ClusterOptions struct {
	// Resolution makes clusters smaller and more if it is above 1, and larger and fewer if it is below; up to
	// 1,000, 0 for 1.
	Resolution float64
}

// Validate reports settings that make no sense.
func (o ClusterOptions) Validate() error {
	if !(o.Resolution >= 0 && o.Resolution <= 1000) {
		return fmt.Errorf("projection: Resolution is %v, must be above 0 and at most 1000, or 0 for 1", o.Resolution)
	}
	return nil
}

// Clusters are a division of the words of a set.
type Clusters struct {
	Of    []int32 // cluster of each word, from 0, the largest first; -1 for words that are put aside
	Sizes []int   // words of each cluster
	// Modularity is the share of the weight of the graph's edges that is inside of clusters, less the share that
	// would be if edges joined words at random.
	Modularity float64
}

// Clusters divides the words of the graph into communities, which have more edges inside than chance would
// put there: Leiden's algorithm (Traag, Waltman and van Eck 2019) with modularity. Clusters do not depend on
// the layout. The seed is that of the graph.
func (g *Graph) Clusters(ctx context.Context, o ClusterOptions) (*Clusters, error) {
	report := &reporter{progress: g.options.Progress}
	return g.clusters(ctx, o, report.stage("clusters", 1))
}

func (g *Graph) clusters(ctx context.Context, o ClusterOptions, step func(done float64)) (*Clusters, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Resolution == 0 {
		o.Resolution = 1
	}
	net := newNetwork(g.fuzzy)
	of, err := leiden(ctx, net, o.Resolution, g.options.Seed, step)
	if err != nil {
		return nil, err
	}
	sizes := make([]int, len(of))
	for _, c := range of {
		sizes[c]++
	}
	order := make([]int32, 0, len(of))
	for c, size := range sizes {
		if size > 0 {
			order = append(order, int32(c))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(sizes[b], sizes[a]) })
	clusters := &Clusters{Of: make([]int32, g.words), Modularity: net.modularity(of)}
	number := make([]int32, len(of))
	for to, c := range order {
		number[c] = int32(to)
		clusters.Sizes = append(clusters.Sizes, sizes[c])
	}
	for i := range clusters.Of {
		clusters.Of[i] = -1
	}
	for i, id := range g.table.ids {
		clusters.Of[id] = number[of[i]]
	}
	return clusters, nil
}

// A Cluster is what there is to say of one of the Clusters.
type Cluster struct {
	ID    int
	Size  int
	Words []int // ids of the words that describe it, the best first
	Label string
	At    Point // of the word in its middle
}

const (
	// labelWords is how many words of a cluster, its most frequent ones, may describe it.
	labelWords = 60
	// commonWords is how many words of a set, its most frequent ones, say nothing of a cluster, and commonShare
	// the share of all words that they are at most.
	commonWords, commonShare = 100, 0.01
	// middleWords and middleOthers are how many words of a cluster are tried for its middle, and how many others
	// their distances are summed up to.
	middleWords, middleOthers = 128, 512
)

// Describe says of each of the clusters of a set which words describe it, so many at most, and where its middle is
// among these points. The words are those of its 60 most frequent ones that are most typical of it: their directions, less the
// mean of all words' directions, have the largest cosine with the mean of those of the cluster. The 100 most frequent
// words of the set, at most a hundredth of all, describe a cluster only if it has too few others, and of words that differ in case
// alone, or by one or two letters at the end, only one does. Without counts, words are taken to be in the order of their
// frequency. The middle is at the word whose point has the least sum of distances to others of the cluster.
func Describe(ctx context.Context, s *vectors.Set, points []Point, c *Clusters, words int) ([]Cluster, error) {
	if err := check(s); err != nil {
		return nil, err
	}
	if len(points) != s.Len() || len(c.Of) != s.Len() {
		return nil, fmt.Errorf("projection: there are %d points and clusters of %d words for %d words", len(points), len(c.Of), s.Len())
	}
	all := make([]float64, s.Dim())
	means := make([][]float64, len(c.Sizes))
	for i := range means {
		means[i] = make([]float64, s.Dim())
	}
	members := make([][]int, len(c.Sizes))
	direction := make([]float32, s.Dim())
	err := s.EachVector(func(id int, v []float32) error {
		if id%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if of := c.Of[id]; of >= 0 && int(of) < len(members) && vectors.Unit(direction, v) {
			members[of] = append(members[of], id)
			for k, x := range direction {
				means[of][k] += float64(x)
				all[k] += float64(x)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	described := make([]Cluster, len(members))
	err = s.Guard(func() error {
		order := byFrequency(s)
		common := make(map[int]bool)
		for _, id := range order[:min(commonWords, int(commonShare*float64(len(order))))] {
			common[id] = true
		}
		ranks := make([]int, len(order))
		for rank, id := range order {
			ranks[id] = rank
		}
		total := 0
		for _, ids := range members {
			total += len(ids)
		}
		for k := range all {
			all[k] /= float64(total)
		}
		for i, ids := range members {
			d := Cluster{ID: i, Size: c.Sizes[i], At: middle(points, ids)}
			for k := range means[i] {
				means[i][k] = means[i][k]/float64(len(ids)) - all[k]
			}
			slices.SortFunc(ids, func(a, b int) int { return ranks[a] - ranks[b] })
			telling := slices.DeleteFunc(slices.Clone(ids), func(id int) bool { return common[id] })
			if len(telling) < words {
				telling = ids
			}
			d.Words = typical(s, telling[:min(len(telling), labelWords)], means[i], all, words)
			names := make([]string, len(d.Words))
			for j, id := range d.Words {
				names[j] = s.Words().At(id)
			}
			d.Label = strings.Join(names, ", ")
			described[i] = d
		}
		return nil
	})
	return described, err
}

// byFrequency returns the ids of all words, the most frequent first.
func byFrequency(s *vectors.Set) []int {
	ids := make([]int, s.Len())
	for id := range ids {
		ids[id] = id
	}
	if counts := s.Counts(); counts != nil {
		slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	}
	return ids
}

// typical returns the ids of the words, so many at most, whose directions less the mean of all are nearest to a cluster's.
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

// alike tells whether two words are the same, or one of them is the other, of four letters or more, with one or two more
// at the end.
func alike(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	rest, begins := strings.CutPrefix(a, b)
	return begins && (rest == "" || utf8.RuneCountInString(rest) <= 2 && utf8.RuneCountInString(b) >= 4)
}

// middle returns the point of the word in the middle of others.
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
