package explorer

import (
	"context"
	"math"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/transform"
)

// projections are the ways to place words that are offered.
var projections = []string{string(projection.MethodPCA), string(projection.MethodUMAP)}

const (
	// sampled is how many words trustworthiness is measured on.
	sampled = 1000
	// placedShare and trustedShare are how much of the work is done when the words are placed, and when
	// trustworthiness is known.
	placedShare, trustedShare = 0.85, 0.95
)

// draw makes the map of the first n words of a model.
func draw(ctx context.Context, m *Model, n int, method string, keep bool, tell projection.Progress) (*drawing, error) {
	few := firstWords(m.set(), n)
	placed, err := placeWords(ctx, few, projection.Method(method), share(tell, 0, placedShare))
	if err != nil {
		return nil, err
	}
	d := &drawing{placed: placed, clusters: make([]uint16, len(placed.Points))}
	d.Clusters = []cluster{}
	d.Explained, d.Aside = placed.Explained, len(placed.Aside)
	low, high := placed.Bounds()
	d.Bounds = [4]float32{low.X, low.Y, high.X, high.Y}
	trust, err := projection.Trustworthiness(ctx, few, placed.Points, projection.TrustworthinessOptions{
		Sample: sampled, Progress: share(tell, placedShare, trustedShare),
	})
	if err != nil {
		return nil, err
	}
	if !math.IsNaN(trust.Value) && trust.Neighbors > 0 {
		d.Trustworthiness, d.TrustworthinessPoints = &trust.Value, trust.Words
	}
	return d, nil
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

// placeWords places the words of a set.
func placeWords(ctx context.Context, set *vectors.Set, method projection.Method, tell projection.Progress) (*projection.Map, error) {
	if method == projection.MethodPCA {
		return projection.PCA(ctx, set, projection.PCAOptions{Unit: true, Progress: tell})
	}
	return projection.UMAP(ctx, set, projection.UMAPOptions{Progress: tell})
}

// share returns what tells of a part of the work, which is from and to of the whole.
func share(tell projection.Progress, from, to float64) projection.Progress {
	return func(stage string, done float64) { tell(stage, from+(to-from)*done) }
}
