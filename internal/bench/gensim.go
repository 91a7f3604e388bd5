package main

import (
	"context"
	_ "embed" // for the scripts
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// python is Debian's, which is the one that sees Debian's gensim.
const python = "/usr/bin/python3"

//go:embed gensim_version.py
var gensimVersion string

//go:embed gensim_train.py
var gensimTrain string

//go:embed gensim_load.py
var gensimLoad string

//go:embed gensim_query.py
var gensimQuery string

// gensim is the Python library of that name.
type gensim struct{ version string }

// findGensim looks for gensim, and wants its compiled training code: without it
// there would be nothing to compare with.
func (b *bench) findGensim(ctx context.Context) (*gensim, error) {
	c, err := b.run(ctx, order{name: python, args: []string{"-c", gensimVersion}})
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		b.notes = append(b.notes, "gensim is not here")
		return nil, nil
	}
	var found struct {
		Gensim string   `json:"gensim"`
		Numpy  string   `json:"numpy"`
		Fast   int      `json:"fast"`
		BLAS   []string `json:"blas"`
	}
	if err := json.Unmarshal(c.stdout, &found); err != nil {
		return nil, fmt.Errorf("gensim: %w", err)
	}
	if found.Fast < 0 {
		return nil, errors.New("gensim has no compiled code")
	}
	version := fmt.Sprintf("gensim %s with numpy %s", found.Gensim, found.Numpy)
	if len(found.BLAS) > 0 {
		version += " and " + strings.Join(found.BLAS, ", ")
	}
	return &gensim{version}, nil
}

func (*gensim) title() string        { return "gensim" }
func (*gensim) defaultRate() float64 { return 0.025 }

// ask runs a script and reads the JSON that it prints.
func (*gensim) ask(ctx context.Context, b *bench, script string, threads int, answer any, args ...string) (child, error) {
	c, err := b.run(ctx, order{name: python, args: append([]string{"-c", script}, args...), env: threadsOf(threads)})
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
func (g *gensim) train(ctx context.Context, b *bench, s settings) (training, error) {
	t := training{model: b.path("gensim-model.bin")}
	var answer struct {
		Tokens float64 `json:"tokens"`
		CPU    float64 `json:"cpu_seconds"`
	}
	c, err := g.ask(ctx, b, gensimTrain, 1, &answer, b.text.path, t.model,
		strconv.FormatBool(s.subwords), strconv.Itoa(s.dim), strconv.Itoa(window), strconv.Itoa(negatives), strconv.Itoa(s.epochs),
		strconv.Itoa(minCount), sample, fmt.Sprint(s.rate), strconv.Itoa(s.threads), strconv.Itoa(s.seed),
		strconv.Itoa(minNgram), strconv.Itoa(maxNgram), strconv.Itoa(buckets))
	t.tokens, t.seconds, t.peak = answer.Tokens*float64(s.epochs), answer.CPU, c.peak
	return t, err
}
