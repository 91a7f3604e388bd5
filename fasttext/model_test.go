package fasttext

import (
	"math"
	"slices"
	"testing"
)

// Of elements that are equally near, those are kept that std::push_heap and std::pop_heap of GNU C++
// keep, in the order of std::sort_heap: the lists are what a program in C++ printed.
func TestHeapKeepsWhatGNUKeeps(t *testing.T) {
	for _, test := range []struct {
		k            int
		similarities []float32
		want         []int
	}{
		{1, []float32{0.25, 0.5, 0.5}, []int{2}},
		{2, []float32{0.25, 0.25, 0.5, 0.5, 0.25}, []int{3, 2}},
		{5, []float32{0.5, 0.5, 0.25, 0, 0.25, 0, 0.75}, []int{6, 1, 0, 4, 2}},
		{4, []float32{0, 0, 0, 0, 0, 0, 0, 0, 0}, []int{3, 1, 8, 7}},
		{9, []float32{0.25, 0.5, 0.75, 0.5, 0.75, 0.75, 0.25, 0.5, 0.75, 0.25, 0.5}, []int{4, 8, 5, 2, 7, 3, 10, 1, 9}},
		{6, []float32{0.5, 0, 0.5, 0.25, 0.75, 0.5, 0.25, 0.25, 0, 0.75, 0.5, 0.25, 0.25}, []int{4, 9, 0, 10, 5, 2}},
		{13, []float32{0, 0.25, 0.75, 0.25, 0.75, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75, 0.25, 0.5, 0, 0.25}, []int{8, 4, 9, 7, 2, 10, 12, 3, 1, 11, 14, 6, 5}},
		{1, []float32{0.75, 0.75, 0.75, 0.5, 0.5, 0.5, 0, 0.75, 0.75, 0.5, 0.25, 0.75, 0, 0.5, 0.5, 0.5, 0.75}, []int{16}},
		{3, []float32{0.25, 0.5, 0.25, 0, 0, 0, 0.75, 0.25, 0.75, 0.75, 0.5, 0.5, 0.5, 0.75, 0.75, 0, 0.75, 0.5, 0}, []int{16, 8, 14}},
		{3, []float32{0.25, 0.25, 0.5, 0.25, 0.25, 0.5, 0, 0.75, 0.5, 0.75, 0.5, 0.75, 0, 0, 0.25, 0.25, 0, 0.5, 0.75, 0.25, 0.25}, []int{18, 9, 11}},
		{7, []float32{0.5, 0.75, 0.5, 0.5, 0.5, 0.25, 0, 0.25, 0, 0.5, 0.25, 0.5, 0, 0.75, 0, 0.75, 0, 0.5, 0.25, 0.75, 0.25, 0.25, 0.5}, []int{15, 19, 13, 1, 22, 4, 17}},
		{5, []float32{0, 0.5, -0.25, 0.25, 0, -0.25, 0, -0.25, -0.25, 0.5, 0.5, 0, 0.25, 0.25, -0.25, 0.5, 0.5, 0.5, 0, 0.5, 0.5, -0.25, 0.5, 0.25, 0}, []int{1, 10, 15, 22, 20}},
		{11, []float32{-0.25, 0, -0.25, 0, -0.25, -0.25, 0, 0.25, 0.25, 0, -0.25, 0, 0, 0, -0.25, 0, 0.5, 0.5, 0.5, 0.25, 0, -0.25, 0.25, -0.25, 0.5, 0.25, 0}, []int{24, 17, 16, 18, 7, 25, 8, 22, 19, 3, 26}},
		{7, []float32{0.5, 0.5, 0.5, 0.5, 0, -0.25, 0.25, 0.5, 0.5, -0.25, -0.25, 0.5, 0.5, 0.5, 0, 0, 0, 0.5, -0.25, -0.25, 0, -0.25, -0.25, 0, 0.25, 0.5, 0.5, 0.25, -0.25}, []int{3, 0, 1, 26, 2, 25, 17}},
	} {
		var heap []neighbor
		for id, similarity := range test.similarities {
			if len(heap) == test.k && similarity < heap[0].similarity {
				continue
			}
			if heap = push(heap, neighbor{similarity, id}); len(heap) > test.k {
				heap = pop(heap)
			}
		}
		for rest := heap; len(rest) > 1; {
			rest = pop(rest)
		}
		var got []int
		for _, n := range heap {
			got = append(got, n.id)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%d of %v: %v, want %v", test.k, test.similarities, got, test.want)
		}
	}
}

// Numbers are printed as by C++.
func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want string
	}{
		{0, "0"},
		{1, "1"},
		{-0.5, "-0.5"},
		{123456, "1.2346e+05"},
		{12345, "12345"},
		{99999.5, "1e+05"},
		{0.0001, "0.0001"},
		{0.00001234567, "1.2346e-05"},
		{1e100, "1e+100"},
		{math.Inf(1), "inf"},
		{math.Inf(-1), "-inf"},
		{math.NaN(), "nan"},
		{math.Copysign(math.NaN(), -1), "-nan"},
	} {
		if got := string(appendNumber(nil, test.x, vectorDigits)); got != test.want {
			t.Errorf("%v: %s, want %s", test.x, got, test.want)
		}
	}
}
