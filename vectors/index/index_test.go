package index_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/index"
)

// clustered returns n vectors in clusters, named by their numbers.
func clustered(n, dim int, seed uint64) (names []string, rows [][]float32) {
	r := rand.New(rand.NewPCG(seed, 1))
	centres := make([][]float32, 1+n/50)
	for i := range centres {
		centres[i] = random(r, dim)
	}
	for i := range n {
		v := random(r, dim)
		for j, x := range centres[r.IntN(len(centres))] {
			v[j] = x + 0.6*v[j]
		}
		names, rows = append(names, fmt.Sprint("row", i)), append(rows, v)
	}
	return names, rows
}

func random(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for j := range v {
		v[j] = float32(r.NormFloat64())
	}
	return v
}

func setOf(t testing.TB, names []string, rows [][]float32) *vectors.Set {
	t.Helper()
	m := vectors.NewMatrix(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(m.Row(i), row)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: m})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func build(t testing.TB, set *vectors.Set, o index.Options) *index.Index {
	t.Helper()
	entries, err := index.Of(set)
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Build(t.Context(), entries, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func search(t testing.TB, x *index.Index, queries ...index.Query) [][]vectors.Neighbor {
	t.Helper()
	found, err := x.Search(t.Context(), queries...)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func words(found []vectors.Neighbor) (all []string) {
	for _, f := range found {
		all = append(all, f.Word)
	}
	return all
}

// An effort as large as the index finds what an exact search finds, in its order.
func TestExact(t *testing.T) {
	for _, size := range []struct{ n, dim int }{{1, 1}, {2, 3}, {10, 5}, {300, 17}, {700, 32}} {
		names, rows := clustered(size.n, size.dim, 7)
		set := setOf(t, names, rows)
		x := build(t, set, index.Options{Degree: 8, Effort: 20})
		for _, k := range []int{1, 10, 1000} {
			for i := range min(20, size.n) {
				want, err := set.Nearest(t.Context(), vectors.Query{Vector: rows[i], K: k, Skip: []int{i}})
				if err != nil {
					t.Fatal(err)
				}
				got := search(t, x, index.Query{Vector: rows[i], K: k, Skip: []int{i}, Effort: size.n})[0]
				if !slices.Equal(words(got), words(want[0])) {
					t.Fatalf("%d×%d, %d of row %d: found %v, want %v", size.n, size.dim, k, i, words(got), words(want[0]))
				}
			}
		}
	}
}

func TestRecall(t *testing.T) {
	names, rows := clustered(4000, 24, 3)
	x := build(t, setOf(t, names, rows), index.Options{})
	if _, _, err := x.Measure(t.Context(), 10, 300, index.DefaultEffort, 4000); err != nil {
		t.Fatal(err)
	}
	walk, exact := x.About.Measured[0], x.About.Measured[1]
	if walk.Recall < 0.97 || walk.Recall > 1 || walk.Queries != 300 || walk.K != 10 {
		t.Errorf("measured %+v", walk)
	}
	if exact.Recall != 1 {
		t.Errorf("an exact search has recall %v", exact.Recall)
	}
	// A lower effort finds less.
	if _, _, err := x.Measure(t.Context(), 10, 300, 10); err != nil {
		t.Fatal(err)
	}
	if low := x.About.Measured[2]; low.Recall >= walk.Recall {
		t.Errorf("effort %d has recall %v, and %d %v", low.Effort, low.Recall, walk.Effort, walk.Recall)
	}
	// A search for many takes the effort that it needs.
	if found := search(t, x, index.Query{Vector: rows[0], K: 500})[0]; len(found) != 500 {
		t.Errorf("found %d of 500", len(found))
	}
}

func TestDeterministic(t *testing.T) {
	names, rows := clustered(1500, 20, 5)
	var files [][]byte
	for _, threads := range []int{1, 2, 5} {
		x := build(t, setOf(t, names, rows), index.Options{Threads: threads, Seed: 3})
		path := filepath.Join(t.TempDir(), "x.index")
		if err := x.Write(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if !bytes.Equal(files[0], files[1]) || !bytes.Equal(files[0], files[2]) {
		t.Error("the number of threads changes the index")
	}
}

// Entries that a walk meets late, because their directions are others than that of the query, are not missed more than others.
func TestFilteredEntriesFarFromTheQuery(t *testing.T) {
	names, rows := clustered(8000, 16, 5)
	for _, v := range rows {
		vectors.Unit(v, v)
	}
	x := build(t, setOf(t, names, rows), index.Options{Degree: 6, Effort: 20})
	byFirst := make([]int, len(rows))
	for i := range byFirst {
		byFirst[i] = i
	}
	slices.SortFunc(byFirst, func(a, b int) int { return -cmpFloat(float64(rows[a][0]), float64(rows[b][0])) })
	among := x.Among(func(id int) bool { return rows[id][0] < 0 })
	hits, all := 0, 0
	for _, i := range byFirst[:60] {
		exact := search(t, x, index.Query{Vector: rows[i], K: 4, Among: among, Effort: len(rows)})[0]
		found := search(t, x, index.Query{Vector: rows[i], K: 4, Among: among, Effort: 32})[0]
		if len(found) != 4 {
			t.Fatalf("found %d", len(found))
		}
		for _, f := range found {
			if f.Similarity >= exact[3].Similarity {
				hits++
			}
		}
		all += 4
	}
	if recall := float64(hits) / float64(all); recall < 0.95 {
		t.Errorf("recall %v", recall)
	}
}

func TestFilters(t *testing.T) {
	names, rows := clustered(2000, 16, 11)
	x := build(t, setOf(t, names, rows), index.Options{})
	tests := []struct {
		name    string
		allowed func(id int) bool
		recall  float64
	}{
		{"none", func(int) bool { return false }, 1},
		{"one", func(id int) bool { return id == 77 }, 1},
		{"a few", func(id int) bool { return id%100 == 3 }, 1},
		{"half", func(id int) bool { return id%2 == 1 }, 0.95},
		{"all but some", func(id int) bool { return id%10 != 0 }, 0.95},
		{"all", func(int) bool { return true }, 0.95},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			among, hits, all := x.Among(test.allowed), 0, 0
			for i := range 50 {
				v := rows[i*7]
				var want []int
				for id := range rows {
					if test.allowed(id) && id != i*7 {
						want = append(want, id)
					}
				}
				slices.SortFunc(want, func(a, b int) int {
					return -cmpFloat(vectors.Cosine(v, rows[a]), vectors.Cosine(v, rows[b]))
				})
				want = want[:min(10, len(want))]
				found := search(t, x, index.Query{Vector: v, K: 10, Among: among, Skip: []int{i * 7}})[0]
				if len(found) != len(want) {
					t.Fatalf("found %d of %d", len(found), len(want))
				}
				for _, f := range found {
					if !test.allowed(f.ID) || f.ID == i*7 {
						t.Fatalf("found %v, which is not allowed", f)
					}
					if slices.Contains(want, f.ID) {
						hits++
					}
				}
				all += len(want)
			}
			if recall := float64(hits) / float64(max(1, all)); all > 0 && recall < test.recall {
				t.Errorf("recall %v, want %v", recall, test.recall)
			}
		})
	}
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestLeast(t *testing.T) {
	names, rows := clustered(1000, 8, 2)
	x := build(t, setOf(t, names, rows), index.Options{})
	for i := range 20 {
		want := 0
		for id := range rows {
			if vectors.Cosine(rows[i], rows[id]) >= 0.8 {
				want++
			}
		}
		found := search(t, x, index.Query{Vector: rows[i], K: len(rows), Least: 0.8})[0]
		for _, f := range found {
			if f.Similarity < 0.8 {
				t.Fatalf("found %v", f)
			}
		}
		if len(found) > want || len(found) < want-want/10 {
			t.Errorf("found %d of %d", len(found), want)
		}
	}
}

// Entries with the same vector are all found, however many there are, and the first of them first.
func TestSameVectors(t *testing.T) {
	names, rows := clustered(900, 12, 4)
	for i := 100; i < 500; i++ {
		rows[i] = rows[20]
	}
	x := build(t, setOf(t, names, rows), index.Options{})
	found := search(t, x, index.Query{Vector: rows[20], K: 50})[0]
	want := []string{"row20"}
	for i := range 49 {
		want = append(want, fmt.Sprint("row", 100+i))
	}
	if !slices.Equal(words(found), want) {
		t.Errorf("found %v", words(found))
	}
	among := x.Among(func(id int) bool { return id >= 450 })
	if found := search(t, x, index.Query{Vector: rows[20], K: 3, Among: among})[0]; !slices.Equal(words(found), []string{"row450", "row451", "row452"}) {
		t.Errorf("found %v", words(found))
	}
}

func TestLeftOut(t *testing.T) {
	inf := float32(math.Inf(1))
	set := setOf(t, []string{"a", "zero", "b", "inf", "a", "nan", "c"},
		[][]float32{{1, 0}, {0, 0}, {0, 2}, {inf, 1}, {5, 5}, {float32(math.NaN()), 1}, {-3, 0}})
	x := build(t, set, index.Options{})
	if a := x.About; a.Entries != 3 || a.Left != 3 || a.Repeated != 1 || a.Dim != 2 {
		t.Errorf("%+v", a)
	}
	found := search(t, x, index.Query{Vector: []float32{2, 1}, K: 10}, index.Query{Vector: []float32{0, 0}, K: 10}, index.Query{Vector: []float32{1, 1}})
	if !slices.Equal(words(found[0]), []string{"a", "b", "c"}) || len(found[1]) != 0 || len(found[2]) != 0 {
		t.Errorf("found %v", found)
	}
	if _, err := x.Search(t.Context(), index.Query{Vector: []float32{1}, K: 1}); err == nil || err.Error() != "index: query of 1 numbers in an index of 2 dimensions" {
		t.Error(err)
	}
}

func TestEmpty(t *testing.T) {
	x, err := index.Build(t.Context(), index.NewEntries(3), index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := x.Measure(t.Context(), 10, 10, 64); err != nil {
		t.Fatal(err)
	}
	if found := search(t, x, index.Query{Vector: []float32{1, 2, 3}, K: 3}); len(found[0]) != 0 {
		t.Error(found)
	}
}

func TestOptions(t *testing.T) {
	for want, o := range map[string]index.Options{
		"index: degree: must be from 4 to 1024, is 3":     {Degree: 3},
		"index: effort: must be from 1 to 65536, is -1":   {Effort: -1},
		"index: threads: must not be negative, is -1":     {Threads: -1},
		"index: degree: must be from 4 to 1024, is 10000": {Degree: 10000},
	} {
		if _, err := index.Build(t.Context(), index.NewEntries(2), o); err == nil || err.Error() != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	names, rows := clustered(3000, 8, 1)
	entries, err := index.Of(setOf(t, names, rows))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = index.Build(ctx, entries, index.Options{Progress: func(int, int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	x := build(t, setOf(t, names[:10], rows[:10]), index.Options{})
	path := filepath.Join(t.TempDir(), "x.index")
	if err := x.Write(ctx, path); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestFile(t *testing.T) {
	names, rows := clustered(400, 10, 9)
	rows[7] = rows[3]
	x := build(t, setOf(t, names, rows), index.Options{Seed: 5})
	if _, _, err := x.Measure(t.Context(), 10, 50, index.DefaultEffort); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.index")
	if err := x.Write(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	y, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer y.Close()
	if err := y.Verify(); err != nil {
		t.Error(err)
	}
	if got, want := fmt.Sprint(y.About), fmt.Sprint(x.About); got != want {
		t.Errorf("read %v, want %v", got, want)
	}
	for i := range 50 {
		q := index.Query{Vector: rows[i], K: 10}
		if got, want := fmt.Sprint(search(t, y, q)), fmt.Sprint(search(t, x, q)); got != want {
			t.Fatalf("row %d: read %v, want %v", i, got, want)
		}
	}
	if !format.IsIndex(path) {
		t.Error("IsIndex does not know an index")
	}
	// Nothing else takes an index for a model.
	if _, err := format.Open(path); err == nil || !strings.Contains(err.Error(), "this is an index, and a model is wanted") {
		t.Error(err)
	}
	model := filepath.Join(t.TempDir(), "m.w2v")
	if err := format.Write(t.Context(), model, setOf(t, names, rows), format.W2V); err != nil {
		t.Fatal(err)
	}
	if _, err := index.Open(model); err == nil || err.Error() != model+": is not an index: w2v index makes one" {
		t.Error(err)
	}
	if format.IsIndex(model) || format.IsIndex(t.TempDir()) {
		t.Error("IsIndex takes anything")
	}
	// Every damage is found.
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(file); at += 997 {
		damaged := bytes.Clone(file)
		damaged[at] ^= 4
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		z, err := index.Open(path)
		if err == nil {
			err = errors.Join(z.Verify(), z.Close())
		}
		if err == nil {
			t.Errorf("byte %d may change", at)
		}
	}
	for _, cut := range []int{0, 1, 8, 100, len(file) / 2, len(file) - 1} {
		if err := os.WriteFile(path, file[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := index.Open(path); err == nil || !strings.HasPrefix(err.Error(), path+": ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("of %d bytes: %v", cut, err)
		}
	}
}

// Whatever the bytes are, opening and searching end, and nothing panics.
func FuzzOpen(f *testing.F) {
	names, rows := clustered(40, 3, 1)
	rows[9] = rows[2]
	path := filepath.Join(f.TempDir(), "x.index")
	if err := build(f, setOf(f, names, rows), index.Options{Degree: 4}).Write(f.Context(), path); err != nil {
		f.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add(bytes.ReplaceAll(file, []byte{255, 255, 255, 255}, []byte{3, 0, 0, 0}))
	f.Add(bytes.ReplaceAll(file, []byte{3, 0, 0, 0}, []byte{255, 0, 0, 127}))
	f.Add(bytes.ReplaceAll(file, []byte{2, 0, 0, 0}, []byte{9, 0, 0, 0}))
	f.Fuzz(func(t *testing.T, file []byte) {
		path := filepath.Join(t.TempDir(), "x.index")
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
		x, err := index.Open(path)
		if err != nil {
			return
		}
		defer x.Close()
		_ = x.Verify()
		v := make([]float32, x.Set().Dim())
		for i := range v {
			v[i] = float32(i + 1)
		}
		for _, q := range []index.Query{{K: 3}, {K: 20, Effort: 20}, {K: 5, Least: 0.1}, {K: 2, Among: x.Among(func(id int) bool { return id%3 > 0 })}, {K: 1, Effort: 1 << 30}} {
			q.Vector = v
			if _, err := x.Search(t.Context(), q); err != nil {
				return
			}
		}
	})
}
