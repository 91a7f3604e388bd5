package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
)

// configured returns what the flags of a line, without a command, make of the defaults.
func configured(t *testing.T, line string) (sgns.Config, error) {
	t.Helper()
	f := newModelFlags()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.add(flags)
	if err := flags.Parse(strings.Fields(line)); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	err := f.complete(flags.Changed)
	return f.config, err
}

// Flags make a configuration on any set of flags, and what is not given is what is usual.
func TestModelFlags(t *testing.T) {
	usual := func(change func(*sgns.Config)) sgns.Config {
		c := sgns.Defaults()
		c.Arch, c.Loss = sgns.SkipGram, sgns.NegativeSampling
		change(&c)
		return c
	}
	floret := subword.Floret{MinN: 3, MaxN: 6, Buckets: 200_000, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
	for _, c := range []struct {
		line string
		want sgns.Config
	}{
		{"", usual(func(*sgns.Config) {})},
		{"--subwords fasttext", usual(func(c *sgns.Config) {
			c.Subword = subword.FastText{MinN: 3, MaxN: 6, Buckets: 2_000_000}
		})},
		{"--subwords floret", usual(func(c *sgns.Config) { c.Subword = floret })},
		{"--subwords floret --maxn 0 --buckets 100 --hashes 3", usual(func(c *sgns.Config) {
			words := floret
			words.MinN, words.MaxN, words.Buckets, words.Hashes = 0, 0, 100, 3
			c.Subword = words
		})},
		{"--subwords hash", usual(func(c *sgns.Config) {
			c.Subword = subword.Hash{MinN: 3, MaxN: 6, Buckets: 50_000, Hashes: 2, Importances: 500_000}
		})},
		{"--subwords hash --maxn 0 --buckets 100 --append-weights", usual(func(c *sgns.Config) {
			c.Subword = subword.Hash{Buckets: 100, Hashes: 2, Importances: 1000, AppendWeights: true}
		})},
		{"--arch cbow --position-weights --word-ngrams 3", usual(func(c *sgns.Config) {
			c.Arch, c.PositionWeights, c.WordNgrams, c.WordBuckets = sgns.CBOW, true, 3, 500_000
		})},
		{"--arch cbow --word-ngrams 1", usual(func(c *sgns.Config) { c.Arch, c.WordNgrams = sgns.CBOW, 1 })},
		{"--arch structured --rank 8", usual(func(c *sgns.Config) { c.Arch, c.Rank = sgns.Structured, 8 })},
		{"--loss hs", usual(func(c *sgns.Config) { c.Loss = sgns.HierarchicalSoftmax })},
		{"--tied --nested 32,64", usual(func(c *sgns.Config) { c.Tied, c.Nested, c.Dim = true, []int{32, 64}, 64 })},
		{"--nested 50,100 --dim 100", usual(func(c *sgns.Config) { c.Nested = []int{50, 100} })},
		{"--dim 8 --window 2 --epochs 3 --negatives 4 --ns-exponent 0.5 --sample 0 --lr 0.1 --seed 7 --deterministic", usual(func(c *sgns.Config) {
			c.Dim, c.Window, c.Epochs, c.Negatives, c.NSExponent, c.Sample, c.LearningRate, c.Seed, c.Deterministic = 8, 2, 3, 4, 0.5, 0, 0.1, 7, true
		})},
	} {
		got, err := configured(t, c.line)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		if got.Subword != c.want.Subword || asJSON(t, got) != asJSON(t, c.want) {
			t.Errorf("%s:\n%+v, want\n%+v", c.line, got, c.want)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
