package sgns

import (
	"math"
	"math/bits"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/random"
)

// The loss of negative sampling. Pair by pair, word2vec draws K negatives for each true
// pair. A block draws N, and gives each the weight (pairs of the input)·K/N for every
// input, which is the same gradient on the average. A negative that is the true word of a
// pair does not count for that pair, as in word2vec.c.

// draws draws negatives.
func (b *pairing) draws(negatives []uint32, r *random.Generator) {
	for i := range negatives {
		negatives[i] = b.noise.Draw(r.Next())
	}
}

// labelSampled has the true words say yes, and the negatives say no to all inputs.
func (b *pairing) labelSampled(rate float32) {
	b.positive.rows, b.positive.with = b.true, b.by
	b.negative.rows, b.negative.with = b.now, b.negative.with[:len(b.now)]
	b.weigh(rate, b.shared)
	all := uint16(1<<len(b.ids) - 1)
	for i := range b.negative.with {
		b.negative.with[i] = all
	}
}

// weigh says what pairs weigh, if each stands for so many draws of negatives.
func (b *pairing) weigh(rate float32, draws int) {
	b.unit = rate * b.negatives / float32(draws)
	for i, n := range b.each[:len(b.ids)] {
		b.positive.weights[i], b.negative.weights[i] = rate, b.unit*n
	}
}

// spare takes from the errors of negatives the part of those pairs of which the negative
// is the true word: a unit for each. It returns the loss of that part, if it is wanted:
// score then returns the score of a negative and an input, by columns.
func (b *pairing) spare(wantLoss bool, score func(negative, input, columns int) float32) (loss float64) {
	var near bloom
	for _, row := range b.positive.rows {
		near.add(row)
	}
	for j, row := range b.negative.rows {
		if !near.has(row) {
			continue
		}
		var times [simd.Lanes]float32
		found := uint16(0)
		for p, other := range b.positive.rows {
			if other == row {
				with := b.positive.with[p]
				found |= with
				for ; with != 0; with &= with - 1 {
					times[bits.TrailingZeros16(with)]++
				}
			}
		}
		for ; found != 0; found &= found - 1 {
			i := bits.TrailingZeros16(found)
			for k, errors := range b.negative.errors {
				errors[j*simd.Lanes+i] *= 1 - times[i]/b.each[i]
				if wantLoss {
					s := float64(score(j, i, k))
					loss += float64(times[i]*b.unit) * (max(s, 0) + math.Log1p(math.Exp(-math.Abs(s))))
				}
			}
		}
	}
	return loss / float64(len(b.negative.errors))
}

// bloom is a set of rows of which has says either "not" or "perhaps".
type bloom [4]uint64

func (s *bloom) add(row uint32) {
	h := row * 0x9e3779b1
	s[h>>30] |= 1 << (h >> 24 & 63)
}

func (s *bloom) has(row uint32) bool {
	h := row * 0x9e3779b1
	return s[h>>30]&(1<<(h>>24&63)) != 0
}
