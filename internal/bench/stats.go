package main

import (
	"fmt"
	"math"
	"slices"
)

// median returns the middle of the samples, NaN if there are none.
func median(samples []float64) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(samples))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// meanDeviation returns the mean of the samples and their standard deviation,
// which is NaN for fewer than two.
func meanDeviation(samples []float64) (mean, deviation float64) {
	for _, x := range samples {
		mean += x / float64(len(samples))
	}
	if len(samples) == 0 {
		mean = math.NaN()
	}
	if len(samples) < 2 {
		return mean, math.NaN()
	}
	for _, x := range samples {
		deviation += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(deviation / float64(len(samples)-1))
}

// ratios divides sample by sample, as many as both have: what was measured in one
// round stays together.
func ratios(above, below []float64) []float64 {
	all := make([]float64, min(len(above), len(below)))
	for i := range all {
		all[i] = above[i] / below[i]
	}
	return all
}

// shown makes a cell of a metric: the median, in some unit.
func shown(unit func(float64) string) func([]float64) string {
	return func(samples []float64) string { return unit(median(samples)) }
}

// medianAndRange shows the median, and the lowest and highest of several.
func medianAndRange(samples []float64) string {
	text := significant(median(samples))
	if len(samples) > 1 {
		text += fmt.Sprintf(" (%s–%s)", significant(slices.Min(samples)), significant(slices.Max(samples)))
	}
	return text
}

// meanAndDeviation shows scores of several seeds.
func meanAndDeviation(samples []float64) string {
	mean, deviation := meanDeviation(samples)
	if math.IsNaN(deviation) {
		return fmt.Sprintf("%.3f", mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", mean, deviation)
}

// significant writes three significant digits and no exponent.
func significant(x float64) string {
	digits := 2
	if x != 0 && !math.IsNaN(x) && !math.IsInf(x, 0) {
		digits = max(0, 2-int(math.Floor(math.Log10(math.Abs(x)))))
	}
	return fmt.Sprintf("%.*f", digits, x)
}

// millions, megabytes and seconds write a number with its unit.
func millions(x float64) string { return significant(x/1e6) + " M" }

func megabytes(x float64) string { return fmt.Sprintf("%.0f MB", x/1e6) }

func seconds(x float64) string {
	if x < 1 {
		return significant(1e3*x) + " ms"
	}
	return significant(x) + " s"
}
