package align

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A Step is done to the vectors of the anchors before a rotation is fitted to them: what Artetxe,
// Labaka and Agirre (2018) call normalisation. Its value is the name that the command line knows
// it by.
type Step string

const (
	// Unit makes every vector one of length 1, so that every anchor counts alike: the rotation
	// maximises the sum of the cosines. Without it, anchors of long vectors count more.
	Unit Step = "unit"
	// Center takes off the mean of the set's anchors, so that the direction which all vectors
	// share has no part in the rotation.
	Center Step = "center"
)

// Steps returns every step.
func Steps() []Step { return []Step{Unit, Center} }

// maxDim is the largest number of dimensions: the time of a singular value decomposition grows
// with the third power of it.
const maxDim = 4096

// Options say how a rotation is fitted. The zero value is the orthogonal Procrustes problem as
// Schönemann (1966) has it, which scipy.linalg.orthogonal_procrustes solves.
type Options struct {
	// Steps are done to the anchors of each set, one after the other, before the fit. They do not
	// change the vectors that the rotation is applied to. Artetxe, Labaka and Agirre (2018) use
	// Unit, Center, Unit.
	Steps []Step
	// Progress, if not nil, is told what is being computed, in a few words, and how much of that is
	// done, from 0 to 1. Calls do not overlap.
	Progress func(what string, done float64)
}

// Validate reports the first option that means nothing.
func (o Options) Validate() error {
	for _, step := range o.Steps {
		if step != Unit && step != Center {
			return fmt.Errorf("align: the step %q is not known; known are %s, %s", string(step), Unit, Center)
		}
	}
	return nil
}

// A Fit is a rotation of the space of a set A onto that of a set B.
type Fit struct {
	// Rotation is an orthogonal matrix of Dim × Dim numbers, row by row: a vector v of A is
	// v·Rotation in the space of B. It may be a reflection.
	Rotation []float64 `json:"-"`
	Dim      int       `json:"dim"`
	// Anchors is how many pairs the rotation was fitted to.
	Anchors int `json:"anchors"`
	// Undecided is how many dimensions the anchors do not decide, being too few or too much alike:
	// the dimensions less the rank of AᵀB, see Scale. They are rotated in an arbitrary way.
	Undecided int `json:"undecided_dimensions"`
	// Unused is how many pairs have a vector that is zero or not finite.
	Unused int `json:"unused_anchors"`
	// Scale is the sum of the singular values of AᵀB, where the rows of A and B are the anchors'
	// vectors after Options.Steps: what scipy's function returns by that name.
	Scale float64 `json:"scale"`
	// Residual is ‖A·Rotation − B‖ over ‖B‖, in Frobenius norms: 0 where B is A rotated.
	Residual float64 `json:"residual"`
	// MeanCosine is the mean over the anchors of the cosine of their two vectors, after rotation
	// and without Options.Steps.
	MeanCosine float64 `json:"mean_cosine"`
}

// Procrustes returns the orthogonal matrix R for which ‖A·R − B‖ is smallest, where the rows of A
// and B are the vectors of the pairs in the sets a and b (Schönemann 1966): with the singular
// value decomposition AᵀB = U·S·Vᵀ it is U·Vᵀ. Sets of different dimensions are an error, and so
// are sets whose pairs have no vectors. Vectors are read a few times, in the order of the pairs.
// If the context ends, its error is returned.
func Procrustes(ctx context.Context, a, b *vectors.Set, pairs []Pair, o Options) (*Fit, error) {
	if err := check(ctx, a, b, pairs); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var fit *Fit
	err := guarded(a, b, func() (err error) {
		fit, err = newFitter(a, b, o).fit(ctx, pairs)
		return err
	})
	if err != nil {
		return nil, err
	}
	return fit, nil
}

// Apply returns a with its vectors rotated by the fit, see transform.Rotate: close a after it.
func (f *Fit) Apply(a *vectors.Set) (*vectors.Set, error) {
	if a == nil {
		return nil, errNoSet
	}
	return transform.Rotate(a, f.Rotation)
}

// check reports what no rotation can be fitted to.
func check(ctx context.Context, a, b *vectors.Set, pairs []Pair) error {
	switch {
	case ctx == nil:
		return errors.New("align: there is no context to work in: it is nil")
	case a == nil || b == nil:
		return errNoSet
	case a.Dim() != b.Dim():
		return &DimError{A: a.Dim(), B: b.Dim()}
	case a.Dim() < 1:
		return errors.New("align: vectors of 0 dimensions have no directions to align")
	case a.Dim() > maxDim:
		return fmt.Errorf("align: %d dimensions, at most %d can be aligned", a.Dim(), maxDim)
	case len(pairs) == 0:
		return ErrNoAnchors
	}
	for _, p := range pairs {
		if p.A < 0 || p.A >= a.Len() || p.B < 0 || p.B >= b.Len() {
			return fmt.Errorf("align: there is no pair of words %d and %d in sets of %d and %d words", p.A, p.B, a.Len(), b.Len())
		}
	}
	return nil
}

// ErrNoAnchors says that there is no pair of words to fit a rotation to.
var ErrNoAnchors = errors.New("there are no anchors: no pair of words that both have a vector")

// A DimError says that two sets have different dimensions.
type DimError struct{ A, B int }

func (e *DimError) Error() string {
	return fmt.Sprintf("vectors of %d dimensions cannot be rotated onto vectors of %d: reduce the longer ones first, or train both alike", e.A, e.B)
}
