package report

import (
	"math"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

func TestNumbersForPeople(t *testing.T) {
	for x, want := range map[float64]string{0: "0.000", -0.0001: "0.000", 0.12345: "0.123", -0.5: "−0.500", 1: "1.000", math.NaN(): "–", math.Inf(1): "–"} {
		if got := decimals(x); got != want {
			t.Errorf("decimals(%v) = %s, want %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0.000", 0.00001: "0.000", 0.25: "+0.250", -0.25: "−0.250", math.NaN(): "–"} {
		if got := signed(x); got != want {
			t.Errorf("signed(%v) = %s, want %s", x, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := wording.Thousands(n); got != want {
			t.Errorf("wording.Thousands(%d) = %s, want %s", n, got, want)
		}
	}
	for p, want := range map[float64]string{0.00005: "< 0.001", 0.0123: "0.012", 0.0504: "0.050", 0.5: "0.50", 1: "1.00", math.NaN(): "–"} {
		if got := probability(p); got != want {
			t.Errorf("probability(%v) = %s, want %s", p, got, want)
		}
	}
	for i, want := range map[eval.Interval]string{{}: "–", eval.Between(-0.1, 0.25): "−0.100 … 0.250", eval.Between(math.NaN(), 1): "–", eval.Between(0, 0): "0.000 … 0.000"} {
		if got := span(i); got != want {
			t.Errorf("span(%v) = %s, want %s", i, got, want)
		}
	}
	for x, want := range map[float64]string{2: "2", 2.5: "2.5", 1000000.5: "1000000.5", 1.0 / 3: "0.333", -1: "−1"} {
		if got := short(x); got != want {
			t.Errorf("short(%v) = %s, want %s", x, got, want)
		}
	}
}

func TestAxis(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   []string // the ticks
	}{
		{[]float64{0, 1}, []string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{[]float64{-0.15, 1}, []string{"−0.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{[]float64{0, 10}, []string{"0", "2", "4", "6", "8", "10"}},
		{[]float64{0.3, 0.3}, []string{"−0.2", "0.0", "0.2", "0.4", "0.6", "0.8"}},
		{nil, []string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{[]float64{math.NaN(), -120, 250}, []string{"−200", "−100", "0", "100", "200", "300"}},
	} {
		a := newAxis(7, test.values...)
		ticks := a.ticks(a.at)
		var got []string
		for _, tick := range ticks {
			got = append(got, tick.Label)
			if zero := tick.Label == "0" || tick.Label == "0.0"; zero != tick.Zero {
				t.Errorf("axis of %v: tick %s has Zero %t", test.values, tick.Label, tick.Zero)
			}
		}
		if len(got) != len(test.want) {
			t.Errorf("axis of %v has the ticks %q, want %q", test.values, got, test.want)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("axis of %v has the ticks %q, want %q", test.values, got, test.want)
				break
			}
		}
		if ticks[0].At != "0.00%" || ticks[len(ticks)-1].At != "100.00%" {
			t.Errorf("axis of %v: the ticks go from %s to %s", test.values, ticks[0].At, ticks[len(ticks)-1].At)
		}
		for _, v := range test.values {
			if v < a.low || v > a.high {
				t.Errorf("axis of %v goes from %v to %v", test.values, a.low, a.high)
			}
		}
	}
}

// No label covers another one or a marked point, and all are in the field.
func TestLabelsKeepApart(t *testing.T) {
	var r room
	placed := 0
	for i := range 20 {
		r.dot(float64(i)/40, float64(i%7)/20)
	}
	for i := range 20 {
		if l := r.beside(float64(i)/40, float64(i%7)/20, "left – right"); l.Anchor != "" {
			placed++
		}
	}
	for i, a := range r.boxes[20:] {
		for _, b := range r.boxes[:20+i] {
			if a.overlaps(b) {
				t.Errorf("label %v covers %v", a, b)
			}
		}
		if a.left < 0 || a.right > fieldWidth {
			t.Errorf("label %v is outside", a)
		}
	}
	if placed < 5 {
		t.Errorf("%d of 20 points have labels", placed)
	}
}
