package hashing_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/w2v-go/w2v/hashing"
)

func TestFastText(t *testing.T) {
	tests := []struct {
		in   string
		want uint32
	}{
		// FNV's own test vectors, which have no byte from 0x80 up.
		// Source: the FNV reference code, test_fnv.c.
		{"", 0x811c9dc5},
		{"a", 0xe40c292c},
		{"foobar", 0xbf9cf968},
		// One byte, worked out by hand: (offset basis ^ 0xffffffff) * prime, and
		// (offset basis ^ 0xffffff80) * prime.
		{"\xff", uint32((uint64(0x811c9dc5^0xffffffff) * 16777619) & 0xffffffff)},
		{"\x80", uint32((uint64(0x811c9dc5^0xffffff80) * 16777619) & 0xffffffff)},
	}
	for _, tt := range tests {
		if got := hashing.FastText([]byte(tt.in)); got != tt.want {
			t.Errorf("FastText(%q) = %#x, want %#x", tt.in, got, tt.want)
		}
	}
}

// For ASCII the hash is plain FNV-1a, and for any other byte it is not. That
// the others are fastText's is tested against its output in package subword.
func TestFastTextAgainstFNV(t *testing.T) {
	for c := range 256 {
		b := []byte{'x', byte(c), 'y'}
		plain := fnv.New32a()
		_, _ = plain.Write(b)
		if same := hashing.FastText(b) == plain.Sum32(); same != (c < 0x80) {
			t.Errorf("byte %#x: equal to FNV-1a: %v", c, same)
		}
	}
}

func TestFastTextAllocates(t *testing.T) {
	b := []byte("日本語")
	if n := testing.AllocsPerRun(100, func() { hashing.FastText(b) }); n != 0 {
		t.Errorf("%v allocations a call, want none", n)
	}
}

func ExampleFastText() {
	const buckets = 2_000_000
	fmt.Println(hashing.FastText([]byte("<wh")) % buckets)
	// Output: 167652
}

// The hash is that of the standard library, of what finalfusion puts into it. That
// finalfusion puts this into it is tested against its output in package subword.
func TestFinalfusion(t *testing.T) {
	for _, ngram := range []string{"", "a", "<th", "é>", "日本語", "🙂", "a\x00b", "\xff", "caf\xe9>"} {
		plain := fnv.New64a()
		runes := []rune(ngram)
		b := binary.LittleEndian.AppendUint64(nil, uint64(len(runes)))
		for _, r := range runes {
			b = binary.LittleEndian.AppendUint32(b, uint32(r))
		}
		_, _ = plain.Write(b)
		if got, want := hashing.Finalfusion([]byte(ngram)), plain.Sum64(); got != want {
			t.Errorf("Finalfusion(%q) = %#x, want %#x", ngram, got, want)
		}
	}
}

func TestFinalfusionAllocates(t *testing.T) {
	b := []byte("日本語")
	if n := testing.AllocsPerRun(100, func() { hashing.Finalfusion(b) }); n != 0 {
		t.Errorf("%v allocations a call, want none", n)
	}
}

func ExampleFinalfusion() {
	const exponent = 21
	fmt.Println(hashing.Finalfusion([]byte("<the>")) & (1<<exponent - 1))
	// Output: 1527803
}

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
