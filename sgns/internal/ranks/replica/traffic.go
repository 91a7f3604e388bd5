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

// Processors' time of a turn for each number of a row: of the rows that are due, of those that a rank has changed, and of those that any rank has
// changed. BenchmarkTurn measures them: AMD EPYC, Zen 5, on two busy cores.
const (
	dueTime      = 0.6e-9
	changedTime  = 1.5e-9
	combinedTime = 1.4e-9
)

// Turn estimates how many bytes a rank of several sends in a turn, and how many seconds of a processor its rows take, if each rank
// has trained so many tokens since the one before.
func (o Options) Turn(matrices []Rates, size int, tokens float64) (bytes, seconds float64) {
	for _, m := range matrices {
		var due, own, all float64 // rows
		for _, r := range m.Rows {
			period := float64(periodOf(r.Touches*float64(o.Every), o.Worth/float64(size)) * int(o.Every))
			since := max(tokens, period) // tokens of a rank since the rows were exchanged
			rows := r.Rows * min(1, tokens/period)
			due += rows
			own += rows * changed(r.Touches*since)
			all += rows * changed(r.Touches*since*float64(size))
		}
		bytes += (own + all) * (float64(o.Coding.Bytes(m.Cols)) + gapBytes) // rows to their owners, and combined ones to all ranks
		seconds += float64(m.Cols) * (due*dueTime + own*changedTime + all*combinedTime)
	}
	return bytes * float64(size-1) / float64(size), seconds
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
