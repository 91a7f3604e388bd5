package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/w2v-go/w2v/lab/figures"
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
	ourStart, err := b.shortest(ctx, order{name: b.ours.path, args: []string{"vocab", line}})
	if err != nil {
		return r, err
	}
	train := settings{dim: 1, epochs: 1, threads: 2, rate: b.ours.defaultRate(), seed: 1}
	var count, empty order
	var theirStart time.Duration
	if b.fast != nil {
		s := settings{dim: 1, epochs: 0, threads: 2, rate: b.fast.defaultRate(), seed: 1}
		model := b.path("dictionary")
		count = order{name: b.fast.path, args: b.fast.flags(b.text.path, model, s)}
		empty = order{name: b.fast.path, args: append(b.fast.flags(line, model, s), "-minCount", "1")}
		if theirStart, err = b.shortest(ctx, empty); err != nil {
			return r, err
		}
	}
	for range b.rounds {
		done, _, err := b.ours.run(ctx, b, b.ours.flags(b, train, b.path("dictionary.w2v")))
		if err != nil {
			return r, err
		}
		ours.add(key, tokens/done.CountSeconds)
		ours.add(gross, tokens/(done.CountSeconds+ourStart.Seconds()))
		if b.fast == nil {
			continue
		}
		c, err := b.run(ctx, count)
		if err != nil {
			return r, err
		}
		if c.wall <= theirStart {
			return r, fmt.Errorf("the text is too small: fastText takes %v for it and %v for one line", c.wall, theirStart)
		}
		theirs.add(key, tokens/(c.wall-theirStart).Seconds())
		theirs.add(gross, tokens/c.wall.Seconds())
	}
	return r, nil
}

// shortest is the least wall time of some runs: what starting takes when nothing
// is in the way.
func (b *bench) shortest(ctx context.Context, o order) (time.Duration, error) {
	const runs = 5
	var least time.Duration
	for i := range runs {
		c, err := b.run(ctx, o)
		if err != nil {
			return 0, err
		}
		if i == 0 || c.wall < least {
			least = c.wall
		}
	}
	return least, nil
}
