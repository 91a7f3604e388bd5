package plots

import (
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// A Word is a word, or an expression, with its vector.
type Word struct {
	Text   string
	ID     int // in the vocabulary; −1 if it is not there
	Vector []float32
	Strong bool // its label is bold
}

// units returns the vectors of words, scaled to length 1. They must have a direction and all the same
// number of dimensions.
func units(words []Word) (vectors.Matrix, error) {
	if len(words) == 0 {
		return vectors.Matrix{}, errors.New("plots: there are no words")
	}
	all := vectors.NewMatrix(len(words), len(words[0].Vector))
	for i, w := range words {
		if len(w.Vector) != all.Cols {
			return all, fmt.Errorf("plots: %q has %d dimensions, and %q has %d", w.Text, len(w.Vector), words[0].Text, all.Cols)
		}
		if !vectors.Unit(all.Row(i), w.Vector) {
			return all, fmt.Errorf("plots: the vector of %q is zero or not finite", w.Text)
		}
	}
	return all, nil
}

// cosines returns the cosines of all rows, which are of length 1: 1 on the diagonal.
func cosines(rows vectors.Matrix) [][]float64 {
	all := make([][]float64, rows.Rows)
	for i := range all {
		all[i] = make([]float64, rows.Rows)
		all[i][i] = 1
		for k := range i {
			var sum float64
			other := rows.Row(k)
			for d, x := range rows.Row(i) {
				sum += float64(float64(x) * float64(other[d])) // rounded, so that all machines agree
			}
			sum = math.Max(-1, math.Min(1, sum))
			all[i][k], all[k][i] = sum, sum
		}
	}
	return all
}
