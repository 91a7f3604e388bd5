package replica

import (
	"math"
	"slices"
)

// Rates are how often a rank changes the rows of a matrix.
type Rates struct {
	Cols int
	Rows []Rate
}

// A Rate is rows that change about equally often: so many times for each token of a rank.
type Rate struct{ Rows, Touches float64 }

// RatesOf returns the rates of a matrix, whose rows are changed so often.
func RatesOf(cols int, touches []float32) Rates {
	sorted := slices.Clone(touches)
	slices.Sort(sorted)
	r := Rates{Cols: cols}
	for len(sorted) > 0 {
		const wider = 1.05
		n, sum := 0, 0.0
		for n < len(sorted) && sorted[n] <= sorted[0]*wider {
			sum += float64(sorted[n])
			n++
		}
		r.Rows = append(r.Rows, Rate{float64(n), sum / float64(n)})
		sorted = sorted[n:]
	}
	return r
}

// gapBytes is about how many bytes name a row in a message.
const gapBytes = 1.3

// TurnBytes estimates how many bytes a rank of several sends in a turn, if each has trained so many tokens since the one before.
func (o Options) TurnBytes(matrices []Rates, size int, tokens uint64) (bytes float64) {
	for _, m := range matrices {
		var sent float64 // rows to their owners, and combined ones to all ranks
		for _, r := range m.Rows {
			period := float64(periodOf(r.Touches*float64(o.Every), o.Worth/float64(size)) * int(o.Every))
			since := max(float64(tokens), period) // tokens of a rank since the rows were exchanged
			due := min(1, float64(tokens)/period)
			sent += r.Rows * due * (changed(r.Touches*since) + changed(r.Touches*since*float64(size)))
		}
		bytes += sent * (float64(o.Coding.Bytes(m.Cols)) + gapBytes)
	}
	return bytes * float64(size-1) / float64(size)
}

// CompleteBytes estimates how many bytes a rank of several sends in a complete turn, after each has trained so many tokens. A row
// that another rank has changed differs by rounding from what all ranks know.
func CompleteBytes(matrices []Rates, size int, tokens uint64) (bytes float64) {
	for _, m := range matrices {
		for _, r := range m.Rows {
			bytes += 2 * r.Rows * changed(r.Touches*float64(tokens)*float64(size)) * (float64(Exact.Bytes(m.Cols)) + gapBytes)
		}
	}
	return bytes * float64(size-1) / float64(size)
}

// changed is the part of rows that are changed, if they are expected to be changed so often.
func changed(expected float64) float64 { return -math.Expm1(-expected) }
