package projection

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// unitRows returns random rows of length 1, around as many directions.
func unitRows(n, dim, groups int, spread float64) vectors.Matrix {
	r := rand.New(rand.NewPCG(4, 5))
	centres := make([]float64, groups*dim)
	for i := range centres {
		centres[i] = r.NormFloat64()
	}
	rows := vectors.NewMatrix(n, dim)
	for i := range n {
		for k := range rows.Row(i) {
			rows.Row(i)[k] = float32(centres[i%groups*dim+k] + spread*r.NormFloat64())
		}
		vectors.Unit(rows.Row(i), rows.Row(i))
	}
	return rows
}

// A word's scale makes the memberships of its neighbours sum up to the binary logarithm of how many there are, itself counted;
// its nearest neighbour is a full member.
func TestSmooth(t *testing.T) {
	for _, distances := range [][]float64{
		{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7},
		{0.5, 0.51, 0.52, 0.9, 0.91, 1.2, 1.9},
		{0, 0, 0.3, 0.4, 0.5, 0.6, 0.8},
	} {
		rho, sigma := smooth(distances, 0.5)
		var sum float64
		for _, d := range distances {
			sum += membership(d, rho, sigma)
		}
		if want := math.Log2(float64(len(distances) + 1)); math.Abs(sum-want) > 1e-4 {
			t.Errorf("%v: memberships sum up to %v, want %v", distances, sum, want)
		}
		first := slices.IndexFunc(distances, func(d float64) bool { return d > 0 })
		if rho != distances[first] || membership(distances[first], rho, sigma) != 1 {
			t.Errorf("%v: rho is %v", distances, rho)
		}
	}
	for name, distances := range map[string][]float64{"equal": {0.3, 0.3, 0.3}, "at distance 0": {0, 0, 0}, "one": {0.4}, "none": nil} {
		rho, sigma := smooth(distances, 0.2)
		if math.IsNaN(rho+sigma) || math.IsInf(rho+sigma, 0) || sigma < minScale*0.2*0.5 {
			t.Errorf("%s: rho %v, sigma %v", name, rho, sigma)
		}
	}
}

// The union of two directed memberships a and b is a + b − a·b; edges are symmetric, sorted, and no loops.
func TestUnion(t *testing.T) {
	const n, k = 90, 6
	near, err := exactNear(context.Background(), unitRows(n, 8, 5, 0.5), k, 2, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	directed, err := memberships(context.Background(), near, 2)
	if err != nil {
		t.Fatal(err)
	}
	var want [n][n]float32
	for e, id := range near.ids {
		want[e/k][id] = directed[e]
	}
	f, err := union(context.Background(), near, 3)
	if err != nil {
		t.Fatal(err)
	}
	var got [n][n]float32
	for i := range n {
		ends, weights := f.row(i)
		if !slices.IsSorted(ends) {
			t.Errorf("edges of %d: %v", i, ends)
		}
		for e, j := range ends {
			got[i][j] = weights[e]
		}
	}
	for i := range n {
		for j := range n {
			a, b := want[i][j], want[j][i]
			if w := a + b - a*b; math.Abs(float64(got[i][j]-w)) > 1e-6 || got[i][j] != got[j][i] {
				t.Errorf("edge %d-%d has weight %v, and back %v, want %v", i, j, got[i][j], got[j][i], w)
			}
		}
	}
	order := rand.New(rand.NewPCG(1, 1)).Perm(n)
	for i, p := range order {
		ends, weights := f.permuted(order).row(i)
		for e, j := range ends {
			if weights[e] != got[p][order[j]] {
				t.Errorf("permuted edge %d-%d has weight %v, want %v", i, j, weights[e], got[p][order[j]])
			}
		}
	}
}

// All pairs are compared as Set.NearestBatch does, on any number of goroutines.
func TestExactNear(t *testing.T) {
	const n, k = 700, 9
	rows := unitRows(n, 20, 11, 0.6)
	names := make([]string, n)
	for i := range names {
		names[i] = string(rune('一' + i))
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	skip := make([][]int, n)
	for i := range skip {
		skip[i] = []int{i}
	}
	want := s.NearestBatch(rows, k, skip)
	for _, threads := range []int{1, 3} {
		near, err := exactNear(context.Background(), rows, k, threads, func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			ids, cosines := near.row(i)
			for j, w := range want[i] {
				if math.Abs(float64(cosines[j]-w.Similarity)) > 1e-5 || int(ids[j]) != w.ID && cosines[j] != cosines[max(0, j-1)] && math.Abs(float64(w.Similarity-want[i][max(0, j-1)].Similarity)) > 1e-5 && math.Abs(float64(w.Similarity-want[i][min(k-1, j+1)].Similarity)) > 1e-5 {
					t.Fatalf("neighbour %d of %d is %d (%v), want %d (%v)", j, i, ids[j], cosines[j], w.ID, w.Similarity)
				}
			}
		}
	}
}

// Nearest-neighbour descent finds nearly all of the neighbours, the same on any number of goroutines, and no row twice.
func TestDescend(t *testing.T) {
	const n, k = 6000, descentList
	rows := unitRows(n, 24, 40, 0.7)
	want, err := exactNear(context.Background(), rows, k, 2, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	o := UMAPOptions{Threads: 1}.resolved(n)
	got, err := descend(context.Background(), rows, k, o, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for i := range n {
		ids, cosines := got.row(i)
		seen := map[int32]bool{int32(i): true}
		for j, id := range ids {
			if seen[id] || j > 0 && cosines[j] > cosines[j-1] {
				t.Fatalf("list of %d: %v %v", i, ids, cosines)
			}
			seen[id] = true
		}
		exact, _ := want.row(i)
		for _, id := range exact {
			if seen[id] {
				found++
			}
		}
	}
	if recall := float64(found) / (n * k); recall < 0.95 {
		t.Errorf("found %.3f of the neighbours, want 0.95", recall)
	}
	o.Threads = 5
	again, err := descend(context.Background(), rows, k, o, func(float64) {})
	if err != nil || !slices.Equal(again.ids, got.ids) {
		t.Errorf("five goroutines find others than one: %v", err)
	}
}

// Rows that are equal to many others have lists of as many different rows.
func TestDescendAmongEqualRows(t *testing.T) {
	rows := vectors.NewMatrix(500, 3)
	for i := range rows.Rows {
		rows.Row(i)[i%2] = 1
	}
	got, err := descend(context.Background(), rows, descentList, UMAPOptions{}.resolved(500), func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows.Rows {
		ids, cosines := got.row(i)
		sorted := slices.Clone(ids)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != descentList || slices.Contains(ids, int32(i)) || cosines[descentList-1] != 1 {
			t.Fatalf("list of %d: %v %v", i, ids, cosines)
		}
	}
}
