package temperature

import (
	"math"
	"math/rand/v2"
	"testing"
)

// a text has scores and one label.
type text struct {
	scores []float32
	own    int
}

// texts returns texts whose labels are drawn from the probabilities of scores that are multiplied by a number.
func texts(n int, by float64, seed uint64) (all []text) {
	g := rand.New(rand.NewPCG(seed, 1))
	for range n {
		t := text{scores: make([]float32, 4)}
		sum := 0.0
		for i := range t.scores {
			t.scores[i] = float32(2 * g.NormFloat64())
			sum += math.Exp(by * float64(t.scores[i]))
		}
		for at := g.Float64() * sum; t.own < 3; t.own++ {
			if at -= math.Exp(by * float64(t.scores[t.own])); at < 0 {
				break
			}
		}
		all = append(all, t)
	}
	return all
}

func lossOf(all []text, logistic bool) func(by float64) (Loss, error) {
	return func(by float64) (sum Loss, _ error) {
		for _, t := range all {
			if !logistic {
				sum.Add(Softmax(t.scores, []int{t.own}, by))
				continue
			}
			for i, x := range t.scores {
				sum.Add(Logistic(float64(x), i == t.own, by))
			}
		}
		return sum, nil
	}
}

// The derivatives are those of the sum.
func TestDerivatives(t *testing.T) {
	for _, logistic := range []bool{false, true} {
		at := lossOf(texts(30, 1, 7), logistic)
		const h = 1e-4
		for _, by := range []float64{0.1, 1, 3} {
			l, _ := at(by)
			more, _ := at(by + h)
			less, _ := at(by - h)
			if first, second := (more.Sum-less.Sum)/(2*h), (more.Sum-2*l.Sum+less.Sum)/(h*h); math.Abs(first-l.First) > 1e-4 || math.Abs(second-l.Second) > 1e-3*max(1, l.Second) {
				t.Errorf("logistic %v, %v: %+v, want %v and %v", logistic, by, l, first, second)
			}
		}
	}
}

// Scores that labels were drawn by are found again, and the loss never rises: with few texts, without errors, with errors
// alone, and with scores that say nothing.
func TestLeast(t *testing.T) {
	for _, want := range []float64{0.2, 1, 4} {
		by, before, least, err := Least(lossOf(texts(20_000, want, 3), false))
		if err != nil || math.Abs(by/want-1) > 0.05 || least.Sum > before.Sum {
			t.Errorf("%v, %v, want %v; loss %v, before %v", by, err, want, least.Sum, before.Sum)
		}
	}
	for seed := range uint64(200) {
		for _, logistic := range []bool{false, true} {
			few := texts(1+int(seed)%9, 1, seed)
			if seed%3 == 0 {
				for i := range few { // the label with the largest score
					for k, x := range few[i].scores {
						if x > few[i].scores[few[i].own] {
							few[i].own = k
						}
					}
				}
			}
			if by, before, least, err := Least(lossOf(few, logistic)); err != nil || !(least.Sum <= before.Sum) || by > 10 || by < 0.1 {
				t.Errorf("seed %d: %v, %v, loss %v, before %v", seed, by, err, least.Sum, before.Sum)
			}
		}
	}
	for name, one := range map[string]text{"one label": {[]float32{3}, 0}, "equal scores": {[]float32{2, 2}, 1}} {
		if by, _, _, err := Least(lossOf([]text{one, one}, false)); err != nil || by != 1 {
			t.Errorf("%s: %v, %v", name, by, err)
		}
	}
	all := make([]text, 5000)
	for i := range all {
		all[i] = text{[]float32{1000, -1000}, 1}
	}
	if by, _, _, err := Least(lossOf(all, false)); err != nil || by > 1./200 {
		t.Errorf("always wrong: %v, %v", by, err)
	}
}
