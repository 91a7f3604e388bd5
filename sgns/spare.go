package sgns

import (
	"math"
	"math/bits"

	"github.com/w2v-go/w2v/internal/simd"
)

// spareContexts takes from the errors of negatives the part of those pairs of which
// the negative is the context: unit for each. It returns the loss of that part, if it
// is wanted: score then returns the score of a negative and a centre.
func (b *pairing) spareContexts(positions []uint32, unit float32, wantLoss bool, score func(negative, centre int) float32) (loss float64) {
	var near bloom
	for _, id := range positions {
		near.add(id)
	}
	for j, id := range b.now {
		if !near.has(id) {
			continue
		}
		var times [simd.Lanes]float32
		found := uint16(0)
		for p, other := range positions {
			if other == id {
				with := b.positive.with[p]
				found |= with
				for ; with != 0; with &= with - 1 {
					times[bits.TrailingZeros16(with)]++
				}
			}
		}
		errors := b.negative.errors[j*simd.Lanes:][:simd.Lanes]
		for ; found != 0; found &= found - 1 {
			i := bits.TrailingZeros16(found)
			if wantLoss {
				s := float64(score(j, i))
				loss += float64(times[i]*unit) * (max(s, 0) + math.Log1p(math.Exp(-math.Abs(s))))
			}
			errors[i] *= 1 - times[i]/b.contexts[i]
		}
	}
	return loss
}

// bloom is a set of ids of which has says either "not" or "perhaps".
type bloom [4]uint64

func (s *bloom) add(id uint32) {
	h := id * 0x9e3779b1
	s[h>>30] |= 1 << (h >> 24 & 63)
}

func (s *bloom) has(id uint32) bool {
	h := id * 0x9e3779b1
	return s[h>>30]&(1<<(h>>24&63)) != 0
}
