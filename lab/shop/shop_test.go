package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/lab/peers/gensim"
	"github.com/w2v-go/w2v/train"
)

// made is the folder of a small shop.
func made(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := newShop(40, 10, 3).write(folder, 20_000, 4_000, 3000); err != nil {
		t.Fatal(err)
	}
	return folder
}

// items are the settings of the recipe.
func items() train.Settings {
	s := train.Defaults()
	s.MinCount, s.Model.Window, s.Model.Sample, s.Model.Dim, s.Model.NSExponent = 1, 0, 0, 32, 0.75
	return s
}

func scored(t *testing.T, model, baskets string) score {
	t.Helper()
	s, err := scoreOf(model, baskets)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %v", filepath.Base(model), s)
	return s
}

// The recipe of docs/howto/items.md: items find their topics; a day later, new ones do, too, and
// the old ones are not lost.
func TestRecipe(t *testing.T) {
	folder := made(t)
	at := func(name string) string { return filepath.Join(folder, name) }
	o := train.Options{Settings: items(), Output: at("today.w2v"), Checkpoint: train.Checkpoint{File: at("shop.ckpt")}}
	if _, err := train.Run(t.Context(), train.Files(at("today.txt")), o, train.Hooks{}); err != nil {
		t.Fatal(err)
	}
	today := scored(t, at("today.w2v"), at("today.test"))
	if today.Topic < 0.95 || today.Hits < 0.35 {
		t.Errorf("today: %v", today)
	}
	before := scored(t, at("today.w2v"), at("tomorrow.test"))

	next := train.Defaults()
	if err := next.Set("epochs", "1"); err != nil {
		t.Fatal(err)
	}
	o = train.Options{Settings: next, Output: at("tomorrow.w2v"), Checkpoint: train.Checkpoint{Resume: at("shop.ckpt"), File: at("shop-2.ckpt")}, Init: train.Init{UpdateVocab: true}}
	if _, err := train.Run(t.Context(), train.Files(at("tomorrow.txt")), o, train.Hooks{}); err != nil {
		t.Fatal(err)
	}
	after := scored(t, at("tomorrow.w2v"), at("tomorrow.test"))
	if before.NewHits != 0 || after.NewHits < 0.2 || after.Hits < before.Hits-0.02 {
		t.Errorf("tomorrow: %v; before: %v", after, before)
	}
}

// With the settings of the recipe, the hit rate is near that of gensim, which trains all pairs.
func TestHitRateIsNearThatOfGensim(t *testing.T) {
	if err := exec.Command(gensim.Python, "-c", "import gensim").Run(); err != nil {
		t.Skipf("no gensim: %v", err)
	}
	folder := made(t)
	theirs := filepath.Join(folder, "gensim.vec")
	c := exec.CommandContext(t.Context(), gensim.Python, "gensim_items.py", filepath.Join(folder, "today.txt"), theirs, "0.75", "5", "2", "0.07")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	ours := filepath.Join(folder, "ours.w2v")
	s := items()
	s.Model.Dim, s.Model.LearningRate = 64, 0.07
	if _, err := train.Run(t.Context(), train.Files(filepath.Join(folder, "today.txt")), train.Options{Settings: s, Output: ours}, train.Hooks{}); err != nil {
		t.Fatal(err)
	}
	test := filepath.Join(folder, "today.test")
	if a, b := scored(t, ours, test), scored(t, theirs, test); a.Hits < b.Hits-0.05 {
		t.Errorf("a hit rate of %.4f, and gensim has %.4f", a.Hits, b.Hits)
	}
}
