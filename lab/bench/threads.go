package main

import (
	"context"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/trainers"
)

// measureThreads trains with one thread, with two, and with one in each of two processes at once, by
// turns, and wants to know how much more two threads do in the same time. Two processes share no rows,
// so they show how much more the machine could do at that moment.
func (b *bench) measureThreads(ctx context.Context) (result, error) {
	const one, two, gain, apart = "tokens_per_second_1", "tokens_per_second_2", "ratio", "ratio_of_processes"
	r := result{
		Title: "Two threads of w2v against one, dim 100, wall",
		Metrics: []metric{
			{Key: one, Title: "tokens/s, one thread", show: figures.Shown(figures.Millions)},
			{Key: two, Title: "two threads", show: figures.Shown(figures.Millions)},
			{Key: gain, Title: "two ÷ one, median (range)", show: figures.MedianAndRange},
			{Key: apart, Title: "two processes ÷ one, median (range)", show: figures.MedianAndRange},
		},
		Notes: []string{"Wall time of training alone, by turns. Needs two free cores: what else runs shows here first."},
	}
	for _, subwords := range []bool{false, true} {
		own := &row{Program: "w2v", Setting: "words"}
		if subwords {
			own.Setting = "subwords"
		}
		r.Rows = append(r.Rows, own)
		for i := range b.threadRuns {
			alone, err := b.speedOf(ctx, subwords, i, 1, "1")
			if err != nil {
				return r, err
			}
			both, err := b.speedOf(ctx, subwords, i, 2, "1")
			if err != nil {
				return r, err
			}
			processes, err := b.speedOfProcesses(ctx, subwords, i)
			if err != nil {
				return r, err
			}
			own.add(one, alone)
			own.add(two, both)
			own.add(gain, both/alone)
			own.add(apart, processes/alone)
		}
	}
	return r, nil
}

// speedOf trains and returns tokens a second of wall time. Models of trainings at the same time need
// different names.
func (b *bench) speedOf(ctx context.Context, subwords bool, round, threads int, name string) (float64, error) {
	s := fixed(trainers.Settings{Dim: 100, Subwords: subwords, Epochs: b.epochs, Threads: threads, Seed: uint64(round) + 1})
	done, _, err := b.ours.Summarize(ctx, b.ours.Arguments(b.text.Path, b.path("threads-"+name+".w2v"), s))
	if err != nil {
		return 0, err
	}
	return float64(done.Tokens) * float64(done.Epochs) / done.Seconds, nil
}

// speedOfProcesses trains with one thread in each of two processes at once, and returns what they
// do together.
func (b *bench) speedOfProcesses(ctx context.Context, subwords bool, round int) (float64, error) {
	var speeds [2]float64
	g, ctx := errgroup.WithContext(ctx)
	for i := range speeds {
		g.Go(func() (err error) {
			speeds[i], err = b.speedOf(ctx, subwords, round, 1, strconv.Itoa(i+1))
			return err
		})
	}
	err := g.Wait()
	return speeds[0] + speeds[1], err
}
