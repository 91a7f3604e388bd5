package eval

import (
	"math"
	"testing"
)

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
