package eval

import (
	"math"
	"testing"
)

func TestMcNemar(t *testing.T) {
	for _, test := range []struct {
		a, b uint64
		want float64
	}{{0, 0, 1}, {3, 3, 1}, {0, 5, 2. / 32}, {1, 9, 2 * 11. / 1024}, {72, 48, 0.035323682537769574}, {0, 2000, 0}} {
		for _, got := range []float64{McNemar(test.a, test.b), McNemar(test.b, test.a)} {
			if math.Abs(got-test.want) > 1e-9 {
				t.Errorf("%d and %d: %v, want %v", test.a, test.b, got, test.want)
			}
		}
	}
}

// The interval of a share is that of its binomial distribution, and what is not defined has none.
func TestResample(t *testing.T) {
	counts := []uint64{300, 700}
	share := func(counts []uint64) []float64 {
		return []float64{float64(counts[0]) / float64(counts[0]+counts[1]), float64(counts[0]) - 300, math.NaN()}
	}
	opt := Options{Resamples: 4000, Seed: 3}
	all := Resample(counts, opt, share)
	half := 1.96 * math.Sqrt(0.3*0.7/1000)
	if of := all[0]; of.Value != 0.3 || math.Abs(of.Interval.Low-(0.3-half)) > 0.004 || math.Abs(of.Interval.High-(0.3+half)) > 0.004 || of.PValue > 0.001 {
		t.Errorf("a share: %+v", of)
	}
	if of := all[1]; of.PValue != 1 || math.Abs(of.Interval.High-1.96*math.Sqrt(300)) > 3 {
		t.Errorf("a difference of 0: %+v", of)
	}
	if of := all[2]; of.Value.Defined() || of.Interval.Known || of.PValue.Defined() {
		t.Errorf("an undefined number: %+v", of)
	}
	if again := Resample(counts, opt, share); again[0] != all[0] {
		t.Errorf("%+v, and then %+v", all[0], again[0])
	}
	if none := Resample(counts, Options{Resamples: -1}, share); none[0].Value != 0.3 || none[0].Interval.Known {
		t.Errorf("without samples: %+v", none[0])
	}
}
