package projection

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/w2v-go/w2v/internal/clustering"
	"github.com/w2v-go/w2v/vectors"
)

// An Overview describes a set at three resolutions.
type Overview struct {
	Clusters []Cluster // as Describe returns them
	Coarse   []Group   // groups of clusters, the largest first; empty if there are few clusters, or more than 1,000
	Fine     []Group   // parts of clusters, in the order of the clusters
	Stop     []int     // ids of stop words, rising
}

// A Group is some clusters together, or a part of one.
type Group struct {
	Cluster
	Of []int // the clusters that are in it, or the one that it is a part of
}

const (
	// fewClusters are not grouped, and more than mostGrouped are not either: that takes n² costs.
	fewClusters, mostGrouped = 6, 1000
	// partsEach is how many parts a cluster of mean size is divided into, and mostParts how many any cluster is.
	partsEach, mostParts = 4, 12
	// leastPart is the mean number of words of a part that a cluster must have.
	leastPart = 12
	// fitted is how many words of a cluster its parts are found by, in so many rounds.
	fitted, rounds = 2000, 8
)

// NewOverview describes the clusters of a set, groups of them, and their parts.
//
// Of n clusters, √(2n) groups are made: those two are joined whose union adds least to the sum of squared distances
// to the mean direction (Ward 1963). More than 1,000 clusters have no groups. A cluster is divided by spherical k-means of the directions of its words. Each
// level has the words of the one before, so a cluster is in one group, and a part in one cluster.
//
// Stop words are frequent, and near to all words: nearer to no cluster than others are. A word is as near to a
// cluster as the cosine of its direction with the mean direction of the cluster, the mean direction of all words
// subtracted from both. Of the 1,000 most frequent words (at most 10 %), those are stop words that are less near to
// their nearest cluster than nine of ten of them are, and of the first 100 (at most 1 %) those that are less near
// than half of the 1,000 are. No list of a language is needed.
func NewOverview(ctx context.Context, s *vectors.Set, points []Point, c *Clusters, words int) (*Overview, error) {
	d, err := newDescriber(ctx, s, points, c, words)
	if err != nil {
		return nil, err
	}
	o := &Overview{Stop: []int{}}
	for id := range d.stop {
		o.Stop = append(o.Stop, id)
	}
	slices.Sort(o.Stop)
	err = s.Guard(func() error {
		if o.Clusters, err = d.clusters(ctx); err != nil {
			return err
		}
		if o.Coarse, err = d.coarse(ctx); err != nil {
			return err
		}
		o.Fine, err = d.fine(ctx)
		return err
	})
	return o, err
}

// centred writes the direction of a word, less the mean direction of all words, scaled to length 1. It reports whether
// there is one.
func (d *describer) centred(v []float32, id int) bool {
	d.s.WordVector(v, id)
	if !vectors.Unit(v, v) {
		return false
	}
	for k := range v {
		v[k] -= float32(d.all[k])
	}
	return vectors.Unit(v, v)
}

// stopWords finds the stop words among words in the order of frequency: see NewOverview.
func (d *describer) stopWords(ctx context.Context, order []int) (map[int]bool, error) {
	directions := vectors.NewMatrix(len(d.means), d.s.Dim())
	for i, mean := range d.means {
		for k, x := range mean {
			directions.Row(i)[k] = float32(x)
		}
		if !vectors.Unit(directions.Row(i), directions.Row(i)) {
			clear(directions.Row(i))
		}
	}
	v := make([]float32, d.s.Dim())
	nearness := func(id int) float64 {
		best := -1.0
		if !d.centred(v, id) {
			return best
		}
		for i := range directions.Rows {
			best = max(best, dot(v, directions.Row(i)))
		}
		return best
	}
	most := min(1000, len(order)/10)
	first := min(100, len(order)/100)
	stop := map[int]bool{}
	if most == 0 || len(d.means) < 2 {
		return stop, nil
	}
	near := make([]float64, most)
	for rank, id := range order[:most] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		near[rank] = nearness(id)
	}
	usual := slices.Sorted(slices.Values(near))
	half, tenth := usual[len(usual)/2], usual[len(usual)/10]
	for rank, id := range order[:most] {
		limit := tenth
		if rank < first {
			limit = half
		}
		if near[rank] < limit {
			stop[id] = true
		}
	}
	return stop, nil
}

// coarse joins clusters to groups.
func (d *describer) coarse(ctx context.Context) ([]Group, error) {
	n := len(d.members)
	if n < fewClusters || n > mostGrouped {
		return nil, nil
	}
	of, err := d.ward(ctx, int(math.Round(math.Sqrt(2*float64(n)))))
	if err != nil {
		return nil, err
	}
	var groups [][]int
	at := map[int]int{}
	for i, first := range of {
		if first == i {
			at[i] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[first]] = append(groups[at[first]], i)
	}
	size := func(group []int) (words int) {
		for _, i := range group {
			words += len(d.members[i])
		}
		return words
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(size(b), size(a)) })
	described := make([]Group, len(groups))
	for i, group := range groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var ids []int
		mean, words := make([]float64, d.s.Dim()), float64(size(group))
		for _, c := range group {
			ids = append(ids, d.members[c]...)
			for k, x := range d.means[c] {
				mean[k] += x * float64(len(d.members[c])) / words
			}
		}
		slices.SortFunc(ids, d.byRank)
		described[i] = Group{d.describe(i, ids, mean), group}
	}
	return described, nil
}

// ward returns the first cluster of each cluster's group, of so many groups.
func (d *describer) ward(ctx context.Context, want int) ([]int, error) {
	n := len(d.members)
	sizes, costs := make([]float64, n), make([][]float64, n)
	for i, x := range d.means {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sizes[i], costs[i] = float64(len(d.members[i])), make([]float64, n)
		for j, y := range d.means[:i] {
			square := 0.0
			for k := range x {
				square += (x[k] - y[k]) * (x[k] - y[k])
			}
			costs[i][j] = sizes[i] * sizes[j] / (sizes[i] + sizes[j]) * square
			costs[j][i] = costs[i][j]
		}
	}
	unions, err := clustering.Agglomerate(ctx, sizes, costs, func(a, b, i int) float64 { // Lance and Williams 1967
		return ((sizes[a]+sizes[i])*costs[a][i] + (sizes[b]+sizes[i])*costs[b][i] - sizes[i]*costs[a][b]) / (sizes[a] + sizes[b] + sizes[i])
	})
	if err != nil {
		return nil, err
	}
	of := numbered[int](n)
	for _, u := range unions[:n-want] {
		a, b := of[u.A], of[u.B]
		for i := range of {
			if of[i] == max(a, b) {
				of[i] = min(a, b)
			}
		}
	}
	return of, nil
}

// fine divides clusters into parts.
func (d *describer) fine(ctx context.Context) ([]Group, error) {
	described := []Group{}
	for i, ids := range d.members {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parts := int(math.Round(partsEach * float64(len(ids)) * float64(len(d.members)) / float64(max(1, d.total))))
		parts = min(parts, mostParts, len(ids)/leastPart)
		for _, part := range d.divide(ids, parts, uint64(i)) {
			described = append(described, Group{d.describe(len(described), part, d.meanOf(part)), []int{i}})
		}
	}
	return described, nil
}

func (d *describer) meanOf(ids []int) []float64 {
	mean, v := make([]float64, d.s.Dim()), make([]float32, d.s.Dim())
	for _, id := range ids {
		d.s.WordVector(v, id)
		vectors.Unit(v, v)
		for k, x := range v {
			mean[k] += float64(x) / float64(len(ids))
		}
	}
	for k := range mean {
		mean[k] -= d.all[k]
	}
	return mean
}

// divide divides words into so many parts by spherical k-means, which begins at words that are far from each other. Empty
// parts are left out.
func (d *describer) divide(ids []int, parts int, seed uint64) [][]int {
	if parts < 2 {
		return [][]int{ids}
	}
	every := (len(ids) + fitted - 1) / fitted
	rows := vectors.NewMatrix((len(ids)+every-1)/every, d.s.Dim())
	for i := range rows.Rows {
		if !d.centred(rows.Row(i), ids[i*every]) {
			clear(rows.Row(i))
		}
	}
	r := rand.New(rand.NewPCG(seed, 9))
	centres := vectors.NewMatrix(parts, d.s.Dim())
	copy(centres.Row(0), rows.Row(r.IntN(rows.Rows)))
	distances := slices.Repeat([]float64{math.Inf(1)}, rows.Rows)
	for c := 1; c < parts; c++ {
		sum := 0.0
		for i := range distances {
			distances[i] = min(distances[i], max(0, 1-dot(rows.Row(i), centres.Row(c-1))))
			sum += distances[i]
		}
		at, left := 0, r.Float64()*sum
		for left -= distances[0]; left > 0 && at+1 < rows.Rows; left -= distances[at] {
			at++
		}
		copy(centres.Row(c), rows.Row(at))
	}
	nearest := func(v []float32) int {
		best, most := 0, math.Inf(-1)
		for c := range parts {
			if cosine := dot(v, centres.Row(c)); cosine > most {
				best, most = c, cosine
			}
		}
		return best
	}
	for range rounds {
		sums := vectors.NewMatrix(parts, d.s.Dim())
		for i := range rows.Rows {
			sum := sums.Row(nearest(rows.Row(i)))
			for k, x := range rows.Row(i) {
				sum[k] += x
			}
		}
		for c := range parts {
			if !vectors.Unit(sums.Row(c), sums.Row(c)) {
				copy(sums.Row(c), centres.Row(c))
			}
		}
		centres = sums
	}
	divided := make([][]int, parts)
	v := make([]float32, d.s.Dim())
	for _, id := range ids {
		if !d.centred(v, id) {
			clear(v)
		}
		c := nearest(v)
		divided[c] = append(divided[c], id)
	}
	return slices.DeleteFunc(divided, func(part []int) bool { return len(part) == 0 })
}
