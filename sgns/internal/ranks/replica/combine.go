package replica

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
)

// A Coding is the encoding of a change's numbers in messages.
type Coding int

const (
	// Eight has a scale for each row, and 8 bits for each number.
	Eight Coding = iota
	// Exact is float32.
	Exact
)

// Bytes returns the size of a change of so many numbers.
func (c Coding) Bytes(numbers int) int {
	if c == Eight {
		return stepBytes + numbers
	}
	return 4 * numbers
}

const stepBytes = 4

// Append encodes a change, whose largest magnitude is most, and appends it to data.
func (c Coding) Append(data []byte, change []float32, most float32) []byte {
	first := len(data)
	data = slices.Grow(data, c.Bytes(len(change)))[:first+c.Bytes(len(change))]
	if c == Eight {
		PutEight(data[first:], change, most)
		return data
	}
	for k, x := range change {
		binary.LittleEndian.PutUint32(data[first+4*k:], math.Float32bits(x))
	}
	return data
}

// PutEight writes a change, whose largest magnitude is most, in the coding Eight.
func PutEight(to []byte, change []float32, most float32) {
	step := most / simd.MostEight
	binary.LittleEndian.PutUint32(to, math.Float32bits(step))
	to = to[stepBytes:][:len(change)]
	if !(step > 1/math.MaxFloat32) || step > math.MaxFloat32 { // the change is negligible or not finite, and so is its code
		clear(to)
		return
	}
	simd.ToEights(to, change, 1/step)
}

func eights(data []byte) simd.Eights {
	return simd.Eights{Bits: data[stepBytes:], Step: math.Float32frombits(binary.LittleEndian.Uint32(data))}
}

// Add adds a change times by to sum. Of Eight, it returns the largest magnitude of the new sum, which Append needs.
func (c Coding) Add(sum []float32, data []byte, by float32) (most float32) {
	if c == Eight {
		e := eights(data)
		e.Step *= by
		return simd.AddEights(sum, e)
	}
	for i := range sum {
		sum[i] += float32(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])) * by)
	}
	return 0
}

// A Row is what a Combiner knows of a row besides its changes.
type Row struct {
	Ranks int // number of ranks in the run
	// Way is how far a rank is expected to have moved the row: the sum of the rates of its touches.
	Way float64
	// Agreement is the squared length of the sum of changes, divided by the sum of their squared lengths: 1
	// for orthogonal changes, and the number of changes for equal changes.
	Agreement float64
}

// A Combiner returns the factor of the sum of n ≥ 1 changes of a row. Goroutines may call it at once.
type Combiner func(n int, row Row) float64

// Saturating returns a Combiner that adds changes up, with a smaller factor the more often the row was changed.
//
// If ranks trained one after the other, each would start from the row that the rank before left. Assume that
// on one rank a row moves a share 1−q of the way to its attractor. After n ranks it would have moved 1−qⁿ of
// the way. So the right factor of the sum is (1−qⁿ)/(n(1−q)): 1 for a row that has moved a little, and 1/n
// for a row that has arrived. q falls exponentially with the number of touches.
//
// Orthogonal changes come from different text, and do not draw the row to the same place. So the result is at
// least as long as if the changes were orthogonal.
func Saturating(perTouch float64) Combiner {
	return func(n int, row Row) float64 {
		return max(Saturation(perTouch*row.Way, n), 1/max(row.Agreement, 1))
	}
}

// ByPairs returns the Combiner that suits most runs: see docs/scale.md. A touch of a row is its part in all pairs of a token; but if inputs are
// means of so many contexts, all of these are one pair. contexts is 0 for other models.
func ByPairs(contexts float64) Combiner { return Saturating(4 / max(contexts, 1)) }

// Saturation returns the factor of the sum of n changes, if each moved a row 1−exp(−way) of its way.
func Saturation(way float64, n int) float64 {
	if n < 2 || way < 1e-6 {
		return 1
	}
	// Expm1 would be more exact than needed, and several times slower.
	return (1 - math.Exp(-way*float64(n))) / (float64(n) * (1 - math.Exp(-way)))
}

func square(x []float32) float64 {
	var dot [1]float32
	simd.Dots(dot[:], 1, x, len(x), 1, x, len(x), 1, len(x))
	return float64(dot[0])
}
