package vocab_test

import (
	"math/rand/v2"
	"testing"

	"github.com/w2v-go/w2v/vocab"
)

// BenchmarkDraw draws from a vocabulary that is as large and as skewed as that of 10⁸ tokens.
func BenchmarkDraw(b *testing.B) {
	weights := make([]float64, 1_500_000)
	for i := range weights {
		weights[i] = float64(1 + 10_000_000/(i+1)) // a count
	}
	noise := vocab.NewAlias(weights)
	random := rand.NewPCG(1, 2)
	var words [64]uint32
	for b.Loop() {
		for i := range words {
			words[i] = noise.Draw(random.Uint64())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(words)), "ns/draw")
}
