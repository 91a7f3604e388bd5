package config

import (
	"math"

	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/variant"
)

// RateFor returns the learning rate that suits a number of tokens to train, those
// of all epochs. The fewer tokens, the fewer steps, and the larger each has to be:
// for 86 million it is 0.04, or 0.035 with subwords, for 27 million 0.07, or 0.05; it
// follows power laws, between 0.02 and 0.07, or 0.05 with subwords. CBOW, with
// a step for each centre and not for each pair, has more: 0.055 and 0.04, and at most 0.1.
// With more pairs a token than the default window and negatives give, steps are larger and
// the rate is lower, by the square root of how many more there are. Variants in which
// every step moves more than the rows of one word have less.
// docs/benchmarks.md and docs/variants.md have the measurements behind it.
func (c Config) RateFor(tokens uint64) float64 {
	v, err := variant.Assemble(Resolve(c))
	if err != nil { // there is no such variant, and no rate that suits it
		c.Arch, c.Loss = "", ""
		return c.RateFor(tokens)
	}
	const usualTokens, least = 86e6, 0.02
	rates := v.Architecture.Rates()
	rate := rates.Words
	if c.Subword != nil {
		rate = rates.Subwords
	}
	fit := min(max(rate.Usual*math.Pow(usualTokens/float64(max(tokens, 1)), rate.Power), least), rate.Most) * v.Rate()
	usual := pairs(Defaults(), arch.Rates{})
	return max(math.Round(1000*fit*math.Sqrt(usual/max(pairs(c, rates), usual))), 1) / 1000
}

// pairs is how many pairs, true ones and negatives, a token at most has on one side.
func pairs(c Config, rates arch.Rates) float64 {
	window := meanWindow(c)
	if rates.ByCentre {
		window = float64(Defaults().Window) // a centre is in one pair, whatever its window is
	}
	return window * float64(1+c.Negatives)
}
