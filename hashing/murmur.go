package hashing

import (
	"encoding/binary"
	"math/bits"
)

// Constants of MurmurHash3's mixing.
const (
	murmurC1 = 0x87c37b91114253d5
	murmurC2 = 0x4cf5ad432745937f
)

// Murmur3 returns the two 64-bit halves of MurmurHash3_x64_128 of b. floret hashes words and
// n-grams by it, and the native format has an index of words by it. Source: Austin Appleby,
// MurmurHash3.cpp in smhasher.
func Murmur3(b []byte, seed uint32) (first, second uint64) {
	h1, h2 := uint64(seed), uint64(seed)
	n := uint64(len(b))
	for ; len(b) >= 16; b = b[16:] {
		h1 ^= murmurMix1(binary.LittleEndian.Uint64(b))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= murmurMix2(binary.LittleEndian.Uint64(b[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var tail [16]byte
	copy(tail[:], b)
	// Mixing zeros changes nothing, so a tail of any length is a padded block.
	h2 ^= murmurMix2(binary.LittleEndian.Uint64(tail[8:]))
	h1 ^= murmurMix1(binary.LittleEndian.Uint64(tail[:]))

	h1 ^= n
	h2 ^= n
	h1 += h2
	h2 += h1
	h1, h2 = murmurFinal(h1), murmurFinal(h2)
	h1 += h2
	h2 += h1
	return h1, h2
}

func murmurMix1(k uint64) uint64 { return bits.RotateLeft64(k*murmurC1, 31) * murmurC2 }
func murmurMix2(k uint64) uint64 { return bits.RotateLeft64(k*murmurC2, 33) * murmurC1 }

func murmurFinal(k uint64) uint64 {
	k ^= k >> 33
	k *= 0xff51afd7ed558ccd
	k ^= k >> 33
	k *= 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}
