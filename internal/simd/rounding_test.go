package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// roundings are errors of a row a score, with weights of different sizes, rounded with many seeds.
type roundings struct {
	pairs    Pairs
	h        Block
	matrix   []float32
	exact    []float32 // what errors are without rounding
	sum      []float64 // of rounded errors
	sometime []bool    // whether some seed rounded the error to 0
}

const seedsOfRoundings = 4000

// newRoundings returns pairs of scores from -6 to 6.
func newRoundings(positive bool) *roundings {
	r := &roundings{h: Block{Rows: Lanes, Cols: 1, Stride: 1}}
	r.pairs = Pairs{Positive: positive}
	for i := range Lanes {
		r.h.Data = append(r.h.Data, 1+float32(i)/Lanes)
		r.pairs.Weights = append(r.pairs.Weights, []float32{0.025, 1, -2}[i%3])
	}
	for j := range 13 {
		r.pairs.Rows = append(r.pairs.Rows, uint32(j))
		r.pairs.With = append(r.pairs.With, []uint16{1<<Lanes - 1, 0x5a5a, 0x7ffe}[j%3])
		r.matrix = append(r.matrix, float32(j-6)/2)
	}
	n := len(r.pairs.Rows)
	r.pairs.Kept = make([]uint16, n)
	r.sum, r.sometime = make([]float64, n*Lanes), make([]bool, n*Lanes)
	r.exact = r.errors(Rounding{})
	return r
}

func (r *roundings) errors(of Rounding) []float32 {
	g, transposed := make([]float32, len(r.pairs.Rows)*Lanes), make([]float32, Lanes)
	Transpose(transposed, r.h)
	p := r.pairs
	p.Rounding = of
	Errors(g, r.h, transposed, r.matrix, 1, p, false)
	return g
}

// add adds the errors of a rounding, each of which must be one that it may be.
func (r *roundings) add(t *testing.T, of Rounding) {
	for at, got := range r.errors(of) {
		j, i, exact := at/Lanes, at%Lanes, r.exact[at]
		weight := float32(math.Abs(float64(r.pairs.Weights[i])))
		q := float32(math.Abs(float64(exact))) / weight
		kept := r.pairs.Kept[j]>>i&1 != 0
		small := float32(math.Copysign(float64(of.Threshold*weight), float64(exact)))
		switch {
		case kept && r.pairs.With[j]>>i&1 == 0, !kept && got != 0:
			t.Fatalf("%+v: error %v of pair [%d,%d], kept %v", of, got, j, i, kept)
		case !kept && exact == 0: // no pair
		case q >= of.Threshold*1.001 && got != exact, q < of.Threshold*0.999 && kept && !same(got, small, 1e-6*weight):
			t.Fatalf("%+v: error %v becomes %v", of, exact, got)
		case q >= of.Threshold*1.001 && !kept:
			t.Fatalf("%+v: error %v is not kept", of, exact)
		}
		r.sum[at] += float64(got)
		r.sometime[at] = r.sometime[at] || !kept && exact != 0
	}
}

// The mean of rounded errors is the error, and no error is other than large, the threshold or 0.
func TestRoundingIsUnbiased(t *testing.T) {
	eachISA(t, func(t *testing.T) {
		for _, positive := range []bool{false, true} {
			r, random := newRoundings(positive), rand.New(rand.NewPCG(5, 6))
			const threshold = 0.5
			for range seedsOfRoundings {
				r.add(t, Rounding{threshold, random.Uint32()})
			}
			var all, variance float64
			for at, sum := range r.sum {
				weight := math.Abs(float64(r.pairs.Weights[at%Lanes]))
				exact, mean := float64(r.exact[at]), sum/seedsOfRoundings
				q := math.Abs(exact) / weight
				if q == 0 || q >= threshold {
					if math.Abs(mean-exact) > 1e-5 || r.sometime[at] {
						t.Fatalf("error %v becomes %v on the average", exact, mean)
					}
					continue
				}
				deviation := math.Sqrt(q * (threshold - q) / seedsOfRoundings)
				if off := (math.Abs(mean) - math.Abs(exact)) / weight; math.Abs(off) > 4.5*deviation || !r.sometime[at] {
					t.Fatalf("error %v becomes %v on the average, %v deviations off", exact, mean, off/deviation)
				} else {
					all, variance = all+off, variance+deviation*deviation
				}
			}
			if math.Abs(all) > 4*math.Sqrt(variance) { // of numbers that are independent of each other
				t.Fatalf("all errors are off by %v, %v deviations", all, all/math.Sqrt(variance))
			}
		}
	})
}

// Numbers of one seed and of seeds that follow each other are not alike.
func TestUniformNumbers(t *testing.T) {
	const rows, seeds = 10, 1000
	numbers := make([][]float64, 2*rows*Lanes)
	for seed := range uint32(seeds) {
		for k := range uint32(2) {
			r := Rounding{1, 2*seed + k}
			u := r.start()
			for j := range rows {
				for i := range Lanes {
					x := r.limit(&u, i)
					if !(0 <= x && x < 1) {
						t.Fatalf("%v is no number from 0 to 1", x)
					}
					at := (int(k)*rows+j)*Lanes + i
					numbers[at] = append(numbers[at], float64(x)-0.5)
				}
				u.next()
			}
		}
	}
	for a, x := range numbers {
		for b := range a {
			var product float64
			for s := range x {
				product += x[s] * numbers[b][s]
			}
			if correlation := 12 * product / seeds; math.Abs(correlation) > 6/math.Sqrt(seeds) {
				t.Fatalf("numbers %d and %d have a correlation of %v", a, b, correlation)
			}
		}
		var sum float64
		for _, x := range x {
			sum += x
		}
		if off := sum * math.Sqrt(12.0/seeds); math.Abs(off) > 5 {
			t.Fatalf("the mean of number %d is off by %v deviations", a, off)
		}
	}
}

// Round does to errors what Errors does.
func TestRoundIsTheRoundingOfErrors(t *testing.T) {
	for _, positive := range []bool{false, true} {
		for seed := range uint32(50) {
			r, of := newRoundings(positive), Rounding{0.3, seed}
			want, kept := r.errors(of), slices.Clone(r.pairs.Kept)
			p, got := r.pairs, r.errors(Rounding{})
			p.Rounding = of
			p.Round(got)
			if !slices.Equal(p.Kept, kept) || !slices.EqualFunc(got, want, func(x, y float32) bool { return same(x, y, 1e-6) }) {
				t.Fatalf("%+v: %v %b, want %v %b", of, got, p.Kept, want, kept)
			}
			p.Rounding.Threshold = 0
			if p.Round(got); !slices.Equal(p.Kept, p.With) {
				t.Fatalf("without rounding %b are kept of %b", p.Kept, p.With)
			}
		}
	}
}
