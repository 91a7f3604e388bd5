package main

import (
	"context"
	_ "embed" // for the scripts
	"encoding/json"
	"fmt"

	"github.com/w2v-go/w2v/lab/peers/gensim"
)

//go:embed gensim_load.py
var gensimLoad string

//go:embed gensim_query.py
var gensimQuery string

// gensimPeer is the Python library of that name.
type gensimPeer struct{ version string }

// findGensim looks for gensim.
func (b *bench) findGensim(ctx context.Context) (*gensimPeer, error) {
	c, err := b.run(ctx, order{name: gensim.Python, args: []string{"-c", gensim.VersionScript}})
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		b.notes = append(b.notes, "gensim is not here")
		return nil, nil
	}
	version, err := gensim.Version(c.stdout)
	if err != nil {
		return nil, err
	}
	return &gensimPeer{version}, nil
}

func (*gensimPeer) title() string        { return "gensim" }
func (*gensimPeer) defaultRate() float64 { return 0.025 }

// ask runs a script and reads the JSON that it prints.
func (*gensimPeer) ask(ctx context.Context, b *bench, script string, threads int, answer any, args ...string) (child, error) {
	c, err := b.run(ctx, order{name: gensim.Python, args: append([]string{"-c", script}, args...), env: threadsOf(threads)})
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(c.stdout, answer); err != nil {
		return c, fmt.Errorf("gensim: %w", err)
	}
	return c, nil
}

// train measures the process's CPU time around train(), after build_vocab(), in a
// script of its own. The libraries below it get one thread: gensim has its own.
func (g *gensimPeer) train(ctx context.Context, b *bench, s settings) (training, error) {
	t := training{model: b.path("gensim-model.bin")}
	var answer gensim.Trained
	c, err := g.ask(ctx, b, gensim.TrainScript, 1, &answer, gensim.Training{
		Corpus: b.text.path, Output: t.model, CBOW: s.cbow,
		Dim: s.dim, Window: window, Negatives: negatives, Epochs: s.epochs, MinCount: minCount, Sample: sample,
		Rate: s.rate, Threads: s.threads, Seed: uint64(s.seed),
		Subwords: s.subwords, MinN: minNgram, MaxN: maxNgram, Buckets: buckets,
	}.Argument())
	t.tokens, t.seconds, t.peak = answer.Tokens*float64(s.epochs), answer.CPUSeconds, c.peak
	return t, err
}
