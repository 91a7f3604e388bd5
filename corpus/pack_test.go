package corpus

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPackedSize(t *testing.T) {
	for _, test := range []struct {
		ids  []uint32
		want int
	}{
		{nil, 0},
		{[]uint32{0}, 5},
		{[]uint32{0, 1, 2, 127 | EndOfSentence}, 5},
		{[]uint32{128, 1 << 15, 1 << 23, 0}, 1 + 2 + 3 + 4 + 1},
		{[]uint32{1<<31 - 1, EndOfSentence | 1<<31 - 1, 0, 0, 5}, 1 + 4 + 4 + 1 + 1 + 5},
	} {
		if got := len(appendPacked(nil, test.ids)); got != test.want {
			t.Errorf("%x take %d bytes, want %d", test.ids, got, test.want)
		}
	}
}

func TestPackedIDsAreTheSameAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for length := range 200 {
		ids := make([]uint32, length)
		for i := range ids {
			ids[i] = r.Uint32() >> (1 + r.IntN(31))
			if r.IntN(5) == 0 {
				ids[i] |= EndOfSentence
			}
		}
		packed := appendPacked([]byte("before"), ids)[len("before"):]
		got := make([]uint32, length)
		if err := unpack(got, packed); err != nil || !slices.Equal(got, ids) {
			t.Fatalf("%x: %x, %v", ids, got, err)
		}
		if err := unpack(got, append(packed, 0)); err == nil {
			t.Errorf("%d ids and a byte more are no error", length)
		}
		if len(packed) > 0 {
			if err := unpack(got, packed[:len(packed)-1]); err == nil {
				t.Errorf("%d ids without their last byte are no error", length)
			}
		}
	}
}

// FuzzUnpack looks for bytes that make it panic. What it accepts is the same again when packed,
// unless the bytes were not as short as they can be.
func FuzzUnpack(f *testing.F) {
	f.Add(4, []byte{0, 1, 2, 3, 4})
	f.Add(5, appendPacked(nil, []uint32{1, 1 << 20, EndOfSentence, 7, 9}))
	f.Fuzz(func(t *testing.T, n int, b []byte) {
		if n < 0 || n > 1<<16 {
			return
		}
		ids := make([]uint32, n)
		if unpack(ids, b) != nil {
			return
		}
		again := appendPacked(nil, ids)
		got := make([]uint32, n)
		if err := unpack(got, again); err != nil || !slices.Equal(got, ids) || len(again) > len(b) {
			t.Errorf("%x: %x from %d bytes, %v", ids, got, len(again), err)
		}
	})
}

// English words have ids that fall like these: half of all tokens are among the first 128 words.
func BenchmarkUnpack(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	ids := make([]uint32, ChunkTokens)
	for i := range ids {
		ids[i] = uint32(r.ExpFloat64() * r.ExpFloat64() * r.ExpFloat64() * 2000)
	}
	packed := appendPacked(nil, ids)
	b.SetBytes(int64(len(packed)))
	for b.Loop() {
		if err := unpack(ids, packed); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(ids)), "ns/id")
}
