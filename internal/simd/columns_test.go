package simd

import (
	"bytes"
	"slices"
	"testing"
)

// columns returns f with those columns of its blocks only.
func (f fixture) columns(first, last int) fixture {
	for _, b := range []*Block{&f.h, &f.matrix, &f.dst} {
		b.Data, b.Cols = b.Data[first:], last-first
	}
	f.cols = last - first
	return f
}

// What kernels that work number by number make of a column does not depend on the columns
// that they are given with it, if these begin at multiples of 16: to the last bit. The
// deterministic mode of training rests on this.
func TestColumnsAreTheSameAlone(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		eachShape(func(s shape) {
			whole := newFixture(s)
			for _, k := range kernels {
				if !slices.Contains([]string{"GatherLists", "ScatterLists", "ScatterWeighted", "MultiplyRows", "AddRows", "AddRows to one row", "UpdateRows", "AddWindows", "SetWindows"}, k.name) {
					continue
				}
				want := whole.copy()
				k.run(want)
				for _, width := range []int{16, 48} {
					got := whole.copy()
					for first := 0; first < s.cols; first += width {
						k.run(got.columns(first, min(first+width, s.cols)))
					}
					for b, name := range numberNames {
						if !bytes.Equal(bytesOf(*got.numbers()[b]), bytesOf(*want.numbers()[b])) {
							t.Fatalf("%s of %v: %s differ if it is run on %d columns at a time", k.name, s, name, width)
						}
					}
				}
			}
		})
	})
}
