package main

import (
	"context"
	"errors"
	"fmt"
	"math"
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
		r.Notes = []string{"Not measured: there are no evaluation sets. -eval names their folder."}
		return r, nil
	}
	for _, subwords := range []bool{false, true} {
		kind := map[bool]string{false: "words", true: "subwords"}[subwords]
		s := trainers.Settings{Dim: 100, MinCount: minCount, Threads: b.threads, Subwords: subwords}
		// measure trains in all rounds, adds a row, and returns what every training took and came to.
		measure := func(p trainers.Trainer, s trainers.Settings) (points []frontier.Point, err error) {
			own := &row{Program: p.Title(), Setting: fmt.Sprintf("%s, %d epochs", kind, s.Epochs)}
			r.Rows = append(r.Rows, own)
			for round := range b.rounds {
				if round > 0 && !p.Seeded() {
					break
				}
				s.Seed = uint64(round) + 1
				t, err := p.Train(ctx, b.text.Text, b.path("model"), s)
				if err != nil {
					return nil, err
				}
				scores, err := b.sets.ScoreFile(ctx, t.Model)
				if err := errors.Join(err, t.Remove()); err != nil {
					return nil, err
				}
				score := battery.Mean(scores)
				if !math.IsNaN(score) { // as it is if the model knows too little of a set
					own.add(mean, score)
				}
				own.add(cpu, t.Seconds)
				points = append(points, frontier.Point{Epochs: s.Epochs, Seconds: t.Seconds, Score: score})
			}
			b.logf("%s, %s: %s in %s", own.Program, own.Setting, figures.MeanAndDeviation(own.Samples[mean]), figures.Shown(figures.Seconds)(own.Samples[cpu]))
			return points, nil
		}
		var ours []frontier.Point
		for _, epochs := range reachEpochs {
			s.Epochs = epochs
			points, err := measure(b.ours, s)
			if err != nil {
				return r, err
			}
			ours = append(ours, points...)
		}
		s.Epochs = peerEpochs
		for _, p := range able(b.peers, s) {
			if p == trainers.Trainer(b.fast) {
				s.Threads = max(b.threads, trainers.FastTextThreads)
			} else {
				s.Threads = b.threads
			}
			points, err := measure(p, s)
			if err != nil {
				return r, err
			}
			r.Notes = append(r.Notes, kind+": "+timeToQuality(p.Title(), ours, points))
		}
	}
	return r, nil
}

// timeToQuality says when w2v reaches the mean score of a peer.
func timeToQuality(peer string, ours, theirs []frontier.Point) string {
	var scores, seconds []float64
	for _, p := range theirs {
		scores, seconds = append(scores, p.Score), append(seconds, p.Seconds)
	}
	target, _ := figures.MeanDeviation(scores)
	at := frontier.Reach(ours, target)
	if at.Side == frontier.Unknown {
		return fmt.Sprintf("no time to the mean of %s: a model knows too few words of a set.", peer)
	}
	return fmt.Sprintf("w2v reaches the mean of %s in %s, %s epochs: × %s less CPU time.", peer, at.Time(), at.Passes(), at.Ratio(figures.Median(seconds)))
}

// able are the peers that have the settings.
func able(peers []trainers.Trainer, s trainers.Settings) []trainers.Trainer {
	return slices.DeleteFunc(slices.Clone(peers), func(p trainers.Trainer) bool { return p.Lacks(s) != "" })
}
