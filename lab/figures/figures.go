// Package figures shows what was measured: tables in Markdown, numbers with their units,
// medians, means and deviations.
package figures

import (
	"fmt"
	"math"
	"slices"
)

// Median returns the middle of the samples, NaN if there are none.
func Median(samples []float64) float64 {
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

// MeanDeviation returns the mean of the samples and their standard deviation,
// which is NaN for fewer than two.
func MeanDeviation(samples []float64) (mean, deviation float64) {
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

// Ratios divides sample by sample, as many as both have: what was measured in one
// round stays together.
func Ratios(above, below []float64) []float64 {
	all := make([]float64, min(len(above), len(below)))
	for i := range all {
		all[i] = above[i] / below[i]
	}
	return all
}

// Shown makes a cell of a metric: the median, in some unit.
func Shown(unit func(float64) string) func([]float64) string {
	return func(samples []float64) string { return unit(Median(samples)) }
}

// MedianAndRange shows the median, and the lowest and highest of several.
func MedianAndRange(samples []float64) string {
	text := Significant(Median(samples))
	if len(samples) > 1 {
		text += fmt.Sprintf(" (%s–%s)", Significant(slices.Min(samples)), Significant(slices.Max(samples)))
	}
	return text
}

// MeanAndDeviation shows scores of several seeds.
func MeanAndDeviation(samples []float64) string {
	mean, deviation := MeanDeviation(samples)
	if math.IsNaN(deviation) {
		return fmt.Sprintf("%.3f", mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", mean, deviation)
}

// Significant writes three significant digits and no exponent.
func Significant(x float64) string {
	digits := 2
	if x != 0 && !math.IsNaN(x) && !math.IsInf(x, 0) {
		digits = max(0, 2-int(math.Floor(math.Log10(math.Abs(x)))))
	}
	return fmt.Sprintf("%.*f", digits, x)
}

// Millions writes a number in millions.
func Millions(x float64) string { return Significant(x/1e6) + " M" }

// Megabytes writes a number of bytes.
func Megabytes(x float64) string { return fmt.Sprintf("%.0f MB", x/1e6) }

// Seconds writes a time in its unit.
func Seconds(x float64) string {
	if x < 1 {
		return Significant(1e3*x) + " ms"
	}
	return Significant(x) + " s"
}
