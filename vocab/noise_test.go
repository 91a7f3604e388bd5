package vocab

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Negatives are drawn by count to the power of the exponent, also a negative one, with which rare
// tokens are drawn more often.
func TestNoiseFollowsTheExponent(t *testing.T) {
	v, err := Read(strings.NewReader("a 1000\nb 100\nc 10\nd 10\ne 1\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, exponent := range []float64{-1, -0.5, 0, 0.75, 1} {
		const rounds = 400_000
		noise, random := v.Noise(exponent), rand.New(rand.NewPCG(1, 2))
		drawn := make([]float64, v.Len())
		for range rounds {
			drawn[noise.Draw(random.Uint64())]++
		}
		sum := 0.0
		for id := range v.Len() {
			sum += math.Pow(float64(v.Count(id)), exponent)
		}
		for id, n := range drawn {
			p := math.Pow(float64(v.Count(id)), exponent) / sum
			if got, off := n/rounds, 5*math.Sqrt(p*(1-p)/rounds); math.Abs(got-p) > off {
				t.Errorf("exponent %v: %s is drawn with probability %.5f, want %.5f ± %.5f", exponent, v.Token(id), got, p, off)
			}
		}
	}
}
