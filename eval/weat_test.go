package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

func random() *rand.Rand { return rand.New(rand.NewPCG(5, 5)) }

func TestSum(t *testing.T) {
	tests := []struct {
		name       string
		values     []float64
		n          int
		partitions int
		larger     int
		equal      int
	}{
		{"the largest", []float64{3, 4, 1, 2}, 2, 6, 0, 1},
		{"the smallest", []float64{1, 2, 3, 4}, 2, 6, 5, 1},
		{"in the middle", []float64{1, 4, 2, 3}, 2, 6, 2, 2}, // 5 of 3 4 5 5 6 7
		{"all the same", []float64{0.1, 0.1, 0.1, 0.1}, 2, 6, 0, 6},
		{"unequal sizes", []float64{2, 1, 3, 0}, 1, 4, 1, 1},
		{"rounding", []float64{0.1, 0.7, 0.3, 0.5, 0.2, 0.6}, 3, 20, 0, 0}, // counted in whole numbers
	}
	tests[5].larger, tests[5].equal = bruteForce([]int{1, 7, 3, 5, 2, 6}, 3)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := permute(test.values, test.n, 100, random())
			want := permutationTest{Partitions: test.partitions, Exact: true, Larger: test.larger, Equal: test.equal}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got.P() != float64(test.larger)/float64(test.partitions) || got.PWithTies() != float64(test.larger+test.equal)/float64(test.partitions) {
				t.Errorf("p %v and %v", got.P(), got.PWithTies())
			}
		})
	}
}

// bruteForce counts in whole numbers, which have no rounding.
func bruteForce(values []int, n int) (larger, equal int) {
	given := 0
	for _, x := range values[:n] {
		given += x
	}
	for chosen := range 1 << len(values) {
		size, sum := 0, 0
		for i, x := range values {
			if chosen>>i&1 == 1 {
				size, sum = size+1, sum+x
			}
		}
		if size == n && sum > given {
			larger++
		} else if size == n && sum == given {
			equal++
		}
	}
	return larger, equal
}

// Drawn partitions come near to all of them.
func TestSumOfDrawnPartitions(t *testing.T) {
	values := make([]float64, 16)
	r := random()
	for i := range values {
		values[i] = r.NormFloat64()
		if i < 8 {
			values[i] += 0.4
		}
	}
	exact := permute(values, 8, 12870, random())
	drawn := permute(values, 8, 12869, random())
	if !exact.Exact || exact.Partitions != 12870 || drawn.Exact || drawn.Partitions != 12869 {
		t.Fatalf("%+v, %+v", exact, drawn)
	}
	// The standard error of a share among 12869 is at most 0.0044.
	if math.Abs(exact.P()-drawn.P()) > 4*0.0044 {
		t.Errorf("p is %v, of drawn partitions %v", exact.P(), drawn.P())
	}
	if again := permute(values, 8, 12869, random()); again != drawn {
		t.Errorf("twice the same seed: %+v and %+v", drawn, again)
	}
	if drawn.PWithTies() != float64(drawn.Larger+drawn.Equal+1)/12870 {
		t.Errorf("with ties %v of %+v", drawn.PWithTies(), drawn)
	}
}

func TestCount(t *testing.T) {
	for _, test := range []struct{ n, k, want int }{{16, 8, 12870}, {4, 1, 4}, {20, 10, 184756}, {50, 25, 200001}, {14, 7, 3432}, {3, 3, 1}} {
		if got := choices(test.n, test.k, 200000); got != test.want {
			t.Errorf("%d of %d: %d, want %d", test.k, test.n, got, test.want)
		}
	}
}
