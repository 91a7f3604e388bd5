package texts

import (
	"context"
	"sync"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

const (
	// maxAxes is the most dimensions of a model whose axes are computed: they take 4 bytes for each
	// pair of dimensions.
	maxAxes = 2048
	// axesOf is how many of the most frequent words the axes are those of. More take longer, and the axes
	// hardly change.
	axesOf = 50_000
)

// axes are the principal axes of a set, by which fewer numbers keep most of cosines. They are
// computed when they are first asked for.
type axes struct {
	once sync.Once
	made rotation
	err  error
}

// A rotation has the axes of Dim × Dim numbers, an axis a row.
type rotation struct {
	dim  int
	rows []float32
}

func (a *axes) of(set *vectors.Set) (rotation, error) {
	a.once.Do(func() {
		// Many requests may wait for it, so no one's context ends it.
		found, err := transform.PrincipalAxes(context.Background(), transform.Top(set, axesOf), transform.Computation{})
		if err != nil {
			a.err = err
			return
		}
		d := set.Dim()
		a.made = rotation{d, make([]float32, d*d)}
		for i := range d {
			for k := range d {
				a.made.rows[i*d+k] = float32(found.Rotation[k*d+i])
			}
		}
	})
	return a.made, a.err
}

// first returns the first n coordinates of a vector.
func (r rotation) first(v []float32, n int) []float32 {
	to := make([]float32, n)
	for i := range to {
		var sum float64
		for k, x := range r.rows[i*r.dim : (i+1)*r.dim] {
			sum += float64(x) * float64(v[k])
		}
		to[i] = float32(sum)
	}
	return to
}
