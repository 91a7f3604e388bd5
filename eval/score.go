package eval

import (
	"encoding/json"
	"math"
)

// A Score is a correlation or an accuracy. It is NaN if it cannot be computed: without used
// questions, with fewer than two used pairs, or if all pairs have the same value. In JSON it is
// null then.
type Score float64

// Defined reports whether the score is a number.
func (s Score) Defined() bool { return !math.IsNaN(float64(s)) }

// MarshalJSON writes the score, or null if it is not defined.
func (s Score) MarshalJSON() ([]byte, error) {
	if !s.Defined() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(s))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Score) UnmarshalJSON(data []byte) error {
	value := math.NaN()
	if string(data) != "null" {
		if err := json.Unmarshal(data, &value); err != nil {
			return err
		}
	}
	*s = Score(value)
	return nil
}
