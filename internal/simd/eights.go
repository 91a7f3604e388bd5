package simd

import "math"

// Eights are numbers of 8 bits with a common step: number i is int8(Bits[i])·Step.
//
// Kernels of Eights compute the same bits on all processors, except for which NaN it is. No product is
// added without being rounded first.
type Eights struct {
	Bits []byte
	Step float32
}

// MostEight is the largest magnitude of a number of 8 bits.
const MostEight = 127

// Difference sets dst[i] to a[i] − b[i]. It returns the largest magnitude in a and the one in dst. NaN is
// larger than all numbers. A and b have at least as many numbers as dst. Other workers may be changing a.
func Difference(dst, a, b []float32) (ofA, ofDst float32) {
	n := len(dst)
	if n == 0 || chosen == portable {
		return differencePortable(dst, a, b)
	}
	_, _ = a[n-1], b[n-1]
	return differenceKernel(&dst[0], &a[0], &b[0], n)
}

// ToEights sets dst[i] to x[i]·scale, rounded to the nearest whole number, and to the even one of two. What
// is larger than MostEight becomes MostEight, as does NaN. Dst has at least as many bytes as x has numbers.
func ToEights(dst []byte, x []float32, scale float32) {
	n := len(x)
	if n == 0 || chosen == portable {
		toEightsPortable(dst, x, scale)
		return
	}
	_ = dst[n-1]
	toEightsKernel(&dst[0], &x[0], scale, n)
}

// AddEights adds e to x. It returns the largest magnitude in x then. NaN is larger than all numbers.
func AddEights(x []float32, e Eights) (largest float32) {
	n := len(x)
	if n == 0 || chosen == portable {
		return addEightsPortable(x, e)
	}
	_ = e.Bits[n-1]
	return addEightsKernel(&x[0], &e.Bits[0], e.Step, n)
}

// MoveEights adds a to x and a − b to y, which has at least as many numbers as x. Other workers may be
// changing y.
func MoveEights(x, y []float32, a, b Eights) {
	n := len(x)
	if n == 0 || chosen == portable {
		moveEightsPortable(x, y, a, b)
		return
	}
	_, _, _ = y[n-1], a.Bits[n-1], b.Bits[n-1]
	moveEightsKernel(&x[0], &y[0], &a.Bits[0], &b.Bits[0], a.Step, b.Step, n)
}

// magnitude is that of x as bits, which are in the order of magnitudes.
func magnitude(x float32) uint32 { return math.Float32bits(x) &^ (1 << 31) }

//go:norace
func differencePortable(dst, a, b []float32) (ofA, ofDst float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	var mostA, mostDst uint32
	for i, x := range a {
		d := x - b[i]
		dst[i] = d
		mostA, mostDst = max(mostA, magnitude(x)), max(mostDst, magnitude(d))
	}
	return math.Float32frombits(mostA), math.Float32frombits(mostDst)
}

func toEightsPortable(dst []byte, x []float32, scale float32) {
	const round = 3 << 22 // float32 from here on are whole numbers
	dst = dst[:len(x)]
	for i, v := range x {
		v = float32(v * scale)
		if !(v <= MostEight) {
			v = MostEight
		}
		dst[i] = byte(int32(float32(max(v, -MostEight)+round) - round))
	}
}

func addEightsPortable(x []float32, e Eights) (largest float32) {
	numbers := e.Bits[:len(x)]
	var most uint32
	for i, n := range numbers {
		sum := x[i] + float32(float32(int8(n))*e.Step)
		x[i] = sum
		most = max(most, magnitude(sum))
	}
	return math.Float32frombits(most)
}

//go:norace
func moveEightsPortable(x, y []float32, a, b Eights) {
	y, ofA, ofB := y[:len(x)], a.Bits[:len(x)], b.Bits[:len(x)]
	for i, n := range ofA {
		by := float32(float32(int8(n)) * a.Step)
		x[i] += by
		y[i] += by - float32(float32(int8(ofB[i]))*b.Step)
	}
}
