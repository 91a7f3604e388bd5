package explore

import (
	"context"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/transform"
)

// MapFacts are what is known of a map besides its points.
type MapFacts struct {
	// Trustworthiness is of a sample of points; nil if there are too few words for it.
	Trustworthiness       *float64   `json:"trustworthiness,omitempty"`
	TrustworthinessPoints int        `json:"trustworthiness_points,omitempty"`
	Landmarks             int        `json:"landmarks,omitempty"` // how many words were laid out, if the others were placed beside them
	Explained             []float64  `json:"explained,omitempty"` // shares of the variance, of principal components
	Aside                 int        `json:"aside,omitempty"`     // words without a place of their own
	Bounds                [4]float32 `json:"bounds"`              // least x and y, largest x and y
	Clusters              []cluster  `json:"clusters"`
	// Coarse are groups of clusters, and Fine are parts of them, for labels when less or more is seen of the map.
	Coarse []group `json:"coarse,omitempty"`
	Fine   []group `json:"fine,omitempty"`
	// Stop are the ids of frequent words that are near to all others, which say little where much is seen.
	Stop []int `json:"stop,omitempty"`
}

type group struct {
	Label string  `json:"label"`
	X     float32 `json:"x"`
	Y     float32 `json:"y"`
	Size  int     `json:"size"`
	Of    []int   `json:"of"` // the clusters in it, or the one that it is a part of
}

type cluster struct {
	ID    int     `json:"id"`
	Label string  `json:"label"`
	X     float32 `json:"x"` // where the label goes
	Y     float32 `json:"y"`
	Size  int     `json:"size"`
	Tone  int     `json:"tone"` // which of 20 colours it has, on all maps of the model
}

const noCluster = 65535 // the id of words that are in no cluster

// A Drawing is a map, and the cluster of each word.
type Drawing struct {
	MapFacts
	Placed    *projection.Map
	Found     *projection.Clusters // nil if there are none
	ClusterOf []uint16             // noCluster for words that are in none

	pointBytes, clusterBytes []byte // what is sent of them
}

func (d *Drawing) at(id int) *projection.Point {
	if d == nil || id < 0 || id >= len(d.Placed.Points) {
		return nil
	}
	return &d.Placed.Points[id]
}

const (
	labelWords = 3    // how many words name a cluster
	drawnShare = 0.97 // how much of the work is done when the words are placed
	sampled    = 2000 // how many words the trustworthiness of a map by PCA is measured with
)

// DrawOptions say which map is made. Cache keeps those by UMAP, except those with Start; nil keeps none. Start is where
// the words begin: see projection.UMAPOptions.
type DrawOptions struct {
	Method projection.Method
	Cache  *projection.Cache
	Start  []projection.Point
}

// Draw makes the map of the words of a set. One by UMAP may come from the cache. One by PCA is there soon, and has
// neither clusters nor a trustworthiness: see WithClusters and Trusted.
func Draw(ctx context.Context, few *vectors.Set, o DrawOptions, tell projection.Progress) (d *Drawing, from projection.Origin, err error) {
	if o.Method == projection.MethodPCA {
		m, err := projection.PCA(ctx, few, projection.PCAOptions{Unit: true, Progress: tell})
		if err != nil {
			return nil, from, err
		}
		return newDrawing(m), from, nil
	}
	a, from, err := projection.Make(ctx, few, projection.Options{
		Method: o.Method, UMAP: projection.UMAPOptions{Start: o.Start}, Cache: o.Cache, Progress: Share(tell, 0, drawnShare),
	})
	if err != nil {
		return nil, from, err
	}
	d = newDrawing(&a.Map)
	d.trust(a.Trust)
	if a.Clusters != nil {
		tell("labels", drawnShare)
		d, err = d.described(ctx, few, a.Clusters)
		if err == nil {
			tones(d.Clusters)
		}
	}
	return d, from, err
}

func newDrawing(m *projection.Map) *Drawing {
	d := &Drawing{Placed: m, ClusterOf: slices.Repeat([]uint16{noCluster}, len(m.Points)), pointBytes: LittleEndian(m.Points)}
	d.clusterBytes = LittleEndian(d.ClusterOf)
	d.Clusters, d.Explained, d.Aside, d.Landmarks = []cluster{}, m.Explained, len(m.Aside), m.Landmarks
	low, high := m.Bounds()
	d.Bounds = [4]float32{low.X, low.Y, high.X, high.Y}
	return d
}

func (d *Drawing) trust(t projection.Trust) {
	if t.Words > 0 {
		d.Trustworthiness, d.TrustworthinessPoints = &t.Value, t.Words
	}
}

// Trusted returns the map with its trustworthiness.
func (d *Drawing) Trusted(ctx context.Context, few *vectors.Set, tell projection.Progress) (*Drawing, error) {
	with := *d
	if few.Len()-len(d.Placed.Aside) >= 3 {
		t, err := projection.Trustworthiness(ctx, few, d.Placed.Points, projection.TrustworthinessOptions{Sample: sampled, Progress: tell})
		if err != nil {
			return nil, err
		}
		with.trust(t)
	}
	return &with, nil
}

// WithClusters returns the map with the clusters of another one of the same words, and their colours.
func (d *Drawing) WithClusters(ctx context.Context, few *vectors.Set, other *Drawing) (*Drawing, error) {
	with, err := d.described(ctx, few, other.Found)
	if err != nil {
		return nil, err
	}
	of := map[int]int{}
	for _, c := range other.Clusters {
		of[c.ID] = c.Tone
	}
	for i, c := range with.Clusters {
		with.Clusters[i].Tone = of[c.ID]
	}
	return with, nil
}

const shades = 20 // colours of clusters that can be told apart

// tones gives each cluster one of the colours: that whose clusters are the furthest away, to the largest cluster first.
func tones(clusters []cluster) {
	order := make([]*cluster, len(clusters))
	for i := range clusters {
		order[i] = &clusters[i]
	}
	slices.SortStableFunc(order, func(a, b *cluster) int { return b.Size - a.Size })
	for i, c := range order {
		var distances [shades]float64
		for tone := range distances {
			distances[tone] = math.Inf(1)
		}
		for _, other := range order[:i] {
			distances[other.Tone] = min(distances[other.Tone], math.Hypot(float64(c.X-other.X), float64(c.Y-other.Y)))
		}
		for tone, distance := range distances {
			if distance > distances[c.Tone] {
				c.Tone = tone
			}
		}
	}
}

func (d *Drawing) described(ctx context.Context, few *vectors.Set, found *projection.Clusters) (*Drawing, error) {
	o, err := projection.NewOverview(ctx, few, d.Placed.Points, found, labelWords)
	if err != nil {
		return nil, err
	}
	with := *d
	with.Coarse, with.Fine, with.Stop = groupsOf(o.Coarse), groupsOf(o.Fine), o.Stop
	with.Found, with.Clusters, with.ClusterOf = found, make([]cluster, 0, len(o.Clusters)), make([]uint16, len(found.Of))
	for _, c := range o.Clusters {
		if c.ID < noCluster {
			with.Clusters = append(with.Clusters, cluster{ID: c.ID, Label: c.Label, X: c.At.X, Y: c.At.Y, Size: c.Size})
		}
	}
	for i, c := range found.Of {
		with.ClusterOf[i] = noCluster
		if c >= 0 && c < noCluster {
			with.ClusterOf[i] = uint16(c)
		}
	}
	with.clusterBytes = LittleEndian(with.ClusterOf)
	return &with, nil
}

func groupsOf(groups []projection.Group) []group {
	all := make([]group, len(groups))
	for i, g := range groups {
		all[i] = group{Label: g.Label, X: g.At.X, Y: g.At.Y, Size: g.Size, Of: g.Of}
	}
	return all
}

// FirstWords returns the first n words of a set, which are its most frequent ones as a rule.
func FirstWords(set *vectors.Set, n int) *vectors.Set {
	if n >= set.Len() {
		return set
	}
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return transform.Pick(set, ids)
}

// Share returns what tells of a part of the work, which is from and to of the whole.
func Share(tell projection.Progress, from, to float64) projection.Progress {
	return func(stage string, done float64) { tell(stage, from+(to-from)*done) }
}

// First returns the map of the words of a set, which are the first ones of the map. Its clusters and labels are of these
// words alone, and so are the shares of the variance that its two directions hold. Its trustworthiness is unknown.
func (d *Drawing) First(ctx context.Context, few *vectors.Set) (*Drawing, error) {
	n := few.Len()
	aside, _ := slices.BinarySearch(d.Placed.Aside, n)
	m := &projection.Map{Method: d.Placed.Method, Points: d.Placed.Points[:n], Aside: d.Placed.Aside[:aside]}
	if d.Explained != nil {
		m.Explained = explainedBy(few, m.Points)
	}
	if n > d.Landmarks {
		m.Landmarks = d.Landmarks
	}
	first := newDrawing(m)
	if d.Found == nil {
		return first, nil
	}
	sizes := make([]int, len(d.Found.Sizes))
	for _, c := range d.Found.Of[:n] {
		if c >= 0 {
			sizes[c]++
		}
	}
	order := make([]int, len(sizes)) // the largest first, and those without words last
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
	found, number := &projection.Clusters{Of: make([]int32, n), Modularity: d.Found.Modularity}, make([]int32, len(sizes))
	for to, c := range order {
		number[c] = int32(to)
		if sizes[c] > 0 {
			found.Sizes = append(found.Sizes, sizes[c])
		}
	}
	for i, c := range d.Found.Of[:n] {
		if found.Of[i] = c; c >= 0 {
			found.Of[i] = number[c]
		}
	}
	first, err := first.described(ctx, few, found)
	if err == nil {
		tones(first.Clusters)
	}
	return first, err
}

// explainedBy returns the shares of the variance of the directions of words that are along X and along Y of a map by PCA.
func explainedBy(few *vectors.Set, points []projection.Point) []float64 {
	var words, x, y, xx, yy float64
	unit, sum := make([]float32, few.Dim()), make([]float64, few.Dim())
	for id, v := range few.All() {
		if !vectors.Unit(unit, v) {
			continue
		}
		words++
		px, py := float64(points[id].X), float64(points[id].Y)
		x, y, xx, yy = x+px, y+py, xx+px*px, yy+py*py
		for k, c := range unit {
			sum[k] += float64(c)
		}
	}
	all := words * words // times the variance: that of unit vectors is 1 less the square of their mean
	for _, c := range sum {
		all -= c * c
	}
	if !(all > 0) {
		return []float64{0, 0}
	}
	return []float64{(words*xx - x*x) / all, (words*yy - y*y) / all}
}
