package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// Probabilities are those of LogisticRegression(C=1, tol=1e-12, solver="newton-cg") of scikit-learn 1.2.1.
func TestLogisticIsScikitLearns(t *testing.T) {
	points := []float64{1, 0, .8, .6, .6, .8, 0, 1, -.6, .8, -.8, .6, -1, 0, -.6, -.8, 0, -1, .6, -.8, .28, .96}
	for _, test := range []struct {
		classes []int
		labels  int
		want    []float64
	}{
		{
			[]int{0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1}, 3,
			[]float64{0.37064563399148726, 0.548797806034234, 0.08055655997427882, 0.09097445921409347, 0.2800642201068378, 0.6289613206790687},
		},
		{
			[]int{0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1}, 2,
			[]float64{0.4816660708531706, 0.5183339291468294, 0.659771353339638, 0.340228646660362},
		},
	} {
		m := newLogistic(points, test.classes, 2, test.labels)
		asked := []float64{.28, .96, -.96, -.28}
		scores := make([]float64, 2*test.labels)
		m.scores(scores, blas64.General{Rows: 2, Cols: 2, Stride: 2, Data: asked})
		for i := range 2 {
			row, want := scores[i*test.labels:][:test.labels], test.want[i*test.labels:][:test.labels]
			sum := 0.0
			for _, s := range row {
				sum += math.Exp(s)
			}
			best := 0
			for k, s := range row {
				if p := math.Exp(s) / sum; math.Abs(p-want[k]) > 1e-7 {
					t.Errorf("%d labels, point %d: probability %v of label %d, want %v", test.labels, i, p, k, want[k])
				}
				if want[k] > want[best] {
					best = k
				}
			}
			if got := m.classify(asked)[i]; got != best {
				t.Errorf("%d labels, point %d: label %d, want %d", test.labels, i, got, best)
			}
		}
	}
}

// f1_score(average="macro") of scikit-learn.
func TestMacroF1(t *testing.T) {
	actual, guess := []int{0, 0, 1, 2, 2, 3}, []int{0, 1, 1, 2, 0, 0}
	if got := macroF1(guess, actual, 5, ones(6)); math.Abs(got-0.43333333333333335) > 1e-15 { // nothing has or is given label 4
		t.Error(got)
	}
	if got, want := macroF1(guess, actual, 5, []float64{2, 0, 1, 1, 1, 0}), (2.0*2/5+1+2.0/3)/3; math.Abs(got-want) > 1e-15 {
		t.Error(got, want)
	}
}

func TestSampled(t *testing.T) {
	labels := []int{0, 0, 0, 1, 0, 2, 2, 2, 2}
	chosen := sampled(labels, 3, 2, rand.New(rand.NewPCG(1, 1)))
	n := [3]int{}
	for _, i := range chosen {
		n[labels[i]]++
	}
	slices.Sort(chosen)
	if n != [3]int{2, 1, 2} || len(slices.Compact(chosen)) != 5 {
		t.Errorf("%v: %v", chosen, n)
	}
	if all := sampled(labels, 3, 0, nil); len(all) != len(labels) {
		t.Error(all)
	}
}
