package random_test

import (
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/random"
)

// Generators of the same seed, and of others, draw numbers of their own.
func TestStreams(t *testing.T) {
	seen := make(map[uint64]bool)
	for seed := range uint64(4) {
		for n := range uint64(8) {
			g := random.Stream(seed, n)
			for range 100 {
				x := g.Next()
				if seen[x] {
					t.Fatalf("stream %d of seed %d repeats a number", n, seed)
				}
				seen[x] = true
			}
		}
	}
}

func TestRanges(t *testing.T) {
	g := random.Stream(1, 2)
	var low, high bool
	for range 10_000 {
		if n := g.Below(7); n < 0 || n > 6 {
			t.Fatalf("%d is not below 7", n)
		}
		x := g.Uniform()
		if x < -1 || x > 1 {
			t.Fatalf("%v is not from -1 to 1", x)
		}
		low, high = low || x < -0.99, high || x > 0.99
	}
	if !low || !high {
		t.Error("numbers do not reach from -1 to 1")
	}
}
