package inspect_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/inspect"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// report is inspect.Set of what can be measured.
func report(t *testing.T, s *vectors.Set, o inspect.Options) *inspect.Report {
	t.Helper()
	r, err := inspect.Set(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// shifted returns words whose vectors have a mean that is not zero.
func shifted(n, d int) *vectors.Set {
	s := trial.Plain(n, d)
	m := vectors.NewMatrix(n, d)
	for id := range n {
		for k, x := range s.Input().Row(id) {
			m.Row(id)[k] = x*float32(k+1) + 0.2
		}
	}
	return trial.With(s, func(p *vectors.Parts) { p.Input = m })
}

// Isotropy by the definitions, over all pairs of words.
func TestIsotropy(t *testing.T) {
	const n, d = 1300, 6
	s := shifted(n, d)
	i := report(t, s, inspect.Options{}).Isotropy
	var cosines []float64
	numbers := make([]float64, 0, n*d)
	for a := range n {
		for b := range n {
			if a != b {
				cosines = append(cosines, float64(vectors.Cosine(s.Input().Row(a), s.Input().Row(b))))
			}
		}
		for _, x := range s.Input().Row(a) {
			numbers = append(numbers, float64(x))
		}
	}
	mean, deviation := stat.PopMeanStdDev(cosines, nil)
	near(t, "mean cosine", i.MeanCosine, mean)
	near(t, "deviation", i.CosineDeviation, deviation)
	var covariance mat.SymDense
	all := mat.NewDense(n, d, numbers)
	stat.CovarianceMatrix(&covariance, all, nil)
	var e mat.EigenSym
	e.Factorize(&covariance, false)
	var sum, squares, most, kept float64
	values := e.Values(nil)
	for _, x := range values {
		sum, squares, most = sum+x, squares+x*x, max(most, x)
	}
	near(t, "participation ratio", i.ParticipationRatio, sum*sum/squares)
	near(t, "first component", i.FirstComponent, most/sum)
	slices.Sort(values)
	slices.Reverse(values)
	components := 0
	for kept < 0.9*sum {
		kept += values[components]
		components++
	}
	if i.Components90 != components || i.Words != n || i.Dim != d {
		t.Errorf("%+v, want %d components", i, components)
	}
	var squared, length float64
	for k := range d {
		column := mat.Col(nil, k, all)
		squared += stat.Mean(column, nil) * stat.Mean(column, nil)
		for _, x := range column {
			length += x * x / n
		}
	}
	near(t, "mean vector", i.MeanNorm, math.Sqrt(squared/length))
}

// What the numbers mean, where they are known.
func TestIsotropyOfKnownSets(t *testing.T) {
	axes := trial.OfRows([]float32{1, 0}, []float32{-1, 0}, []float32{0, 1}, []float32{0, -1})
	i := report(t, axes, inspect.Options{}).Isotropy
	near(t, "mean cosine of axes", i.MeanCosine, -1./3)
	near(t, "participation ratio of axes", i.ParticipationRatio, 2)
	near(t, "mean vector of axes", i.MeanNorm, 0)
	line := trial.OfRows([]float32{1, 2}, []float32{2, 4}, []float32{3, 6})
	i = report(t, line, inspect.Options{}).Isotropy
	near(t, "mean cosine of a line", i.MeanCosine, 1)
	near(t, "participation ratio of a line", i.ParticipationRatio, 1)
	near(t, "first component of a line", i.FirstComponent, 1)
	same := trial.OfRows([]float32{1, 2}, []float32{1, 2})
	i = report(t, same, inspect.Options{}).Isotropy
	if near(t, "mean cosine of one vector", i.MeanCosine, 1); i.ParticipationRatio != 0 || i.Components90 != 0 {
		t.Errorf("%+v", i)
	}
}

// Norms by bands of counts, and vectors that have none.
func TestNorms(t *testing.T) {
	nan := float32(math.NaN())
	s := trial.OfRows([]float32{3, 4}, []float32{0, 0}, []float32{nan, 1}, []float32{0, 1}, []float32{2, 0})
	n := report(t, s, inspect.Options{}).Norms
	want := inspect.Quantiles{Words: 4, Mean: 2, Min: 0, Q05: 0.15, Q25: 0.75, Q50: 1.5, Q75: 2.75, Q95: 4.55, Max: 5}
	if fmt.Sprintf("%.6v", n.Quantiles) != fmt.Sprintf("%.6v", want) || n.Zero != 1 || n.NotFinite != 1 || n.Counted || len(n.Bands) != 1 || n.Bands[0].LastRank != 5 {
		t.Errorf("%+v, want %+v", n, want)
	}
	many := trial.With(trial.Plain(2500, 2), func(p *vectors.Parts) {
		p.Counts = make([]uint64, 2500)
		for id := range p.Counts {
			p.Counts[id] = uint64(id + 1) // the last word is the most frequent one
			p.Input.Row(id)[0], p.Input.Row(id)[1] = float32(id+1), 0
		}
	})
	n = report(t, many, inspect.Options{Queries: 10}).Norms
	if len(n.Bands) != 3 || !n.Counted || n.Bands[0].Min != 2401 || n.Bands[1].FirstRank != 101 || n.Bands[1].LastRank != 1000 || n.Bands[1].MaxCount != 2400 || n.Bands[2].MinCount != 1 || n.Bands[2].Words != 1500 || n.Bands[2].Max != 1500 {
		t.Errorf("%+v", n.Bands)
	}
}

// Occurrences among neighbours by their definition, and skewness by gonum's moments.
func TestHubs(t *testing.T) {
	const n, k = 700, 7
	s := shifted(n, 5)
	h := report(t, s, inspect.Options{Neighbors: k, Top: 3}).Hubs
	occurrences := make([]float64, n)
	for id := range n {
		for _, near := range trial.Nearest(s, s.Input().Row(id), k, id) {
			occurrences[near.ID]++
		}
	}
	never, most := 0, 0.0
	for _, x := range occurrences {
		most = max(most, x)
		if x == 0 {
			never++
		}
	}
	near(t, "skewness", h.Skewness, stat.MomentAbout(3, occurrences, stat.Mean(occurrences, nil), nil)/math.Pow(stat.PopVariance(occurrences, nil), 1.5))
	near(t, "mean", h.Mean, k)
	if !h.Exact || h.Queries != n || h.Words != n || h.K != k || h.Never != never || len(h.Top) != 3 || float64(h.Top[0].Occurrences) != most || h.Top[0].Estimate != most || occurrences[h.Top[1].ID] != float64(h.Top[1].Occurrences) {
		t.Errorf("%+v, want %d words never, %v at most", h, never, most)
	}
	sampled := report(t, s, inspect.Options{Neighbors: k, Queries: 100, Seed: 3}).Hubs
	near(t, "mean of a sample", sampled.Mean, k*100./n)
	near(t, "estimate", sampled.Top[0].Estimate, float64(sampled.Top[0].Occurrences)*7)
	if sampled.Exact || sampled.Queries != 100 {
		t.Errorf("%+v", sampled)
	}
	if again := report(t, s, inspect.Options{Neighbors: k, Queries: 100, Seed: 3}).Hubs; fmt.Sprint(again) != fmt.Sprint(sampled) {
		t.Errorf("%+v, and then %+v", sampled, again)
	}
}

// A vector in the middle of a circle of others is near to all of them.
func TestHubInTheMiddle(t *testing.T) {
	s := trial.OfRows([]float32{1, 0, 0.1}, []float32{-1, 0, 0.1}, []float32{0, 1, 0.1}, []float32{0, -1, 0.1}, []float32{0, 0, 1})
	h := report(t, s, inspect.Options{Neighbors: 1}).Hubs
	if h.Top[0].Word != "e" || h.Top[0].Occurrences != 4 || h.Never != 3 {
		t.Errorf("%+v", h)
	}
}

// N-grams by hand: ab and cd, between < and >, in runs of two.
func TestBuckets(t *testing.T) {
	list, err := subword.NewExplicit(2, 2, []string{"<a", "ab", "b>", "<c", "zz"}, []uint32{0, 1, 1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	s := trial.New(vectors.Parts{Words: vectors.NewWords("ab", "cd"), Subword: list, Input: vectors.NewMatrix(2+4, 3)})
	b := report(t, s, inspect.Options{}).Buckets
	want := inspect.Buckets{
		Kind: "explicit", Buckets: 4, Ngrams: 4, Hashes: 1, Reached: 3, Dead: 1, Colliding: 2, Most: 2, Rows: 4,
		Loads: []inspect.Load{{0, 1}, {1, 2}, {2, 1}, {3, 0}, {4, 0}, {5, 0}},
	}
	if fmt.Sprint(*b) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", *b, want)
	}
}

// Buckets of every kind of n-grams, counted the slow way.
func TestBucketsOfVariants(t *testing.T) {
	for name, s := range trial.Variants() {
		b := report(t, s, inspect.Options{}).Buckets
		if (b == nil) != (s.Subword() == nil) {
			t.Errorf("%s: %+v", name, b)
		}
		if b == nil {
			continue
		}
		texts := map[string]map[uint32]bool{}
		buckets := map[uint32]map[string]bool{}
		for _, word := range s.Words().Strings() {
			rows := s.Subword().Append(nil, word)
			for i, text := range s.Subword().Ngrams(word) {
				if texts[text] == nil {
					texts[text] = map[uint32]bool{}
				}
				if buckets[rows[i]] == nil {
					buckets[rows[i]] = map[string]bool{}
				}
				texts[text][rows[i]], buckets[rows[i]][text] = true, true
			}
		}
		colliding, most := 0, 0
		for _, in := range texts {
			alone := false
			for bucket := range in {
				alone = alone || len(buckets[bucket]) == 1
			}
			if !alone {
				colliding++
			}
		}
		for _, in := range buckets {
			most = max(most, len(in))
		}
		untrained, rows := 0, map[int]bool{}
		for bucket := range s.Subword().Rows() {
			if r := s.BucketRow(uint32(bucket)); r < 0 {
				untrained++
			} else {
				rows[r] = true
			}
		}
		if b.Ngrams != len(texts) || b.Reached != len(buckets) || b.Dead != s.Subword().Rows()-len(buckets) || b.Colliding != colliding || b.Most != most || b.Untrained != untrained || b.Rows != len(rows) {
			t.Errorf("%s: %+v, want %d n-grams, %d reached, %d colliding, %d most, %d untrained, %d rows", name, *b, len(texts), len(buckets), colliding, most, untrained, len(rows))
		}
		if s.BucketRows() != nil && b.Untrained != b.Dead {
			t.Errorf("%s: %d buckets untrained, %d dead", name, b.Untrained, b.Dead)
		}
	}
}

// Parts of the memory.
func TestMemory(t *testing.T) {
	got := map[string][]string{}
	for name, s := range trial.Variants() {
		for _, m := range report(t, s, inspect.Options{}).Memory {
			if m.Bytes <= 0 {
				t.Errorf("%s: %+v", name, m)
			}
			got[name] = append(got[name], m.Part)
		}
	}
	for name, want := range map[string][]string{
		"plain":         {"input", "output", "words"},
		"tied":          {"input", "words"},
		"rank, n-grams": {"input", "projection", "output", "words", "row_numbers", "composed_vectors"},
		"structured":    {"input", "position_output", "words"},
		"directional":   {"input", "output", "directions", "words"},
		"hash":          {"input", "output", "importance", "words", "composed_vectors"},
		"cbow":          {"input", "output", "position_weights", "word_ngrams", "words"},
	} {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

func TestEmptySets(t *testing.T) {
	for name, s := range map[string]*vectors.Set{
		"a table of n-grams": trial.Table(50),
		"zeros":              trial.OfRows([]float32{0, 0}, []float32{0, 0}),
		"one word":           trial.OfRows([]float32{1, 2}),
	} {
		r := report(t, s, inspect.Options{})
		for what, x := range map[string]float64{"mean cosine": r.Isotropy.MeanCosine, "ratio": r.Isotropy.ParticipationRatio, "skewness": r.Hubs.Skewness, "mean": r.Hubs.Mean, "norm": r.Norms.Mean, "mean vector": r.Isotropy.MeanNorm} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%s: %s is %v", name, what, x)
			}
		}
	}
}

func TestSetRefuses(t *testing.T) {
	s := trial.Plain(5, 3)
	for want, o := range map[string]inspect.Options{
		"inspect: Neighbors is -1, must be 0 (the default) or more": {Neighbors: -1},
		"inspect: Queries is -1, must be 0 (the default) or more":   {Queries: -1},
		"inspect: Top is -1, must be 0 (the default) or more":       {Top: -1},
	} {
		if _, err := inspect.Set(t.Context(), s, o); err == nil || err.Error() != want {
			t.Errorf("%+v: error %v, want %s", o, err, want)
		}
	}
	const want = "inspect: 8193 dimensions, at most 8192 can be measured: take the first ones, or principal components, before"
	if _, err := inspect.Set(t.Context(), trial.Plain(2, 8193), inspect.Options{}); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inspect.Set(ended, s, inspect.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Four words around one that is near to all of them.
func ExampleSet() {
	m := vectors.NewMatrix(5, 3)
	for i, row := range [][]float32{{0, 0, 1}, {1, 0, 0.1}, {-1, 0, 0.1}, {0, 1, 0.1}, {0, -1, 0.1}} {
		copy(m.Row(i), row)
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("hub", "north", "south", "east", "west"), Input: m})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := inspect.Set(context.Background(), s, inspect.Options{Neighbors: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean cosine %.3f, %q is the nearest of %d words\n", r.Isotropy.MeanCosine, r.Hubs.Top[0].Word, r.Hubs.Top[0].Occurrences)
	// Output: mean cosine -0.152, "hub" is the nearest of 4 words
}

// The singular values are those that gonum finds of the vectors less their mean.
func TestSpectrum(t *testing.T) {
	const n, d = 1300, 6
	s := shifted(n, d)
	got, err := inspect.SpectrumOf(t.Context(), s, inspect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	centred := mat.NewDense(n, d, nil)
	for c := range d {
		var mean float64
		for r := range n {
			mean += float64(s.Input().Row(r)[c]) / n
		}
		for r := range n {
			centred.Set(r, c, float64(s.Input().Row(r)[c])-mean)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(centred, mat.SVDNone) {
		t.Fatal("gonum finds no singular values")
	}
	var sum, total float64
	for _, v := range svd.Values(nil) {
		total += v * v
	}
	for i, v := range svd.Values(nil) {
		near(t, "singular value", got.SingularValues[i], v)
		near(t, "variance", got.Variance[i], v*v/total)
		sum += got.Variance[i]
	}
	near(t, "all variances", sum, 1)
	if got.Words != n || got.Dim != d || got.Components(0.9) != report(t, s, inspect.Options{}).Isotropy.Components90 || got.Components(0) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestSpectrumOfLittle(t *testing.T) {
	same, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.Matrix{Data: []float32{1, 2, 1, 2}, Rows: 2, Cols: 2, Stride: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := inspect.SpectrumOf(t.Context(), same, inspect.Options{}); err != nil || got.Words != 2 || got.Variance[0] != 0 || got.Components(0.9) != 2 {
		t.Errorf("vectors that are one: %+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inspect.SpectrumOf(ctx, same, inspect.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := inspect.SpectrumOf(t.Context(), same, inspect.Options{Top: -1}); err == nil {
		t.Error("an option makes no sense")
	}
}
