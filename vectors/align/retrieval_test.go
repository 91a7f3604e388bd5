package align_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// cosines returns those of all words of a with all words of b.
func cosines(a, b *vectors.Set) [][]float64 {
	all := make([][]float64, a.Len())
	for i := range all {
		for j := range b.Len() {
			all[i] = append(all[i], float64(vectors.Cosine(a.Input().Row(i), b.Input().Row(j))))
		}
	}
	return all
}

// topMean returns the mean of the k largest numbers.
func topMean(numbers []float64, k int) (mean float64) {
	sorted := slices.Clone(numbers)
	slices.SortFunc(sorted, func(x, y float64) int { return cmp.Compare(y, x) })
	for _, x := range sorted[:k] {
		mean += x / float64(k)
	}
	return mean
}

// csls is the definition of Conneau et al. (2018).
func csls(a, b *vectors.Set, k int) [][]float64 {
	cos, scores := cosines(a, b), make([][]float64, a.Len())
	near := make([]float64, b.Len())
	for j := range near {
		column := make([]float64, a.Len())
		for i := range column {
			column[i] = cos[i][j]
		}
		near[j] = topMean(column, k)
	}
	for i := range scores {
		own := topMean(cos[i], k)
		for j := range b.Len() {
			scores[i] = append(scores[i], 2*cos[i][j]-own-near[j])
		}
	}
	return scores
}

// precision is the share of words that have an answer among the best n.
func precision(scores [][]float64, answers map[int][]int, n int) float64 {
	hits := 0
	for word, right := range answers {
		order := make([]int, len(scores[word]))
		for j := range order {
			order[j] = j
		}
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(scores[word][y], scores[word][x]) })
		if slices.ContainsFunc(order[:n], func(j int) bool { return slices.Contains(right, j) }) {
			hits++
		}
	}
	return float64(hits) / float64(len(answers))
}

// Retrieval is what the definitions say, on sets whose sizes are not multiples of anything.
func TestRetrieve(t *testing.T) {
	const n, d = 701, 6
	a, b := trial.Plain(n, d), trial.Plain(n-2, d)
	mixed := vectors.NewMatrix(b.Len(), d) // near to a, and not the same
	for id := range b.Len() {
		for k, x := range b.Input().Row(id) {
			mixed.Row(id)[k] = 0.35*x + a.Input().Row(id)[k]
		}
	}
	b = trial.With(b, func(p *vectors.Parts) { p.Input = mixed })
	var pairs []align.Pair
	answers := map[int][]int{}
	for id := 0; id < 300; id += 2 {
		for _, other := range []int{id, (id + 7) % 600} {
			pairs = append(pairs, align.Pair{A: id, B: other})
			answers[id] = append(answers[id], other)
		}
	}
	for _, k := range []int{0, 3} {
		r, err := align.Retrieve(t.Context(), a, b, pairs, align.RetrievalOptions{Neighbors: k})
		if err != nil {
			t.Fatal(err)
		}
		if k == 0 {
			k = 10
		}
		if r.Words != 150 || r.Candidates != n-2 || r.Left != 0 || r.K != k {
			t.Errorf("%+v", r)
		}
		for _, by := range []struct {
			name   string
			got    align.Precision
			scores [][]float64
		}{{"cosine", r.Cosine, cosines(a, b)}, {"CSLS", r.CSLS, csls(a, b, k)}} {
			want := align.Precision{At1: precision(by.scores, answers, 1), At5: precision(by.scores, answers, 5), At10: precision(by.scores, answers, 10)}
			if math.Abs(by.got.At1-want.At1) > 1e-12 || math.Abs(by.got.At5-want.At5) > 1e-12 || math.Abs(by.got.At10-want.At10) > 1e-12 {
				t.Errorf("K %d, %s: %+v, want %+v", k, by.name, by.got, want)
			}
			if want.At1 == 0 || want.At10 == 1 {
				t.Fatalf("%s: %+v tells nothing", by.name, want)
			}
		}
	}
}

// Words beyond the first ones take no part, and words without direction are never found.
func TestRetrieveRestricted(t *testing.T) {
	nan := float32(math.NaN())
	a := trial.OfRows([]float32{1, 0}, []float32{0, 1}, []float32{0, 0}, []float32{1, 1})
	b := trial.OfRows([]float32{nan, 0}, []float32{1, 0.1}, []float32{0.1, 1}, []float32{1, 1})
	pairs := []align.Pair{{A: 0, B: 1}, {A: 1, B: 2}, {A: 2, B: 1}, {A: 3, B: 3}, {A: 0, B: 3}, {A: 3, B: 1}}
	r, err := align.Retrieve(t.Context(), a, b, pairs, align.RetrievalOptions{Restrict: 3})
	if err != nil {
		t.Fatal(err)
	}
	two := 2. / 3
	want := align.Retrieval{Words: 3, Candidates: 3, Left: 3, K: 10, Cosine: align.Precision{At1: two, At5: two, At10: two}}
	want.CSLS = want.Cosine
	if *r != want {
		t.Errorf("%+v, want %+v", *r, want)
	}
	if _, err := align.Retrieve(t.Context(), a, b, pairs[3:], align.RetrievalOptions{Restrict: 3}); err == nil {
		t.Error("no pair is left")
	}
	for _, o := range []align.RetrievalOptions{{Restrict: -1}, {Neighbors: -1}} {
		if _, err := align.Retrieve(t.Context(), a, b, pairs, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
		if _, err := align.Refine(t.Context(), a, b, &align.Fit{}, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := align.Retrieve(ended, a, b, pairs, align.RetrievalOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A few anchors of a rotated copy lead to all words.
func TestRefineFindsAllWords(t *testing.T) {
	const n, d = 500, 8
	b := trial.Plain(n, d)
	a := rotate(t, b, orthogonal(d, 2))
	fit, err := align.Procrustes(t.Context(), a, b, shared(t, a, b)[:20], align.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := align.Refine(t.Context(), a, b, fit, align.RetrievalOptions{})
	if err != nil || fmt.Sprint(pairs) != fmt.Sprint(shared(t, a, b)) {
		t.Errorf("%d pairs, %v", len(pairs), err)
	}
}
