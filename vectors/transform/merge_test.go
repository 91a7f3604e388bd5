package transform

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// joinedRows returns the float64 matrix of the weighted unit vectors of words in all sets, and the root mean squares of the
// lengths of the vectors.
func joinedRows(words []string, weights []float64, sets ...*vectors.Set) (joined *mat.Dense, scales []float64) {
	dim := 0
	var norm float64
	for i, s := range sets {
		dim += s.Dim()
		norm += weights[i] * weights[i]
	}
	joined = mat.NewDense(len(words), dim, nil)
	at := 0
	for i, s := range sets {
		var sum float64
		for r, word := range words {
			v, length := inFloat64(s, word)
			for k, x := range v {
				joined.Set(r, at+k, x/length*weights[i]/math.Sqrt(norm))
			}
			sum += length * length
		}
		scales = append(scales, math.Sqrt(sum/float64(len(words))))
		at += s.Dim()
	}
	return joined, scales
}

// inFloat64 returns the vector of a word in float64, and its length.
func inFloat64(s *vectors.Set, word string) ([]float64, float64) {
	v, _ := trial.Vector(s, word)
	var sum float64
	out := make([]float64, len(v))
	for k, x := range v {
		out[k] = float64(x)
		sum += out[k] * out[k]
	}
	return out, math.Sqrt(sum)
}

// scaledTo returns row times the length that a merged vector has whose word has these vectors in sets.
func scaledTo(row []float64, word string, weights, scales []float64, first float64, sets ...*vectors.Set) []float32 {
	var length, total float64
	for i, s := range sets {
		_, of := inFloat64(s, word)
		length += weights[i] * of / scales[i]
		total += weights[i]
	}
	out := make([]float32, len(row))
	for k, x := range row {
		out[k] = float32(x * first * length / total)
	}
	return out
}

// truncated returns the rows of m on its first right singular vectors, whose largest number is positive, and the share of
// squares that they keep.
func truncated(t *testing.T, m *mat.Dense, dim int) (rows, axes *mat.Dense, kept float64) {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThin) {
		t.Fatal("gonum finds no singular values")
	}
	var v mat.Dense
	svd.VTo(&v)
	d, _ := v.Dims()
	axes = mat.NewDense(d, dim, nil)
	for i := range dim {
		column := mat.Col(nil, i, &v)
		sign := 1.0
		if slices.MaxFunc(column, func(a, b float64) int { return int(math.Copysign(1, math.Abs(a)-math.Abs(b))) }) < 0 {
			sign = -1
		}
		for k, x := range column {
			axes.Set(k, i, sign*x)
		}
	}
	rows = new(mat.Dense)
	rows.Mul(m, axes)
	var all float64
	for i, s := range svd.Values(nil) {
		if all += s * s; i < dim {
			kept += s * s
		}
	}
	return rows, axes, kept / all
}

func merge(t *testing.T, o MergeOptions, sets ...*vectors.Set) (*vectors.Set, *Merged) {
	t.Helper()
	set, done, err := Merge(t.Context(), sets, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	return set, done
}

// Joined vectors on their first principal axes are what a singular value decomposition in float64 gives. A power changes
// the singular values, and not their squares together.
func TestMergeConcat(t *testing.T) {
	a, b := trial.Plain(40, 6), trial.Quantizable(40, 30, 5)
	for name, test := range map[string]struct {
		weights []float64
		power   float64
	}{"equal": {[]float64{1, 1}, 0}, "weighted": {[]float64{1, 0.3}, 1}, "one": {[]float64{1, 0}, 0}, "power": {[]float64{1, 0.7}, 0.4}} {
		weights := test.weights
		set, done := merge(t, MergeOptions{Weights: weights, Dim: 4, Power: test.power}, a, b)
		words := set.Words().Strings()
		joined, scales := joinedRows(words, weights, a, b)
		want, _, kept := truncated(t, joined, 4)
		if test.power != 0 {
			energy, was := mat.Norm(want, 2), mat.DenseCopyOf(want)
			want.Apply(func(_, c int, x float64) float64 {
				return x * math.Pow(mat.Norm(mat.NewVecDense(len(words), mat.Col(nil, c, was)), 2), test.power-1)
			}, was)
			want.Scale(energy/mat.Norm(want, 2), want)
		}
		for r, word := range words {
			got, _ := trial.Vector(set, word)
			trial.Near(t, name+": "+word, got, scaledTo(want.RawRowView(r), word, weights, scales, scales[0], a, b))
		}
		if math.Abs(done.Kept-kept) > 1e-7 || done.Shared != len(words) || math.Abs(done.Parts[1].Scale-scales[1]) > 1e-9 {
			t.Errorf("%s: %+v, want %v kept, scales %v", name, done, kept, scales)
		}
	}
}

// Sets that are rotations and multiples of each other have their own mean: the first of them, composed words included.
func TestMergeAverage(t *testing.T) {
	a := trial.Quantizable(40, 30, 5)
	rotated, err := Rotate(a, orthogonal(5, 3))
	if err != nil {
		t.Fatal(err)
	}
	b, err := scaledBy(rotated, factor(3), factor(3))
	if err != nil {
		t.Fatal(err)
	}
	for name, sets := range map[string][]*vectors.Set{"both compose": {a, b}, "the first composes": {a, b.Plain()}, "the second composes": {a.Plain(), b}} {
		set, done := merge(t, MergeOptions{Method: MergeAverage, Weights: []float64{1, 2}}, sets...)
		for _, word := range append(a.Words().Strings(), "theatre", "cats") {
			want, _ := trial.Vector(a, word)
			got, ok := trial.Vector(set, word)
			if !ok {
				t.Errorf("%s: %q has no vector", name, word)
			}
			trial.Near(t, name+": "+word, got, want)
		}
		if done.Kept != 1 || done.Dim != 5 || done.Ngrams != subword.Describe(a.Subword()) {
			t.Errorf("%s: %+v", name, done)
		}
		if set.Composition() != subword.Whole {
			t.Errorf("%s: words are composed by %q", name, set.Composition().Name())
		}
	}
	halved, done := merge(t, MergeOptions{Method: MergeAverage, Dim: 3}, a, b)
	rows, scales := joinedRows(a.Words().Strings(), []float64{1}, a)
	want, _, kept := truncated(t, rows, 3)
	for id, word := range a.Words().All() {
		trial.Near(t, "reduced", trial.WordVector(halved, id), scaledTo(want.RawRowView(id), word, []float64{1}, scales, scales[0], a))
	}
	if math.Abs(done.Kept-kept) > 1e-7 {
		t.Errorf("%v of the squares kept, want %v", done.Kept, kept)
	}
}

// What a part does not know is estimated from the others by least squares over the words that all know: words that one
// part lacks, and words that n-grams compose.
func TestMergeEstimates(t *testing.T) {
	ngrams := trial.Quantizable(40, 30, 5)
	words := ngrams.Words().Strings()
	other := trial.Plain(40, 4).Parts()
	other.Words, other.Counts = ngrams.Words(), ngrams.Counts()
	first, _ := Select(ngrams, words[:30])
	last, _ := Select(trial.New(other), words[10:])
	for name, c := range map[string]struct {
		first     *vectors.Set
		shared    []string
		ofFirst   []string // words that only the first knows
		ofLast    []string
		words     []string // of the union
		unions    bool
		estimated [2]int
		composed  int
	}{
		"plain":    {first.Plain(), words[10:30], words[:10], words[30:], words, true, [2]int{10, 10}, 0},
		"composed": {first, words[10:], append(words[:10:10], "theatre", "cats"), nil, words, true, [2]int{0, 10}, 10},
		"common":   {first, words[10:], []string{"theatre", "cats"}, nil, words[10:], false, [2]int{}, 10},
	} {
		const dim = 7
		weights := []float64{1, 0.5}
		set, done := merge(t, MergeOptions{Dim: dim, Union: c.unions, Weights: weights}, c.first, last)
		if got := set.Words().Strings(); !slices.Equal(got, c.words) {
			t.Errorf("%s: words %q, want %q", name, got, c.words)
		}
		for id, word := range c.words {
			if was, _ := ngrams.ID(word); set.Counts()[id] != ngrams.Counts()[was] {
				t.Errorf("%s: %q has count %d", name, word, set.Counts()[id])
			}
		}
		if a, b := done.Parts[0], done.Parts[1]; done.Shared != len(c.shared) || [2]int{a.Estimated, b.Estimated} != c.estimated || a.Composed != c.composed {
			t.Errorf("%s: %+v", name, done)
		}
		joined, scales := joinedRows(c.shared, weights, c.first, last)
		want, _, _ := truncated(t, joined, dim)
		for r, word := range c.shared {
			got, _ := trial.Vector(set, word)
			trial.Near(t, name+": "+word, got, scaledTo(want.RawRowView(r), word, weights, scales, scales[0], c.first, last))
		}
		for part, alone := range [][]string{c.ofFirst, c.ofLast} {
			of := []*vectors.Set{c.first, last}[part]
			known := mat.NewDense(len(c.shared), of.Dim(), nil)
			for r, word := range c.shared {
				v, length := inFloat64(of, word)
				for k, x := range v {
					known.Set(r, k, x/length)
				}
			}
			var by mat.Dense
			if err := by.Solve(known, want); err != nil { // least squares by QR
				t.Fatal(err)
			}
			for _, word := range alone {
				v, length := inFloat64(of, word)
				var image mat.Dense
				image.Mul(mat.NewDense(1, len(v), v), &by)
				image.Scale(1/length, &image)
				got, ok := trial.Vector(set, word)
				if !ok {
					t.Errorf("%s: %q has no vector", name, word)
				}
				trial.Near(t, name+": "+word, got, scaledTo(image.RawRowView(0), word, []float64{1}, scales[part:], scales[0], of))
			}
		}
		if _, ok := trial.Vector(set, "theatre"); ok != (c.first.Subword() != nil) {
			t.Errorf("%s: an unknown word has a vector: %t", name, ok)
		}
	}
}

// Every variant can be a part: known words are joined, and n-grams that are plain rows compose others.
func TestMergeVariants(t *testing.T) {
	for name, s := range trial.Variants() {
		if s.Len() == 0 {
			continue
		}
		plain := s.Plain()
		set, done := merge(t, MergeOptions{Dim: s.Dim() + 3}, s, trial.With(plain, func(p *vectors.Parts) {
			p.Output, p.Matrices, p.Input = vectors.Matrix{}, nil, vectors.NewMatrix(s.Len(), 3)
			for id := range s.Len() {
				copy(p.Input.Row(id), trial.WordVector(s, id)[:3])
			}
		}))
		composes := s.Subword() != nil && !s.Learned().Any()
		if (set.Subword() != nil) != composes || done.Parts[0].Composes != composes {
			t.Errorf("%s: n-grams %v, %+v", name, set.Subword(), done)
		}
		for _, word := range trial.Unknown() {
			_, was := trial.Vector(s, word)
			if _, is := trial.Vector(set, word); is != (was && composes) {
				t.Errorf("%s: %q has a vector: %t", name, word, is)
			}
		}
		// Nothing is lost with so many dimensions as the parts have together, of which the second one's are the first one's:
		// cosines are the means of both.
		for i := range s.Len() {
			for k := range s.Len() {
				a, lengthA := inFloat64(s, s.Words().At(i))
				b, lengthB := inFloat64(s, s.Words().At(k))
				want := blas64.Dot(vectorOf(a), vectorOf(b)) / lengthA / lengthB / 2
				a, b = a[:3], b[:3]
				want += blas64.Dot(vectorOf(a), vectorOf(b)) / blas64.Nrm2(vectorOf(a)) / blas64.Nrm2(vectorOf(b)) / 2
				x, lengthX := inFloat64(set, s.Words().At(i))
				y, lengthY := inFloat64(set, s.Words().At(k))
				if got := blas64.Dot(vectorOf(x), vectorOf(y)) / lengthX / lengthY; math.Abs(got-want) > 1e-5 {
					t.Fatalf("%s: the cosine of words %d and %d is %v, want %v", name, i, k, got, want)
				}
			}
		}
	}
}

// Facts that all parts agree on stay, and the record says what was merged.
func TestMergeTraining(t *testing.T) {
	of := func(facts ...any) *vectors.Set { return trial.Plain(5, 2).WithTraining(vectors.NewTraining(facts...)) }
	set, _ := merge(t, MergeOptions{Names: []string{"a.w2v", "b.w2v", "c.vec"}, Weights: []float64{1, 0.5, 2}},
		of("arch", "skipgram", "epochs", 5, "epochs_auto", true, "lowercase", true, "tied", true), of("arch", "skipgram", "epochs", 8, "epochs_auto", true, "lowercase", true), of())
	want := vectors.NewTraining("arch", "skipgram", "lowercase", true, "merge", "concat", "merge_parts", "a.w2v, b.w2v, c.vec", "merge_weights", "1,0.5,2")
	if !set.Training().Equal(want) {
		t.Errorf("%v, want %v", set.Training(), want)
	}
}

// A score chooses the weights. The search is told, and the best of what it tries is taken.
// A merged set that cuts texts otherwise than one of its parts says so. Parts without a record say nothing.
func TestMergeOfTextsThatAreCutInDifferentWays(t *testing.T) {
	const disagree = "how text is cut, on which their records disagree: "
	training := func(facts ...any) vectors.Training { return vectors.NewTraining(facts...) }
	with := func(name string, data string, facts ...any) vectors.Training {
		of := training(facts...)
		of.Attach(name, []byte(data))
		return of
	}
	for _, test := range []struct {
		first, second vectors.Training
		want          []string
	}{
		{training("lowercase", true), training("lowercase", true, "seed", 7), []string{}},
		{training("lowercase", true), training(), []string{}},
		{training("lowercase", true, "window", 5), training("window", 5), []string{disagree + "lowercase"}},
		{training("arch", "cbow"), training("arch", "cbow", "tokenizer", "unicode", "kmers", 3), []string{disagree + "tokenizer, kmers"}},
		{with(vectors.AttachedPhrases, "a", "phrases", true), with(vectors.AttachedPhrases, "b", "phrases", true), []string{disagree + "the table of phrases"}},
		{with(vectors.AttachedTokenizer, "{}", "tokenizer", "t.json"), with(vectors.AttachedTokenizer, "{}", "tokenizer", "t.json"), []string{}},
	} {
		_, done := merge(t, MergeOptions{}, trial.Plain(5, 2).WithTraining(test.first), trial.Plain(5, 2).WithTraining(test.second))
		if !slices.Equal(done.Dropped, test.want) {
			t.Errorf("%v and %v: without %q, want %q", test.first, test.second, done.Dropped, test.want)
		}
	}
}

func TestMergeSearchesWeights(t *testing.T) {
	a, b := trial.Plain(30, 4), trial.Plain(30, 3)
	scored := 0
	score := func(_ context.Context, s *vectors.Set) (float64, error) {
		scored++
		var w float64
		for i, text := range strings.Split(s.Training().Text("merge_weights"), ",") {
			if i == 1 {
				w = mustNumber(t, text)
			}
		}
		return -math.Abs(math.Log2(w) - 1.75), nil
	}
	_, done := merge(t, MergeOptions{Score: score, Tried: func([]float64, float64) { scored += 100 }}, a, b)
	if w := done.Parts[1].Weight; math.Abs(math.Log2(w)-1.75) > 1e-5 || done.Tried*101 != scored || *done.Score < -1e-5 {
		t.Errorf("weight %v, %d tried, %d told, score %v", w, done.Tried, scored, *done.Score)
	}
	broken := errors.New("broken")
	unknown := func(context.Context, *vectors.Set) (float64, error) { return math.NaN(), nil }
	if _, _, err := Merge(t.Context(), []*vectors.Set{a, b}, MergeOptions{Score: unknown}); err == nil || !strings.Contains(err.Error(), "not a number") {
		t.Errorf("weights of which no score is known: %v", err)
	}
	if _, _, err := Merge(t.Context(), []*vectors.Set{a, b}, MergeOptions{Score: func(context.Context, *vectors.Set) (float64, error) { return 0, broken }}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func mustNumber(t *testing.T, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestMergeRefuses(t *testing.T) {
	a, b := trial.Plain(5, 2), trial.Plain(5, 3)
	zeros := trial.With(a, func(p *vectors.Parts) { p.Input = vectors.NewMatrix(5, 2) })
	for want, c := range map[string]struct {
		sets []*vectors.Set
		o    MergeOptions
	}{
		"1 sets to merge, must be at least 2":                                                      {[]*vectors.Set{a}, MergeOptions{}},
		"the power of singular values is 1.5, must be more than 0 and at most 1":                   {[]*vectors.Set{a, b}, MergeOptions{Power: 1.5}},
		"6 dimensions asked for, there are 5 together":                                             {[]*vectors.Set{a, b}, MergeOptions{Dim: 6}},
		"-1 dimensions asked for, must be at least 1":                                              {[]*vectors.Set{a, b}, MergeOptions{Dim: -1}},
		"3 dimensions asked for, a mean of vectors has 2":                                          {[]*vectors.Set{a, a}, MergeOptions{Method: MergeAverage, Dim: 3}},
		"the method average needs equal dimensions: the method concat takes any":                   {[]*vectors.Set{a, b}, MergeOptions{Method: MergeAverage}},
		`the method "sum" is not known; known are concat, average`:                                 {[]*vectors.Set{a, b}, MergeOptions{Method: "sum"}},
		"1 weights for 2 sets":                                                                     {[]*vectors.Set{a, b}, MergeOptions{Weights: []float64{1}}},
		"weight 2 is -1, must be 0 or more":                                                        {[]*vectors.Set{a, b}, MergeOptions{Weights: []float64{1, -1}}},
		"weight 1 is NaN, must be 0 or more":                                                       {[]*vectors.Set{a, b}, MergeOptions{Weights: []float64{math.NaN(), 1}}},
		"all weights are 0: at least one set must count":                                           {[]*vectors.Set{a, b}, MergeOptions{Weights: []float64{0, 0}}},
		"no word has a vector in each of them, and so it is unknown how their vectors go together": {[]*vectors.Set{a, trial.OfRows([]float32{1, 2})}, MergeOptions{Union: true}},
		"set 2: the vectors of all shared words are zeros":                                         {[]*vectors.Set{b, zeros}, MergeOptions{}},
	} {
		if _, _, err := Merge(t.Context(), c.sets, c.o); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	// A union would not help, so that the error does not speak of it.
	if _, _, err := Merge(t.Context(), []*vectors.Set{a, trial.OfRows([]float32{1, 2})}, MergeOptions{}); !errors.Is(err, errNothingShared) {
		t.Errorf("without a word in common: %v", err)
	}
}

// The number of cores changes no bit, and a context that ends ends merging.
func TestMergeOnCores(t *testing.T) {
	a, b := trial.Quantizable(300, 200, 20), trial.Plain(300, 12)
	run := func(cores int) *vectors.Set {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		set, _ := merge(t, MergeOptions{Union: true, Weights: []float64{1, 0.7}}, a, trial.With(b, func(p *vectors.Parts) { p.Words = a.Words() }))
		return set
	}
	trial.SameSet(t, run(3), run(1))
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := Merge(ended, []*vectors.Set{a, b}, MergeOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
