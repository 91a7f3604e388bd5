package classify

import (
	"math"
	"slices"
	"testing"
)

// The sum is what a program in C printed that takes the same steps with expf of glibc 2.41.
func TestExponentialIsThatOfC(t *testing.T) {
	const step, want = 36871, uint32(4140116305)
	sum := uint32(0)
	for bits := uint64(0); bits < 1<<32-step; bits += step {
		if x := math.Float32frombits(uint32(bits)); x == x {
			sum = sum*31 + math.Float32bits(exp32(x))
		}
	}
	if sum != want {
		t.Errorf("%d, want %d", sum, want)
	}
	if !math.IsInf(float64(exp32(float32(math.Inf(1)))), 1) || exp32(float32(math.Inf(-1))) != 0 || exp32(0) != 1 {
		t.Error("infinities and 0")
	}
}

// Trees of a few counts, worked out by hand: fastText takes the last label for the rarest, and of a label and a
// node with equal counts the node.
func TestTree(t *testing.T) {
	for _, test := range []struct {
		counts []uint64
		want   [][2]int32
	}{
		{[]uint64{7}, [][2]int32{{-1, -1}}},
		{[]uint64{5, 3}, [][2]int32{{-1, -1}, {-1, -1}, {1, 0}}},
		{[]uint64{3, 2, 1, 1}, [][2]int32{{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {3, 2}, {4, 1}, {0, 5}}},
		{[]uint64{0, 0, 0}, [][2]int32{{-1, -1}, {-1, -1}, {-1, -1}, {2, 1}, {3, 0}}},
	} {
		var got [][2]int32
		nodes := newTree(test.counts)
		for i, of := range nodes {
			got = append(got, [2]int32{of.left, of.right})
			if up := of.parent; up < 0 != (i == len(nodes)-1) || up >= 0 && nodes[up].left != int32(i) && nodes[up].right != int32(i) {
				t.Errorf("%v: node %d of %v has the parent %d", test.counts, i, nodes, up)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.counts, got, test.want)
		}
	}
}
