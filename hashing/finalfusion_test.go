package hashing_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/w2v-go/w2v/hashing"
)

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
