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
)

// draw makes the map of the words of a set, or reads it from the cache; nil stands for none. A map by PCA has no clusters.
func draw(ctx context.Context, few *vectors.Set, cache *projection.Cache, method projection.Method, tell projection.Progress) (*drawing, error) {
	a, _, err := projection.Make(ctx, few, projection.Options{Method: method, Unit: true, Cache: cache, Progress: share(tell, 0, drawnShare)})
	if err != nil {
		return nil, err
	}
	d := &drawing{placed: &a.Map, found: a.Clusters, clusters: make([]uint16, len(a.Points))}
	d.Clusters = []cluster{}
	for i := range d.clusters {
		d.clusters[i] = noCluster
	}
	d.Explained, d.Aside = a.Explained, len(a.Aside)
	low, high := a.Bounds()
	d.Bounds = [4]float32{low.X, low.Y, high.X, high.Y}
	if a.Trust.Words > 0 {
		d.Trustworthiness, d.TrustworthinessPoints = &a.Trust.Value, a.Trust.Words
	}
	if d.found != nil {
		tell("labels", drawnShare)
		return d.withClusters(ctx, few, d.found)
	}
	return d, nil
}

// withClusters returns the map with the clusters of another one of the same words.
func (d *drawing) withClusters(ctx context.Context, few *vectors.Set, found *projection.Clusters) (*drawing, error) {
	described, err := projection.Describe(ctx, few, d.placed.Points, found, labelWords)
	if err != nil {
		return nil, err
	}
	with := *d
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
