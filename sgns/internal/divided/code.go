package divided

import (
	"encoding/binary"
	"errors"
	"math"
	"sync"

	"github.com/w2v-go/w2v/internal/simd"
)

// Rows and what they changed by travel as a step, and 8 bits for each number of steps. Owners have the rows
// in float32, and add changes up there.

// stepBytes is the size of a step.
const stepBytes = 4

// rowBytes is the size of a row of so many numbers on its way.
func rowBytes(cols int) int { return stepBytes + cols }

// put writes a row's code. Most is the largest magnitude in it.
func put(to []byte, row []float32, most float32) {
	step := most / simd.MostEight
	binary.LittleEndian.PutUint32(to, math.Float32bits(step))
	to = to[stepBytes:][:len(row)]
	if !(step > 1/math.MaxFloat32) || step > math.MaxFloat32 { // nothing to speak of, or no numbers: then so is the row
		clear(to)
		return
	}
	simd.ToEights(to, row, 1/step)
}

// A coder writes the codes of rows. Zeros and what has changed have as many numbers as a row.
type coder struct{ zeros, changed []float32 }

func newCoder(cols int) coder { return coder{make([]float32, cols), make([]float32, cols)} }

// put writes the code of a row, and change that of what a row has changed by.
func (c coder) put(to []byte, row []float32) {
	most, _ := simd.Difference(c.changed, row, c.zeros)
	put(to, row, most)
}

func (c coder) change(to []byte, row, from []float32) {
	_, most := simd.Difference(c.changed, row, from)
	put(to, c.changed, most)
}

// get reads a row, and add adds what is read to a row, times by.
func get(row []float32, from []byte) {
	clear(row)
	add(row, from, 1)
}

func add(row []float32, from []byte, by float32) {
	step := math.Float32frombits(binary.LittleEndian.Uint32(from))
	simd.AddEights(row, simd.Eights{Bits: from[stepBytes:][:len(row)], Step: step * by})
}

// errMessage says that another rank runs another program.
var errMessage = errors.New("a message of another rank cannot be understood: do all ranks run the same program?")

// appendRising appends rising numbers.
func appendRising(to []byte, numbers []uint32) []byte {
	to = binary.AppendUvarint(to, uint64(len(numbers)))
	last := uint32(0)
	for _, n := range numbers {
		to = binary.AppendUvarint(to, uint64(n-last))
		last = n
	}
	return to
}

// rising reads rising numbers, all below limit, into numbers. It returns the rest.
func rising(from []byte, limit int, numbers []uint32) (all []uint32, rest []byte, err error) {
	count, n := binary.Uvarint(from)
	if n <= 0 || count > uint64(limit) {
		return nil, nil, errMessage
	}
	from = from[n:]
	numbers = numbers[:0]
	last := uint64(0)
	for range count {
		by, n := binary.Uvarint(from)
		if n <= 0 || by >= uint64(limit) || last+by >= uint64(limit) {
			return nil, nil, errMessage
		}
		last += by
		from = from[n:]
		numbers = append(numbers, uint32(last))
	}
	return numbers, from, nil
}

// inParts calls work for parts of 0…n-1, in as many goroutines.
func inParts(parts, n int, work func(first, last int)) {
	if parts = min(parts, n/64); parts <= 1 {
		work(0, n)
		return
	}
	var g sync.WaitGroup
	for k := range parts {
		g.Go(func() { work(n*k/parts, n*(k+1)/parts) })
	}
	g.Wait()
}
