package half

import (
	"math"
	"testing"
)

// float16Value is what IEEE 754 says a finite float16 is worth.
func float16Value(h uint16) float64 {
	sign, exponent, mantissa := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	if exponent == 0 {
		return sign * mantissa * math.Pow(2, -24)
	}
	return sign * (1 + mantissa/1024) * math.Pow(2, float64(exponent-15))
}

// Every one of the 65,536 is what it should be, and comes back.
func TestAllHalves(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		if x := FromF16(h); h&0x7fff > 0x7c00 {
			if x == x || ToF16(x)&0x7fff <= 0x7c00 || ToF16(x)>>15 != h>>15 {
				t.Fatalf("%#04x, no number: %v, back %#04x", h, x, ToF16(x))
			}
		} else {
			want := float16Value(h)
			if h&0x7fff == 0x7c00 {
				want = math.Inf(1 - int(h>>15)*2)
			}
			if float64(x) != want || math.Signbit(float64(x)) != (h>>15 == 1) || ToF16(x) != h {
				t.Fatalf("%#04x: %v, want %v; back %#04x", h, x, want, ToF16(x))
			}
		}
		if x := FromBF16(h); h&0x7fff > 0x7f80 {
			if x == x || ToBF16(x)&0x7fff <= 0x7f80 || ToBF16(x)>>15 != h>>15 {
				t.Fatalf("%#04x, no number: %v, back %#04x", h, x, ToBF16(x))
			}
		} else if math.Float32bits(x) != uint32(h)<<16 || ToBF16(x) != h {
			t.Fatalf("%#04x: %v, back %#04x", h, x, ToBF16(x))
		}
	}
}

// Between two neighbours the nearer one is taken, and in the middle the even one.
func TestHalvesRoundToNearestEven(t *testing.T) {
	for _, kind := range []struct {
		name string
		to   func(float32) uint16
		from func(uint16) float32
		inf  uint16
	}{
		{"float16", ToF16, FromF16, 0x7c00},
		{"bfloat16", ToBF16, FromBF16, 0x7f80},
	} {
		for _, sign := range []uint16{0, 0x8000} {
			for h := range kind.inf {
				below, above := float64(kind.from(sign|h)), float64(kind.from(sign|(h+1)))
				if h+1 == kind.inf { // where it would be if there were more exponents
					above = below + (below - float64(kind.from(sign|(h-1))))
				}
				middle := float32((below + above) / 2)
				if float64(middle) != (below+above)/2 {
					t.Fatalf("%s: the middle of %v and %v is no float32", kind.name, below, above)
				}
				even := sign | h + h&1
				towardsZero := math.Float32frombits(math.Float32bits(middle) - 1)
				awayFromZero := math.Float32frombits(math.Float32bits(middle) + 1)
				if got := kind.to(middle); got != even {
					t.Fatalf("%s: %v becomes %#04x, want %#04x", kind.name, middle, got, even)
				}
				if got := kind.to(towardsZero); got != sign|h {
					t.Fatalf("%s: %v becomes %#04x, want %#04x", kind.name, towardsZero, got, sign|h)
				}
				if got := kind.to(awayFromZero); got != sign|(h+1) {
					t.Fatalf("%s: %v becomes %#04x, want %#04x", kind.name, awayFromZero, got, sign|(h+1))
				}
			}
		}
	}
}
