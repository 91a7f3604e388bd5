package main

import (
	"context"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/trainers"
)

// measureThreads trains with one thread and with two in turn, and wants to know
// how much more the two do in the same time.
func (b *bench) measureThreads(ctx context.Context) (result, error) {
	const one, two, gain = "tokens_per_second_1", "tokens_per_second_2", "ratio"
	r := result{
		Title: "Two threads of w2v against one, dim 100, wall",
		Metrics: []metric{
			{Key: one, Title: "tokens/s, one thread", show: figures.Shown(figures.Millions)},
			{Key: two, Title: "two threads", show: figures.Shown(figures.Millions)},
			{Key: gain, Title: "two ÷ one, median (range)", show: figures.MedianAndRange},
		},
		Notes: []string{"Wall time of training alone, pairs of runs one after the other. Needs two free cores: what else runs shows here first."},
	}
	for _, subwords := range []bool{false, true} {
		own := &row{Program: "w2v", Setting: "words"}
		if subwords {
			own.Setting = "subwords"
		}
		r.Rows = append(r.Rows, own)
		for i := range b.threadRuns {
			var speed [3]float64
			for threads := 1; threads <= 2; threads++ {
				s := fixed(trainers.Settings{Dim: 100, Subwords: subwords, Epochs: b.epochs, Threads: threads, Seed: uint64(i) + 1})
				model := b.path("threads.w2v")
				done, _, err := b.ours.Summarize(ctx, b.ours.Arguments(b.text.Path, model, s))
				if err != nil {
					return r, err
				}
				speed[threads] = float64(done.Tokens) * float64(done.Epochs) / done.Seconds
			}
			own.add(one, speed[1])
			own.add(two, speed[2])
			own.add(gain, speed[2]/speed[1])
		}
	}
	return r, nil
}
