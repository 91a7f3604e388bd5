package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/frontier"
	"github.com/w2v-go/w2v/lab/trainers"
)

// peerEpochs are those of the programs whose quality w2v has to reach.
const peerEpochs = 5

// reachEpochs are those that w2v is trained for to see when it reaches the quality of others.
var reachEpochs = []int{1, 2, 3, 5, 8}

// compareReach measures how long w2v takes to reach the mean score of each peer. All programs
// train with their own defaults.
func (b *bench) compareReach(ctx context.Context) (result, error) {
	const mean, cpu = "mean_score", "cpu_seconds"
	r := result{
		Title: fmt.Sprintf("Time to quality: dim 100, own defaults, threads %d", b.threads),
		Metrics: []metric{
			{Key: mean, Title: "mean of all sets", show: figures.MeanAndDeviation},
			{Key: cpu, Title: "CPU time of training", show: figures.Shown(figures.Seconds)},
		},
	}
	if len(b.sets.Names()) == 0 {
		return r, errors.New("there are no evaluation sets: -eval names their folder")
	}
	for _, subwords := range []bool{false, true} {
		kind := map[bool]string{false: "words", true: "subwords"}[subwords]
		s := trainers.Settings{Dim: 100, MinCount: minCount, Threads: b.threads, Subwords: subwords}
		// measure trains in all rounds and adds a row.
		measure := func(p trainers.Trainer, s trainers.Settings) (*row, error) {
			own := &row{Program: p.Title(), Setting: fmt.Sprintf("%s, %d epochs", kind, s.Epochs)}
			r.Rows = append(r.Rows, own)
			for round := range b.rounds {
				if round > 0 && !p.Seeded() {
					break
				}
				s.Seed = uint64(round) + 1
				t, err := p.Train(ctx, b.text.Text, b.path("model"), s)
				if err != nil {
					return own, err
				}
				scores, err := b.sets.ScoreFile(ctx, t.Model)
				if err := errors.Join(err, t.Remove()); err != nil {
					return own, err
				}
				own.add(mean, battery.Mean(scores))
				own.add(cpu, t.Seconds)
			}
			b.logf("%s, %s: %s in %s", own.Program, own.Setting, figures.MeanAndDeviation(own.Samples[mean]), figures.Shown(figures.Seconds)(own.Samples[cpu]))
			return own, nil
		}
		var points []frontier.Point
		for _, epochs := range reachEpochs {
			s.Epochs = epochs
			own, err := measure(b.ours, s)
			if err != nil {
				return r, err
			}
			for i, score := range own.Samples[mean] {
				points = append(points, frontier.Point{Epochs: epochs, Seconds: own.Samples[cpu][i], Score: score})
			}
		}
		s.Epochs = peerEpochs
		for _, p := range able(b.peers, s) {
			if p == trainers.Trainer(b.fast) {
				s.Threads = max(b.threads, trainers.FastTextThreads)
			} else {
				s.Threads = b.threads
			}
			own, err := measure(p, s)
			if err != nil {
				return r, err
			}
			target, _ := figures.MeanDeviation(own.Samples[mean])
			at, seconds := frontier.Reach(points, target), figures.Median(own.Samples[cpu])
			r.Notes = append(r.Notes, fmt.Sprintf("%s: w2v reaches the mean of %s in %s, %s epochs: × %s less CPU time.",
				kind, p.Title(), at.Time(), at.Passes(), at.Ratio(seconds)))
		}
	}
	return r, nil
}

// able are the peers that have the settings.
func able(peers []trainers.Trainer, s trainers.Settings) []trainers.Trainer {
	return slices.DeleteFunc(slices.Clone(peers), func(p trainers.Trainer) bool { return p.Lacks(s) != "" })
}
