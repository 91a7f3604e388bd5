package plots

import (
	"context"
	"errors"

	"github.com/w2v-go/w2v/vectors"
)

func (m *Map) neighbours(ctx context.Context, rows vectors.Matrix, o MapOptions) error {
	return errors.New("plots: UMAP is not there yet")
}
