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

// Training diverges above twice the loss of a model that knows nothing, by the latest text too.
func TestLimit(t *testing.T) {
	for loss, want := range map[float64]bool{0: false, 7.9: false, 8: false, 8.1: true, math.NaN(): true, math.Inf(1): true} {
		if got := Limit(4).Diverging(loss); got != want {
			t.Errorf("loss %v: diverging %v", loss, got)
		}
		w := Watch{Limit: 4, Recent: loss}
		if w.Doubtful() != want {
			t.Errorf("loss %v of the latest text: doubtful %v", loss, !want)
		}
	}
	w := Watch{Limit: 4, Latest: Latest{Pairs: 10, Loss: 81}}
	if !w.Doubtful() || w.Diverged(10, 0) || w.Doubtful() {
		t.Errorf("latest pairs: %+v", w)
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
