package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"gonum.org/v1/gonum/stat"
)

func TestRanks(t *testing.T) {
	tests := []struct{ x, want []float64 }{
		{nil, []float64{}},
		{[]float64{7}, []float64{1}},
		{[]float64{3, 1, 2}, []float64{3, 1, 2}},
		{[]float64{5, 5}, []float64{1.5, 1.5}},
		{[]float64{2, 1, 2, 0, 2}, []float64{4, 2, 4, 1, 4}},
		{[]float64{0, math.Copysign(0, -1), -1}, []float64{2.5, 2.5, 1}},
	}
	for _, test := range tests {
		if got := ranks(test.x); !slices.Equal(got, test.want) {
			t.Errorf("ranks of %v are %v, want %v", test.x, got, test.want)
		}
	}
}

func TestCorrelations(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name              string
		x, y              []float64
		spearman, pearson float64
	}{
		{"rising", []float64{1, 2, 4}, []float64{10, 20, 40}, 1, 1},
		{"falling", []float64{1, 2, 3}, []float64{9, 5, 1}, -1, -1},
		// Ranks 1 2 3 and 1 2 3; deviations -1 0 1 and -11/3 -8/3 19/3:
		// 10 / √(2·546/9).
		{"rising, not straight", []float64{1, 2, 3}, []float64{0, 1, 10}, 1, 10 / math.Sqrt(2*546/9.0)},
		// Ranks 1 2.5 2.5 4 and 1 3 2 4: 4.5 / √(4.5·5).
		{"tie", []float64{1, 2, 2, 3}, []float64{1, 3, 2, 4}, 4.5 / math.Sqrt(4.5*5), 3 / math.Sqrt(2*5)},
		{"nothing", nil, nil, nan, nan},
		{"one pair", []float64{1}, []float64{2}, nan, nan},
		{"constant", []float64{0.1, 0.1, 0.1}, []float64{1, 2, 3}, nan, nan},
		{"constant judgements", []float64{1, 2, 3}, []float64{0.7, 0.7, 0.7}, nan, nan},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Spearman(test.x, test.y); !near(got, test.spearman) {
				t.Errorf("Spearman %v, want %v", got, test.spearman)
			}
			if got := pearson(test.x, test.y); !near(got, test.pearson) {
				t.Errorf("Pearson %v, want %v", got, test.pearson)
			}
		})
	}
}

func near(got, want float64) bool {
	return math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) < 1e-12
}

// TestSpearmanFormula holds spearman against 1 − 6Σd²/(n³−n), which is exact
// where there are no ties.
func TestSpearmanFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := 2 + rng.IntN(60)
		x, y := make([]float64, n), make([]float64, n)
		for i, v := range rng.Perm(n) {
			x[i], y[i] = float64(i), float64(v)
		}
		var sum float64
		for i := range x {
			sum += (x[i] - y[i]) * (x[i] - y[i])
		}
		want := 1 - 6*sum/float64(n*n*n-n)
		if got := Spearman(x, y); math.Abs(got-want) > 1e-12 {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func normalJudgements(n int, rho float64, seed uint64) (judgements []Judgement) {
	g := rand.New(rand.NewPCG(uint64(n), seed))
	for i := range n {
		x := g.NormFloat64()
		judgements = append(judgements, Judgement{Item: newItem(i), Human: x, Model: rho*x + math.Sqrt(1-rho*rho)*g.NormFloat64()})
	}
	return judgements
}

// The variance of the jackknife is that of leaving each item out.
func TestPearsonWidening(t *testing.T) {
	_, x, y := columns(normalJudgements(40, 0.6, 1))
	n, r := 40., stat.Correlation(x, y, nil)
	meanX, sdX := stat.PopMeanStdDev(x, nil)
	meanY, sdY := stat.PopMeanStdDev(y, nil)
	weights := ones(40)
	var without, influence float64
	for i := range x {
		weights[i] = 0
		without += math.Pow((n-1)*(r-stat.Correlation(x, y, weights)), 2)
		weights[i] = 1
		a, b := (x[i]-meanX)/sdX, (y[i]-meanY)/sdY
		influence += math.Pow(a*b-r*(a*a+b*b)/2, 2)
	}
	if got := pearsonWidening(x, y); math.Abs(got-without/influence) > 1e-9 {
		t.Errorf("%v, want %v", got, without/influence)
	}
}

// Of 300 intervals, 285 are to cover the true value. Fewer than 270 or more than 296 would be a
// chance of 1 in 500.
func TestPearsonIntervalsCover(t *testing.T) {
	for _, n := range []int{30, 100} {
		for _, rho := range []float64{0, 0.6, 0.9} {
			covered := 0
			for seed := range uint64(300) {
				i := pearsonInterval(normalJudgements(n, rho, seed), Options{Resamples: 500, Seed: seed})
				if i.Low <= rho && rho <= i.High {
					covered++
				}
			}
			if covered < 270 || covered > 296 {
				t.Errorf("%d pairs with correlation %v: %d of 300 intervals cover it", n, rho, covered)
			}
		}
	}
}

// The interval of a band is that of a set of the band's items alone.
func TestIntervalsOfBands(t *testing.T) {
	rows := vectors.NewMatrix(8, 2)
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for i := range names {
		copy(rows.Row(i), []float32{float32(i%3) + 0.1*float32(i), float32(i * i % 5)})
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	const frequent = "a\tb\t1\nb\tc\t4\nc\td\t2\na\td\t7\na\tc\t3\nb\td\t5\n"
	const rare = "e\tf\t3\nf\tg\t1\ng\th\t6\ne\tb\t2\nh\ta\t9\ng\tc\t4\nh\td\t8\n"
	measure := func(text string, opt Options) Record {
		set, err := ReadSet(strings.NewReader(text), "pairs", TaskSimilarity)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Measure(t.Context(), s, SetFile{Set: set}, opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	opt := Options{Bands: []int{4}, BandIntervals: true}
	r := measure(frequent+rare, opt)
	if len(r.Bands) != 2 || r.Bands[0].Items != 6 || r.Bands[1].Items != 7 {
		t.Fatalf("%+v", r.Bands)
	}
	for i, alone := range []string{frequent, rare} {
		if want, got := measure(alone, opt), r.Bands[i]; got.Interval != want.Interval || !got.Interval.Known || math.Abs(float64(got.Score-want.Score)) > 1e-12 {
			t.Errorf("band %s: %v in %+v, and its items alone %v in %+v", got.Name, got.Score, got.Interval, want.Score, want.Interval)
		}
	}
	if all := r.ByWords[0]; all.Interval != r.Interval {
		t.Errorf("all items: %+v, want %+v", all.Interval, r.Interval)
	}
	for _, b := range measure(frequent+rare, Options{Bands: []int{4}}).Bands {
		if b.Interval.Known {
			t.Errorf("band %s has an interval that was not asked for", b.Name)
		}
	}
}
