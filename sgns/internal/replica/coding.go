package replica

import (
	"encoding/binary"
	"math"

	"github.com/w2v-go/w2v/internal/half"
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
		return 4 + numbers
	case Sixteen:
		return 2 * numbers
	}
	return 4 * numbers
}

// Append appends a change to data, and rounds the change to what a receiver will read.
func (c Coding) Append(data []byte, change []float32) []byte {
	switch c {
	case Eight:
		return appendEight(data, change)
	case Sixteen:
		for i, x := range change {
			h := half.ToBF16(x)
			data = append(data, byte(h), byte(h>>8))
			change[i] = half.FromBF16(h)
		}
		return data
	}
	for _, x := range change {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return data
}

// mostStep is the largest number of steps in 8 bits.
const mostStep = 127

// appendEight is Append of Eight.
func appendEight(data []byte, change []float32) []byte {
	step := largest(change) / mostStep
	data = binary.LittleEndian.AppendUint32(data, math.Float32bits(step))
	if !(step > 1/math.MaxFloat32) || step > math.MaxFloat32 { // nothing to speak of, or no numbers: then so is the row
		for i := range change {
			change[i] = step * 0
			data = append(data, 0)
		}
		return data
	}
	inverse := 1 / step
	for i, x := range change {
		const round = 3 << 22 // float32 behind it are whole numbers
		n := x*inverse + round - round
		n = max(-mostStep, min(n, mostStep))
		data = append(data, byte(int8(n)))
		change[i] = n * step
	}
	return data
}

// Read reads a change, which data has enough bytes for.
func (c Coding) Read(change []float32, data []byte) {
	switch c {
	case Eight:
		step := math.Float32frombits(binary.LittleEndian.Uint32(data))
		for i, b := range data[4:][:len(change)] {
			change[i] = float32(int8(b)) * step
		}
	case Sixteen:
		data = data[:2*len(change)]
		for i := range change {
			change[i] = half.FromBF16(uint16(data[2*i]) | uint16(data[2*i+1])<<8)
		}
	default:
		for i := range change {
			change[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
	}
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
