package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// standardize makes the mean of each column 0 and its variance 1, by the first rows. The last
// column is of ones, and stays.
func standardize(x [][]float64, first int) {
	for column := range len(x[0]) - 1 {
		sum, squares := 0.0, 0.0
		for _, row := range x[:first] {
			sum += row[column]
			squares += row[column] * row[column]
		}
		middle := sum / float64(first)
		scale := 1 / math.Sqrt(max(squares/float64(first)-middle*middle, 1e-12))
		for _, row := range x {
			row[column] = (row[column] - middle) * scale
		}
	}
}

// regress fits multinomial logistic regression with a penalty of half the squared weights, as
// scikit-learn does with C=1.
func regress(x [][]float64, y []int, kinds int) ([]float64, error) {
	dim := len(x[0])
	loss := func(gradient, w []float64) float64 {
		sum, p := 0.0, make([]float64, kinds)
		for i := range gradient {
			gradient[i] = 0
		}
		for i, w := range w {
			if i%dim != dim-1 { // intercepts are free
				sum += w * w / 2
				gradient[i] += w
			}
		}
		for i, row := range x {
			shares(p, w, row)
			sum -= math.Log(max(p[y[i]], 1e-300))
			p[y[i]]--
			for k, d := range p {
				floats.AddScaled(gradient[k*dim:(k+1)*dim], d, row)
			}
		}
		return sum
	}
	scratch := make([]float64, kinds*dim)
	problem := optimize.Problem{
		Func: func(w []float64) float64 { return loss(scratch, w) },
		Grad: func(gradient, w []float64) { loss(gradient, w) },
	}
	result, err := optimize.Minimize(problem, make([]float64, kinds*dim), &optimize.Settings{GradientThreshold: 1e-3 * float64(len(x)), MajorIterations: 200}, &optimize.LBFGS{})
	if result == nil {
		return nil, fmt.Errorf("logistic regression: %w", err)
	}
	return result.X, nil // an early end for the precision of numbers is an end
}

// shares computes the probability of each label.
func shares(p, w, row []float64) {
	for k := range p {
		p[k] = floats.Dot(w[k*len(row):(k+1)*len(row)], row)
	}
	most := floats.Max(p)
	for k := range p {
		p[k] = math.Exp(p[k] - most)
	}
	floats.Scale(1/floats.Sum(p), p)
}

// predict returns the most probable label of each row.
func predict(w []float64, x [][]float64, kinds int) []int {
	labels, p := make([]int, len(x)), make([]float64, kinds)
	for i, row := range x {
		shares(p, w, row)
		labels[i] = floats.MaxIdx(p)
	}
	return labels
}

// f1 scores labels. A label that is neither there nor predicted does not count.
func f1(got, want []int, kinds int) score {
	right, wrong, missed := make([]float64, kinds), make([]float64, kinds), make([]float64, kinds)
	for i := range got {
		if got[i] == want[i] {
			right[got[i]]++
			continue
		}
		wrong[got[i]]++
		missed[want[i]]++
	}
	sum, n := 0.0, 0.0
	for k := range kinds {
		if all := 2*right[k] + wrong[k] + missed[k]; all > 0 {
			sum += 2 * right[k] / all
			n++
		}
	}
	return score{micro: floats.Sum(right) / float64(len(got)), macro: sum / n}
}
