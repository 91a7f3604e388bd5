package projection_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

// definition is trustworthiness as it is written, in float64.
func definition(s *vectors.Set, points []projection.Point, k int) float64 {
	n := s.Len()
	sum := 0
	for i := range n {
		others := func(distance func(j int) float64) []int {
			var ids []int
			for j := range n {
				if j != i {
					ids = append(ids, j)
				}
			}
			slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
			return ids
		}
		ranked := others(func(j int) float64 { return -vectors.Cosine(s.Vectors().Row(i), s.Vectors().Row(j)) })
		for _, j := range others(func(j int) float64 {
			return math.Hypot(float64(points[i].X)-float64(points[j].X), float64(points[i].Y)-float64(points[j].Y))
		})[:k] {
			sum += max(0, slices.Index(ranked, j)+1-k)
		}
	}
	return 1 - 2*float64(sum)/float64(n*k*(2*n-3*k-1))
}

func TestTrustworthinessIsAsDefined(t *testing.T) {
	s := planted(t, 4, 50, 10, 0.8)
	m, err := projection.PCA(context.Background(), s, projection.PCAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	anyhow := make([]projection.Point, s.Len())
	for i := range anyhow {
		anyhow[i] = projection.Point{X: r.Float32(), Y: r.Float32()}
	}
	for _, points := range [][]projection.Point{m.Points, anyhow} {
		for _, k := range []int{1, 7, 15, 99} {
			got, err := projection.Trustworthiness(context.Background(), s, points, projection.TrustworthinessOptions{Neighbors: k, Threads: k})
			if err != nil {
				t.Fatal(err)
			}
			if want := definition(s, points, k); math.Abs(got.Value-want) > 1e-12 || got.Neighbors != k || got.Words != s.Len() {
				t.Errorf("k = %d: %v, want %v", k, got, want)
			}
		}
	}
}

// In the plane nothing has to be lost: unit vectors of two dimensions, shown as they are.
func TestTrustworthinessOfWhatIsFlat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	rows := vectors.NewMatrix(100, 2)
	points := make([]projection.Point, rows.Rows)
	names := make([]string, rows.Rows)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		points[i] = projection.Point{X: float32(cos), Y: float32(sin)}
		rows.Row(i)[0], rows.Row(i)[1] = points[i].X, points[i].Y
		names[i] = strings.Repeat("x", i+1)
	}
	got, err := projection.Trustworthiness(context.Background(), set(t, rows, names...), points, projection.TrustworthinessOptions{})
	if err != nil || got.Value < 0.9999 {
		t.Errorf("%v, %v", got, err)
	}
}

// A sample estimates what all words give: that of all words is the mean over samples.
func TestTrustworthinessOfASample(t *testing.T) {
	s := planted(t, 4, 60, 10, 0.8)
	m, err := projection.PCA(context.Background(), s, projection.PCAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := projection.Trustworthiness(context.Background(), s, m.Points, projection.TrustworthinessOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var mean float64
	const samples = 40
	for seed := range uint64(samples) {
		one, err := projection.Trustworthiness(context.Background(), s, m.Points, projection.TrustworthinessOptions{Sample: 60, Seed: seed})
		if err != nil || one.Words != 60 {
			t.Fatal(one, err)
		}
		mean += one.Value / samples
	}
	if math.Abs(mean-all.Value) > 0.005 {
		t.Errorf("samples have the mean %v, and all words %v", mean, all.Value)
	}
}

func TestTrustworthinessOfTooFewWords(t *testing.T) {
	s := planted(t, 2, 5, 3, 1)
	points := make([]projection.Point, s.Len())
	for _, o := range []projection.TrustworthinessOptions{{Neighbors: 5}, {Neighbors: -1}, {Sample: -1}, {Threads: -1}} {
		if got, err := projection.Trustworthiness(context.Background(), s, points, o); err == nil {
			t.Errorf("%+v: %v", o, got)
		}
	}
	if got, err := projection.Trustworthiness(context.Background(), s, points[:9], projection.TrustworthinessOptions{}); err == nil {
		t.Errorf("a point is missing: %v", got)
	}
}
