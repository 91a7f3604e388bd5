package query

import (
	"math"
	"strconv"
)

// A Vector is a vector in JSON, which has no numbers that are not finite: they are null.
type Vector []float32

// MarshalJSON is AppendJSON.
func (v Vector) MarshalJSON() ([]byte, error) { return v.AppendJSON(make([]byte, 0, 4+12*len(v))), nil }

// AppendJSON appends the numbers to text in the shortest form that reads back as the same; null for no vector.
func (v Vector) AppendJSON(text []byte) []byte {
	if v == nil {
		return append(text, "null"...)
	}
	text = append(text, '[')
	for i, x := range v {
		if i > 0 {
			text = append(text, ',')
		}
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendFloat(text, float64(x), 'g', -1, 32)
		}
	}
	return append(text, ']')
}
