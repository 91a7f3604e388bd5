package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ticks are at round numbers.
type ticks struct {
	log, percent bool
	whole        bool // numbers between whole ones make no sense
	wanted       int
}

// A tick is a number of an axis, and how it is written.
type tick struct {
	value float64
	label string
}

// between returns the ticks of an axis.
func (t ticks) between(low, high float64) []tick {
	var at []float64
	if t.log && high/low >= 8 {
		at = powers(low, high)
	} else {
		wanted := t.wanted
		if t.whole {
			wanted = min(wanted, max(1, int(high-low)))
		}
		at = steps(low, high, wanted)
	}
	var all []tick
	span := high - low
	for _, x := range at {
		if x < low || x > high || t.whole && x != math.Trunc(x) {
			continue
		}
		var text string
		switch {
		case t.percent:
			text = minus(trim(strconv.FormatFloat(100*x, 'f', decimals(100*span), 64))) + " %"
		case t.log:
			text = large(x, 0)
		default:
			text = large(x, span)
		}
		all = append(all, tick{x, text})
	}
	return all
}

// powers returns 1, 10, 100 … between low and high, and their multiples by 2 and 5 if these are few.
func powers(low, high float64) (at []float64) {
	from, to := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	stride := max(1, math.Ceil((to-from)/8))
	for e := from; e <= to; e += stride {
		for _, by := range []float64{1, 2, 5} {
			if x := by * math.Pow(10, e); x >= low && x <= high && (by == 1 || to-from <= 2) {
				at = append(at, x)
			}
		}
	}
	return at
}

// decimals is how many digits behind the point tell steps of a span apart.
func decimals(span float64) int {
	if !(span > 0) {
		return 3
	}
	return min(max(2-int(math.Floor(math.Log10(span))), 0), 12)
}

// large writes a number of an axis: millions with an M, and as many digits as tell steps of a span
// apart; span is 0 if the number stands alone.
func large(x, span float64) string {
	if math.Abs(x) >= 1e15 || span >= 1e16 {
		return minus(fmt.Sprintf("%.3g", x))
	}
	for _, unit := range []struct {
		by     float64
		letter string
	}{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if size := max(math.Abs(x), span/2); size >= unit.by && x != 0 && (unit.by > 1e3 || size >= 1e4 || span == 0) {
			digits := 6
			if span > 0 {
				digits = decimals(span / unit.by)
			}
			return minus(trim(strconv.FormatFloat(x/unit.by, 'f', digits, 64))) + unit.letter
		}
	}
	if x != 0 && math.Abs(x) < 1e-3 {
		return minus(strings.Replace(fmt.Sprintf("%.3g", x), "e-0", "e-", 1))
	}
	if span == 0 {
		return minus(fmt.Sprintf("%.4g", x))
	}
	return minus(trim(strconv.FormatFloat(x, 'f', decimals(span), 64)))
}

// trim takes zeros off the end of a fraction.
func trim(number string) string {
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number
}
