package vectors

import (
	"bufio"
	"bytes"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/endian"
)

// The way of machines that store numbers the other way round, taken on this
// one: numbers come out reversed, and come back.
func TestOtherEndian(t *testing.T) {
	defer func(was bool) { endian.Big = was }(endian.Big)
	numbers := []uint32{0x01020304, 0xfffefdfc}
	native := slices.Clone(endian.Bytes(numbers))
	slices.Reverse(native[:4])
	slices.Reverse(native[4:])

	endian.Big = true
	var buf bytes.Buffer
	w := bufio.NewWriter(&buf)
	if err := endian.Write(w, numbers); err != nil {
		t.Fatal(err)
	}
	if err := (newSet(Parts{})).writeRows(w, Matrix{Data: []float32{1, 2, 0}, Rows: 1, Cols: 2, Stride: 3}); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(buf.Bytes()[:8], native) {
		t.Errorf("wrote % x, want % x", buf.Bytes()[:8], native)
	}
	if numbers[0] != 0x01020304 {
		t.Error("writing changed the numbers")
	}
	if got := endian.Numbers[uint32](native); !slices.Equal(got, numbers) {
		t.Errorf("numbersOf gives %x, want %x", got, numbers)
	}
	in := newInput(&buf, int64(buf.Len()))
	got, err := readArray[uint32](in, nil, 2, "numbers")
	if err != nil || !slices.Equal(got, numbers) {
		t.Errorf("readArray gives %x, %v; want %x", got, err, numbers)
	}
	rows, err := readArray[float32](in, nil, 2, "rows")
	if err != nil || !slices.Equal(rows, []float32{1, 2}) {
		t.Errorf("readArray gives %v, %v", rows, err)
	}
}
