package pooling_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
)

// small returns a set of four words, the last of which has no finite vector.
func small(counts ...uint64) *vectors.Set {
	rows := vectors.NewMatrix(4, 2)
	rows.Data, rows.Stride = []float32{1, 0, 0, 1, 1, 1, float32(math.NaN()), 0}, 2
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("the", "cat", "sat", "bad"), Counts: counts, Input: rows})
	if err != nil {
		log.Fatal(err)
	}
	return s
}

func ExamplePooler_Text() {
	s := small(900, 90, 9, 1)
	p, err := pooling.New(s, pooling.Options{})
	if err != nil {
		log.Fatal(err)
	}
	v := make([]float32, 2)
	used := p.Text(v, []vectors.Token{s.Token("the"), s.Token("cat"), s.Token("meowed")})
	fmt.Printf("%s of %d words: %.4f\n", p.Method(), used, v)
	// Output: weighted of 2 words: [0.0001 0.0011]
}

// tokens looks words up.
func tokens(s *vectors.Set, words []string) (all []vectors.Token) {
	for _, word := range words {
		all = append(all, s.Token(word))
	}
	return all
}

func TestText(t *testing.T) {
	counted, plain := small(900, 90, 9, 1), small()
	training := func(pairs ...any) *vectors.Set { return counted.WithTraining(vectors.NewTraining(pairs...)) }
	weighted := func(the, cat float64) []float32 {
		return []float32{float32(the / (the + .9) / 2), float32(cat / (cat + .09) / 2)}
	}
	for _, test := range []struct {
		set     *vectors.Set
		options pooling.Options
		tokens  []string
		used    int
		want    []float32
	}{
		{plain, pooling.Options{}, []string{"the", "cat"}, 2, []float32{.5, .5}},
		{counted, pooling.Options{Method: pooling.Mean}, []string{"the", "sat", "none"}, 2, []float32{1, .5}},
		{counted, pooling.Options{Method: pooling.Mean}, []string{"the", "bad"}, 1, []float32{1, 0}},
		{counted, pooling.Options{Method: pooling.Mean}, []string{"bad"}, 0, []float32{0, 0}},
		{counted, pooling.Options{}, []string{"the", "cat", "bad"}, 2, weighted(2e-4, 2e-4)},
		{counted, pooling.Options{Smoothing: .1}, []string{"the", "cat", "bad"}, 2, weighted(.1, .1)},
		{counted, pooling.Options{}, []string{"bad", "none"}, 0, []float32{0, 0}},
		{counted, pooling.Options{}, nil, 0, []float32{0, 0}},
		{plain, pooling.Options{Method: pooling.Weighted, Smoothing: 1}, []string{"the"}, 1, []float32{float32(1 / (1 + 12./25)), 0}},
		{training("pooling", "mean"), pooling.Options{}, []string{"the", "cat"}, 2, []float32{.5, .5}},
		{training("pooling", "mean"), pooling.Options{Method: pooling.Weighted}, []string{"the", "cat"}, 2, weighted(2e-4, 2e-4)},
		{training("smoothing", .3), pooling.Options{}, []string{"the", "cat"}, 2, weighted(.3, .3)},
		{training("smoothing", .3), pooling.Options{Smoothing: .1}, []string{"the", "cat"}, 2, weighted(.1, .1)},
		{training("pooling", "mean", "text_norm", true), pooling.Options{}, []string{"the", "cat"}, 2, []float32{float32(math.Sqrt(.5)), float32(math.Sqrt(.5))}},
		{training("pooling", "mean", "text_norm", true), pooling.Options{}, []string{"none"}, 0, []float32{0, 0}},
		{training("pooling", "mean", "text_limit", 2), pooling.Options{}, []string{"the", "cat", "cat"}, 2, []float32{.5, .5}},
		{training("pooling", "mean", "unknown", "row"), pooling.Options{}, []string{"the", "cat"}, 2, []float32{.5, .5}},
	} {
		p, err := pooling.New(test.set, test.options)
		if err != nil {
			t.Fatal(err)
		}
		got := []float32{7, 7}
		if used := p.Text(got, tokens(test.set, test.tokens)); used != test.used || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v %q: %v of %d words, want %v of %d", test.options, test.tokens, got, used, test.want, test.used)
		}
	}
}

// With a = 1 the words weigh 1/1.9, 1/1.09 and 1/1.009. The component is the direction of
// (.9/1.9 + .009/1.009, .09/1.09 + .009/1.009).
func TestSIF(t *testing.T) {
	s := small(900, 90, 9, 1)
	p, err := pooling.New(s, pooling.Options{Method: pooling.SIF, Smoothing: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, y := .9/1.9+.009/1.009, .09/1.09+.009/1.009
	length := math.Hypot(x, y)
	x, y = x/length, y/length
	for text, u := range map[string][2]float64{"the": {1 / 1.9, 0}, "cat": {0, 1 / 1.09}, "sat": {1 / 1.009, 1 / 1.009}} {
		along := u[0]*x + u[1]*y
		got := make([]float32, 2)
		if used := p.Text(got, tokens(s, []string{text})); used != 1 || math.Abs(float64(got[0])-(u[0]-along*x)) > 1e-7 || math.Abs(float64(got[1])-(u[1]-along*y)) > 1e-7 {
			t.Errorf("%s: %v of %d words, want %v", text, got, used, []float64{u[0] - along*x, u[1] - along*y})
		}
	}
	empty, err := vectors.New(vectors.Parts{Words: vectors.NewWords(), Input: vectors.NewMatrix(0, 2)})
	if err != nil {
		t.Fatal(err)
	}
	if p, err = pooling.New(empty, pooling.Options{Method: pooling.SIF}); err != nil || p.Text(make([]float32, 2), nil) != 0 {
		t.Error(err)
	}
}

// Tokens of a tokenizer.json that it does not know count like others, unless the model says otherwise.
func TestUnknownTokensAreDropped(t *testing.T) {
	training := vectors.NewTraining("pooling", "mean", "unknown", "drop", "text_limit", 2)
	training.Attach(vectors.AttachedTokenizer, []byte(`{"model":{"unk_token":"cat"}}`))
	s := small().WithTraining(training)
	p, err := pooling.New(s, pooling.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float32, 2)
	if used := p.Text(got, tokens(s, []string{"the", "cat", "sat", "the"})); used != 2 || !reflect.DeepEqual(got, []float32{1, .5}) {
		t.Errorf("%v of %d words", got, used)
	}
}

func TestWhatIsInUse(t *testing.T) {
	for _, test := range []struct {
		set       *vectors.Set
		options   pooling.Options
		method    pooling.Method
		smoothing float64
		source    string
		note      string
	}{
		{small(9, 3, 2, 1), pooling.Options{}, "weighted", 2e-4, "counts", ""},
		{small(), pooling.Options{}, "mean", 2e-4, "zipf", ""},
		{small(0, 0, 0, 0), pooling.Options{Method: "sif", Smoothing: 1}, "sif", 1, "zipf", ""},
		{small().WithTraining(vectors.NewTraining("pooling", "sif", "smoothing", .5)), pooling.Options{}, "sif", .5, "zipf", ""},
		{small().WithTraining(vectors.NewTraining("pooling", "sif")), pooling.Options{Method: "mean"}, "mean", 2e-4, "zipf", "the model makes vectors of texts by the pooling sif, and mean is asked for"},
		{small().WithTraining(vectors.NewTraining("pooling", "new")), pooling.Options{Method: "mean"}, "mean", 2e-4, "zipf", "the model makes vectors of texts by the pooling new, and mean is asked for"},
	} {
		p, err := pooling.New(test.set, test.options)
		if err != nil {
			t.Fatal(err)
		}
		if p.Method() != test.method || p.Smoothing() != test.smoothing || p.Probabilities() != test.source || p.Note() != test.note {
			t.Errorf("%+v: %s, %v, %s, %q; want %+v", test.options, p.Method(), p.Smoothing(), p.Probabilities(), p.Note(), test)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]pooling.Options{
		`unknown pooling "max", want mean, weighted, sif or dbow`: {Method: "max"},
		`smoothing is -1, must be positive, or 0 for 0.0002`:      {Smoothing: -1},
		`smoothing is NaN, must be positive, or 0 for 0.0002`:     {Smoothing: math.NaN()},
		`smoothing is +Inf, must be positive, or 0 for 0.0002`:    {Smoothing: math.Inf(1)},
	} {
		if _, err := pooling.New(small(), o); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
	for want, training := range map[string]vectors.Training{
		`how the model makes vectors of texts: unknown pooling "max", want mean, weighted, sif or dbow`: vectors.NewTraining("pooling", "max"),
		`how the model makes vectors of texts: smoothing is -1, must be positive, or 0 for 0.0002`:      vectors.NewTraining("smoothing", -1),
		`how the model makes vectors of texts: unknown tokens are said to be "?", want drop or row`:     vectors.NewTraining("unknown", "?"),
	} {
		if _, err := pooling.New(small().WithTraining(training), pooling.Options{}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, m := range pooling.Methods() {
		if err := (pooling.Options{Method: m}).Validate(); err != nil {
			t.Error(err)
		}
	}
}

// The paragraph vector is where what it maximises is highest: every small step away from it is worse. It does not depend
// on the order of the words, and words that are unknown, or whose context vectors are not finite, do not count.
func TestParagraphVectors(t *testing.T) {
	const words, dim = 50, 5
	r := rand.New(rand.NewPCG(1, 2))
	input, output, counts := vectors.NewMatrix(words, dim), vectors.NewMatrix(words, dim), make([]uint64, words)
	var names []string
	for i := range words {
		names, counts[i] = append(names, fmt.Sprint("w", i)), uint64(10_000/(i+1))
		for k := range dim {
			input.Row(i)[k], output.Row(i)[k] = float32(r.NormFloat64()), float32(r.NormFloat64())
		}
	}
	output.Row(9)[0] = float32(math.Inf(1))
	parts := vectors.Parts{Words: vectors.NewWords(names...), Counts: counts, Input: input, Output: output}
	s, err := vectors.New(parts)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pooling.New(s, pooling.Options{Method: pooling.DBOW})
	if err != nil {
		t.Fatal(err)
	}
	best, other := make([]float32, dim), make([]float32, dim)
	if used := p.Text(best, tokens(s, []string{"w3", "w20", "none", "w9", "w20"})); used != 3 {
		t.Errorf("%d words contribute, want 3", used)
	}
	if p.Text(other, tokens(s, []string{"w20", "w3", "w20"})); !near(best, other, 1e-6) {
		t.Errorf("the vector is %v, and %v in another order", best, other)
	}
	if p.Text(other, tokens(s, []string{"none", "w9"})); !reflect.DeepEqual(other, make([]float32, dim)) {
		t.Errorf("the vector of no words is %v", other)
	}
	// The same function with all words as negatives, in float64.
	value := func(u []float32) float64 {
		score := func(id int, sign float64) (log float64) {
			for k, x := range output.Row(id) {
				log += sign * float64(x) * float64(u[k])
			}
			return -math.Log1p(math.Exp(-log))
		}
		var noise, drawn, kept, of float64
		for id, n := range counts {
			if id != 9 {
				noise += math.Pow(float64(n), .75)
				drawn += math.Pow(float64(n), .75) * score(id, -1)
			}
		}
		for _, id := range []int{3, 20, 20} {
			ratio := 3e-4 * float64(sum(counts)) / float64(counts[id])
			keep := min(1, math.Sqrt(ratio)+ratio)
			kept += keep
			of += keep * score(id, 1)
		}
		for _, x := range u {
			of -= kept * 4 * float64(x) * float64(x)
		}
		return of/kept + 5*drawn/noise
	}
	highest := value(best)
	for k := range best {
		for _, step := range []float32{-.06, .06} { // the negatives divide the noise distribution nearly evenly
			other := slices.Clone(best)
			if other[k] += step; value(other) >= highest {
				t.Errorf("%v is not the best vector: %v is better by %g", best, other, value(other)-highest)
			}
		}
	}
	for _, parts.Output = range []vectors.Matrix{{}, vectors.NewMatrix(words, dim)} { // and zeros, as fastText's .bin has
		if s, err = vectors.New(parts); err != nil {
			t.Fatal(err)
		}
		if _, err = pooling.New(s, pooling.Options{Method: pooling.DBOW}); err == nil || !strings.Contains(err.Error(), "context vectors, and the model has none") {
			t.Errorf("without context vectors: %v", err)
		}
	}
	parts.Output = output
	for _, loss := range []string{"softmax", "glove"} { // of a checkpoint
		parts.Training = vectors.Training{}
		parts.Training.Set("loss", loss)
		if s, err = vectors.New(parts); err != nil {
			t.Fatal(err)
		}
		if _, err = pooling.New(s, pooling.Options{Method: pooling.DBOW}); err == nil || !strings.Contains(err.Error(), "with the loss "+loss) {
			t.Errorf("trained with %s: %v", loss, err)
		}
	}
}

func near(a, b []float32, by float64) bool {
	for k, x := range a {
		if math.Abs(float64(x-b[k])) > by {
			return false
		}
	}
	return true
}

func sum(counts []uint64) (all uint64) {
	for _, n := range counts {
		all += n
	}
	return all
}
