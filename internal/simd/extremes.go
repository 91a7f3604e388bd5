package simd

import "math"

// NoRow is a number that no row has.
const NoRow = math.MaxUint32

// Extremes sets most and least, column by column, to the largest and the smallest number of the given rows, and atMost
// and atLeast to the first row that has it. Numbers that are 0 or NaN do not count: a column without others has 0, and
// NoRow.
func Extremes(most, least []float32, atMost, atLeast []uint32, data []float32, stride int, rows []uint32) {
	cols := len(most)
	least, atMost, atLeast = least[:cols], atMost[:cols], atLeast[:cols]
	if !extremes(most, least, atMost, atLeast, data, stride, rows) {
		extremesPortable(most, least, atMost, atLeast, data, stride, rows)
	}
	for k := range most {
		if atMost[k] == NoRow {
			most[k] = 0
		}
		if atLeast[k] == NoRow {
			least[k] = 0
		}
	}
}

//go:norace
func extremesPortable(most, least []float32, atMost, atLeast []uint32, data []float32, stride int, rows []uint32) {
	for k := range most {
		most[k], least[k] = float32(math.Inf(-1)), float32(math.Inf(1))
		atMost[k], atLeast[k] = NoRow, NoRow
	}
	for _, r := range rows {
		for k, x := range data[int(r)*stride:][:len(most)] {
			if x > most[k] && x != 0 {
				most[k], atMost[k] = x, r
			}
			if x < least[k] && x != 0 {
				least[k], atLeast[k] = x, r
			}
		}
	}
}

// AddToRows adds x[k] to number k of row at[k], unless that is NoRow. Other workers may change the rows at the same time.
//
//go:norace
func AddToRows(data []float32, stride int, at []uint32, x []float32) {
	for k, r := range at {
		if r != NoRow {
			data[int(r)*stride+k] += x[k]
		}
	}
}
