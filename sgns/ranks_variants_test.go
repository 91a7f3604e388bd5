package sgns

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// everyVariant are all architectures with all losses and all ways to make up words, as far as they can be
// combined, and the combinations of variants.
func everyVariant() map[string]Config {
	all, known := map[string]Config{}, map[string]bool{}
	add := func(name string, change func(*Config)) {
		c := small(func(c *Config) { c.Epochs = 2; change(c) })
		if key := fmt.Sprintf("%+v", config.Resolve(c)); c.Validate() == nil && c.Precision == F32 && !known[key] { // ranks refuse other precisions
			all[name], known[key] = c, true
		}
	}
	words := map[string]subword.Indexer{"words": nil}
	for _, kind := range subword.Kinds() {
		words[kind.Name] = kind.Usual
		for _, s := range kind.Settings {
			if buckets := 3000; s.Name == "buckets" || s.Name == "importances" {
				words[kind.Name], _ = s.With(words[kind.Name], func(field any) error { *field.(*int) = buckets; return nil })
			}
		}
	}
	for _, arch := range Archs() {
		for _, loss := range Losses() {
			for name, indexer := range words {
				add(fmt.Sprintf("%s, %s, %s", arch, loss, name), func(c *Config) { c.Arch, c.Loss, c.Subword = arch, loss, indexer })
			}
		}
	}
	for name, change := range variants {
		add(name, change)
	}
	for _, arch := range []Arch{SkipGram, CBOW} {
		add(fmt.Sprintf("%s, frozen", arch), func(c *Config) { c.Arch, c.Freeze = arch, FreezeKnown })
	}
	return all
}

// heldOutLoss is the loss of vectors on held-out text, and that of vectors that know nothing.
func heldOutLoss(t *testing.T, s *vectors.Set, v *vocab.Vocab, heldOut *vocab.IDs, c Config) (loss, ignorant float64) {
	t.Helper()
	c.Freeze, c.Epochs, c.LearningRate, c.EvaluateEvery, c.Patience = "", 1, 1e-12, 0, 0
	_, err := Train(t.Context(), Data{IDs: heldOut, Vocab: v, HeldOut: heldOut, Init: s}, c, Hooks{Evaluated: func(e Evaluation) { loss = e.Loss }})
	if err != nil {
		t.Fatal(err)
	}
	of, err := config.VariantOf(c)
	if err != nil {
		t.Fatal(err)
	}
	of.Loss.Prepare(v)
	return loss, of.Loss.ZeroScore(v)
}

// Every variant learns on several ranks about what one process learns of the same text, whether they have the
// whole model or a part of it.
func TestEveryVariantOnRanks(t *testing.T) {
	longtest.Only(t)
	smallRounds(t, 50, 500)
	grammar, err := io.ReadAll(demo.Corpus(8_000, 1))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(grammar), "\n")
	text, rest := strings.Join(lines[:len(lines)*9/10], ""), strings.Join(lines[len(lines)*9/10:], "")
	v, whole := parted(t, text, 1)
	_, heldOut, err := vocab.Index(t.Context(), corpus.Stream("held-out text", strings.NewReader(rest), corpus.Options{}), vocab.Options{Fixed: v}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer heldOut.Close()
	early := train(t, strings.Join(lines[:len(lines)/4], ""), small(func(*Config) {})).Vectors // which does not have all words
	o := replica.Defaults()
	o.Every = 300
	const ranks = 4 // fewer, and more text, come nearer to what one process learns
	_, parts := parted(t, text, ranks)
	every := everyVariant()
	for _, name := range slices.Sorted(maps.Keys(every)) {
		c := every[name]
		t.Run(name, func(t *testing.T) {
			run := func(_ context.Context, d Data, h Hooks) (*Model, error) {
				if d.exchange = &o; c.Freeze != "" {
					d.Init = early
				}
				return Train(t.Context(), d, c, h)
			}
			one, err := run(t.Context(), Data{IDs: whole[0], Vocab: v}, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			want, ignorant := heldOutLoss(t, one.Vectors, v, heldOut, c)
			check := func(how string, s *vectors.Set) {
				if got, _ := heldOutLoss(t, s, v, heldOut, c); !(got-want <= 0.15*ignorant) {
					t.Errorf("%d ranks%s have the held-out loss %.3f, one process %.3f, and vectors that know nothing %.3f", ranks, how, got, want, ignorant)
				}
			}
			models, errs := onRanks(v, parts, func(d Data) (*Model, error) { return run(t.Context(), d, Hooks{}) })
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			check("", models[0].Vectors)
			if c.Divisible() == nil && c.Freeze == "" {
				s, _ := divide(t, v, parts, run, Hooks{})
				check(" of a divided model", s)
			}
		})
	}
}

// Ranks that do not wait for turns learn as much, also with hooks that make all stand still, and those of every
// variant end together.
func TestVariantsOnRanksWithHooks(t *testing.T) {
	v, parts := parted(t, sentences(700), 3)
	early := train(t, sentences(5), small(func(*Config) {})).Vectors // which does not have all words
	var during int                                                   // evaluations before the end
	every := everyVariant()
	for i, name := range slices.Sorted(maps.Keys(every)) {
		if testing.Short() && i%3 != 0 {
			continue // the race detector takes long for each, and they do the same to each other
		}
		c := every[name]
		t.Run(name, func(t *testing.T) {
			c.Epochs, c.EvaluateEvery = 3, v.Total()/4
			scores, last := 0, uint64(0)
			models, errs := onRanks(v, parts, func(d Data) (*Model, error) {
				h := silent(t)
				if d.Ranks.Rank() == 0 {
					h = Hooks{
						Evaluate:   func(context.Context, *vectors.Set) (float64, error) { scores++; return float64(scores), nil },
						Evaluated:  func(e Evaluation) { last = e.Tokens },
						Checkpoint: func(*Checkpoint) {},
					}
				}
				if c.Freeze != "" {
					d.Init = early
				}
				return Train(t.Context(), d, c, h)
			})
			if c.Counts() {
				if err := errs[0]; err == nil || !strings.Contains(err.Error(), "is trained by one process") {
					t.Errorf("%v, want a refusal", err)
				}
				return
			}
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			if during += scores - 1; last != models[0].Progress.Total {
				t.Errorf("%d evaluations, the last one at %d of %d tokens", scores, last, models[0].Progress.Total)
			}
			for _, m := range models[1:] {
				sameModel(t, m.Vectors, models[0].Vectors)
			}
		})
	}
	if during == 0 {
		t.Error("no run has stood still for an evaluation")
	}
}

// Turns that are asked to be far apart are close while vectors are young, and the last one is combined at the
// rates of what was trained since the one before.
func TestFarTurns(t *testing.T) {
	text := sentences(4000)
	v, parts := parted(t, text, 8)
	_, whole := parted(t, text, 1)
	c := small(func(c *Config) { c.Epochs = 10 })
	one, ignorant := heldOutLoss(t, train(t, text, c).Vectors, v, whole[0], c)
	for name, set := range map[string]func(*Data){
		"seldom":         func(d *Data) { d.SyncEvery = 1 << 40 },
		"a small budget": func(d *Data) { d.SyncEvery, d.SyncBudget = 0, 1 },
	} {
		models, errs := onRanks(v, parts, func(d Data) (*Model, error) {
			set(&d)
			return Train(t.Context(), d, c, Hooks{})
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		loss, _ := heldOutLoss(t, models[0].Vectors, v, whole[0], c)
		if !(loss-one <= 0.2*(ignorant-one)) {
			t.Errorf("%s: the loss is %.3f, that of one process %.3f, and that of vectors that know nothing %.3f", name, loss, one, ignorant)
		}
		if got := models[7].Progress.Loss; math.Abs(got-loss) > 0.02*loss {
			t.Errorf("%s: the loss that is told is %.3f, that of the model %.3f", name, got, loss)
		}
	}
}

// A model that is ruined when ranks merge what they have trained is not one with a good loss.
func TestRuinedModel(t *testing.T) {
	v, parts := parted(t, sentences(4000), 8)
	o := replica.Defaults()
	o.Every, o.Combine = 1<<40, func(int, replica.Row) float64 { return 1 }
	_, errs := onRanks(v, parts, func(d Data) (*Model, error) {
		d.exchange = &o
		return Train(t.Context(), d, small(func(c *Config) { c.Epochs = 10 }), Hooks{})
	})
	for rank, err := range errs {
		e, ok := errors.AsType[*DivergedError](err)
		if !ok || e.Apart < 10_000 || e.UsualApart != 5000 || !strings.Contains(e.Error(), "with exchanges of ranks every ") {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}
