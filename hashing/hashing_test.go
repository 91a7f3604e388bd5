package hashing_test

import (
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
