package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/trainers"
)

// compareDictionary measures how fast a text becomes known words: w2v counts and
// caches it, fastText is asked for 0 epochs in 1 dimension. Wall time, two threads,
// of which fastText uses one here.
func (b *bench) compareDictionary(ctx context.Context) (result, error) {
	const key, gross = "tokens_per_second", "tokens_per_second_with_start"
	r := result{
		Title: "Dictionary: counting the words of the text, two threads",
		Metrics: []metric{
			{Key: key, Title: "tokens per second, wall", show: figures.Shown(figures.Millions), ratio: larger},
			{Key: gross, Title: "with start-up", show: figures.Shown(figures.Millions), ratio: larger},
		},
		Notes: []string{"w2v: counting and caching as `train --json` reports it, and the same plus the time of `w2v vocab` for one line." +
			" fastText: `skipgram -epoch 0 -dim 1 -maxn 0`, less the time of the same for one line, and whole. Times for one line are the shortest of five."},
	}
	line := b.path("line.txt")
	if err := os.WriteFile(line, []byte("one\n"), 0o666); err != nil {
		return r, err
	}
	ours := &row{Program: "w2v"}
	r.Rows = append(r.Rows, ours)
	theirs := &row{Program: "fastText", rival: ours}
	if b.fast != nil {
		r.Rows = append(r.Rows, theirs)
	}
	tokens := float64(b.text.Tokens)
	ourStart, err := b.shortest(ctx, command.Order{Name: b.ours.Path, Args: []string{"vocab", line}})
	if err != nil {
		return r, err
	}
	train := fixed(trainers.Settings{Dim: 1, Epochs: 1, Threads: 2, Seed: 1})
	var count, empty command.Order
	var theirStart time.Duration
	if b.fast != nil {
		s := fixed(trainers.Settings{Dim: 1, Threads: 2, Seed: 1})
		model := b.path("dictionary")
		count = command.Order{Name: b.fast.Path, Args: b.fast.Arguments(b.text.Path, model, 0, s)}
		empty = command.Order{Name: b.fast.Path, Args: append(b.fast.Arguments(line, model, 0, s), "-minCount", "1")}
		if theirStart, err = b.shortest(ctx, empty); err != nil {
			return r, err
		}
	}
	for range b.rounds {
		done, _, err := b.ours.Summarize(ctx, b.ours.Arguments(b.text.Path, b.path("dictionary.w2v"), train))
		if err != nil {
			return r, err
		}
		ours.add(key, tokens/done.CountSeconds)
		ours.add(gross, tokens/(done.CountSeconds+ourStart.Seconds()))
		if b.fast == nil {
			continue
		}
		c, err := b.Run(ctx, count)
		if err != nil {
			return r, err
		}
		if c.Wall <= theirStart {
			return r, fmt.Errorf("the text is too small: fastText takes %v for it and %v for one line", c.Wall, theirStart)
		}
		theirs.add(key, tokens/(c.Wall-theirStart).Seconds())
		theirs.add(gross, tokens/c.Wall.Seconds())
	}
	return r, nil
}

// shortest is the least wall time of some runs: what starting takes when nothing
// is in the way.
func (b *bench) shortest(ctx context.Context, o command.Order) (time.Duration, error) {
	const runs = 5
	var least time.Duration
	for i := range runs {
		c, err := b.Run(ctx, o)
		if err != nil {
			return 0, err
		}
		if i == 0 || c.Wall < least {
			least = c.Wall
		}
	}
	return least, nil
}
