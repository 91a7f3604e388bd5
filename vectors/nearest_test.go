package vectors_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// numbered returns the words w0, w1, …
func numbered(n int) vectors.Words {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("w", i)
	}
	return vectors.NewWords(words...)
}

// wordSet returns a set of words w0, w1, … with the given vectors.
func wordSet(rows ...[]float32) *vectors.Set {
	s := newSet(vectors.Parts{Words: numbered(len(rows)), Input: vectors.NewMatrix(len(rows), len(rows[0]))})
	for i, row := range rows {
		copy(s.Input().Row(i), row)
	}
	return s
}

// randomSet returns a set of n random vectors, among them some that are zero,
// not finite, or equal to others.
func randomSet(rng *rand.Rand, n, dim int) *vectors.Set {
	rows := make([][]float32, n)
	for i := range rows {
		rows[i] = make([]float32, dim)
		scale := float32(math.Exp(rng.NormFloat64()))
		for j := range rows[i] {
			rows[i][j] = scale * float32(rng.NormFloat64())
		}
		switch rng.IntN(20) {
		case 0:
			clear(rows[i])
		case 1:
			rows[i][rng.IntN(dim)] = float32(math.NaN())
		case 2:
			rows[i][rng.IntN(dim)] = float32(math.Inf(1 - 2*rng.IntN(2)))
		case 3, 4, 5:
			if i > 0 {
				copy(rows[i], rows[rng.IntN(i)])
			}
		}
	}
	return wordSet(rows...)
}

// trueCosine is the cosine in float64, NaN where it is not defined.
func trueCosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	cosine := ab / math.Sqrt(aa*bb)
	if math.IsInf(cosine, 0) || math.IsInf(aa, 0) || math.IsInf(bb, 0) {
		return math.NaN()
	}
	return cosine
}

type ranked struct {
	id    int
	score float64
}

// best returns all ids with a score, best first and lower ids first on ties.
func best(n int, skip []int, score func(id int) float64) []ranked {
	var all []ranked
	for id := range n {
		if x := score(id); !math.IsNaN(x) && !slices.Contains(skip, id) {
			all = append(all, ranked{id, x})
		}
	}
	slices.SortFunc(all, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.id, y.id))
	})
	return all
}

// sameRanking reports a difference between got and the first k of want beyond
// rounding: scores that are closer than tolerance may change places.
func sameRanking(got []vectors.Neighbor, want []ranked, k int, tolerance float64) error {
	want = want[:min(k, len(want))]
	if len(got) != len(want) {
		return fmt.Errorf("%d neighbors, want %d", len(got), len(want))
	}
	for i, n := range got {
		if n.Word != fmt.Sprint("w", n.ID) {
			return fmt.Errorf("neighbor %d is id %d, called %s", i, n.ID, n.Word)
		}
		if d := math.Abs(float64(n.Similarity) - want[i].score); !(d < tolerance) {
			return fmt.Errorf("neighbor %d has similarity %v, want %v", i, n.Similarity, want[i].score)
		}
		if i > 0 && (got[i-1].Similarity < n.Similarity || got[i-1].Similarity == n.Similarity && got[i-1].ID > n.ID) {
			return fmt.Errorf("neighbors %d and %d are in the wrong order: %v", i-1, i, got[i-1:i+1])
		}
	}
	return nil
}

func TestNearestTable(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	s := wordSet(
		[]float32{1, 0},        // w0
		[]float32{0, 2},        // w1
		[]float32{-4, 0},       // w2
		[]float32{0, 0},        // w3: no direction
		[]float32{8, 0},        // w4: the direction of w0
		[]float32{nan, 1},      // w5
		[]float32{3, 4},        // w6
		[]float32{inf, 1},      // w7
		[]float32{0, 1e-40},    // w8: the direction of w1, too short for an inverse norm
		[]float32{1 << 120, 0}, // w9: the direction of w0
	)
	tests := []struct {
		name  string
		query []float32
		k     int
		skip  []int
		want  string
	}{
		{"ties go to the lower id", []float32{2, 0}, 4, nil, "w0:1 w4:1 w9:1 w6:0.6"},
		{"k cuts ties", []float32{2, 0}, 2, nil, "w0:1 w4:1"},
		{"skip", []float32{2, 0}, 3, []int{0, 9}, "w4:1 w6:0.6 w1:0"},
		{"negative similarities, k > words", []float32{-1, -1}, 99, nil, "w2:0.707 w0:-0.707 w1:-0.707 w4:-0.707 w8:-0.707 w9:-0.707 w6:-0.99"},
		{"k is 0", []float32{1, 0}, 0, nil, ""},
		{"k is negative", []float32{1, 0}, -1, nil, ""},
		{"query of zeros", []float32{0, 0}, 3, nil, ""},
		{"query of NaN", []float32{nan, 0}, 3, nil, ""},
		{"query of infinity", []float32{inf, 0}, 3, nil, ""},
		{"all skipped", []float32{1, 0}, 3, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			for i, n := range trial.Nearest(s, test.query, test.k, test.skip...) {
				if i > 0 {
					got += " "
				}
				got += fmt.Sprintf("%s:%.3g", n.Word, n.Similarity)
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestNearestOfNoWords(t *testing.T) {
	s := newSet(vectors.Parts{Input: vectors.NewMatrix(0, 3)})
	if got := trial.Nearest(s, []float32{1, 2, 3}, 5); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestNearestWrongDimension(t *testing.T) {
	_, err := wordSet([]float32{1, 2}).Nearest(t.Context(), vectors.Query{Vector: []float32{1, 2, 3}, K: 1})
	if err == nil || err.Error() != "vectors: query of 3 numbers in a set of 2 dimensions" {
		t.Errorf("error %v", err)
	}
}

func TestNearestEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := wordSet([]float32{1, 2}).Nearest(ctx, vectors.Query{Vector: []float32{1, 2}, K: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// queriesOf asks for the nearest k words of each row, but for those of skip.
func queriesOf(rows vectors.Matrix, k int, skip ...[]int) []vectors.Query {
	queries := make([]vectors.Query, rows.Rows)
	for i := range queries {
		queries[i] = vectors.Query{Vector: rows.Row(i), K: k}
		if i < len(skip) {
			queries[i].Skip = skip[i]
		}
	}
	return queries
}

// nearest answers queries to a set that can be read.
func nearest(s *vectors.Set, queries ...vectors.Query) [][]vectors.Neighbor {
	found, err := s.Nearest(context.Background(), queries...)
	if err != nil {
		panic(err)
	}
	return found
}

func TestNearestAgainstFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 255, 257, 600} {
		for _, dim := range []int{1, 16, 37} {
			s := randomSet(rng, n, dim)
			queries := vectors.NewMatrix(70, dim) // more than one pass
			for q := range queries.Rows {
				copy(queries.Row(q), s.Input().Row(rng.IntN(n)))
			}
			for _, k := range []int{1, 10, n + 5} {
				skip := [][]int{{rng.IntN(n)}, nil, {0, n - 1}}
				batch := nearest(s, queriesOf(queries, k, skip...)...)
				if len(batch) != queries.Rows {
					t.Fatalf("%d results for %d queries", len(batch), queries.Rows)
				}
				for q, got := range batch {
					var without []int
					if q < len(skip) {
						without = skip[q]
					}
					want := best(n, without, func(id int) float64 {
						return trueCosine(queries.Row(q), s.Input().Row(id))
					})
					if err := sameRanking(got, want, k, 1e-5); err != nil {
						t.Fatalf("%d words, dim %d, k %d, query %d: %v", n, dim, k, q, err)
					}
					if q%9 > 0 {
						continue
					}
					if single := trial.Nearest(s, queries.Row(q), k, without...); len(single) != len(got) {
						t.Fatalf("alone %v, in a batch %v", single, got)
					}
				}
			}
		}
	}
}

// withProcs calls run once for several numbers of cores.
func withProcs(run func(procs int)) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(procs)
		run(procs)
	}
}

func TestNearestOnAnyNumberOfCores(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	s := randomSet(rng, 3000, 5)
	for i := range s.Input().Data { // few different values: many ties
		s.Input().Data[i] = float32(math.Round(float64(s.Input().Data[i])))
	}
	var first [][]vectors.Neighbor
	withProcs(func(procs int) {
		got := nearest(s, queriesOf(s.Input().First(100), 40)...)
		if first == nil {
			first = got
		}
		for q := range got {
			if !slices.Equal(got[q], first[q]) {
				t.Fatalf("query %d on %d cores: %v, on one %v", q, procs, got[q], first[q])
			}
		}
	})
}

func TestUnit(t *testing.T) {
	dst := make([]float32, 2)
	if !vectors.Unit(dst, []float32{3e30, -4e30}) || math.Abs(float64(dst[0])-0.6) > 1e-6 || math.Abs(float64(dst[1])+0.8) > 1e-6 {
		t.Errorf("got %v", dst)
	}
	for _, v := range [][]float32{{0, 0}, {float32(math.NaN()), 1}, {float32(math.Inf(-1)), 1}} {
		dst[0] = 7
		if vectors.Unit(dst, v) || dst[0] != 0 || dst[1] != 0 {
			t.Errorf("Unit of %v is %v", v, dst)
		}
	}
}

func ExampleSet_Nearest() {
	s := newSet(vectors.Parts{
		Words: vectors.NewWords("cat", "dog", "car", "not"),
		Input: vectors.Matrix{Data: []float32{
			3, 4,
			4, 3,
			4, -3,
			-3, -4,
		}, Rows: 4, Cols: 2, Stride: 2},
	})
	id, _ := s.ID("cat")
	near, err := s.Nearest(context.Background(), vectors.Query{Vector: s.Vectors().Row(id), K: 3, Skip: []int{id}})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range near[0] {
		fmt.Printf("%s %.2f\n", n.Word, n.Similarity)
	}
	// Output:
	// dog 0.96
	// car 0.00
	// not -1.00
}

func benchmarkSet(n, dim int) *vectors.Set {
	rng := rand.New(rand.NewPCG(5, 6))
	s := newSet(vectors.Parts{Words: numbered(n), Input: vectors.NewMatrix(n, dim)})
	for i := range n {
		for j := range s.Input().Row(i) {
			s.Input().Row(i)[j] = float32(rng.NormFloat64())
		}
	}
	s.Directions()
	return s
}

// Searching costs little more than the products of all rows and all queries, which "plain" makes alone.
func BenchmarkNearest(b *testing.B) {
	s := benchmarkSet(75_000, 300)
	m := s.Input()
	for _, queries := range []int{1, 16, 128} {
		some := vectors.Matrix{Data: m.Data, Rows: queries, Cols: m.Cols, Stride: m.Stride}
		run := func(name string, search func()) {
			b.Run(fmt.Sprintf("queries=%d/%s", queries, name), func(b *testing.B) {
				for b.Loop() {
					search()
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*queries), "µs/query")
			})
		}
		run("nearest", func() { nearest(s, queriesOf(some, 10)...) })
		products := make([]float32, queries*256)
		run("plain", func() {
			for first := 0; first < m.Rows; first += 256 {
				simd.Dots(products, 256, some.Data, some.Stride, queries, m.Data[first*m.Stride:], m.Stride, min(256, m.Rows-first), m.Cols)
			}
		})
	}
}

// Queries that are answered together get what each would get alone.
func TestQueriesDifferInWhatTheyAsk(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	s := randomSet(rng, 3000, 7)
	var queries []vectors.Query
	for range 300 {
		q := vectors.Query{Vector: make([]float32, 7), K: rng.IntN(20)}
		for i := range q.Vector {
			q.Vector[i] = float32(rng.NormFloat64())
		}
		if rng.IntN(2) == 0 {
			q.First = 1 + rng.IntN(4000)
		}
		for range rng.IntN(5) {
			q.Skip = append(q.Skip, rng.IntN(100))
		}
		queries = append(queries, q)
	}
	for i, found := range nearest(s, queries...) {
		q := queries[i]
		var want []vectors.Neighbor
		for _, n := range trial.Nearest(s, q.Vector, s.Len(), q.Skip...) {
			if len(want) < q.K && (q.First == 0 || n.ID < q.First) {
				want = append(want, n)
			}
		}
		if len(found) != len(want) || len(want) > 0 && !slices.Equal(found, want) {
			t.Errorf("query %d %+v: found %v, want %v", i, q, found, want)
		}
	}
	for i, q := range queries { // all are restricted
		queries[i].First = max(1, q.First%1000)
	}
	for i, found := range nearest(s, queries...) {
		if want := nearest(s, queries[i])[0]; !slices.Equal(found, want) {
			t.Errorf("query %d: found %v, alone %v", i, found, want)
		}
		if slices.ContainsFunc(found, func(n vectors.Neighbor) bool { return n.ID >= queries[i].First }) {
			t.Errorf("query %d finds %v among the first %d", i, found, queries[i].First)
		}
	}
}

// A part's share is its product with the vector, as a part of the vector's with itself.
func TestShare(t *testing.T) {
	v := []float32{3, 4}
	for _, test := range []struct {
		part []float32
		want float64
	}{
		{[]float32{3, 0}, 9. / 25},
		{[]float32{0, 4}, 16. / 25}, // the sum of both parts is v, and that of their shares 1
		{[]float32{-4, 3}, 0},
		{[]float32{-3, -4}, -1},
	} {
		if got := (vectors.WordPart{Vector: test.part}).Share(v); got != test.want {
			t.Errorf("%v has a share of %v in %v, want %v", test.part, got, v, test.want)
		}
	}
	if got := (vectors.WordPart{Vector: v}).Share(make([]float32, 2)); !math.IsNaN(got) {
		t.Errorf("a share of nothing is %v", got)
	}
}

// Words that alone may answer have the similarities that they have among all words.
func TestNearestAmong(t *testing.T) {
	m := vectors.NewMatrix(300, 20)
	rng := rand.New(rand.NewPCG(1, 0))
	words := make([]string, m.Rows)
	for i := range words {
		words[i] = fmt.Sprint(i)
		for k := range m.Row(i) {
			m.Row(i)[k] = float32(rng.NormFloat64())
		}
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m})
	if err != nil {
		t.Fatal(err)
	}
	among := []int{3, 17, 100, 255, 256, 299}
	q := vectors.Query{Vector: m.Row(17), K: 300, First: 299, Skip: []int{100}}
	some := q
	some.K, some.Among = 4, func(id int) bool { return slices.Contains(among, id) }
	none := some
	none.Among = func(int) bool { return false }
	found, err := s.Nearest(t.Context(), q, some, none)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.DeleteFunc(found[0], func(n vectors.Neighbor) bool { return !slices.Contains(among, n.ID) })
	if len(want) != 4 || !slices.Equal(found[1], want) || len(found[2]) != 0 {
		t.Errorf("%v and %v, want %v and none", found[1], found[2], want)
	}
}
