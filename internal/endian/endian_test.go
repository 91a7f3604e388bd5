package endian

import (
	"bufio"
	"bytes"
	"slices"
	"testing"
)

// The way of machines that store numbers the other way round, taken on this
// one: numbers come out reversed, and come back.
func TestOtherEndian(t *testing.T) {
	defer func(was bool) { Big = was }(Big)
	numbers := []uint32{0x01020304, 0xfffefdfc}
	native := slices.Clone(Bytes(numbers))
	slices.Reverse(native[:4])
	slices.Reverse(native[4:])

	Big = true
	var buf bytes.Buffer
	w := bufio.NewWriter(&buf)
	if err := Write(w, numbers); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(buf.Bytes(), native) {
		t.Errorf("wrote % x, want % x", buf.Bytes(), native)
	}
	if numbers[0] != 0x01020304 {
		t.Error("writing changed the numbers")
	}
	if got := Numbers[uint32](native); !slices.Equal(got, numbers) {
		t.Errorf("Numbers gives %x, want %x", got, numbers)
	}
}
