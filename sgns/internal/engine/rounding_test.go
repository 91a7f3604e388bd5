package engine

import (
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/random"
)

// Steps whose errors are rounded are, on the average over random numbers, the step without rounding: the
// mean of many is as far from it as their number explains.
func TestRoundedStepsAreUnbiased(t *testing.T) {
	const steps, deviations = 3000, 6
	text := toyText()
	for name, change := range map[string]func(*config){
		"words":           func(c *config) {},
		"CBOW":            func(c *config) { c.Arch = cbow },
		"structured":      func(c *config) { c.Arch = structured },
		"n-grams":         func(c *config) { c.Subword = fastText },
		"nested":          func(c *config) { c.Nested = []int{3, 8} },
		"full softmax":    func(c *config) { c.Loss, c.Nested = fullSoftmax, []int{3, 8} },
		"directional":     func(c *config) { c.Loss, c.Nested = directional, []int{3, 8} },
		"eight draws":     func(c *config) { c.sharedNegatives = 8 },
		"some are frozen": func(c *config) { c.Freeze = true },
	} {
		c := defaults()
		c.Dim, c.Window = 8, 1 // windows of one width, whatever is drawn
		change(&c)
		negatives := slices.Clone(toyStep(t, c).step.Ahead)
		// step returns by how much a step whose rounding is drawn from stream n moves each number.
		step := func(threshold float32) func(n uint64) []float64 {
			c.threshold = threshold
			s := newTwin(t, c, 0, map[bool]int{true: 3}[c.Freeze]).toy
			matrices := all(s.run.Values)
			var began [][]float32
			for _, m := range matrices {
				began = append(began, slices.Clone(m.Data))
			}
			return func(n uint64) (moved []float64) {
				for i, m := range matrices {
					copy(m.Data, began[i])
				}
				s.step.Random = random.Stream(n, 0)
				copy(s.step.Ahead, negatives)
				s.train(text, 0, MaxCentres, 1)
				for i, m := range matrices {
					for k, x := range m.Data {
						moved = append(moved, float64(x)-float64(began[i][k]))
					}
				}
				return moved
			}
		}
		want, rounded := step(0)(0), step(0.7)
		sums, squares := make([]float64, len(want)), make([]float64, len(want))
		for n := range uint64(steps) {
			for k, x := range rounded(n) {
				sums[k] += x - want[k]
				squares[k] += (x - want[k]) * (x - want[k])
			}
		}
		differ := 0
		for k, sum := range sums {
			mean, deviation := sum/steps, math.Sqrt(squares[k])/steps
			if deviation > 1e-4 {
				differ++
			}
			if !(math.Abs(mean) <= deviations*deviation+1e-6) {
				t.Errorf("%s: number %d moves by %v more than without rounding, expected 0 within %v", name, k, mean, deviation)
			}
		}
		if differ < len(want)/4 {
			t.Errorf("%s: rounding makes a difference to %d numbers of %d", name, differ, len(want))
		}
	}
}

// Rows of fewer bits are rounded by other bits for every seed, and after every block.
func TestRoundingSeeds(t *testing.T) {
	seen := map[uint32]bool{}
	for seed := range uint64(10) {
		c := defaults()
		c.Dim, c.Seed = 8, seed
		w := toyStep(t, c)
		for w.blocks = range uint64(10) {
			seen[w.roundingSeed()] = true
		}
	}
	if len(seen) != 100 {
		t.Errorf("%d different seeds of 100", len(seen))
	}
}
