package scorer

import (
	"encoding/binary"
	"math/bits"
)

// spell returns the length of the token that data begins with, which ends before a blank, and its hash.
func spell(data []byte) (n int, hash uint64) {
	for {
		x := chunk(data[n:])
		for ends := upToBlank(x); ends != 0; ends &= ends - 1 {
			if at := bits.TrailingZeros64(ends) &^ 7; IsBlank(byte(x >> at)) { // no other control character ends a token
				return n + at/8, mix(hash, x&(1<<at-1))
			}
		}
		n, hash = n+8, mix(hash, x)
	}
}

// hashOf returns the hash of a token. Two tokens of the same length below 8 have the same hash only if they are equal.
func hashOf(token []byte) (hash uint64) {
	for ; len(token) >= 8; token = token[8:] {
		hash = mix(hash, chunk(token))
	}
	return mix(hash, chunk(token))
}

func mix(hash, x uint64) uint64 {
	hash = (hash ^ x) * 0x9e3779b97f4a7c15
	return hash ^ hash>>32
}

// chunk returns the first 8 bytes of data, and 0 for each that it lacks.
func chunk(data []byte) (x uint64) {
	if len(data) >= 8 {
		return binary.LittleEndian.Uint64(data)
	}
	for i, b := range data {
		x |= uint64(b) << (8 * i)
	}
	return x
}

// upToBlank returns the top bits of the bytes of x that are a blank or less.
func upToBlank(x uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	return ^(x&^tops + (0x7f-' ')*ones) &^ x & tops
}
