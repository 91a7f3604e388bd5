package explorer

import (
	"context"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/transform"
)

// projections are the ways to place words that are offered.
var projections = []string{string(projection.MethodPCA), string(projection.MethodUMAP)}

const (
	// labelWords is how many words name a cluster.
	labelWords = 3
	// drawnShare is how much of the work is done when the words are placed.
	drawnShare = 0.97
	// sampled is how many words the trustworthiness of a map by PCA is measured with.
	sampled = 2000
)

// draw makes the map of the words of a set. One by UMAP may come from the cache, where nil stands for none. One
// by PCA is there soon, and has neither clusters nor a trustworthiness: see withClusters and trusted.
func draw(ctx context.Context, few *vectors.Set, cache *projection.Cache, method projection.Method, tell projection.Progress) (d *drawing, from projection.Origin, err error) {
	if method == projection.MethodPCA {
		m, err := projection.PCA(ctx, few, projection.PCAOptions{Unit: true, Progress: tell})
		if err != nil {
			return nil, from, err
		}
		return newDrawing(m), from, nil
	}
	a, from, err := projection.Make(ctx, few, projection.Options{Method: method, Cache: cache, Progress: share(tell, 0, drawnShare)})
	if err != nil {
		return nil, from, err
	}
	d = newDrawing(&a.Map)
	d.trust(a.Trust)
	if a.Clusters != nil {
		tell("labels", drawnShare)
		d, err = d.withClusters(ctx, few, a.Clusters)
	}
	return d, from, err
}

func newDrawing(m *projection.Map) *drawing {
	d := &drawing{placed: m, clusters: make([]uint16, len(m.Points)), pointBytes: new(once[[]byte]), clusterBytes: new(once[[]byte])}
	d.Clusters = []cluster{}
	for i := range d.clusters {
		d.clusters[i] = noCluster
	}
	d.Explained, d.Aside = m.Explained, len(m.Aside)
	low, high := m.Bounds()
	d.Bounds = [4]float32{low.X, low.Y, high.X, high.Y}
	return d
}

func (d *drawing) trust(t projection.Trust) {
	if t.Words > 0 {
		d.Trustworthiness, d.TrustworthinessPoints = &t.Value, t.Words
	}
}

// trusted returns the map with its trustworthiness.
func (d *drawing) trusted(ctx context.Context, few *vectors.Set, tell projection.Progress) (*drawing, error) {
	with := *d
	if few.Len()-len(d.placed.Aside) >= 3 {
		t, err := projection.Trustworthiness(ctx, few, d.placed.Points, projection.TrustworthinessOptions{Sample: sampled, Progress: tell})
		if err != nil {
			return nil, err
		}
		with.trust(t)
	}
	return &with, nil
}

// withClusters returns the map with the clusters of another one of the same words.
func (d *drawing) withClusters(ctx context.Context, few *vectors.Set, found *projection.Clusters) (*drawing, error) {
	described, err := projection.Describe(ctx, few, d.placed.Points, found, labelWords)
	if err != nil {
		return nil, err
	}
	with := *d
	with.clusterBytes = new(once[[]byte])
	with.found, with.Clusters, with.clusters = found, make([]cluster, 0, len(described)), make([]uint16, len(found.Of))
	for _, c := range described {
		if c.ID < noCluster {
			with.Clusters = append(with.Clusters, cluster{ID: c.ID, Label: c.Label, X: c.At.X, Y: c.At.Y, Size: c.Size})
		}
	}
	for i, c := range found.Of {
		with.clusters[i] = noCluster
		if c >= 0 && c < noCluster {
			with.clusters[i] = uint16(c)
		}
	}
	return &with, nil
}

// firstWords returns the first n words of a set, which are its most frequent ones as a rule.
func firstWords(set *vectors.Set, n int) *vectors.Set {
	if n >= set.Len() {
		return set
	}
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return transform.Pick(set, ids)
}

// share returns what tells of a part of the work, which is from and to of the whole.
func share(tell projection.Progress, from, to float64) projection.Progress {
	return func(stage string, done float64) { tell(stage, from+(to-from)*done) }
}
