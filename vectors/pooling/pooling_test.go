package pooling_test

import (
	"fmt"
	"log"
	"math"
	"reflect"
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
	// Output: sif of 2 words: [0.0006 0.0055]
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
	for _, test := range []struct {
		set     *vectors.Set
		options pooling.Options
		tokens  []string
		used    int
		want    []float32
	}{
		{plain, pooling.Options{}, []string{"the", "cat"}, 2, []float32{.5, .5}},
		{counted, pooling.Options{Method: pooling.Mean}, []string{"the", "sat", "none"}, 2, []float32{1, .5}},
		{counted, pooling.Options{Method: pooling.Mean}, []string{"the", "bad"}, 0, []float32{0, 0}},
		{counted, pooling.Options{Smoothing: .1}, []string{"the", "cat", "bad"}, 2, []float32{.1 / (.1 + .9) / 2, float32(.1 / (.1 + .09) / 2)}},
		{counted, pooling.Options{}, []string{"bad", "none"}, 0, []float32{0, 0}},
		{counted, pooling.Options{}, nil, 0, []float32{0, 0}},
		{plain, pooling.Options{Method: pooling.SIF, Smoothing: 1}, []string{"the"}, 1, []float32{float32(1 / (1 + 12./25)), 0}},
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

func TestWeights(t *testing.T) {
	byCount, byRank := pooling.NewWeights(small(900, 90, 9, 1), 1e-3), pooling.NewWeights(small(), 1e-3)
	if byCount.Probabilities() != "counts" || byRank.Probabilities() != "zipf" {
		t.Errorf("%s, %s", byCount.Probabilities(), byRank.Probabilities())
	}
	if got := byCount.Of(3); got != .5 {
		t.Errorf("a word of probability a has weight %v", got)
	}
	if byCount.Of(-1) != 1 || byRank.Of(-1) != 1 {
		t.Error("words outside the vocabulary count less")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]pooling.Options{
		`unknown pooling "max", want mean or sif`:             {Method: "max"},
		`smoothing is -1, must be positive, or 0 for 0.001`:   {Smoothing: -1},
		`smoothing is NaN, must be positive, or 0 for 0.001`:  {Smoothing: math.NaN()},
		`smoothing is +Inf, must be positive, or 0 for 0.001`: {Smoothing: math.Inf(1)},
	} {
		if _, err := pooling.New(small(), o); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
	for _, m := range pooling.Methods() {
		if err := (pooling.Options{Method: m}).Validate(); err != nil {
			t.Error(err)
		}
	}
}
