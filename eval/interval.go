package eval

import (
	"encoding/json"
	"math"
)

// An Interval is a 95 % confidence interval. The zero Interval stands for none. In JSON it is a list
// of the lower and the upper end, and null if there is none.
type Interval struct {
	Low, High float64
	Known     bool // tells the interval from 0 to 0 from none
}

// Between returns the interval with these ends, or none if an end is not finite.
func Between(low, high float64) Interval {
	if width := high - low; math.IsNaN(width) || math.IsInf(width, 0) {
		return Interval{}
	}
	return Interval{low, high, true}
}

// Excludes reports whether there is an interval, and x is outside of it.
func (i Interval) Excludes(x float64) bool { return i.Known && (x < i.Low || x > i.High) }

// IsZero reports whether there is no interval. Fields with omitzero are left out then.
func (i Interval) IsZero() bool { return !i.Known }

// MarshalJSON writes both ends, or null.
func (i Interval) MarshalJSON() ([]byte, error) {
	if !i.Known {
		return []byte("null"), nil
	}
	return json.Marshal([2]float64{i.Low, i.High})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Interval) UnmarshalJSON(data []byte) error {
	var ends *[2]float64
	if err := json.Unmarshal(data, &ends); err != nil {
		return err
	}
	*i = Interval{}
	if ends != nil {
		*i = Between(ends[0], ends[1])
	}
	return nil
}
