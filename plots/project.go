package plots

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

// project places the words, whose vectors of length 1 are rows.
func (m *Map) project(ctx context.Context, rows vectors.Matrix, o MapOptions) error {
	names := make([]string, rows.Rows) // a set has each word once
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		return err
	}
	var made *projection.Map
	switch m.Projection = o.Projection; m.Projection {
	case PCA, "":
		m.Projection = PCA
		made, err = projection.PCA(ctx, set, projection.PCAOptions{Progress: o.Progress})
	case UMAP:
		made, err = projection.UMAP(ctx, set, projection.UMAPOptions{Seed: o.Seed, Progress: o.Progress})
	default:
		err = fmt.Errorf("plots: %q is no projection", o.Projection)
	}
	if err != nil {
		return err
	}
	for i, p := range made.Points {
		m.Words[i].X, m.Words[i].Y = float64(p.X), float64(p.Y)
	}
	if m.Projection == PCA {
		m.Explained = made.Explained[:min(2, len(made.Explained))]
		return nil
	}
	const least = 8 // words of which it says something
	if rows.Rows < least {
		return nil
	}
	trust, err := projection.Trustworthiness(ctx, set, made.Points, projection.TrustworthinessOptions{Sample: trusted})
	if err != nil {
		return err
	}
	m.Trustworthiness = &trust.Value
	return nil
}

// trusted is how many words of a large map trustworthiness looks at.
const trusted = 2000
