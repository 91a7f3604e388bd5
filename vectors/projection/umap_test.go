package projection_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/transform"
)

// planted returns a set of so many groups of words, which vary a little around a direction of each group. Word i is
// of group i % groups.
func planted(t testing.TB, groups, words, dim int, spread float64) *vectors.Set {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	centres := make([][]float64, groups)
	for g := range centres {
		centres[g] = make([]float64, dim)
		for k := range centres[g] {
			centres[g][k] = r.NormFloat64()
		}
	}
	rows := vectors.NewMatrix(groups*words, dim)
	names := make([]string, rows.Rows)
	for i := range rows.Rows {
		names[i] = "g" + strconv.Itoa(i%groups) + "w" + strconv.Itoa(i/groups)
		for k := range rows.Row(i) {
			rows.Row(i)[k] = float32(centres[i%groups][k] + spread*r.NormFloat64())
		}
	}
	return set(t, rows, names...)
}

func set(t testing.TB, rows vectors.Matrix, names ...string) *vectors.Set {
	t.Helper()
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// UMAP keeps groups apart that are apart: the nearest point of every word is of its own group, and groups are
// farther from each other than they are wide.
func TestUMAPKeepsPlantedGroupsApart(t *testing.T) {
	const groups, words = 6, 60
	s := planted(t, groups, words, 20, 0.3)
	for _, landmarks := range []int{0, 2 * s.Len() / 3} { // words after the landmarks are beside those of their group
		m, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{Seed: 3, Landmarks: landmarks})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Points) != s.Len() || m.Method != projection.MethodUMAP || m.Landmarks != landmarks || m.Aside != nil || m.Explained != nil {
			t.Fatalf("%d points, %q, %d, %v, %v", len(m.Points), m.Method, m.Landmarks, m.Aside, m.Explained)
		}
		within, between := 0.0, math.Inf(1)
		for i, p := range m.Points {
			for j, q := range m.Points[:i] {
				if d := math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)); i%groups == j%groups {
					within = max(within, d)
				} else {
					between = min(between, d)
				}
			}
		}
		if between < within {
			t.Errorf("%d landmarks: words of one group are up to %.2f apart, and words of two from %.2f", landmarks, within, between)
		}
	}
}

// A seed gives one map, to the bit, on any number of goroutines, and another seed another map.
// A map that begins at the places of another one keeps them: groups stay where they were, and a word without a place
// comes to its group.
func TestUMAPStartsAtGivenPlaces(t *testing.T) {
	const groups, words = 6, 60
	s := planted(t, groups, words, 20, 0.3)
	first, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	start := slices.Clone(first.Points)
	for i, p := range start {
		start[i] = projection.Point{X: -p.Y, Y: p.X} // principal components alone would not give a quarter turn
	}
	nowhere := float32(math.NaN())
	lost := []int{0, 7, 100}
	for _, i := range lost {
		start[i] = projection.Point{X: nowhere, Y: nowhere}
	}
	second, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{Seed: 4, Start: start})
	if err != nil {
		t.Fatal(err)
	}
	middle := func(points []projection.Point, group int) (x, y float64) {
		for i := group; i < len(points); i += groups {
			x, y = x+float64(points[i].X)/words, y+float64(points[i].Y)/words
		}
		return x, y
	}
	low, high := first.Bounds()
	width := float64(max(high.X-low.X, high.Y-low.Y))
	for g := range groups {
		x, y := middle(first.Points, g)
		if nowX, nowY := middle(second.Points, g); math.Hypot(nowX+y, nowY-x) > 0.15*width {
			t.Errorf("group %d went from %.1f %.1f to %.1f %.1f, on a map %.1f wide", g, -y, x, nowX, nowY, width)
		}
	}
	for _, i := range lost {
		x, y := middle(second.Points, i%groups)
		if p := second.Points[i]; math.Hypot(float64(p.X)-x, float64(p.Y)-y) > 0.15*width {
			t.Errorf("word %d without a place is not with its group", i)
		}
	}
	if _, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{Start: start[1:]}); err == nil || err.Error() != "projection: Start has 359 places, and the set has 360 words" {
		t.Error(err)
	}
}

func TestUMAPDependsOnTheSeedAlone(t *testing.T) {
	s := planted(t, 5, 80, 16, 1)
	at := func(seed uint64, threads int) []projection.Point {
		m, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{Seed: seed, Threads: threads, Epochs: 30})
		if err != nil {
			t.Fatal(err)
		}
		return m.Points
	}
	want := at(1, 1)
	for _, threads := range []int{2, 3, 7} {
		if !slices.Equal(at(1, threads), want) {
			t.Errorf("%d goroutines give another map than one", threads)
		}
	}
	if slices.Equal(at(2, 1), want) {
		t.Error("two seeds give the same map")
	}
}

// Small sets have maps too, and words without direction are put aside.
func TestMapsOfFewWords(t *testing.T) {
	nan := float32(math.NaN())
	for name, rows := range map[string][][]float32{
		"one":               {{1, 2}},
		"two":               {{1, 2}, {2, 1}},
		"two equal":         {{1, 2}, {1, 2}},
		"five equal":        {{1, 2}, {1, 2}, {2, 4}, {1, 2}, {1, 2}},
		"one dimension":     {{1}, {2}, {-1}},
		"zero and NaN":      {{1, 2}, {0, 0}, {2, 1}, {nan, 1}, {-1, 0.5}},
		"large and small":   {{1e30, 2e30}, {2e-30, 1e-30}, {3e38, -3e38}, {1, 1}},
		"zero in the front": {{0, 0}, {1, 2}},
	} {
		m := vectors.NewMatrix(len(rows), len(rows[0]))
		var zero, notFinite []int
		names := make([]string, len(rows))
		for i, row := range rows {
			names[i] = strconv.Itoa(i)
			copy(m.Row(i), row)
			switch {
			case !vectors.Finite(row):
				notFinite = append(notFinite, i)
			case slices.Max(row) == 0 && slices.Min(row) == 0:
				zero = append(zero, i)
			}
		}
		s := set(t, m, names...)
		pca, err := projection.PCA(context.Background(), s, projection.PCAOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		umap, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, method := range projection.Methods() {
			a, _, err := projection.Make(context.Background(), s, projection.Options{Method: method, Clusters: true})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, method, err)
			}
			if described, err := projection.Describe(context.Background(), s, a.Points, a.Clusters, 3); err != nil || len(described) != len(a.Clusters.Sizes) {
				t.Errorf("%s, %s: %v, %v", name, method, described, err)
			}
		}
		directed := append(slices.Clone(zero), notFinite...)
		slices.Sort(directed)
		if !slices.Equal(pca.Aside, notFinite) || !slices.Equal(umap.Aside, directed) {
			t.Errorf("%s: %v and %v are aside, want %v and %v", name, pca.Aside, umap.Aside, notFinite, directed)
		}
		for _, p := range append(pca.Points, umap.Points...) {
			if !vectors.Finite([]float32{p.X, p.Y}) {
				t.Errorf("%s: point %v", name, p)
			}
		}
	}
}

func TestNothingToPlace(t *testing.T) {
	empty := set(t, vectors.NewMatrix(2, 3), "a", "b")
	if _, err := projection.UMAP(context.Background(), empty, projection.UMAPOptions{}); err == nil || !strings.Contains(err.Error(), "no word") {
		t.Errorf("zeros: %v", err)
	}
}

func TestOptionsOfUMAP(t *testing.T) {
	for name, o := range map[string]projection.UMAPOptions{
		"Neighbors": {Neighbors: 1}, "MinDist": {MinDist: -0.1}, "MinDist is NaN": {MinDist: math.NaN()},
		"Epochs": {Epochs: -1}, "Landmarks": {Landmarks: 1}, "Negatives": {Negatives: 51}, "Threads": {Threads: -1},
	} {
		first, _, _ := strings.Cut(name, " ")
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), first+" is") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := projection.UMAP(context.Background(), planted(t, 2, 5, 3, 1), o); err == nil {
			t.Errorf("%s: UMAP took it", name)
		}
	}
	if err := (projection.UMAPOptions{}).Validate(); err != nil {
		t.Error(err)
	}
}

// A context ends every stage, and progress rises from 0.
func TestProgressAndCancellation(t *testing.T) {
	s := planted(t, 4, 60, 12, 1)
	var stages []string
	last := 0.0
	_, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{Epochs: 20, Progress: func(stage string, done float64) {
		if len(stages) == 0 || stages[len(stages)-1] != stage {
			stages = append(stages, stage)
		}
		if done < last || done > 1 {
			t.Errorf("%s: %v after %v", stage, done, last)
		}
		last = done
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"reading vectors", "nearest neighbours", "first positions", "layout"}; !slices.Equal(stages, want) {
		t.Errorf("stages %q, want %q", stages, want)
	}
	for _, end := range stages {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := projection.UMAP(ctx, s, projection.UMAPOptions{Progress: func(stage string, _ float64) {
			if stage == end {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ended during %q: %v", end, err)
		}
		cancel()
	}
}

// PCA is transform.Reduce to two dimensions, of vectors as they are or of those of length 1.
func TestPCAIsReduce(t *testing.T) {
	s := planted(t, 5, 40, 12, 1)
	for unit, of := range map[bool]*vectors.Set{false: s, true: transform.Normalized(s)} {
		want, done, err := transform.Reduce(context.Background(), of, 2, transform.Computation{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := projection.PCA(context.Background(), s, projection.PCAOptions{Unit: unit})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range m.Points {
			if w := want.Rows().Row(i); math.Abs(float64(p.X-w[0])) > 1e-4 || math.Abs(float64(p.Y-w[1])) > 1e-4 {
				t.Fatalf("unit %t: word %d is at %v, want %v", unit, i, p, w)
			}
		}
		var sum float64
		for i, x := range m.Explained {
			if sum += x; i > 0 && x > m.Explained[i-1] {
				t.Errorf("shares %v do not fall", m.Explained)
			}
		}
		if len(m.Explained) != s.Dim() || math.Abs(sum-1) > 1e-9 {
			t.Errorf("%d shares, which sum up to %v", len(m.Explained), sum)
		}
		if got := m.Explained[0] + m.Explained[1]; math.Abs(got-done.VarianceKept) > 1e-9 {
			t.Errorf("two components have %v of the variance, want %v", got, done.VarianceKept)
		}
	}
}

// What is put aside is left and below of everything else.
func TestAside(t *testing.T) {
	rows := vectors.NewMatrix(4, 2)
	copy(rows.Row(0), []float32{1, 0})
	copy(rows.Row(1), []float32{0, 1})
	copy(rows.Row(3), []float32{-1, 0.5})
	m, err := projection.PCA(context.Background(), set(t, rows, "a", "b", "zero", "c"), projection.PCAOptions{Unit: true})
	if err != nil {
		t.Fatal(err)
	}
	low, _ := m.Bounds()
	if low != m.Points[2] || m.Points[0].X <= low.X || m.Points[1].X <= low.X || m.Points[3].X <= low.X {
		t.Errorf("points %v", m.Points)
	}
}

// A vector that is near to the words of a group is placed among them.
func TestPlaceAmongItsNeighbours(t *testing.T) {
	const groups = 5
	s := planted(t, groups, 60, 16, 0.3)
	m, err := projection.UMAP(context.Background(), s, projection.UMAPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for g := range groups {
		v := make([]float32, s.Dim())
		for i := g; i < s.Len(); i += groups { // the mean of the group
			for k, x := range s.Vectors().Row(i) {
				v[k] += x
			}
		}
		p, ok := m.Place(trial.Nearest(s, v, 15))
		if !ok {
			t.Fatalf("group %d has no place", g)
		}
		nearest, least := -1, math.Inf(1)
		for i, q := range m.Points {
			if d := math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)); d < least {
				nearest, least = i, d
			}
		}
		if nearest%groups != g {
			t.Errorf("the mean of group %d is placed beside word %d of group %d", g, nearest, nearest%groups)
		}
	}
}

func TestPlaceWeighsNeighbours(t *testing.T) {
	m := projection.Map{Points: []projection.Point{{X: 0}, {X: 1}, {X: 2}, {X: -100}}, Aside: []int{3}}
	for name, c := range map[string]struct {
		neighbors []vectors.Neighbor
		low, high float32
	}{
		"one":                        {[]vectors.Neighbor{{ID: 1, Similarity: 0.1}}, 1, 1},
		"equally near":               {[]vectors.Neighbor{{ID: 0, Similarity: 0.5}, {ID: 2, Similarity: 0.5}}, 1, 1},
		"the nearer ones count more": {[]vectors.Neighbor{{ID: 2, Similarity: 0.9}, {ID: 2, Similarity: 0.85}, {ID: 0, Similarity: 0.2}, {ID: 0, Similarity: 0.1}}, 1.5, 2},
		"in any order":               {[]vectors.Neighbor{{ID: 0, Similarity: 0.1}, {ID: 2, Similarity: 0.85}, {ID: 0, Similarity: 0.2}, {ID: 2, Similarity: 0.9}}, 1.5, 2},
		"none aside or beyond":       {[]vectors.Neighbor{{ID: 3, Similarity: 1}, {ID: 4, Similarity: 1}, {ID: -1, Similarity: 1}, {ID: 2, Similarity: -0.3}}, 2, 2},
	} {
		p, ok := m.Place(c.neighbors)
		if !ok || !(p.X >= c.low && p.X <= c.high) {
			t.Errorf("%s: %v, %t, want X from %v to %v", name, p, ok, c.low, c.high)
		}
	}
	if p, ok := m.Place([]vectors.Neighbor{{ID: 3, Similarity: 1}}); ok {
		t.Errorf("nothing is near, and yet there is a place: %v", p)
	}
}
