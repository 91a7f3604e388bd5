package decimal

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// parseDecimal is strconv, or says that it does not know.
func sameAsStrconv(t *testing.T, text string) (known bool) {
	t.Helper()
	got, known := parseDecimal([]byte(text))
	want, err := strconv.ParseFloat(text, 32)
	if known && (err != nil || math.Float32bits(got) != math.Float32bits(float32(want))) {
		t.Fatalf("%q: got %v, strconv %v, %v", text, got, float32(want), err)
	}
	return known
}

func TestParseDecimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	known, all := 0, 0
	try := func(text string) {
		all++
		if sameAsStrconv(t, text) {
			known++
		}
	}
	for range 50_000 {
		x := float64(r.Float32() - 0.5)
		try(strconv.FormatFloat(x, 'g', -1, 32))
		try(strconv.FormatFloat(x, 'f', 6, 64))
		try(strconv.FormatFloat(x*math.Pow(10, float64(r.IntN(12)-4)), 'f', r.IntN(9), 64))
		// Halfway between two float32, and just beside.
		f := math.Float32frombits(math.Float32bits(r.Float32()) &^ 0xfff)
		half := (float64(f) + float64(math.Nextafter32(f, 2))) / 2
		try(strconv.FormatFloat(half, 'f', -1, 64))
		try(strconv.FormatFloat(half, 'f', 12, 64))
	}
	if known < all/2 {
		t.Errorf("only %d of %d numbers take the fast way", known, all)
	}
	for _, text := range []string{
		"0", "-0", "0.", ".5", "-.5", "16777217", "16777219", "999999999999999", "123456789012345.", "00000.00000001",
	} {
		sameAsStrconv(t, text)
	}
	for _, text := range []string{"", "-", ".", "-.", "1..2", "1.2.3", "+1", "1e5", "nan", "0x1", "--1", "1_0", "１"} {
		if x, ok := parseDecimal([]byte(text)); ok {
			t.Errorf("%q: got %v", text, x)
		}
	}
}

func TestParseFloat(t *testing.T) {
	for text, want := range map[string]float32{
		"1": 1, "-0.25": -0.25, "+2": 2, "1e-3": 1e-3, "inf": float32(math.Inf(1)), "-inf": float32(math.Inf(-1)),
		"3.4028235e38": math.MaxFloat32, "1e-45": math.SmallestNonzeroFloat32, "1e-60": 0,
	} {
		if got, ok := Parse([]byte(text)); !ok || got != want {
			t.Errorf("%q: got %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"nan", "-nan", "+nan", "NaN"} {
		if got, ok := Parse([]byte(text)); !ok || got == got {
			t.Errorf("%q: got %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "x", "1x", "1e39", "-", ".", "1 ", "0x1p-3", "1_000", "0x1_0p0"} {
		if got, ok := Parse([]byte(text)); ok {
			t.Errorf("%q: got %v", text, got)
		}
	}
	for _, text := range []string{"0.123456", "1e-05", "nan"} {
		b := []byte(text)
		if n := testing.AllocsPerRun(100, func() { Parse(b) }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}
