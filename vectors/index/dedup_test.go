package index_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/index"
)

// copied returns clustered vectors of which some are almost those of one before.
func copied(n, dim int, seed uint64) (rows [][]float32) {
	_, rows = clustered(n, dim, seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for i := n / 10; i < n; i += 3 {
		of := rows[r.IntN(i)]
		for j := range rows[i] {
			rows[i][j] = 2*of[j] + 0.03*float32(r.NormFloat64())
		}
	}
	return rows
}

// greedy is the definition.
func greedy(rows [][]float32, threshold float64) (all []index.Duplicate) {
	var kept []int
	for i, v := range rows {
		d := index.Duplicate{Of: -1}
		for _, k := range kept {
			if c := float32(vectors.Cosine(v, rows[k])); float64(c) >= threshold && (d.Of < 0 || c > d.Cosine) {
				d = index.Duplicate{Of: k, Cosine: c}
			}
		}
		if all = append(all, d); d.Of < 0 {
			kept = append(kept, i)
		}
	}
	return all
}

func add(t testing.TB, d *index.Dedup, rows [][]float32, parts int) (all []index.Duplicate) {
	t.Helper()
	for part := range slices.Chunk(rows, (len(rows)+parts-1)/parts) {
		found, err := d.Add(t.Context(), slices.Concat(part...))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

func TestDedupIsGreedy(t *testing.T) {
	rows := copied(1500, 12, 1)
	rows[40], rows[41] = make([]float32, 12), make([]float32, 12)
	for _, threshold := range []float64{0.8, 0.95, 0.999} {
		want := greedy(rows, threshold)
		for _, parts := range []int{1, 3, 1500} {
			d, err := index.NewDedup(12, index.DedupOptions{Threshold: threshold})
			if err != nil {
				t.Fatal(err)
			}
			kept := 0
			for i, got := range add(t, d, rows, parts) {
				if got.Of != want[i].Of || math.Abs(float64(got.Cosine-want[i].Cosine)) > 1e-6 {
					t.Fatalf("threshold %v, %d parts: vector %d is %+v, want %+v", threshold, parts, i, got, want[i])
				}
				if got.Of < 0 && i != 40 && i != 41 {
					kept++
				}
			}
			if d.Kept() != kept || d.Linked() {
				t.Errorf("kept %d, want %d", d.Kept(), kept)
			}
			if r, err := d.Recall(t.Context()); err != nil || r != (index.Recall{}) {
				t.Errorf("recall %+v, %v", r, err)
			}
		}
	}
}

func TestDedupByGraph(t *testing.T) {
	rows := copied(5000, 16, 6)
	d, err := index.NewDedup(16, index.DedupOptions{Threshold: 0.97, Linear: 500})
	if err != nil {
		t.Fatal(err)
	}
	found, want := add(t, d, rows, 7), greedy(rows, 0.97)
	missed, duplicates := 0, 0
	for i, w := range want {
		if w.Of >= 0 {
			duplicates++
			if found[i].Of < 0 {
				missed++
			}
		}
	}
	if duplicates < 1000 || missed > duplicates/100 || !d.Linked() {
		t.Errorf("missed %d of %d duplicates", missed, duplicates)
	}
	r, err := d.Recall(t.Context())
	if err != nil || r.Looked < 500 || r.Looked > 2000 || r.Duplicates < 100 || r.Found > r.Duplicates || r.Found < r.Duplicates*98/100 {
		t.Errorf("recall %+v, %v", r, err)
	}
}

// Vectors that are the same to the bit are duplicates at any threshold.
func TestDedupOfSame(t *testing.T) {
	_, rows := clustered(200, 33, 8)
	rows = append(rows, rows...)
	d, err := index.NewDedup(33, index.DedupOptions{Threshold: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range add(t, d, rows, 2) {
		if want := i - 200; got.Of != max(-1, want) {
			t.Fatalf("vector %d is %+v", i, got)
		}
	}
}

func TestDedupOptions(t *testing.T) {
	for _, threshold := range []float64{0, -1, 1.1, math.NaN()} {
		want := fmt.Sprintf("index: threshold: must be above 0 and up to 1, is %v", threshold)
		if _, err := index.NewDedup(3, index.DedupOptions{Threshold: threshold}); err == nil || err.Error() != want {
			t.Error(err)
		}
	}
	if _, err := index.NewDedup(0, index.DedupOptions{Threshold: 1}); err == nil || !strings.Contains(err.Error(), "without dimensions") {
		t.Error(err)
	}
}

func TestDedupMemory(t *testing.T) {
	for _, test := range []struct {
		o    index.DedupOptions
		kept int
		want uint64
	}{
		{index.DedupOptions{Threshold: 0.9}, 0, 0},
		{index.DedupOptions{Threshold: 0.9}, 1000, 1000 * (4*10 + 8)},
		{index.DedupOptions{Threshold: 0.9, Linear: 10}, 1000, 1000 * (4*10 + 8 + 4*48)},
		{index.DedupOptions{Threshold: 0.9, Exact: true}, 1_000_000, 1_000_000 * (4*10 + 8)},
	} {
		d, err := index.NewDedup(10, test.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Memory(test.kept); got != test.want {
			t.Errorf("%+v: %d rows take %d bytes, want %d", test.o, test.kept, got, test.want)
		}
	}
}
