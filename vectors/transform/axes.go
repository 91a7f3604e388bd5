package transform

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// Axes are orthogonal directions of the space of a set, in order of what the words' vectors have in them.
type Axes struct {
	// Rotation has Dim × Dim numbers, row by row: v·Rotation are the coordinates of v on the axes,
	// the first axis first. Rotate takes it.
	Rotation []float64
	// Squares[i] is the share, from 0 to 1, of the squares of the words' vectors that is on the first
	// i+1 axes.
	Squares []float64
}

// PrincipalAxes returns the axes of the words' vectors without taking off their mean: the right singular
// vectors of the matrix of all vectors. So the first n coordinates keep as much of lengths and dot products
// as n numbers that are linear in a vector can (Eckart and Young 1936). The result is exact, in float64, and
// does not depend on the number of cores. Of an axis's two directions the one is taken in which the largest of its
// numbers is above zero. Words whose vectors are not finite have no part.
//
// If the context ends, its error is returned, within about a second. More memory than there is is a
// *MemoryError.
func PrincipalAxes(ctx context.Context, s *vectors.Set, how Computation) (Axes, error) {
	if s == nil {
		return Axes{}, errNoSet
	}
	d := s.Dim()
	if d > maxReduce {
		return Axes{}, fmt.Errorf("%d dimensions, at most %d have axes that can be computed: take the first ones as they are", d, maxReduce)
	}
	what := fmt.Sprintf("principal axes of %d dimensions", d)
	if err := how.affords(axesBytes(d), what, "take the first dimensions as they are, which needs none"); err != nil {
		return Axes{}, err
	}
	if err := s.Check(); err != nil {
		return Axes{}, err
	}
	scatter, _, err := scatter(ctx, s, s.Rows(), make([]float64, d), how.step(what, 0, 0.5))
	if err != nil {
		return Axes{}, err
	}
	axes, squares, err := principal(ctx, scatter, how.step(what, 0.5, 1))
	if err != nil {
		return Axes{}, err
	}
	if squares[0] == 0 {
		return Axes{}, errors.New("there are no words with finite vectors that are not zero")
	}
	all := Axes{Rotation: axes.Data, Squares: make([]float64, d)}
	for i := range all.Squares {
		all.Squares[i] = share(squares, i+1)
	}
	return all, nil
}
