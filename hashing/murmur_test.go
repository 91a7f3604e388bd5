package hashing_test

import (
	"fmt"
	"testing"

	"github.com/w2v-go/w2v/hashing"
)

func TestMurmur3(t *testing.T) {
	tests := []struct {
		in            string
		seed          uint32
		first, second uint64
	}{
		{"", 0, 0, 0},
		{"hello", 0, 0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19},
		{"The quick brown fox jumps over the lazy dog", 0, 0xe34bbc7bbc071b6c, 0x7a433ca9c49a9347},
	}
	for _, tt := range tests {
		first, second := hashing.Murmur3([]byte(tt.in), tt.seed)
		if first != tt.first || second != tt.second {
			t.Errorf("Murmur3(%q, %d) = %#x, %#x, want %#x, %#x", tt.in, tt.seed, first, second, tt.first, tt.second)
		}
	}
}

// The verification value of smhasher's KeysetTest.cpp, VerificationTest: the
// hash of all hashes of the keys 0, 0 1, 0 1 2, …, each with seed 256 - length.
func TestMurmur3Verification(t *testing.T) {
	var key [256]byte
	var hashes []byte
	appendHash := func(dst []byte, b []byte, seed uint32) []byte {
		first, second := hashing.Murmur3(b, seed)
		for _, h := range []uint64{first, second} {
			for range 8 {
				dst = append(dst, byte(h))
				h >>= 8
			}
		}
		return dst
	}
	for n := range 256 {
		key[n] = byte(n)
		hashes = appendHash(hashes, key[:n], uint32(256-n))
	}
	final := appendHash(nil, hashes, 0)
	if got := uint32(final[0]) | uint32(final[1])<<8 | uint32(final[2])<<16 | uint32(final[3])<<24; got != 0x6384ba69 {
		t.Errorf("verification value %#x, want 0x6384ba69", got)
	}
}

func ExampleMurmur3() {
	first, second := hashing.Murmur3([]byte("hello"), 0)
	fmt.Printf("%016x %016x\n", first, second)
	// Output: cbd8a7b341bd9b02 5b1e906a48ae1d19
}
