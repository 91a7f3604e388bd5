package sgns

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// Finished vectors are those of training, times a symmetric matrix that raises their singular values to a power, with the rows of
// words multiplied before. Output rows keep their products with words.
func TestFinishedVectors(t *testing.T) {
	text := sentences(300)
	for name, change := range map[string]func(*Config){
		"n-grams":            func(c *Config) { c.Subword = fastText },
		"n-grams of 16 bits": func(c *Config) { c.Subword, c.Precision = fastText, F16 },
		"a tree":             func(c *Config) { c.Subword, c.Loss = fastText, HierarchicalSoftmax },
		"other numbers":      func(c *Config) { c.Subword, c.OwnWeight, c.Power = fastText, 0.3, 0.5 },
		"words":              func(c *Config) { c.Power = 0.5 },
		"floret":             func(c *Config) { c.Subword = floret },
		"directional":        func(c *Config) { c.Subword, c.Loss = fastText, Directional },
		"CBOW":               func(c *Config) { c.Arch, c.Subword, c.OwnWeight, c.Power = CBOW, fastText, 2, 0.5 },
		"structured":         func(c *Config) { c.Arch, c.Power = Structured, 0.5 },
	} {
		t.Run(name, func(t *testing.T) {
			c := small(func(c *Config) { c.Threads = 1; change(c) })
			finished := train(t, text, c).Vectors
			c.OwnWeight, c.Power = 1, 1
			trained := train(t, text, c).Vectors
			facts := finished.Training()
			own, power := cmp.Or(facts.Float("own_weight"), 1), facts.Float("power")
			if facts := trained.Training(); power == 0 || facts.Float("own_weight") != 0 || facts.Float("power") != 0 {
				t.Fatalf("finished vectors say %v, and trained ones %v", finished.Training(), facts)
			}

			weighed := trained.Parts()
			rows := vectors.NewMatrix(trained.Input().Rows, trained.Dim())
			for r := range rows.Rows {
				trained.Input().Read(rows.Row(r), r)
			}
			if c.Subword != nil {
				for _, r := range trained.WordRows() {
					for k := range rows.Row(int(r)) {
						rows.Row(int(r))[k] *= float32(own)
					}
				}
			}
			weighed.Input = rows
			before, after := singular(t, model.SetOf(weighed)), singular(t, finished)
			first := math.Pow(before[0], power) / after[0]
			for i := range before {
				if ratio := math.Pow(before[i], power) / after[i] / first; math.Abs(ratio-1) > 0.01 {
					t.Errorf("singular value %d is %v, to the power of %v times %v", i, before[i], power, ratio)
				}
			}

			if trained.Output().Rows == 0 {
				return
			}
			inputs, words := model.SetOf(weighed), trained.Words().Strings()
			for i, word := range words {
				for _, k := range []int{0, i, len(words) - 1 - i} {
					want := dot(vectorOf(inputs, word), trained.Output().Row(k))
					if got := dot(vectorOf(finished, word), finished.Output().Row(k)); math.Abs(got-want) > 3e-3*(1+math.Abs(want)) {
						t.Errorf("the product of %s and the context %s is %v, want %v", word, words[k], got, want)
					}
				}
			}
		})
	}
}

func dot(a, b []float32) (sum float64) {
	for k := range a {
		sum += float64(a[k]) * float64(b[k])
	}
	return sum
}

// singular returns the singular values of the words' vectors.
func singular(t *testing.T, s *vectors.Set) []float64 {
	t.Helper()
	d := s.Dim()
	squares, row := make([]float64, d*d), make([]float64, d)
	for _, word := range s.Words().All() {
		for k, x := range vectorOf(s, word) {
			row[k] = float64(x)
		}
		if err := eigen.AddSquare(context.Background(), squares, row, 1, d); err != nil {
			t.Fatal(err)
		}
	}
	energies, _, err := eigen.Symmetric(context.Background(), squares, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range energies {
		energies[i] = math.Sqrt(e)
	}
	return energies
}

// Evaluations see finished vectors, and change nothing of the run.
func TestEvaluationsSeeFinishedVectors(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	c := small(func(c *Config) { c.Threads, c.Subword, c.Epochs = 1, fastText, 2 })
	var last []float32
	h := Hooks{Evaluate: func(_ context.Context, s *vectors.Set) (float64, error) {
		last = slices.Clone(vectorOf(s, "the"))
		return 1, nil
	}}
	with, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, h)
	if err != nil {
		t.Fatal(err)
	}
	without, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the vector of the last evaluation", last, vectorOf(with.Vectors, "the"))
	same(t, "the vector without evaluations", vectorOf(without.Vectors, "the"), vectorOf(with.Vectors, "the"))
}

// Ranks of one machine share the memory of rows, which are finished once. Each returns the finished vectors.
func TestRanksFinishOnce(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has memory that processes share")
	}
	c := small(func(c *Config) { c.Subword, c.OwnWeight, c.Power = fastText, 0.5, 1 })
	for _, ranks := range [][]int{{3}, {2, 1}} {
		v, parts := parted(t, sentences(600), sum(ranks))
		var trained *vectors.Set
		models, errs := onMachines(ranks, v, parts, func(d Data) (*Model, error) {
			h := Hooks{}
			if d.Ranks.Rank() == 0 {
				h.Checkpoint = func(k *Checkpoint) {
					var b bytes.Buffer
					if err := encode(&b, k); err != nil {
						t.Error(err)
					}
					set, err := format.Read(&b)
					if err != nil {
						t.Error(err)
					}
					trained = set
				}
			}
			return Train(t.Context(), steady(d), c, h)
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		for rank, m := range models {
			for word, row := range trained.WordRows() {
				x, y := trained.Input().Row(int(row)), m.Vectors.Input().Row(int(row))
				if y[0] != x[0]/2 {
					t.Fatalf("machines of %v ranks: rank %d has %v for %s, want half of %v", ranks, rank, y[0], v.Token(word), x[0])
				}
			}
		}
	}
}

// A run that starts from a checkpoint finishes its vectors, unless the run of the checkpoint would not. Those of a model stay.
func TestRunsFromCheckpointsFinish(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	c := small(func(c *Config) { c.Threads, c.Subword, c.Epochs = 1, fastText, 1 })
	run := func(init *vectors.Set) (model, state *vectors.Set) {
		t.Helper()
		m, err := Train(t.Context(), Data{IDs: ids, Vocab: v, Init: init}, c, Hooks{Checkpoint: func(k *Checkpoint) {
			var b bytes.Buffer
			err := encode(&b, k)
			if err == nil {
				state, err = format.Read(&b)
			}
			if err != nil {
				t.Error(err)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		return m.Vectors, state
	}
	power := func(s *vectors.Set) float64 { return s.Training().Float("power") }
	model, state := run(nil)
	again, kept := run(model)
	if power(model) != 0.85 || power(state) != 0 || power(again) != 0 {
		t.Errorf("powers of %v, %v in the checkpoint, and %v from the model; want 0.85, 0 and 0", power(model), power(state), power(again))
	}
	if longer, _ := run(state); power(longer) != 0.85 {
		t.Error("vectors from a checkpoint are not finished")
	}
	if longer, _ := run(kept); power(longer) != 0 {
		t.Error("vectors from a checkpoint of a run from a model are finished again")
	}
}
