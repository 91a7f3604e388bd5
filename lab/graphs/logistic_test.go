package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Labels that depend on a column are found, and F1 is what the definition says.
func TestRegression(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var x [][]float64
	var y []int
	for range 600 {
		a, b := random.NormFloat64(), random.NormFloat64()
		label := 0
		if a > 0.5 {
			label = 1
		} else if b > 0 {
			label = 2
		}
		x, y = append(x, []float64{a, b, 1}), append(y, label)
	}
	standardize(x, 300)
	w, err := regress(x[:300], y[:300], 3)
	if err != nil {
		t.Fatal(err)
	}
	if s := f1(predict(w, x[300:], 3), y[300:], 3); s.micro < 0.9 || s.macro < 0.9 {
		t.Errorf("scores %+v", s)
	}
	if s := f1([]int{0, 0, 1}, []int{0, 1, 1}, 3); math.Abs(s.micro-2.0/3) > 1e-9 || math.Abs(s.macro-2.0/3) > 1e-9 {
		t.Errorf("F1 %+v", s)
	}
}

// Generators make the edges that they are asked for.
func TestGenerators(t *testing.T) {
	var text strings.Builder
	if err := powerLaw(&text, 1000, 5000, 1); err != nil || strings.Count(text.String(), "\n") != 5000 {
		t.Errorf("%d edges, %v", strings.Count(text.String(), "\n"), err)
	}
	text.Reset()
	labels, err := communities(&text, 500, 5, 10, 0.8, 1)
	edges := strings.Fields(text.String())
	if n := len(edges) / 2; err != nil || len(labels) != 500 || n < 2300 || n > 2800 {
		t.Errorf("%d labels, %d edges, %v", len(labels), n, err)
	}
}
