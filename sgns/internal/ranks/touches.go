package ranks

import (
	"math"

	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vocab"
)

// wordsOf returns how often training uses words that are subsampled with a threshold.
func wordsOf(c config.Config, v *vocab.Vocab, sample float64) params.Words {
	w := params.Words{Kept: v.KeepProbabilities(sample), Drawn: noise(c, v)}
	for i := range w.Kept {
		w.Kept[i] *= float64(v.Count(i)) / float64(max(v.Total(), 1))
		w.Sum += w.Kept[i]
	}
	for i := range w.Drawn {
		w.Drawn[i] *= negative * float64(c.Negatives) * w.Sum
	}
	return w
}

// negative is how much a negative counts: it is scored low already, mostly, and moves little.
const negative = 0.2

// noise is the probability with which each word is drawn.
func noise(c config.Config, v *vocab.Vocab) []float64 {
	counts := v.Counts()
	weights, sum := make([]float64, len(counts)), 0.0
	for w, n := range counts {
		if w > 0 && n == counts[w-1] { // as most are, and powers take long
			weights[w] = weights[w-1]
		} else {
			weights[w] = math.Pow(float64(n), c.NSExponent)
		}
		sum += weights[w]
	}
	for w := range weights {
		weights[w] /= sum
	}
	return weights
}

// touchesOf returns how often each row of a matrix is touched for each token, also as a row of the matrices
// that have the same storage.
func touchesOf(list params.List, of params.Matrix, w params.Words) func(row int) float64 {
	var all []float32
	for _, m := range list {
		if m.Name != of.Name && m.SameAs != of.Name {
			continue
		}
		if m.Touched == nil {
			return func(int) float64 { return w.Sum }
		}
		touched := m.Touched(w)
		if all == nil {
			all = touched
			continue
		}
		for row, x := range touched {
			all[row] += x
		}
	}
	return func(row int) float64 { return float64(all[row]) }
}
