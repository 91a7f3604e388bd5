package explorer

import (
	"context"
	"errors"
)

// projections are the ways to place words that are offered.
var projections = []string{"pca", "umap"}

func draw(ctx context.Context, m *Model, n int, method string, keep bool, tell func(stage string, done float64)) (*drawing, error) {
	return nil, errors.New("not yet")
}
