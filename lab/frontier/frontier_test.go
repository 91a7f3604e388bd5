package frontier

import (
	"math"
	"testing"
)

// The trainings get better until five epochs, and then worse.
var trainings = []Point{{8, 80, 0.45}, {1, 10, 0.30}, {2, 20, 0.40}, {5, 50, 0.46}}

func TestReach(t *testing.T) {
	for _, test := range []struct {
		name   string
		points []Point
		target float64
		want   Crossing
		time   string
		passes string
		ratio  string // to a peer's 100 s
	}{
		{"between two", trainings, 0.35, Crossing{Between, 15, 1.5}, "15.0 s", "1.5", "6.67"},
		{"at one", trainings, 0.40, Crossing{Between, 20, 2}, "20.0 s", "2.0", "5.00"},
		{"at the best, which is not the last", trainings, 0.46, Crossing{Between, 50, 5}, "50.0 s", "5.0", "2.00"},
		{"the shortest is better", trainings, 0.20, Crossing{Before, 10, 1}, "< 10.0 s", "< 1.0", "> 10.0"},
		{"the shortest is as good", trainings, 0.30, Crossing{Before, 10, 1}, "< 10.0 s", "< 1.0", "> 10.0"},
		{"none is as good", trainings, 0.50, Crossing{After, 80, 8}, "> 80.0 s", "> 8.0", "< 1.25"},
		{"seeds are joined", []Point{{1, 9, 0.1}, {2, 20, 0.5}, {1, 11, 0.3}}, 0.35, Crossing{Between, 15, 1.5}, "15.0 s", "1.5", "6.67"},
		{"the target is not defined", trainings, math.NaN(), Crossing{Side: Unknown}, "", "", ""},
		{"a score is not defined", []Point{{1, 10, math.NaN()}, {2, 20, 0.5}}, 0.3, Crossing{Side: Unknown}, "", "", ""},
	} {
		got := Reach(test.points, test.target)
		if got.Side != test.want.Side || math.Abs(got.Seconds-test.want.Seconds) > 1e-9 || math.Abs(got.Epochs-test.want.Epochs) > 1e-9 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if got.Time() != test.time || got.Passes() != test.passes || got.Ratio(100) != test.ratio {
			t.Errorf("%s: %q %q %q", test.name, got.Time(), got.Passes(), got.Ratio(100))
		}
	}
}
