package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/lab/product"
)

// w2v is the program of this repository.
type w2v struct {
	path    string
	version string
}

// buildW2V builds the program, unless -w2v names one.
func (b *bench) buildW2V(ctx context.Context) (*w2v, error) {
	if b.options.w2v != "" {
		path, err := exec.LookPath(b.options.w2v)
		if err != nil {
			return nil, err
		}
		return &w2v{path, "w2v: " + path}, nil
	}
	path := b.path("w2v")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if err := product.Build(ctx, path); err != nil {
		return nil, err
	}
	version := "w2v of this repository"
	if c, err := b.run(ctx, order{name: "git", args: []string{"describe", "--always", "--dirty"}}); err == nil {
		version = "w2v " + strings.TrimSpace(string(c.stdout))
	}
	return &w2v{path, version + ", " + runtime.Version()}, nil
}

func (*w2v) title() string { return "w2v" }

// defaultRate is that of w2v train.
func (*w2v) defaultRate() float64 { return 0.035 }

// flags are the arguments of w2v train.
func (*w2v) flags(b *bench, s settings, model string) []string {
	args := []string{
		"train", b.text.path, "-o", model, "--json", "--progress", "never", "--cache", b.dir,
		"--dim", strconv.Itoa(s.dim), "--window", strconv.Itoa(window), "--negatives", strconv.Itoa(negatives),
		"--epochs", strconv.Itoa(s.epochs), "--min-count", strconv.Itoa(minCount), "--sample", fmt.Sprint(sample),
		"--threads", strconv.Itoa(s.threads), "--seed", strconv.Itoa(s.seed),
	}
	if s.rate > 0 {
		args = append(args, "--lr", fmt.Sprint(s.rate))
	}
	if s.cbow {
		args = append(args, "--arch", "cbow")
	}
	if s.subwords {
		args = append(args, "--subwords", "fasttext",
			"--minn", strconv.Itoa(minNgram), "--maxn", strconv.Itoa(maxNgram), "--buckets", strconv.Itoa(buckets))
	}
	return args
}

// summary is what w2v train --json prints.
type summary struct {
	Tokens       uint64  `json:"tokens"`
	Epochs       int     `json:"epochs"`
	Seconds      float64 `json:"seconds"`
	CPUSeconds   float64 `json:"cpu_seconds"`
	CountSeconds float64 `json:"count_seconds"`
	Complete     bool    `json:"complete"`

	TokensPerSecond float64 `json:"tokens_per_second"`
}

// run trains and returns what the program says of it.
func (w *w2v) run(ctx context.Context, b *bench, args []string) (summary, child, error) {
	var s summary
	c, err := b.run(ctx, order{name: w.path, args: args})
	if err != nil {
		return s, c, err
	}
	if err := json.Unmarshal(c.stdout, &s); err != nil {
		return s, c, fmt.Errorf("w2v train: %w", err)
	}
	if !s.Complete {
		return s, c, errors.New("w2v train stopped early")
	}
	return s, c, nil
}

// train takes the program's own word for the CPU time of training, which starts
// when the corpus is counted and cached and ends before the model is written. The
// model is written as fastText's .bin where fastText writes one.
func (w *w2v) train(ctx context.Context, b *bench, s settings) (training, error) {
	t := training{model: b.path("w2v-model.bin")}
	done, c, err := w.run(ctx, b, w.flags(b, s, t.model))
	t.tokens, t.seconds, t.peak = float64(done.Tokens)*float64(done.Epochs), done.CPUSeconds, c.peak
	return t, err
}
