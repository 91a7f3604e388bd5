package divided

import (
	"encoding/binary"
	"errors"
	"sync"

	"github.com/w2v-go/w2v/internal/half"
)

// Rows travel as bfloat16. What a row changed by is added up in float32 by its owner, so that rounding
// does not add up: the error of each change is at most a 256th of that change.

// codeBytes is the size of a number on its way.
const codeBytes = 2

// put writes a row's code.
func put(to []byte, row []float32) {
	to = to[:codeBytes*len(row)]
	for k, x := range row {
		binary.LittleEndian.PutUint16(to[2*k:], half.ToBF16(x))
	}
}

// putChange writes the code of what a row has changed by.
func putChange(to []byte, row, from []float32) {
	to, from = to[:codeBytes*len(row)], from[:len(row)]
	for k, x := range row {
		binary.LittleEndian.PutUint16(to[2*k:], half.ToBF16(x-from[k]))
	}
}

// get reads a row, and add adds what is read to a row.
func get(row []float32, from []byte) {
	from = from[:codeBytes*len(row)]
	for k := range row {
		row[k] = half.FromBF16(binary.LittleEndian.Uint16(from[2*k:]))
	}
}

func add(row []float32, from []byte) {
	from = from[:codeBytes*len(row)]
	for k := range row {
		row[k] += half.FromBF16(binary.LittleEndian.Uint16(from[2*k:]))
	}
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
