package monitor

import (
	"math"
	"testing"
)

// However few pairs a text has, enough of them tell that training diverges.
func TestSlowDivergenceIsNoticed(t *testing.T) {
	w := Watch{Limit: 4}
	for n := 1; n <= 4; n++ {
		if noticed := w.Diverged(enoughPairs/4, 1e6); noticed != (n == 4) {
			t.Errorf("after %d pairs: noticed %v", n*enoughPairs/4, noticed)
		}
	}
}

// A text whose loss is not finite is noticed at once, and texts without pairs say nothing.
func TestLossesThatAreNotFinite(t *testing.T) {
	for _, loss := range []float64{math.NaN(), math.Inf(1)} {
		w := Watch{Limit: 4}
		if !w.Diverged(1, loss) || w.Diverged(0, 0) || w.Doubtful() {
			t.Errorf("loss %v: %+v", loss, w)
		}
	}
}
