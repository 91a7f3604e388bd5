package vectors_test

import (
	"math"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// A part's share is its product with the vector, as a part of the vector's with itself.
func TestShare(t *testing.T) {
	v := []float32{3, 4}
	for _, test := range []struct {
		part []float32
		want float64
	}{
		{[]float32{3, 0}, 9. / 25},
		{[]float32{0, 4}, 16. / 25}, // the sum of both parts is v, and that of their shares 1
		{[]float32{-4, 3}, 0},
		{[]float32{-3, -4}, -1},
	} {
		if got := (vectors.WordPart{Vector: test.part}).Share(v); got != test.want {
			t.Errorf("%v has a share of %v in %v, want %v", test.part, got, v, test.want)
		}
	}
	if got := (vectors.WordPart{Vector: v}).Share(make([]float32, 2)); !math.IsNaN(got) {
		t.Errorf("a share of nothing is %v", got)
	}
}
