package replica

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/internal/simd"
)

// A Coding says how the numbers of a change travel.
type Coding int

const (
	// Eight is a scale for each row, and 8 bits a number.
	Eight Coding = iota
	// Sixteen is bfloat16.
	Sixteen
	// Exact is float32.
	Exact
)

// Bytes is how many bytes a change of so many numbers takes.
func (c Coding) Bytes(numbers int) int {
	switch c {
	case Eight:
		return stepBytes + numbers
	case Sixteen:
		return 2 * numbers
	}
	return 4 * numbers
}

// stepBytes is how many bytes the step of 8 bits takes.
const stepBytes = 4

// Append appends a change to data. Most is its largest magnitude.
func (c Coding) Append(data []byte, change []float32, most float32) []byte {
	switch c {
	case Eight:
		return appendEight(data, change, most)
	case Sixteen:
		for _, x := range change {
			data = binary.LittleEndian.AppendUint16(data, half.ToBF16(x))
		}
		return data
	}
	for _, x := range change {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return data
}

// appendEight is Append of Eight.
func appendEight(data []byte, change []float32, most float32) []byte {
	step := most / simd.MostEight
	data = binary.LittleEndian.AppendUint32(data, math.Float32bits(step))
	first := len(data)
	data = slices.Grow(data, len(change))[:first+len(change)]
	if !(step > 1/math.MaxFloat32) || step > math.MaxFloat32 { // nothing to speak of, or no numbers: then so is the row
		clear(data[first:])
		return data
	}
	simd.ToEights(data[first:], change, 1/step)
	return data
}

// eights is what data say in the coding Eight.
func eights(data []byte) simd.Eights {
	return simd.Eights{Bits: data[stepBytes:], Step: math.Float32frombits(binary.LittleEndian.Uint32(data))}
}

// Add adds a change, which data has enough bytes for, times by, to sum. It returns the largest magnitude in
// sum then.
func (c Coding) Add(sum []float32, data []byte, by float32) (most float32) {
	switch c {
	case Eight:
		e := eights(data)
		e.Step *= by
		return simd.AddEights(sum, e)
	case Sixteen:
		for i := range sum {
			sum[i] += float32(half.FromBF16(binary.LittleEndian.Uint16(data[2*i:])) * by)
		}
	default:
		for i := range sum {
			sum[i] += float32(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])) * by)
		}
	}
	return largest(sum)
}

// largest returns the largest magnitude of x.
func largest(x []float32) (most float32) {
	const sign = 1 << 31
	var bits uint32
	for _, v := range x {
		bits = max(bits, math.Float32bits(v)&^sign)
	}
	return math.Float32frombits(bits)
}
