package simd

import (
	"slices"
	"testing"
)

func TestCells(t *testing.T) {
	cells := []float32{1, 2, 4, 8}
	at := []uint32{3, 0, 3}
	picked := make([]float32, 3)
	Pick(picked, cells, at)
	if want := []float32{8, 1, 8}; !slices.Equal(picked, want) {
		t.Errorf("picked %v, want %v", picked, want)
	}
	AddAt(cells, at, []float32{1, 10, 100})
	if want := []float32{11, 2, 4, 109}; !slices.Equal(cells, want) {
		t.Errorf("cells are %v, want %v", cells, want)
	}
	Pick(nil, nil, nil)
	AddAt(cells, nil, nil)
}
