package report

import (
	"math"
	"strconv"
	"strings"
)

// An axis maps values to shares of a chart's width.
type axis struct {
	low, high, step float64
}

// newAxis returns an axis with about so many steps of 1, 2 or 5 times a power of ten, that has all
// values which are numbers.
func newAxis(steps float64, values ...float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	if low == high {
		low, high = low-0.5*max(1, math.Abs(low)), high+0.5*max(1, math.Abs(high))
	}
	rough := (high - low) / steps
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step := 10 * power
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= rough*(1-1e-9) {
			step = factor * power
			break
		}
	}
	// A value that rounding puts a hair beyond a tick does not need another step.
	return axis{step * math.Floor(low/step+1e-9), step * math.Ceil(high/step-1e-9), step}
}

// at returns where a value lies, in per cent of the width. Values beyond the ends lie on the ends.
func (a axis) at(v float64) string { return percent(a.share(v)) }

func (a axis) share(v float64) float64 { return min(1, max(0, (v-a.low)/(a.high-a.low))) }

// up is at for a vertical axis, whose values grow upwards.
func (a axis) up(v float64) string { return percent(1 - a.share(v)) }

// A tick is a value that an axis names.
type tick struct {
	At    string // its place in per cent
	Label string
	Zero  bool
}

func (a axis) ticks(place func(float64) string) []tick {
	digits := max(0, int(math.Ceil(-math.Log10(a.step)-1e-9)))
	var all []tick
	for i := range int(math.Round((a.high-a.low)/a.step)) + 1 {
		v := a.low + float64(i)*a.step
		label := strconv.FormatFloat(v, 'f', digits, 64)
		if strings.Trim(label, "-0.") == "" {
			label = strings.TrimPrefix(label, "-")
		}
		all = append(all, tick{place(v), strings.Replace(label, "-", "−", 1), math.Abs(v) < a.step/1e6})
	}
	return all
}
