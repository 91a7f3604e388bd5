package clustering_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/clustering"
)

func TestAgreement(t *testing.T) {
	ln := math.Log
	tests := []struct {
		name                                 string
		clusters, classes                    []int
		purity, homogeneity, completeness, v float64
	}{
		{"the same", []int{0, 0, 1, 1}, []int{1, 1, 0, 0}, 1, 1, 1, 1},
		{"a cluster a point", []int{0, 1, 2, 3}, []int{0, 0, 1, 1}, 1, 1, 0.5, 2.0 / 3},
		{"one cluster", []int{0, 0, 0, 0}, []int{0, 0, 1, 1}, 0.5, 0, 1, 0},
		{"nothing in common", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, 0.5, 0, 0, 0},
		{"one class", []int{0, 1}, []int{0, 0}, 1, 1, 0, 0},
		{"one class and one cluster", []int{0, 0}, []int{0, 0}, 1, 1, 1, 1},
		// Cluster 0 has classes 0 0 1, cluster 1 has 1 1 1 2. H(C) = −(2/7 ln 2/7 + 4/7 ln 4/7 +
		// 1/7 ln 1/7), H(C|K) = −(2/7 ln 2/3 + 1/7 ln 1/3 + 3/7 ln 3/4 + 1/7 ln 1/4),
		// H(K) = −(3/7 ln 3/7 + 4/7 ln 4/7), H(K|C) = −(1/7 ln 1/4 + 3/7 ln 3/4).
		{
			"unequal sizes", []int{0, 0, 0, 1, 1, 1, 1}, []int{0, 0, 1, 1, 1, 1, 2}, 5.0 / 7,
			1 - (2*ln(2.0/3)+ln(1.0/3)+3*ln(3.0/4)+ln(1.0/4))/(2*ln(2.0/7)+4*ln(4.0/7)+ln(1.0/7)),
			1 - (ln(1.0/4)+3*ln(3.0/4))/(3*ln(3.0/7)+4*ln(4.0/7)), math.NaN(),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := clustering.Count(test.clusters, test.classes)
			if math.IsNaN(test.v) {
				test.v = 2 * test.homogeneity * test.completeness / (test.homogeneity + test.completeness)
			}
			got := []float64{table.Purity(), table.Homogeneity(), table.Completeness(), table.VMeasure()}
			for i, want := range []float64{test.purity, test.homogeneity, test.completeness, test.v} {
				if math.Abs(got[i]-want) > 1e-15 {
					t.Errorf("got %v, want %v in %d", got, want, i)
				}
			}
		})
	}
	if none := clustering.Count(nil, nil); !math.IsNaN(none.Purity()) || !math.IsNaN(none.VMeasure()) {
		t.Errorf("without points: %v %v", none.Purity(), none.VMeasure())
	}
}

// Points of well separated clouds are divided by their clouds, whatever the seed.
func TestKMeans(t *testing.T) {
	clouds := [][]float64{{0, 0, 0, 0, 0}, {9, 0, 0, 0, 0}, {0, 9, 0, 0, 0}, {0, 0, 0, 0, 9}}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		var points [][]float64
		var of []int
		for i := range 60 {
			p := slices.Clone(clouds[i%4])
			for j := range p {
				p[j] += r.Float64()
			}
			points, of = append(points, p), append(of, i%4)
		}
		c := clustering.KMeans(points, 4, rand.New(rand.NewPCG(seed, 0)))
		if v := clustering.Count(c.Of, of).VMeasure(); v != 1 {
			t.Errorf("seed %d: V-measure %v of %v", seed, v, c.Of)
		}
	}
}

// The points 0, 1, 2 and 10 in two clusters: {0, 1, 2} and {10}, squares 1 + 0 + 1 + 0.
func TestInertia(t *testing.T) {
	c := clustering.KMeans([][]float64{{0}, {1}, {2}, {10}}, 2, rand.New(rand.NewPCG(1, 1)))
	if c.Of[0] != c.Of[1] || c.Of[1] != c.Of[2] || c.Of[2] == c.Of[3] || c.Inertia != 2 {
		t.Errorf("%+v", c)
	}
}

func TestKMeansOfFewPoints(t *testing.T) {
	r := func() *rand.Rand { return rand.New(rand.NewPCG(3, 3)) }
	same := clustering.KMeans([][]float64{{1, 1}, {1, 1}, {1, 1}}, 3, r())
	if same.Inertia != 0 || len(same.Of) != 3 {
		t.Errorf("equal points: %+v", same)
	}
	each := clustering.KMeans([][]float64{{1}, {2}, {3}}, 3, r())
	slices.Sort(each.Of)
	if each.Inertia != 0 || !slices.Equal(each.Of, []int{0, 1, 2}) {
		t.Errorf("as many clusters as points: %+v", each)
	}
	if none := clustering.KMeans(nil, 2, r()); len(none.Of) != 0 || none.Inertia != 0 {
		t.Errorf("no points: %+v", none)
	}
}
