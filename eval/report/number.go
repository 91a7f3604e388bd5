package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/eval"
)

// absent is what tables for people show if there is no value.
const absent = "–"

// decimals writes a score with three decimals. An interval of a usual set is some hundredths wide,
// so a fourth decimal says nothing.
func decimals(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return absent
	}
	text := strconv.FormatFloat(x, 'f', 3, 64)
	if strings.Trim(text, "-0.") == "" {
		text = "0.000"
	}
	return strings.Replace(text, "-", "−", 1)
}

// signed is decimals with a sign on positive numbers: the numbers are differences.
func signed(x float64) string {
	text := decimals(x)
	if text != absent && text != "0.000" && x > 0 {
		text = "+" + text
	}
	return text
}

// exists reports whether an interval is one.
func exists(i eval.Interval) bool {
	return i.Known && !math.IsNaN(i.Low) && !math.IsNaN(i.High)
}

func span(i eval.Interval) string {
	if !exists(i) {
		return absent
	}
	return decimals(i.Low) + " … " + decimals(i.High)
}

// probability writes a p-value with two digits that count.
func probability(p float64) string {
	switch {
	case math.IsNaN(p):
		return absent
	case p < 0.001:
		return "< 0.001"
	case p < 0.1:
		return strconv.FormatFloat(p, 'f', 3, 64)
	}
	return strconv.FormatFloat(p, 'f', 2, 64)
}

// percent writes a share, as CSS and SVG take it.
func percent(share float64) string { return fmt.Sprintf("%.2f%%", 100*share) }

// plain writes a number for programs, or nothing if there is none.
func plain(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// ends writes an interval for programs.
func ends(i eval.Interval) (low, high string) {
	if !exists(i) {
		return "", ""
	}
	return plain(i.Low), plain(i.High)
}
