package transform

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// A Removal says what AllButTheTop has done.
type Removal struct {
	Statistic
	// VarianceRemoved is the share, from 0 to 1, of the variance of the words' vectors that the
	// removed components had.
	VarianceRemoved float64
}

// AllButTheTop returns the words of s with centred vectors that have nothing in the direction
// of the first components principal components: the post-processing of Mu and Viswanath,
// "All-but-the-Top: Simple and Effective Postprocessing for Word Representations", 2018, who
// remove about a hundredth of the dimensions. The number of dimensions stays. Mean and
// components are exact, in float64, and do not depend on the number of cores.
//
// What stays and what is left out is as with Center. Components must be from 1 to one less than
// the dimensions. More memory than there is is a *MemoryError.
func AllButTheTop(ctx context.Context, s *vectors.Set, components int, how Computation) (*vectors.Set, Removal, error) {
	if s == nil {
		return nil, Removal{}, errNoSet
	}
	if components < 1 || components >= s.Dim() {
		return nil, Removal{}, fmt.Errorf("%d components to be removed of %d dimensions, must be from 1 to %d", components, s.Dim(), s.Dim()-1)
	}
	what := fmt.Sprintf("principal components of %d dimensions", s.Dim())
	of, mean, axes, variances, done, err := componentsOf(ctx, s, what, how)
	if err != nil {
		return nil, Removal{Statistic: done}, err
	}
	axes.Cols = components
	removed := Removal{done, share(variances, components)}
	m := mapped(of, affineMap{mean, of.Dim(), without(axes), "freed of its first components"})
	m.Training.Set("nested", "") // numbers of all dimensions come into the first
	left, err := vectors.New(m)
	return left, removed, err
}
