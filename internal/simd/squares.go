package simd

import "math"

// Squares are rows with biases that are fitted to numbers by weighted least squares with AdaGrad, as GloVe fits context
// vectors (Pennington et al. 2014). Rows have a whole number of groups of 16 numbers; those behind the last are 0. Sums
// are the squares of all updates of a number so far, without the 1 that GloVe begins with.
type Squares struct {
	Data, Sums       []float32
	Stride, Cols     int
	Biases, BiasSums []float32
}

// SquaresAhead is how many entries behind the last Train reads, without using them: rows that may come soon.
const SquaresAhead = 2

// Train fits a row with a bias, each with its sums, to the numbers of its pairs with the given rows, one after the other:
// row·other + bias + other bias should be the number. with has SquaresAhead more rows than there are numbers. It returns
// the sum of weight · error² / 2.
func (s *Squares) Train(row, sums []float32, bias, biasSum *float32, with []uint32, numbers, weights []float32, rate float32) float64 {
	n := len(numbers)
	if n == 0 {
		return 0
	}
	_, _ = with[n+SquaresAhead-1], weights[n-1]
	groups := (s.Cols + Lanes - 1) / Lanes
	if chosen != portable {
		_, _ = row[groups*Lanes-1], sums[groups*Lanes-1]
		if loss, ok := leastSquaresKernel(&row[0], &sums[0], bias, biasSum, &s.Data[0], &s.Sums[0], s.Stride*float, &s.Biases[0], &s.BiasSums[0], &with[0], &numbers[0], &weights[0], n, groups, rate); ok {
			return float64(loss) / 2
		}
	}
	return s.trainPortable(row[:s.Cols], sums[:s.Cols], bias, biasSum, with, numbers, weights, rate)
}

//go:norace
func (s *Squares) trainPortable(row, sums []float32, bias, biasSum *float32, with []uint32, numbers, weights []float32, rate float32) (loss float64) {
	root := func(sum float32) float32 { return float32(1 / math.Sqrt(float64(1+sum))) }
	for j, number := range numbers {
		id := with[j]
		other, otherSums := s.Data[int(id)*s.Stride:][:len(row)], s.Sums[int(id)*s.Stride:][:len(row)]
		off := dot(row, other) + *bias + s.Biases[id] - number
		e := weights[j] * off
		loss += float64(e * off)
		for _, of := range [...]struct{ bias, sum *float32 }{{bias, biasSum}, {&s.Biases[id], &s.BiasSums[id]}} {
			*of.bias -= e * root(*of.sum)
			*of.sum += e * e
		}
		e *= rate
		for k, x := range row {
			ofRow, ofOther := e*other[k], e*x
			row[k] -= ofRow * root(sums[k])
			other[k] -= ofOther * root(otherSums[k])
			sums[k] += ofRow * ofRow
			otherSums[k] += ofOther * ofOther
		}
	}
	return loss / 2
}
