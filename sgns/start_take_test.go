package sgns

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Vectors of every variant start a run of every variant, or it is said why they cannot: a
// known word starts as what it was, outputs and all else as far as they fit.
func TestEveryVariantStartsFromEveryOther(t *testing.T) {
	text := sentences(60)
	models := map[string]*vectors.Set{}
	for name, change := range variants {
		models[name] = train(t, text, small(func(c *Config) { c.Epochs, c.LearningRate = 1, 0.01; change(c) })).Vectors
	}
	for fromName, changeFrom := range variants {
		for toName, changeTo := range variants {
			for _, all := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s to %s, all: %v", fromName, toName, all), func(t *testing.T) {
					from, a, b := models[fromName], small(changeFrom), small(changeTo)
					v, err := vocab.FromCounts(from.Words().Strings(), from.Counts())
					if !all {
						v, err = vocab.New(append(slices.Clone(from.Words().Strings()[10:30]), "new", "anew", "tow"), nil)
					}
					if err != nil {
						t.Fatal(err)
					}
					if want := cannotStart(a, b); want != "" {
						_, err := startOf(t, b, from, v)
						if _, ok := errors.AsType[*InitError](err); !ok || !strings.Contains(err.Error(), want) {
							t.Errorf("error %v, want %q", err, want)
						}
						return
					}
					startsAs(t, from, v, a, b, all)
				})
			}
		}
	}
}

// startOf returns the start of a run.
func startOf(t testing.TB, c Config, from *vectors.Set, v *vocab.Vocab) (*warmstart.Start, error) {
	t.Helper()
	of, err := config.VariantOf(c)
	if err != nil {
		t.Fatal(err)
	}
	return warmstart.From(from, v, v, of)
}

// cannotStart returns why vectors of one configuration cannot start a run of another.
func cannotStart(from, to Config) string {
	switch {
	case to.Rank > 0 && from.Rank == 0:
		return "numbers, and rows of 7 times a projection are to be trained: factorize them to rank 7 first, or train without a rank"
	case to.Tied && !from.Tied:
		return "start from tied vectors"
	case to.Subword == floret && from.Subword != floret:
		return "start from a floret table with the same settings"
	case subword.CompositionOf(to.Subword) == subword.Weighted && from.Subword != to.Subword:
		return "start from hash embeddings with the same settings"
	}
	return ""
}

// startsAs checks what a run starts as that is trained by b, from a set that was by a.
func startsAs(t *testing.T, from *vectors.Set, v *vocab.Vocab, a, b Config, all bool) {
	tolerance := 1e-6
	if b.Precision == F16 { // rows are rounded, and many times as large as their mean
		tolerance = 1e-3
	}
	got, p, warm := begunOver(t, v, from, b)
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	for w, word := range got.Words().All() {
		id, known := from.ID(word)
		if !known {
			continue
		}
		within(t, word, vectorOf(got, word), vectorOf(from, word), tolerance)
		if b.Tied || lossOf(b) == HierarchicalSoftmax || lossOf(a) == HierarchicalSoftmax {
			continue
		}
		near(t, "context of "+word, got.Output().Row(w), from.Output().Row(id))
		for head := range got.Matrix(vectors.MatrixPositionOutput).Rows / v.Len() {
			want := from.Output().Row(id)
			if a.Arch == Structured {
				want = from.Matrix(vectors.MatrixPositionOutput).Row(head*from.Len() + id)
			}
			same(t, "context of "+word, got.Matrix(vectors.MatrixPositionOutput).Row(head*v.Len()+w), want)
		}
	}
	if lossOf(b) == Directional {
		for w, word := range got.Words().All() {
			want := make([]float32, b.Dim)
			if id, known := from.ID(word); known && lossOf(a) == Directional {
				from.Matrix(vectors.MatrixDirections).Read(want, id)
			}
			same(t, "direction of "+word, p.directions.Row(w), want)
		}
	}
	trees := lossOf(a) == HierarchicalSoftmax && lossOf(b) == HierarchicalSoftmax && all
	outputs := b.Tied || trees || lossOf(a) != HierarchicalSoftmax && lossOf(b) != HierarchicalSoftmax
	if warm.Context != outputs {
		t.Errorf("%+v, want output vectors: %v", warm, outputs)
	}
	if !b.Tied && !outputs && !isZero(p.output.Data) {
		t.Error("output vectors do not start as zeros")
	}
	if trees {
		same(t, "nodes", p.output.Data, from.Matrix(vectors.MatrixNodes).Data)
	}
	unused := map[string]bool{
		"context vectors": lossOf(a) != HierarchicalSoftmax && !a.Tied && (b.Tied || lossOf(b) == HierarchicalSoftmax),
		"output vectors by position, but for their mean": a.Arch == Structured && b.Arch != Structured && !b.Tied && lossOf(b) != HierarchicalSoftmax,
		"directions of words":                            lossOf(a) == Directional && lossOf(b) != Directional,
		"nodes of hierarchical softmax":                  lossOf(a) == HierarchicalSoftmax && !trees,
		"position weights":                               a.PositionWeights && (!b.PositionWeights || a.Rank != b.Rank),
		"rows of word n-grams":                           a.WordNgrams > 0 && (a.WordNgrams != b.WordNgrams || a.Rank != b.Rank),
	}
	for name, want := range unused {
		if slices.Contains(warm.Unused, name) != want {
			t.Errorf("%+v, want %s among what is not used: %v", warm, name, want)
		}
	}
	for _, m := range []struct {
		name      string
		got, from vectors.Matrix
		usual     float32
	}{
		{"position weights", p.positions, from.Matrix(vectors.MatrixPositionWeights), 1},
		{"rows of word n-grams", p.runs, from.Matrix(vectors.MatrixWordNgrams), 0},
	} {
		for r := range m.got.Rows {
			want := slices.Repeat([]float32{m.usual}, m.got.Cols)
			if m.from.Rows > 0 && !unused[m.name] {
				want = m.from.Row(r)
			}
			same(t, m.name, m.got.Row(r), want)
		}
	}
	if subword.CompositionOf(b.Subword) != subword.CompositionOf(a.Subword) || b.Subword != a.Subword || b.Subword == nil {
		return
	}
	if warm.Ngrams == 0 || warm.Composed {
		t.Errorf("%+v, and n-grams are cut alike", warm)
	}
	for _, word := range unheard {
		if subword.CompositionOf(b.Subword) != subword.Weighted { // weights of new words may be in these
			within(t, word, vectorOf(got, word), vectorOf(from, word), tolerance)
		}
	}
}

// A weight of hash embeddings that was never trained starts as usual if a word needs it
// now, and stays what adds nothing if none does.
func TestWeightsThatWereNeverTrained(t *testing.T) {
	c := small(func(c *Config) {
		c.Sample, c.Subword = 0, subword.Hash{Buckets: 50, Hashes: 2, Importances: 100_000}
	})
	from := train(t, "aa ba ca\naa ba ca\n", c).Vectors
	got, _, _ := begun(t, []string{"aa", "new"}, from, c)
	weights := func(s *vectors.Set, word string) []float32 {
		return s.Matrix(vectors.MatrixImportance).Row(int(hashOf(c).AppendImportances(nil, word)[0]))
	}
	for word, want := range map[string][]float32{
		"aa":    weights(from, "aa"),
		"ba":    weights(from, "ba"),
		"new":   {1, 1},
		"other": {0, 0},
	} {
		same(t, word, weights(got, word), want)
	}
	if isZero(weights(from, "ba")) || !isZero(weights(from, "new")) {
		t.Error("the weights that were given test nothing")
	}
}

func hashOf(c Config) subword.Hash {
	hash, _ := c.Subword.(subword.Hash)
	return hash
}

// Rows of another width, or projected otherwise, are none to start from.
func TestRanksThatDoNotFit(t *testing.T) {
	from := train(t, sentences(30), small(func(c *Config) { c.Rank = 7 })).Vectors
	v, err := vocab.New(from.Words().Strings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = startOf(t, small(func(c *Config) { c.Rank = 8 }), from, v)
	if want := "rank 7, and rank 8 is to be trained: train rank 7"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// Rows of word n-grams in other buckets, and nodes of a tree that has another shape, are
// those of something else.
func TestSharedRowsThatDoNotFit(t *testing.T) {
	text := sentences(30)
	runs := train(t, text, small(func(c *Config) { c.Arch, c.WordNgrams, c.WordBuckets = CBOW, 2, 40 })).Vectors
	v, err := vocab.FromCounts(runs.Words().Strings(), runs.Counts())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ ngrams, buckets int }{{2, 41}, {2, 39}, {3, 40}} {
		_, p, warm := begunOver(t, v, runs, small(func(to *Config) {
			to.Arch, to.WordNgrams, to.WordBuckets = CBOW, c.ngrams, c.buckets
		}))
		if !slices.Contains(warm.Unused, "rows of word n-grams") || !isZero(p.runs.Data) {
			t.Errorf("%+v: %+v", c, warm)
		}
	}

	hs := func(c *Config) { c.Loss = HierarchicalSoftmax }
	tree := train(t, text, small(hs)).Vectors
	counts := slices.Clone(tree.Counts())
	counts[0] += 1000
	if v, err = vocab.FromCounts(tree.Words().Strings(), counts); err != nil {
		t.Fatal(err)
	}
	_, p, warm := begunOver(t, v, tree, small(hs))
	if warm.Context || !slices.Contains(warm.Unused, "nodes of hierarchical softmax") || !isZero(p.output.Data) {
		t.Errorf("other counts: %+v", warm)
	}
}

func lossOf(c Config) Loss { return cmp.Or(c.Loss, NegativeSampling) }
