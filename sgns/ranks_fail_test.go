package sgns

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Whatever ends a run on all ranks, a checkpoint that is written then is one to go on from.
func TestRanksThatFailLeaveAGoodCheckpoint(t *testing.T) {
	broken := errors.New("broken")
	t.Run("an evaluation fails", func(t *testing.T) {
		v, parts := parted(t, sentences(3000), 2)
		n := 0
		file, errs := savedOnRanks(t, v, parts, func() error {
			if n++; n == 2 {
				return broken
			}
			return nil
		})
		if !errors.Is(errs[0], broken) {
			t.Errorf("rank 0 returns %v", errs[0])
		}
		if e, ok := errors.AsType[*cluster.EndedError](errs[1]); !ok || e.Rank != 0 {
			t.Errorf("rank 1 returns %v", errs[1])
		}
		resumeOnRanks(t, v, parts, file)
	})
	t.Run("a rank cannot read its text", func(t *testing.T) {
		text := strings.Repeat(sentences(3000), 25) // more than is kept of a text that is read again
		v, parts := parted(t, text, 2)
		lines := strings.SplitAfter(text, "\n")
		path := filepath.Join(t.TempDir(), "part.txt")
		write := func(lines []string) {
			if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(lines[len(lines)/2:])
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, again, err := vocab.Index(t.Context(), src, vocab.Options{Fixed: v, NoCache: true}, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { again.Close() })
		n := 0
		file, errs := savedOnRanks(t, v, []*vocab.IDs{parts[0], again}, func() error {
			if n++; n == 2 {
				write(lines[:len(lines)/3])
			}
			return nil
		})
		if e, ok := errors.AsType[*cluster.EndedError](errs[0]); !ok || e.Rank != 1 {
			t.Errorf("rank 0 returns %v", errs[0])
		}
		if errs[1] == nil || !strings.Contains(errs[1].Error(), path) {
			t.Errorf("rank 1 returns %v", errs[1])
		}
		_, whole := parted(t, text, 1) // the part of rank 1 was not cached, and is read in other pieces
		resumeOnRanks(t, v, whole, file)
	})
}

// savedOnRanks trains on two ranks, with an evaluation now and then on rank 0, until an error ends the
// run. It returns the last checkpoint, and what the ranks returned.
func savedOnRanks(t *testing.T, v *vocab.Vocab, parts []*vocab.IDs, evaluate func() error) (file []byte, errs []error) {
	t.Helper()
	c := small(func(c *Config) { c.Epochs, c.EvaluateEvery = 3, v.Total()/3 })
	models, errs := onRanks(v, parts, func(d Data) (*Model, error) {
		h := Hooks{}
		if d.Ranks.Rank() == 0 {
			h.Evaluate = func(context.Context, *vectors.Set) (float64, error) { return 0, evaluate() }
			h.Checkpoint = func(k *Checkpoint) {
				var b bytes.Buffer
				if err := encode(&b, k); err != nil {
					t.Error(err)
				}
				file = b.Bytes()
			}
		}
		return Train(t.Context(), steady(d), c, h)
	})
	if file == nil || models[0] == nil {
		t.Fatalf("there is no checkpoint, or no model: %v", errs)
	}
	// The parameters go with the state of the same moment, not with that of an earlier pause.
	if saved, trained := decode(t, file).Tokens, models[0].Progress.Tokens; saved != trained {
		t.Errorf("the checkpoint has %d tokens, and %d were trained", saved, trained)
	}
	return file, errs
}

// Ranks wait for each other at the end, also if the last evaluation of rank 0 is interrupted or fails.
func TestTheLastEvaluationEndsAllRanks(t *testing.T) {
	v, parts := parted(t, sentences(3000), 2)
	broken := errors.New("broken")
	c := small(func(c *Config) { c.EvaluateEvery = 1 << 40 }) // at the end alone
	for name, found := range map[string]error{"interrupted": context.Canceled, "failed": broken} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			saved := 0
			ended := make(chan []error, 1)
			go func() {
				_, errs := onRanks(v, parts, func(d Data) (*Model, error) {
					h := Hooks{}
					if d.Ranks.Rank() == 0 {
						h.Checkpoint = func(*Checkpoint) { saved++ }
						h.Evaluate = func(context.Context, *vectors.Set) (float64, error) {
							if found != broken {
								cancel()
							}
							return 0, found
						}
					}
					return Train(ctx, steady(d), c, h)
				})
				ended <- errs
			}()
			select {
			case errs := <-ended:
				if !errors.Is(errs[0], found) || errs[1] == nil || errors.Is(errs[1], context.Canceled) != (found != broken) || saved == 0 {
					t.Errorf("ranks return %v, and %d checkpoints are saved", errs, saved)
				}
			case <-time.After(time.Minute):
				t.Fatal("the ranks wait for each other")
			}
		})
	}
}
