package sgns

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// cutOnRanks trains on a rank for each part until so many tokens are trained, and returns the checkpoint
// that is written then.
func cutOnRanks(t testing.TB, v *vocab.Vocab, parts []*vocab.IDs, c Config, tokens uint64) (file []byte) {
	t.Helper()
	return cutOnMachines(t, slices.Repeat([]int{1}, len(parts)), v, parts, c, tokens)
}

// cutOnMachines is cutOnRanks with so many ranks on each machine.
func cutOnMachines(t testing.TB, ranks []int, v *vocab.Vocab, parts []*vocab.IDs, c Config, tokens uint64) (file []byte) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.EvaluateEvery = tokens
	_, errs := onMachines(ranks, v, parts, func(d Data) (*Model, error) {
		h := silent(t)
		if d.Ranks.Rank() == 0 {
			h = Hooks{
				Evaluate: func(context.Context, *vectors.Set) (float64, error) { cancel(); return 0, nil },
				Checkpoint: func(k *Checkpoint) {
					var b bytes.Buffer
					if err := encode(&b, k); err != nil {
						t.Error(err)
					}
					file = b.Bytes()
				},
			}
		}
		return Train(ctx, steady(d), c, h)
	})
	for rank, err := range errs {
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("rank %d returns %v", rank, err)
		}
	}
	return file
}

// resumeOnRanks goes on with a checkpoint to the end.
func resumeOnRanks(t testing.TB, v *vocab.Vocab, parts []*vocab.IDs, file []byte) []*Model {
	t.Helper()
	models, errs := onRanks(v, parts, func(d Data) (*Model, error) { return Resume(t.Context(), d, decode(t, file), Hooks{}) })
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return models
}

// A run on several ranks goes on on as many, on more, and on fewer. What is trained before and after
// is the whole run.
func TestResumeOnRanks(t *testing.T) {
	text := sentences(3000)
	for _, test := range []struct{ from, to int }{{2, 2}, {3, 2}, {2, 4}, {1, 2}, {2, 1}} {
		t.Run(fmt.Sprintf("%d to %d", test.from, test.to), func(t *testing.T) {
			c := small(func(c *Config) { c.Epochs = 6 })
			v, before := parted(t, text, test.from)
			_, after := parted(t, text, test.to)
			total := v.Total() * uint64(c.Epochs)
			file := cutOnRanks(t, v, before, c, total/2)
			k := decode(t, file)
			if k.Total != total || k.Tokens < total/2 || k.Ended() {
				t.Errorf("the checkpoint is of %d tokens of %d, want %d", k.Tokens, k.Total, total)
			}
			models := resumeOnRanks(t, v, after, file)
			for _, m := range models {
				sameModel(t, m.Vectors, models[0].Vectors)
			}
			p := models[0].Progress
			if p.Tokens != total || p.Total != total {
				t.Errorf("%d tokens of %d are trained, want %d", p.Tokens, p.Total, total)
			}
			if s := separation(models[0].Vectors); s < 0.2 {
				t.Errorf("words of a topic are nearer by %.3f", s)
			}
		})
	}
}

// A rank with a tenth of the text trains text of the other one, each text once an epoch, also when the run is cut and goes on.
func TestRanksShareText(t *testing.T) {
	text := sentences(30_000)
	lines := strings.SplitAfter(text, "\n")
	v, parts := indexed(t, text)
	parts2 := []*vocab.IDs{nil, nil}
	for k, part := range []string{strings.Join(lines[:len(lines)/10], ""), strings.Join(lines[len(lines)/10:], "")} {
		_, ids, err := vocab.Index(t.Context(), corpus.Stream("text", strings.NewReader(part), corpus.Options{}), vocab.Options{Fixed: v}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer ids.Close()
		parts2[k] = ids
	}
	c := small(func(c *Config) { c.Epochs, c.EvaluateEvery = 2, parts.Tokens()*3/2 })
	var file []byte
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, errs := onRanks(v, parts2, func(d Data) (*Model, error) {
		h := Hooks{}
		if d.Ranks.Rank() == 0 {
			h.Evaluate = func(context.Context, *vectors.Set) (float64, error) { cancel(); return 0, nil }
			h.Checkpoint = func(k *Checkpoint) {
				var b bytes.Buffer
				if err := encode(&b, k); err != nil {
					t.Error(err)
				}
				file = b.Bytes()
			}
		}
		return Train(ctx, d, c, h)
	})
	for rank, err := range errs {
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("rank %d returns %v", rank, err)
		}
	}
	if !bytes.Contains(file, []byte(`"elsewhere":-`)) {
		t.Error("a rank whose part is done has trained nothing else")
	}
	total := 2 * parts.Tokens()
	for _, m := range resumeOnRanks(t, v, parts2, file) { // which compares the tokens that each rank has counted with its places
		if m.Progress.Tokens != total {
			t.Errorf("%d tokens are trained, want %d", m.Progress.Tokens, total)
		}
	}

	// A pause gives chunks back to ranks whose workers have nothing else to do.
	c.EvaluateEvery = total / 40
	often, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	_, errs = onRanks(v, parts2, func(d Data) (*Model, error) {
		h := Hooks{}
		if d.Ranks.Rank() == 0 {
			h.Evaluate = func(context.Context, *vectors.Set) (float64, error) { return 0, nil }
		}
		return Train(often, d, c, h)
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

// A run that early stopping has ended can be gone on with, to no effect, and what it saves is as good.
func TestResumeOnRanksOfAnEndedRun(t *testing.T) {
	c := small(func(c *Config) { c.Epochs, c.Patience = 50, 2 })
	v, parts := parted(t, sentences(2000), 2)
	run := func(file []byte) (saved []byte) {
		score := 0.0
		_, errs := onRanks(v, parts, func(d Data) (*Model, error) {
			h := silent(t)
			if d.Ranks.Rank() == 0 {
				h = Hooks{
					Evaluate: func(context.Context, *vectors.Set) (float64, error) { score--; return score, nil },
					Checkpoint: func(k *Checkpoint) {
						var b bytes.Buffer
						if err := encode(&b, k); err != nil {
							t.Error(err)
						}
						saved = b.Bytes()
					},
				}
			}
			if file == nil {
				return Train(t.Context(), steady(d), c, h)
			}
			return Resume(t.Context(), d, decode(t, file), h)
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		return saved
	}
	first := run(nil)
	again := decode(t, run(first))
	if k := decode(t, first); !k.Ended() || !again.Ended() || again.Tokens != k.Tokens {
		t.Errorf("ended %v after %d tokens, and again %v after %d", k.Ended(), k.Tokens, again.Ended(), again.Tokens)
	}
}

// A checkpoint of other text is refused, on as many ranks and on others.
func TestResumeOnRanksRefusesOtherText(t *testing.T) {
	c := small(func(c *Config) { c.Epochs = 50 })
	v, parts := parted(t, sentences(2000), 2)
	file := cutOnRanks(t, v, parts, c, v.Total())
	_, errs := onRanks(v, []*vocab.IDs{parts[1], parts[0]}, func(d Data) (*Model, error) { return Resume(t.Context(), d, decode(t, file), Hooks{}) })
	for rank, err := range errs {
		if _, ok := errors.AsType[*MismatchError](err); !ok {
			t.Errorf("rank %d returns %v for the parts of others", rank, err)
		}
	}
	_, errs = onRanks(v, parts[:1], func(d Data) (*Model, error) { return Resume(t.Context(), d, decode(t, file), Hooks{}) })
	if _, ok := errors.AsType[*MismatchError](errs[0]); !ok {
		t.Errorf("one rank returns %v for half of the text", errs[0])
	}
}
