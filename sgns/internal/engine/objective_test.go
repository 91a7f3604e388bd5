package engine

import (
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/step"
)

// logistic is logistic regression as an objective, which has kernels otherwise.
type logistic struct{}

func (logistic) Errors(errors, scores []float32, p simd.Pairs, wantLoss bool) (loss float64) {
	sign := -1.0
	if p.Positive {
		sign = 1
	}
	for j, with := range p.With {
		for i, weight := range p.Weights {
			at := j*simd.Lanes + i
			errors[at] = 0
			if with>>i&1 != 0 {
				s := sign * float64(scores[at])
				errors[at] = float32(sign * float64(weight) / (1 + math.Exp(s)))
				loss += float64(weight) * math.Log1p(math.Exp(-s))
			}
		}
	}
	if !wantLoss {
		return 0
	}
	return loss
}

// scored is a loss whose errors the objective finds.
type scored struct{ loss.Loss }

func (scored) Scored() bool { return true }

func (l scored) Worker(p step.Parts) step.Loss { return scoredWorker{l.Loss.Worker(p)} }

type scoredWorker struct{ step.Loss }

func (scoredWorker) Objective() step.Objective { return logistic{} }

// An objective gets the scores that kernels make errors of, of all variants.
func TestObjective(t *testing.T) {
	for _, v := range allowed() {
		if v.variant(t).Loss.Scored() { // it has an objective of its own
			continue
		}
		outcome := func(objective bool) ([]float32, Trained) {
			words := toyVocab(t)
			table := v.table(words)
			v.blockCentres, v.LearningRate = 4, 0.01
			d := Divide(v.variant(t), words, table, words.KeepProbabilities(0), v.given())
			d.Contexts = toyContexts
			r := v.newRun(t, words, table, d)
			if objective {
				r.Variant.Loss = scored{r.Variant.Loss}
			}
			fill(r.Values, v.config)
			w := r.NewWorker(0, 0)
			text := longText(40)
			w.text.IDs, w.text.From, w.text.To = append(w.text.IDs, text.IDs...), append(w.text.From, text.From...), append(w.text.To, text.To...)
			trained := w.train()
			var numbers []float32
			for _, m := range all(r.Values) {
				numbers = append(numbers, m.Data...)
			}
			return numbers, trained
		}
		want, by := outcome(false)
		got, byObjective := outcome(true)
		if d := math.Abs(by.Loss - byObjective.Loss); by.Pairs != byObjective.Pairs || !(d <= 1e-3*(1+by.Loss)) {
			t.Errorf("%s: %d pairs with a loss of %v, want %d with %v", v.name, byObjective.Pairs, byObjective.Loss, by.Pairs, by.Loss)
		}
		if k := slices.IndexFunc(want, func(x float32) bool { return x != x }); k >= 0 || len(got) != len(want) {
			t.Fatalf("%s: number %d of %d is NaN", v.name, k, len(want))
		}
		for k, x := range want {
			if math.Abs(float64(got[k]-x)) > 1e-3*(1+math.Abs(float64(x))) {
				t.Errorf("%s: number %d is %v, want %v", v.name, k, got[k], x)
				break
			}
		}
	}
}
