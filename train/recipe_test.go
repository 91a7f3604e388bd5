package train_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

// A recipe that is interrupted in any part and resumed makes the same bytes as one that is not. It leaves no model before its end.
func TestRecipeIsResumed(t *testing.T) {
	all := sentences(300)
	folder := t.TempDir()
	evaluated := func() {}
	recipe := func(ctx context.Context, output string, k train.Checkpoint, h train.Hooks) (*train.Result, error) {
		o := train.Options{Settings: small(), Recipe: train.RecipeBest, Checkpoint: k, Output: filepath.Join(folder, output)}
		o.Settings.Model.EvaluateEvery, o.Evaluation.Score = 2000, func(context.Context, *vectors.Set) (float64, error) {
			evaluated()
			return 0, nil
		}
		return train.Run(ctx, train.Sentences(all), o, h)
	}
	whole, err := recipe(t.Context(), "whole.w2v", train.Checkpoint{}, train.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if facts := whole.Vectors.Training(); whole.Vectors.Dim() != 8 || whole.Vectors.Subword() == nil || facts.Text("recipe") != "best" || !whole.Complete {
		t.Errorf("%d dimensions, n-grams %v, %v, complete %v", whole.Vectors.Dim(), whole.Vectors.Subword(), facts, whole.Complete)
	}
	for part := 1; part <= 3; part++ {
		ctx, stop := context.WithCancel(t.Context())
		at := 0
		var parts []train.Part
		h := train.Hooks{Part: func(p train.Part) { at = p.Number; parts = append(parts, p) }}
		evaluated = func() { // while it is trained
			if at == part {
				stop()
			}
		}
		file := filepath.Join(folder, "run.ck")
		stopped, err := recipe(ctx, "part.w2v", train.Checkpoint{File: file}, h)
		if !errors.Is(err, context.Canceled) || stopped == nil || stopped.Complete || !stopped.Resumable || stopped.Checkpoint != file || len(parts) != part || len(stopped.Parts) != part {
			t.Fatalf("interrupted in part %d of %v: %+v, %v", part, parts, stopped, err)
		}
		if _, err := os.Stat(filepath.Join(folder, "part.w2v")); err == nil {
			t.Fatal("an interrupted recipe has written a model")
		}
		parts, at = nil, 0
		done, err := recipe(t.Context(), "resumed.w2v", train.Checkpoint{Resume: file}, train.Hooks{Part: func(p train.Part) { parts = append(parts, p) }})
		if err != nil || !done.Complete || done.Checkpoint != file || len(done.Parts) != 3 || done.Parts[1].Trained != whole.Parts[1].Trained {
			t.Fatalf("resumed in part %d: %+v, %v", part, done, err)
		}
		if resumed := []bool{parts[0].Resumed, parts[1].Resumed, parts[2].Resumed}; !slices.Equal(resumed, []bool{true, part >= 2, part == 3}) {
			t.Errorf("interrupted in part %d: parts that were resumed: %v", part, resumed)
		}
		want, err := os.ReadFile(whole.Output)
		got, also := os.ReadFile(done.Output)
		if err != nil || also != nil || !bytes.Equal(got, want) {
			t.Errorf("interrupted in part %d: the model differs, %v, %v", part, err, also)
		}
		for _, name := range []string{"run.ck.wide-words", "run.ck.n-grams", "run.ck.cbow"} {
			if err := os.Remove(filepath.Join(folder, name)); err != nil {
				t.Error(err)
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	nothing, err := recipe(ctx, "part.w2v", train.Checkpoint{}, train.Hooks{Start: func(train.Start) { stop() }})
	if want := "training stopped at 0 of 8805 tokens: context canceled: nothing is kept of a recipe without Checkpoint.File: FILE"; nothing != nil || !errors.Is(err, context.Canceled) || err == nil || err.Error() != want {
		t.Errorf("without a checkpoint: %+v, %v, want %s", nothing, err, want)
	}
}
