package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/trainers"
)

// What all programs train with, besides the settings of a run: the usual settings
// of word2vec and fastText.
const (
	window    = 5
	negatives = 5
	minCount  = 5
	sample    = 1e-3
	minNgram  = 3
	maxNgram  = 6
	buckets   = 2_000_000
)

// fixed are settings with the usual numbers where they are 0, so that all programs train with the
// same. The learning rate stays as it is.
func fixed(s trainers.Settings) trainers.Settings {
	s.Window, s.Negatives, s.MinCount, s.Sample = window, negatives, minCount, sample
	if s.Subwords {
		s.MinN, s.MaxN, s.Buckets = minNgram, maxNgram, buckets
	}
	return s
}

// describe names the settings of a part.
func describe(s trainers.Settings) string {
	ngrams := "words"
	if s.Subwords {
		ngrams = fmt.Sprintf("subwords of %d–%d, %d buckets", minNgram, maxNgram, buckets)
	}
	if s.CBOW {
		ngrams = "CBOW, " + ngrams
	}
	return fmt.Sprintf("%s, dim %d, window %d, %d negatives, %d epochs, min-count %d, sample %g, threads %d",
		ngrams, s.Dim, window, negatives, s.Epochs, minCount, sample, s.Threads)
}

// defaultRate is the learning rate of a peer, by its title.
func defaultRate(title string) float64 {
	if title == "fastText" {
		return 0.05
	}
	return 0.025 // word2vec's, which the others have taken over
}

// A contestant is a program with a learning rate.
type contestant struct {
	trainers.Trainer
	rate float64
	row  *row
}

// contestants are w2v and its peers, each peer with its own learning rate and next
// to a w2v with the same.
func (b *bench) contestants(peers []trainers.Trainer) []contestant {
	rivals := make(map[float64]*row)
	var all []contestant
	add := func(t trainers.Trainer, rate float64) *row {
		r := &row{Program: t.Title(), Setting: "its own rate", rival: rivals[rate]}
		if rate != 0 {
			r.Setting = fmt.Sprintf("rate %g", rate)
		}
		all = append(all, contestant{t, rate, r})
		return r
	}
	if len(peers) == 0 {
		add(b.ours, b.rate)
	}
	for _, peer := range peers {
		rate := b.rate
		if rate == 0 {
			rate = defaultRate(peer.Title())
		}
		if rivals[rate] == nil {
			rivals[rate] = add(b.ours, rate)
		}
		add(peer, rate)
	}
	return all
}

const (
	speedKey = "tokens_per_cpu_second"
	peakKey  = "peak_bytes"
)

// compareTraining trains with all programs in turn, round after round.
func (b *bench) compareTraining(ctx context.Context, s trainers.Settings, peers []trainers.Trainer) (result, error) {
	s.Epochs, s.Threads = b.epochs, b.threads
	s = fixed(s)
	all := b.contestants(able(peers, s))
	if s.CBOW { // w2v gives contexts a share of the gradient, and so wants another rate
		all = append(all, contestant{b.ours, 0, &row{Program: b.ours.Title(), Setting: "its own rate"}})
	}
	r := result{
		Title: "Training: " + describe(s),
		Metrics: []metric{
			{Key: speedKey, Title: "tokens per CPU-second", show: figures.Shown(figures.Millions), ratio: larger},
			{Key: peakKey, Title: "peak memory", show: figures.Shown(figures.Megabytes), ratio: smaller},
		},
	}
	for _, set := range b.sets.Names() {
		r.Metrics = append(r.Metrics, metric{Key: set, Title: set, show: figures.MeanAndDeviation})
	}
	for _, c := range all {
		r.Rows = append(r.Rows, c.row)
	}
	for round := 1; round <= b.rounds; round++ {
		for _, c := range all {
			s.Rate, s.Seed = c.rate, uint64(round)
			if err := b.sampleTraining(ctx, c, s); err != nil {
				return r, err
			}
			last := func(key string) float64 { return c.row.Samples[key][round-1] }
			b.logf("round %d of %d: %s, %s: %s tokens per CPU-second, %s",
				round, b.rounds, c.Title(), c.row.Setting, figures.Millions(last(speedKey)), figures.Megabytes(last(peakKey)))
		}
	}
	r.Notes = b.coverage(r.Rows)
	return r, nil
}

// sampleTraining trains once, and adds what that took and what came of it to the
// contestant's row.
func (b *bench) sampleTraining(ctx context.Context, c contestant, s trainers.Settings) error {
	t, err := c.Train(ctx, b.text.Text, b.path("model"), s)
	if err != nil {
		return err
	}
	if t.Seconds <= 0 {
		return fmt.Errorf("%s: the corpus is too small to measure training", c.Title())
	}
	c.row.add(speedKey, t.Tokens/t.Seconds)
	c.row.add(peakKey, t.Peak)
	scores, err := b.sets.ScoreFile(ctx, t.Model)
	if err != nil {
		return err
	}
	for _, score := range scores {
		if score.Value.Defined() {
			c.row.add(score.Set, float64(score.Value))
		}
		c.row.add(score.Set+" used", float64(score.Used))
	}
	return t.Remove()
}

// coverage says how many pairs and questions were scored.
func (b *bench) coverage(rows []*row) []string {
	var each []string
	for _, set := range b.sets.Names() {
		var used []string
		same := true
		for _, r := range rows {
			n := fmt.Sprintf("%.0f", figures.Median(r.Samples[set+" used"]))
			same = same && (len(used) == 0 || n == used[0])
			used = append(used, n)
		}
		if same {
			used = used[:1]
		}
		each = append(each, set+" "+strings.Join(used, "/"))
	}
	if len(each) == 0 {
		return nil
	}
	return []string{"Pairs and questions scored, row by row where they differ: " + strings.Join(each, ", ") + "."}
}
