package topk_test

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/topk"
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
		var heap topk.Heap
		for id, similarity := range test.similarities {
			if len(heap) == test.k && similarity < heap[0].Score {
				continue
			}
			heap.Offer(topk.Entry{Score: similarity, ID: id}, test.k)
		}
		heap.Sort()
		var got []int
		for _, e := range heap {
			got = append(got, e.ID)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%d of %v: %v, want %v", test.k, test.similarities, got, test.want)
		}
	}
}
