package main

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/trainers"
)

// cost is what some flags of w2v train cost: pairs of runs, without them and with them.
type cost struct {
	setting  string
	settings trainers.Settings
	flags    []string
}

// measureCosts measures the speed of w2v with flags against that without them.
func (b *bench) measureCosts(ctx context.Context, title string, costs []cost) (result, error) {
	const without, with, ratio, cpu = "tokens_per_second", "tokens_per_second_with", "ratio", "cpu_ratio"
	r := result{
		Title: title,
		Metrics: []metric{
			{Key: without, Title: "tokens/s without", show: figures.Shown(figures.Millions)},
			{Key: with, Title: "with", show: figures.Shown(figures.Millions)},
			{Key: ratio, Title: "with ÷ without, median (range)", show: figures.MedianAndRange},
			{Key: cpu, Title: "CPU time, with ÷ without", show: figures.MedianAndRange},
		},
		Notes: []string{"Wall time of training alone, pairs of runs one after the other. Needs two free cores: what else runs shows here first."},
	}
	for _, c := range costs {
		own := &row{Program: "w2v", Setting: c.setting}
		r.Rows = append(r.Rows, own)
		for i := range b.threadRuns {
			s := fixed(c.settings)
			s.Epochs, s.Seed = b.epochs, uint64(i)+1
			flags := b.ours.Arguments(b.text.Path, b.path("cost.w2v"), s)
			plain, _, err := b.ours.Summarize(ctx, flags)
			if err != nil {
				return r, err
			}
			costly, _, err := b.ours.Summarize(ctx, append(flags, c.flags...))
			if err != nil {
				return r, err
			}
			own.add(without, plain.TokensPerSecond)
			own.add(with, costly.TokensPerSecond)
			own.add(ratio, costly.TokensPerSecond/plain.TokensPerSecond)
			own.add(cpu, costly.CPUSeconds/plain.CPUSeconds)
		}
	}
	return r, nil
}

// measureDeterministic measures what the same bits with any number of threads cost.
func (b *bench) measureDeterministic(ctx context.Context) (result, error) {
	var costs []cost
	for _, subwords := range []bool{false, true} {
		for threads := 1; threads <= 2; threads++ {
			name := map[bool]string{false: "words", true: "subwords"}[subwords]
			costs = append(costs, cost{
				setting:  fmt.Sprintf("%s, threads %d", name, threads),
				settings: trainers.Settings{Dim: 100, Subwords: subwords, Threads: threads},
				flags:    []string{"--deterministic"},
			})
		}
	}
	return b.measureCosts(ctx, "--deterministic against Hogwild, dim 100", costs)
}

// measureCheckpoints measures what checkpoints cost.
func (b *bench) measureCheckpoints(ctx context.Context) (result, error) {
	return b.measureCosts(ctx, "Checkpoints every 5 seconds against none, dim 100", []cost{{
		setting:  "words, threads 2",
		settings: trainers.Settings{Dim: 100, Threads: 2},
		flags:    []string{"--checkpoint", b.path("cost.ckpt"), "--checkpoint-every", "5s"},
	}})
}
