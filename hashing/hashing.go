// Package hashing holds the hash functions by which fastText, floret and finalfusion find the
// rows of n-grams. Their results never change, because they are part of model files.
//
// Most programs do not need this package: package subword calls it.
package hashing

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// FastText returns fastText's hash of b. It is 32-bit FNV-1a, except that every byte is
// sign-extended before it is mixed in, so that bytes from 0x80 up give other results. Source:
// Dictionary::hash in fastText's dictionary.cc.
func FastText(b []byte) uint32 { return FastTextMore(2166136261, b) }

// FastTextMore continues the hash h of some bytes with those of b.
func FastTextMore(h uint32, b []byte) uint32 {
	for _, c := range b {
		h ^= uint32(int32(int8(c)))
		h *= 16777619
	}
	return h
}

// FNV-1a with 64 bits. Source: www.isthe.com/chongo/tech/comp/fnv.
const (
	fnv64Offset = 0xcbf29ce484222325
	fnv64Prime  = 0x100000001b3
)

// Finalfusion returns finalfusion's hash of an n-gram. It is 64-bit FNV-1a of the number of
// code points, as eight bytes, followed by each code point, as four bytes, all little-endian. A
// byte that is not UTF-8 counts as U+FFFD. Source: the Hash of StrWithCharLen in
// finalfusion-rust's subword.rs.
func Finalfusion(ngram []byte) uint64 {
	h := fnv64(fnv64Offset, uint64(utf8.RuneCount(ngram)), 8)
	for len(ngram) > 0 {
		r, size := utf8.DecodeRune(ngram)
		h = fnv64(h, uint64(r), 4)
		ngram = ngram[size:]
	}
	return h
}

// fnv64 continues the hash h with the lowest bytes of x.
func fnv64(h, x uint64, bytes int) uint64 {
	for range bytes {
		h = (h ^ x&0xff) * fnv64Prime
		x >>= 8
	}
	return h
}

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
