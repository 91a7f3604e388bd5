//go:build arm64 && !purego

package simd

// maskColumns returns the columns of 64 masks: bit j of column i is bit i of mask j.
func maskColumns(masks []uint16) (columns [Lanes]uint64) {
	for first := 0; first < masksAtOnce; first += 8 {
		var low, high uint64
		for j, mask := range masks[first : first+8] {
			low |= uint64(mask&0xff) << (8 * j)
			high |= uint64(mask>>8) << (8 * j)
		}
		low, high = transposeBits(low), transposeBits(high)
		for i := range 8 {
			columns[i] |= low >> (8 * i) & 0xff << first
			columns[8+i] |= high >> (8 * i) & 0xff << first
		}
	}
	return columns
}

// transposeBits transposes 8 rows of 8 bits: bit j of byte i becomes bit i of byte j. It swaps blocks of
// one, two and four bits across the diagonal.
func transposeBits(x uint64) uint64 {
	for _, swap := range []struct {
		by   int
		mask uint64
	}{{7, 0x00aa00aa00aa00aa}, {14, 0x0000cccc0000cccc}, {28, 0x00000000f0f0f0f0}} {
		t := (x ^ x>>swap.by) & swap.mask
		x ^= t ^ t<<swap.by
	}
	return x
}
